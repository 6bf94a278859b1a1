package pages

import (
	"bytes"
	_ "embed" // for the texts
	"encoding/json"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"

	"assay/store"
)

// unsubscribePolicy is pagePolicy for a page with a form that has no action: it is sent to
// the address of the page.
const unsubscribePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'"

//go:embed unsubscribe.json
var unsubscribeJSON []byte

// unsubscribeTexts are the texts of the page in one language.
type unsubscribeTexts struct {
	Locale    string            `json:"locale"`
	Direction string            `json:"direction"`
	Wrong     string            `json:"wrong"`
	Title     string            `json:"title"`
	Button    string            `json:"button"`
	Reminders unsubscribeChoice `json:"reminders"`
	All       unsubscribeAll    `json:"all"`
	Finished  unsubscribeChoice `json:"finished"` // only in the languages of members
}

type unsubscribeChoice struct {
	Question string `json:"question"`
	Done     string `json:"done"`
}

// unsubscribeAll is the choice to end all emails of an organization to candidates.
type unsubscribeAll struct {
	unsubscribeChoice
	Link   string `json:"link"`   // on the page about reminders
	Resume string `json:"resume"` // the button that takes it back
	Again  string `json:"again"`  // after that
}

// unsubscribePage is the data of the template.
type unsubscribePage struct {
	unsubscribeTexts
	Sentence string
	Asks     bool
	Resumes  bool   // offers to take it back
	Name     string // of the organization whose emails end; "" on the other pages
	AllURL   string // of the page that ends all emails; "" for none
}

// resumeField is the field of the form that takes back what a link has ended. No mail program sends it.
const resumeField = "resume"

const maxUnsubscribeBody = 4096 // bytes

// registerUnsubscribe adds the page with which a person ends emails of one kind. The link in
// an email only asks, because mail programs open links to check them. A mail program can send
// the same request as the form (RFC 8058). The page needs no cookie: its token is the credential.
func (s *site) registerUnsubscribe() error {
	var languages []unsubscribeTexts
	if err := json.Unmarshal(unsubscribeJSON, &languages); err != nil {
		return err
	}
	show := func(unsubscribe bool) echo.HandlerFunc {
		return func(c echo.Context) error { return s.unsubscribe(c, languages, unsubscribe) }
	}
	s.path.Page(store.UnsubscribePath, show(false))
	s.path.Form(store.UnsubscribePath, show(true))
	return nil
}

func (s *site) unsubscribe(c echo.Context, languages []unsubscribeTexts, unsubscribe bool) error {
	read, resumes := s.store.UnscopedUnsubscription, false
	if unsubscribe {
		read = s.store.UnscopedUnsubscribe
		r := c.Request()
		r.Body = http.MaxBytesReader(c.Response(), r.Body, maxUnsubscribeBody)
		if resumes = r.PostFormValue(resumeField) != ""; resumes {
			read = s.store.UnscopedResubscribe
		}
	}
	found, err := read(c.Request().Context(), c.QueryParam("token"))
	var refusal *store.Error
	if errors.As(err, &refusal) && refusal.Kind == store.NotFound {
		texts := textsFor(languages, nil, true)
		return writePage(c, http.StatusNotFound, unsubscribePage{unsubscribeTexts: texts, Sentence: texts.Wrong})
	}
	if err != nil {
		return err
	}
	toCandidate := found.Kind != store.UnsubscribeFinished
	if found.Kind == store.UnsubscribeAll {
		found.Locales = append([]string{c.QueryParam("lang")}, found.Locales...)
	}
	texts := textsFor(languages, found.Locales, toCandidate)
	choice := texts.Finished
	switch found.Kind {
	case store.UnsubscribeFinished:
	case store.UnsubscribeReminders:
		choice = texts.Reminders
	case store.UnsubscribeAll:
		choice = texts.All.unsubscribeChoice
	}
	page := unsubscribePage{
		unsubscribeTexts: texts, Sentence: choice.Question, Asks: true, AllURL: found.AllURL, Name: found.OrganizationName,
	}
	switch {
	case resumes && found.Kind == store.UnsubscribeAll:
		page.Sentence, page.Asks = texts.All.Again, false
	case unsubscribe && !resumes:
		page.Sentence, page.Asks, page.Resumes = choice.Done, false, found.Kind == store.UnsubscribeAll
	}
	return writePage(c, http.StatusOK, page)
}

func writePage(c echo.Context, status int, page unsubscribePage) error {
	var body bytes.Buffer
	if err := pages.ExecuteTemplate(&body, "unsubscribe.html", page); err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderContentSecurityPolicy, unsubscribePolicy)
	header.Set("X-Robots-Tag", "noindex")
	return c.HTMLBlob(status, body.Bytes())
}

// textsFor returns the texts in the first of the reader's languages that has them, as the
// candidate page chooses: the same language in the same script. Otherwise they are English.
func textsFor(languages []unsubscribeTexts, wanted []string, toCandidate bool) unsubscribeTexts {
	english := languages[0]
	for _, locale := range wanted {
		for _, texts := range languages {
			if written(texts.Locale) == written(locale) && (toCandidate || texts.Finished.Question != "") {
				return texts
			}
		}
	}
	return english
}

// written returns the language and the script of a tag: zh-TW is not zh-Hans.
func written(locale string) string {
	tag, err := language.Parse(locale)
	if err != nil {
		return ""
	}
	base, _ := tag.Base()
	script, _ := tag.Script()
	return base.String() + "-" + script.String()
}
