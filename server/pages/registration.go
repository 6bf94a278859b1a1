package pages

import (
	"bytes"
	_ "embed" // for the texts
	"encoding/json"
	"errors"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/server/request"
	"assay/store"
	"assay/store/rules"
)

const maxRegistrationBody = 16 << 10 // bytes

//go:embed registration.json
var registrationJSON []byte

// registrationPage is the data of the template.
type registrationPage struct {
	Texts     pageTexts
	View      string // form, sent, ended, wrong, confirm, attempted, halts, or limited
	Form      store.RegistrationForm
	Logo      string // "" for none
	Privacy   template.HTML
	Languages []languageLink
	FormURL   string // of the form; "" if it is not known

	// What the person has entered, and what of it is wrong.
	Name, Email           string
	NameWrong, EmailWrong bool
}

// Initial stands in place of a logo.
func (p registrationPage) Initial() string { return initialOf(p.Form.Organization.Name) }

// registrationPages are the pages on which people register themselves as candidates. They need neither a script nor a
// cookie. A GET changes nothing: mail programs open links to check them.
type registrationPages struct {
	*site
	languages []pageTexts
}

func (s *site) registerRegistration() error {
	pages := registrationPages{site: s}
	if err := json.Unmarshal(registrationJSON, &pages.languages); err != nil {
		return err
	}
	s.path.Page(store.RegistrationPath, pages.showForm)
	s.path.Form(store.RegistrationPath, pages.register)
	s.path.Page(store.ConfirmationPath, pages.askToConfirm)
	s.path.Form(store.ConfirmationPath, pages.confirm)
	return nil
}

func (p registrationPages) showForm(c echo.Context) error {
	form, err := p.store.UnscopedRegistrationForm(c.Request().Context(), c.QueryParam("token"))
	if err != nil {
		return p.refuse(c, form, err)
	}
	return p.show(c, http.StatusOK, p.formPage(c, form))
}

// formPage is the form, or says that registration has ended.
func (p registrationPages) formPage(c echo.Context, form store.RegistrationForm) registrationPage {
	page := p.newPage(c, "form", form, "")
	page.FormURL = c.Request().URL.RequestURI()
	if !form.Accepts {
		page.View = "ended"
	}
	return page
}

// register responds with the same page whatever is known about the address.
func (p registrationPages) register(c echo.Context) error {
	ctx, token := c.Request().Context(), c.QueryParam("token")
	form, err := p.store.UnscopedRegistrationForm(ctx, token)
	if err != nil {
		return p.refuse(c, form, err)
	}
	page := p.formPage(c, form)
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, maxRegistrationBody)
	if r.ParseForm() != nil {
		r.PostForm = url.Values{}
	}
	page.Name, page.Email = strings.TrimSpace(r.PostForm.Get("name")), strings.TrimSpace(r.PostForm.Get("email"))
	blank := rules.Blank(page.Name)
	page.NameWrong = blank && form.NameRequired || !blank && !request.Accepts(ctx, "PersonName", page.Name)
	page.EmailWrong = !request.Accepts(ctx, "Email", page.Email)
	if form.Accepts && (page.NameWrong || page.EmailWrong) {
		page.Name, page.Email = strings.ToValidUTF8(page.Name, ""), strings.ToValidUTF8(page.Email, "")
		return p.show(c, http.StatusBadRequest, page)
	}
	in := store.Registrant{Name: page.Name, Email: page.Email, Locale: page.Texts["locale"]}
	if blank {
		in.Name = ""
	}
	from := request.ScopeOf(ctx).Origin
	if form, err = p.store.UnscopedRegisterCandidate(ctx, from, token, in); err != nil {
		return p.refuse(c, form, err)
	}
	if !form.Accepts {
		page.View = "ended"
		return p.show(c, http.StatusGone, page)
	}
	page.View = "sent"
	return p.show(c, http.StatusAccepted, page)
}

func (p registrationPages) askToConfirm(c echo.Context) error {
	found, err := p.store.UnscopedConfirmation(c.Request().Context(), c.QueryParam("token"))
	if err != nil {
		return p.refuse(c, found.RegistrationForm, err)
	}
	page := p.newPage(c, "confirm", found.RegistrationForm, found.Language)
	page.Email = found.Email
	return p.show(c, http.StatusOK, page)
}

// confirm creates the session and leads to the candidate page.
func (p registrationPages) confirm(c echo.Context) error {
	ctx := c.Request().Context()
	found, err := p.store.UnscopedConfirmRegistration(ctx, request.ScopeOf(ctx).Origin, c.QueryParam("token"))
	if err != nil {
		return p.refuse(c, found.RegistrationForm, err)
	}
	page := p.newPage(c, "", found.RegistrationForm, found.Language)
	switch found.Outcome {
	case store.RegistrationEnded:
		page.View = "ended"
		return p.show(c, http.StatusGone, page)
	case store.AttemptedAlready:
		page.View = "attempted"
		return p.show(c, http.StatusConflict, page)
	case store.RegistrationHalts:
		page.View = "halts"
		return p.show(c, http.StatusConflict, page)
	case store.Confirmed:
	}
	// The candidate page continues in the language that the person has chosen here.
	target, err := url.Parse(found.InviteURL)
	if err != nil {
		return err
	}
	target.RawQuery = url.Values{"lang": {page.Texts["locale"]}}.Encode()
	c.Response().Header().Set(echo.HeaderContentSecurityPolicy, p.registrationPolicy(c))
	return c.Redirect(http.StatusSeeOther, target.String())
}

// refuse shows the page of a link that does not work, or of a limit.
func (p registrationPages) refuse(c echo.Context, form store.RegistrationForm, err error) error {
	var refusal *store.Error
	var limited *store.Limited
	switch {
	case errors.As(err, &refusal) && refusal.Kind == store.NotFound:
		return p.show(c, http.StatusNotFound, p.newPage(c, "wrong", store.RegistrationForm{}, ""))
	case errors.As(err, &limited):
		c.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(limited.RetryAfter.Seconds()))))
		return p.show(c, http.StatusTooManyRequests, p.newPage(c, "limited", form, ""))
	}
	return err
}

func (p registrationPages) newPage(
	c echo.Context, view string, form store.RegistrationForm, chosen string,
) registrationPage {
	texts := p.textsFor(c, chosen, form)
	return registrationPage{
		Texts: texts, View: view, Form: form, Logo: textOf(LogoURL(p.opts.BaseURL, form.Organization)),
		Privacy:   template.HTML(form.PrivacyHTML), //nolint:gosec // sanitized
		Languages: languageLinks(c, p.languages, texts),
	}
}

// textsFor chooses the language as the candidate page does: that of the address, of the email, of the assessment, of
// the organization, of the browser, or else English.
func (p registrationPages) textsFor(c echo.Context, chosen string, form store.RegistrationForm) pageTexts {
	wanted := []string{c.QueryParam("lang"), chosen, textOf(form.Locale), textOf(form.Organization.Locale)}
	return textsIn(p.languages, append(wanted, acceptedLanguages(c)...)...)
}

// registrationPolicy is pagePolicy for a page with a logo and a form. The confirmation leads to the base URL, which can
// differ from the address at which the page was opened.
func (p registrationPages) registrationPolicy(c echo.Context) string {
	own := p.imageSources(c.Request().Host)
	return "default-src 'none'; style-src 'unsafe-inline'; img-src " + own + "; base-uri 'none'; form-action " + own +
		"; frame-ancestors 'none'"
}

func (p registrationPages) show(c echo.Context, status int, page registrationPage) error {
	var body bytes.Buffer
	if err := pages.ExecuteTemplate(&body, "registration.html", page); err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderContentSecurityPolicy, p.registrationPolicy(c))
	header.Set("X-Robots-Tag", "noindex")
	return c.HTMLBlob(status, body.Bytes())
}
