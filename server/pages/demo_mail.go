package pages

import (
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"assay/server/request"
)

// DemoEmail is an email that the demo shows instead of sending it.
type DemoEmail struct {
	ID                string
	At                time.Time
	From, To, Subject string // decoded
	Header            string // as it would have been sent
	Text, HTML        string // the two parts
}

const (
	// demoMailPolicy is pagePolicy for a page with a frame of this server.
	demoMailPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; " +
		"form-action 'none'; frame-ancestors 'none'"

	// emailPolicy lets the HTML of an email do what mail programs let it do: have a style and links.
	emailPolicy = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)

// registerDemoMail adds the pages that show the emails of the demo. A service with a mail
// server does not have them, because anybody could read the links.
func (s *site) registerDemoMail() {
	if s.opts.DemoMail == nil {
		return
	}
	s.path.Page("/demo/mail", func(c echo.Context) error {
		return showPage(c, pagePolicy, "demo_mail.html", s.opts.DemoMail())
	})
	s.path.Page("/demo/mail/:id", s.demoEmail(func(c echo.Context, email DemoEmail) error {
		return showPage(c, demoMailPolicy, "demo_email.html", email)
	}))
	s.path.Page("/demo/mail/:id/html", s.demoEmail(func(c echo.Context, email DemoEmail) error {
		header := c.Response().Header()
		header.Set(echo.HeaderContentSecurityPolicy, emailPolicy)
		header.Del(echo.HeaderXFrameOptions) // frame-ancestors replaces it
		return c.HTML(http.StatusOK, inNewTabs(email.HTML))
	}))
}

// demoEmail shows the email with the id in the path.
func (s *site) demoEmail(show func(echo.Context, DemoEmail) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		emails := s.opts.DemoMail()
		i := slices.IndexFunc(emails, func(e DemoEmail) bool { return e.ID == c.Param("id") })
		if i < 0 {
			return request.ErrNothingHere
		}
		return show(c, emails[i])
	}
}

var headTag = regexp.MustCompile(`(?i)<head(\s[^>]*)?>`)

// inNewTabs makes the links of a document open new tabs, because the pages that they lead
// to refuse to be shown in a frame.
func inNewTabs(document string) string {
	head := headTag.FindStringIndex(document)
	if head == nil {
		return document
	}
	return document[:head[1]] + `<base target="_blank">` + document[head[1]:]
}
