package pages

import (
	"bytes"
	_ "embed" // for the texts
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/server/spreadsheet"
	"assay/store"
)

//go:embed candidate_data.json
var candidateDataJSON []byte

// CandidateDataPolicy is the Content-Security-Policy of CandidateData. The page has it, too, because it is read as a
// file.
const CandidateDataPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// candidateDataPage is the data of the template.
type candidateDataPage struct {
	Texts         pageTexts
	Organization  string
	Email         string
	Sessions      []candidateDataSection
	Registrations []string
	Suppression   string
	More          bool
}

// candidateDataSection is one session.
type candidateDataSection struct {
	Title   string
	Lang    string
	Facts   []candidateDataFact
	Lists   []candidateDataList
	Answers []candidateDataAnswer
}

type candidateDataFact struct{ Name, Value string }

type candidateDataList struct {
	Title string
	Rows  []string
}

type candidateDataAnswer struct {
	Stage    string
	Prompt   template.HTML
	Answer   string
	Points   string
	Feedback string
	Late     bool
}

// CandidateData writes the data about a person as one page in the language of the organization, which needs no other
// file. html makes sanitized HTML of a Markdown text.
func CandidateData(data store.CandidateDataPage, html func(source string) string) ([]byte, error) {
	var languages []pageTexts
	if err := json.Unmarshal(candidateDataJSON, &languages); err != nil {
		return nil, err
	}
	texts := textsIn(languages, textOf(data.Organization.Locale))
	language, err := spreadsheet.LanguageOf(texts["locale"])
	if err != nil {
		return nil, err
	}
	w := candidateDataWriter{texts, language, data.Zone, html}
	page := candidateDataPage{
		Texts: texts, Organization: data.Organization.Name, Email: data.Data.Email, More: data.Data.Next != "",
	}
	for _, session := range data.Data.Sessions {
		page.Sessions = append(page.Sessions, w.section(session))
	}
	for _, r := range data.Data.Registrations {
		page.Registrations = append(page.Registrations, w.line(r.AssessmentTitle, r.Name, r.Email, w.date(r.ExpiresAt.Time)))
	}
	if suppression := data.Data.Suppression; suppression != nil {
		page.Suppression = w.line(texts["suppression."+string(suppression.Reason)], w.date(suppression.CreatedAt.Time))
	}
	var body bytes.Buffer
	err = pages.ExecuteTemplate(&body, "candidate_data.html", page)
	return body.Bytes(), err
}

// candidateDataWriter writes in the language of the organization.
type candidateDataWriter struct {
	texts    pageTexts
	language *spreadsheet.Language
	zone     *time.Location
	html     func(source string) string
}

func (w candidateDataWriter) date(at time.Time) string {
	at = at.In(w.zone)
	return w.language.Date(at) + at.Format(" MST")
}

// line joins the parts that are not empty.
func (w candidateDataWriter) line(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

// known is the text of a value of an open set, or else the value.
func (w candidateDataWriter) known(prefix, value string) string {
	if text := w.texts[prefix+"."+value]; text != "" {
		return text
	}
	return value
}

func (w candidateDataWriter) section(session *store.DataSession) candidateDataSection {
	section := candidateDataSection{
		Title: session.AssessmentTitle, Lang: textOf(session.Locale), Facts: w.facts(session),
		Lists: slices.DeleteFunc(w.lists(session), func(list candidateDataList) bool { return len(list.Rows) == 0 }),
	}
	for _, answer := range session.Answers {
		shown := candidateDataAnswer{
			Stage: answer.StageTitle, Answer: w.texts["noAnswer"], Feedback: textOf(answer.Feedback), Late: answer.Late,
			Prompt: template.HTML(scrolling.Replace(w.html(answer.Prompt))), //nolint:gosec // sanitized
		}
		if answer.Answer != nil {
			shown.Answer = *answer.Answer
		}
		if answer.Points != nil {
			shown.Points = w.language.Number(*answer.Points) + " / " + w.language.Number(answer.MaxPoints)
		}
		section.Answers = append(section.Answers, shown)
	}
	return section
}

// facts are the facts that the session has.
func (w candidateDataWriter) facts(session *store.DataSession) []candidateDataFact {
	var facts []candidateDataFact
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, candidateDataFact{w.texts[name], value})
		}
	}
	addTime := func(name string, at *time.Time) {
		if at != nil {
			add(name, w.date(*at))
		}
	}
	add("name", session.CandidateName)
	add("email", session.CandidateEmail)
	add("externalId", textOf(session.ExternalID))
	metadata := session.Metadata()
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		facts = append(facts, candidateDataFact{key, metadata[key]})
	}
	add("status", w.known("status", string(session.Status)))
	add("attempt", strconv.Itoa(session.Attempt))
	add("note", textOf(session.Note))
	if session.ExtraTimePercent > 0 {
		add("extraTime", fmt.Sprintf("%d %%", session.ExtraTimePercent))
	}
	add("invited", w.date(session.InvitedAt.Time))
	if session.StartedAt != nil {
		addTime("started", &session.StartedAt.Time)
	}
	addTime("ended", session.EndedAt)
	if session.Score != nil {
		add("score", w.language.Number(*session.Score)+" %")
	}
	if session.Passed != nil {
		add("passed", w.texts[map[bool]string{true: "yes", false: "no"}[*session.Passed]])
	}
	add("state", textOf(session.StateName))
	add("tags", strings.Join(session.Tags(), ", "))
	if session.Held {
		add("held", w.texts["yes"])
	}
	addTime("keptUntil", session.KeptUntil)
	return facts
}

func (w candidateDataWriter) lists(session *store.DataSession) []candidateDataList {
	var stages, changes, ratings, comments, decisions, emails, devices, recipients, voluntary []string
	for _, stage := range session.Stages {
		until, score := "", ""
		if stage.EndedAt != nil {
			until = w.date(*stage.EndedAt)
		}
		if stage.Score != nil {
			score = w.language.Number(*stage.Score) + " %"
		}
		stages = append(stages, w.line(stage.Title, w.date(stage.StartedAt), until, score))
	}
	for _, change := range session.StateChanges {
		changes = append(changes, w.line(w.date(change.CreatedAt.Time), change.FromName+" → "+change.ToName,
			textOf(change.Name), textOf(change.Reason)))
	}
	for _, rating := range session.Ratings {
		ratings = append(ratings, w.line(w.date(rating.UpdatedAt.Time), strconv.Itoa(rating.Rating)+" / 5",
			textOf(rating.Name)))
	}
	for _, comment := range session.Comments {
		comments = append(comments, w.line(w.date(comment.CreatedAt.Time), textOf(comment.Name), comment.Text))
	}
	for _, answer := range session.SelfIdentification {
		voluntary = append(voluntary, w.line(answer.Question, answer.Answer))
	}
	for _, decision := range session.Decisions {
		decisions = append(decisions, w.line(w.date(decision.At.Time), w.known("decision", decision.Kind),
			textOf(decision.ByName), decision.Reason))
	}
	for _, email := range session.Emails {
		emails = append(emails, w.line(w.date(email.At.Time), w.known("kind", string(email.Kind)),
			w.known("sent", string(email.Status))))
	}
	for _, device := range session.Devices {
		devices = append(devices, w.line(w.date(device.At.Time), textOf(device.Browser), textOf(device.System),
			device.Network))
	}
	for _, recipient := range session.Recipients {
		recipients = append(recipients, w.line(w.date(recipient.At), w.known("recipient", string(recipient.Kind)),
			recipient.Name))
	}
	return []candidateDataList{
		{w.texts["stages"], stages}, {w.texts["decisions"], decisions}, {w.texts["stateChanges"], changes},
		{w.texts["ratings"], ratings}, {w.texts["comments"], comments}, {w.texts["emails"], emails},
		{w.texts["devices"], devices}, {w.texts["recipients"], recipients}, {w.texts["voluntary"], voluntary},
	}
}
