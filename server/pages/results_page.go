package pages

import (
	"bytes"
	_ "embed" // for the texts
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"assay/server/request"
	"assay/server/spreadsheet"
	"assay/store"
	"assay/store/rules"
)

//go:embed result.json
var resultJSON []byte

// resultPages are the pages of links to results. They need neither a script nor a cookie.
type resultPages struct {
	*site
	languages []pageTexts
}

// resultPage is the data of the template.
type resultPage struct {
	Texts        pageTexts
	Languages    []languageLink
	Organization store.Organization
	Logo         string // "" for none
	Title        string
	Message      string // in place of a result

	Assessment   string
	Candidate    string
	Email        string
	Score        string
	Verdict      *pageVerdict
	Facts        []string
	Stages       []pageStage
	WithAnswers  bool
	Lang         string // of the assessment; "" if it is not known
	Confidential string
}

// Initial stands in place of a logo.
func (p resultPage) Initial() string { return initialOf(p.Organization.Name) }

// pageVerdict is a word with its color: good, bad, or "" for none.
type pageVerdict struct{ Kind, Text string }

type pageStage struct {
	Title     string
	Score     string // "" if the candidate has not reached the stage
	Verdict   *pageVerdict
	Questions []pageQuestion
}

type pageQuestion struct {
	Prompt  template.HTML
	Points  string
	Verdict *pageVerdict
	Answer  string
	Key     string
}

func (s *site) registerResultPage() error {
	pages := resultPages{site: s}
	if err := json.Unmarshal(resultJSON, &pages.languages); err != nil {
		return err
	}
	s.path.Page(store.ResultPath, pages.show)
	return nil
}

func (p resultPages) show(c echo.Context) error {
	ctx := c.Request().Context()
	found, err := p.store.UnscopedResultPage(ctx, request.ScopeOf(ctx).Origin, c.QueryParam("token"), opens(c.Request()))
	texts := p.textsFor(c, found.Organization)
	page := resultPage{
		Texts: texts, Languages: languageLinks(c, p.languages, texts), Organization: found.Organization,
		Logo: textOf(LogoURL(p.opts.BaseURL, found.Organization)),
	}
	var refusal *store.Error
	switch {
	case errors.As(err, &refusal) && refusal.Kind == store.NotFound:
		page.Title, page.Message = texts["brokenTitle"], texts["broken"]
		return p.write(c, http.StatusNotFound, page)
	case err != nil:
		return err
	case found.Result == nil:
		page.Title, page.Message = texts["laterTitle"], texts["later"]
		return p.write(c, http.StatusOK, page)
	}
	language, err := spreadsheet.LanguageOf(texts["locale"])
	if err != nil {
		return err
	}
	resultWriter{texts: texts, language: language, found: found}.fill(&page)
	return p.write(c, http.StatusOK, page)
}

// opens reports whether a person opens the page. Programs that show a preview of a link do not count.
func opens(r *http.Request) bool {
	destination := r.Header.Get("Sec-Fetch-Dest")
	return r.Method == http.MethodGet && (destination == "" || destination == "document") &&
		r.Header.Get("Sec-Purpose") == "" && !strings.Contains(strings.ToLower(r.UserAgent()), "bot")
}

// textsFor chooses the language of the reader: that of the address, of the browser, of the organization, or else
// English.
func (p resultPages) textsFor(c echo.Context, organization store.Organization) pageTexts {
	wanted := append([]string{c.QueryParam("lang")}, acceptedLanguages(c)...)
	return textsIn(p.languages, append(wanted, textOf(organization.Locale))...)
}

func (p resultPages) write(c echo.Context, status int, page resultPage) error {
	var body bytes.Buffer
	if err := pages.ExecuteTemplate(&body, "result.html", page); err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; style-src 'unsafe-inline'; img-src "+
		p.imageSources(c.Request().Host)+"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	header.Set("X-Robots-Tag", "noindex")
	header.Set(echo.HeaderCacheControl, "no-store")
	return c.HTMLBlob(status, body.Bytes())
}

// scrolling lets wide tables scroll in themselves.
var scrolling = strings.NewReplacer("<table>", `<div class="scroll"><table>`, "</table>", "</table></div>")

// resultWriter writes a result in the language of the reader.
type resultWriter struct {
	texts    pageTexts
	language *spreadsheet.Language
	found    store.ResultPage
}

func (w resultWriter) fill(page *resultPage) {
	result := w.found.Result
	page.Assessment, page.Candidate, page.Email = result.Assessment.Title, result.Candidate.Name, result.Candidate.Email
	page.Title = w.text("title", "name", page.Candidate)
	page.Score, page.WithAnswers = w.percent(result.Score), w.found.Link.WithAnswers
	page.Lang = textOf(w.found.Locale)
	page.Confidential = w.text("confidential", "date", w.date(w.found.Link.ExpiresAt.Time))
	switch {
	case result.Disqualification != nil:
		page.Verdict = &pageVerdict{"bad", w.text("stopped", "stage", result.Disqualification.StageTitle)}
	case result.Passed != nil:
		page.Verdict = w.verdict(*result.Passed)
	}
	page.Facts = []string{
		w.text("ended", "date", w.date(time.Time(result.CompletedAt))),
		w.text("duration", "minutes", strconv.Itoa((result.DurationSeconds+59)/60)),
	}
	if result.PassingScore != nil {
		page.Facts = append(page.Facts, w.text("passingScore", "score", w.percent(*result.PassingScore)))
	}
	isCorrection := func(c store.ResultCause) bool { return c.Cause != store.CauseReopening }
	if slices.ContainsFunc(result.Corrections, isCorrection) {
		page.Facts = append(page.Facts, w.texts["corrected"])
	}
	for _, stage := range result.Stages {
		page.Stages = append(page.Stages, w.stage(stage))
	}
}

func (w resultWriter) stage(stage store.ReadResultStage) pageStage {
	shown := pageStage{Title: stage.Title}
	if stage.Score == nil {
		shown.Verdict = &pageVerdict{"", w.texts["notReached"]}
		return shown
	}
	shown.Score = w.percent(*stage.Score)
	if stage.Gate != nil && stage.Gate.Passed != nil {
		shown.Verdict = w.verdict(*stage.Gate.Passed)
	}
	for _, question := range stage.Questions {
		row := pageQuestion{
			Prompt:  template.HTML(scrolling.Replace(question.PromptHTML)), //nolint:gosec // sanitized
			Points:  w.language.Number(question.Points) + " / " + w.language.Number(question.MaxPoints),
			Verdict: w.outcome(question),
		}
		if w.found.Link.WithAnswers {
			row.Answer, row.Key = w.answer(question), w.key(question)
		}
		shown.Questions = append(shown.Questions, row)
	}
	return shown
}

func (w resultWriter) outcome(question store.ReadResultQuestion) *pageVerdict {
	switch {
	case question.MaxPoints == 0:
		return &pageVerdict{"", w.texts["notCounted"]}
	case question.Correct != nil && *question.Correct:
		return &pageVerdict{"good", w.texts["right"]}
	case question.Answer == nil:
		return &pageVerdict{"", w.texts["empty"]}
	case question.Points > 0:
		return &pageVerdict{"", w.texts["partly"]}
	}
	return &pageVerdict{"bad", w.texts["wrong"]}
}

func (w resultWriter) answer(question store.ReadResultQuestion) string {
	given := question.Answer
	switch {
	case given == nil:
		return w.texts["empty"]
	case given.OptionID != nil:
		return optionTexts(question.Options, []string{*given.OptionID})
	case given.Number != nil:
		return w.language.Number(*given.Number)
	case given.Text != nil:
		return *given.Text
	}
	return optionTexts(question.Options, given.OptionIDs)
}

// key is the correct answer. A question can have several by a correction.
func (w resultWriter) key(question store.ReadResultQuestion) string {
	var accepted []string
	for _, key := range w.found.Keys[question.ID] {
		switch {
		case key.CorrectOptionID != nil:
			accepted = append(accepted, optionTexts(question.Options, []string{*key.CorrectOptionID}))
		case key.Answer != nil && key.Tolerance != 0:
			accepted = append(accepted, w.language.Number(*key.Answer)+" ± "+w.language.Number(key.Tolerance))
		case key.Answer != nil:
			accepted = append(accepted, w.language.Number(*key.Answer))
		case len(key.AcceptedAnswers) > 0:
			accepted = append(accepted, key.AcceptedAnswers...)
		default:
			accepted = append(accepted, optionTexts(question.Options, key.CorrectOptionIDs))
		}
	}
	return strings.Join(accepted, " / ")
}

func optionTexts(options []rules.Option, ids []string) string {
	var chosen []string
	for _, option := range options {
		if slices.Contains(ids, option.ID) {
			chosen = append(chosen, option.Text)
		}
	}
	return strings.Join(chosen, ", ")
}

func (w resultWriter) verdict(passed bool) *pageVerdict {
	if passed {
		return &pageVerdict{"good", w.texts["passed"]}
	}
	return &pageVerdict{"bad", w.texts["notPassed"]}
}

func (w resultWriter) text(key, name, value string) string {
	return strings.ReplaceAll(w.texts[key], "{"+name+"}", value)
}

func (w resultWriter) percent(n float64) string { return w.text("percent", "n", w.language.Number(n)) }

// date is a time in the zone of the organization, and the zone.
func (w resultWriter) date(at time.Time) string {
	at = at.In(w.found.Zone)
	return w.language.Date(at) + " (" + at.Format("MST") + ")"
}
