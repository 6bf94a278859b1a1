package contract

import (
	"crypto/rand"
	"fmt"
	"maps"
	"strings"
	"time"
)

// markedCandidate is the personal data of a candidate. Every field contains a random
// word, so that a search for the word finds only this candidate's data.
type markedCandidate struct{ name, email, externalID, label, answer, redirect string }

func newMarkedCandidate() markedCandidate {
	word := func() string { return strings.ToLower(rand.Text()) }
	return markedCandidate{name: word(), email: word(), externalID: word(), label: word(), answer: word(),
		redirect: word()}
}

func (p markedCandidate) words() []string {
	return []string{p.name, p.email, p.externalID, p.label, p.answer, p.redirect}
}

func (p markedCandidate) address() string { return p.email + "@example.com" }

// invite returns the body of an invite to the assessment, with the extra fields.
func (p markedCandidate) invite(assessmentID string, extra ...object) object {
	body := object{
		"assessmentId": assessmentID, "candidateName": "Grace " + p.name, "candidateEmail": p.address(),
		"externalId": p.externalID,
		"metadata":   object{"source": p.label, p.label: "x"}, "redirectUrl": "https://jobs.example/" + p.redirect,
	}
	for _, e := range extra {
		maps.Copy(body, e)
	}
	return body
}

// essay returns an assessment with two stages of text questions, with the extra
// fields. The first stage has a gate.
func essay(extra ...object) object {
	stage := func(title string) object {
		return object{"title": title, "questions": []any{
			object{"type": "SHORT_TEXT", "prompt": "What flow does a clean bench have?", "points": 5,
				"acceptedAnswers": []any{"laminar"}},
			object{"type": "SHORT_TEXT", "prompt": "Tell of yourself.", "points": 1, "acceptedAnswers": []any{"nothing"}},
		}}
	}
	definition := gated(object{"title": "Essay", "passingScore": 50, "stages": []any{stage("First"), stage("Second")}}, 0)
	for _, e := range extra {
		maps.Copy(definition, e)
	}
	return definition
}

// answerWith answers the questions of the current stage with the candidate's marked
// text. If right is set, the first answer is correct instead. It returns the stage id.
func (a *api) answerWith(who credential, p markedCandidate, right bool) string {
	a.t.Helper()
	stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
	texts := []string{p.answer, "I am " + p.answer}
	if right {
		texts[0] = "laminar"
	}
	for i, text := range texts {
		a.do("PUT", "/v1/candidate/session/answers/"+stage.text(fmt.Sprintf("data.questions.%d.id", i)), who,
			object{"text": text}).want(200)
	}
	return stage.text("data.id")
}

// sessionIn invites the candidate and brings the session into the status.
func (o *tenant) sessionIn(assessmentID string, p markedCandidate, status string, extra ...object) response {
	a := o.api
	a.t.Helper()
	invite := a.do("POST", "/v1/candidate-sessions", o.owner, p.invite(assessmentID, extra...)).want(201)
	who, path := invite.candidate(), "/v1/candidate-sessions/"+invite.text("data.id")
	submit := func(right bool) {
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerWith(who, p, right)}).want(200)
	}
	if status != "INVITED" && status != "EXPIRED" {
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
		a.clock.Advance(time.Second)
	}
	switch status {
	case "IN_PROGRESS":
		submit(true)
		a.answerWith(who, p, false)
	case "COMPLETED":
		submit(true)
		submit(true)
	case "DISQUALIFIED", "IN_REVIEW": // by what the gate of the first stage does
		submit(false)
	case "CANCELLED":
		a.answerWith(who, p, true)
		a.do("POST", path+"/cancel", o.owner, nil).want(200)
	case "EXPIRED":
		a.setClock(invite.moment("data.expiresAt"))
		a.sweep()
		o.signIn()
	}

	a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.status": status})
	return invite
}

var sessionStatuses = []string{"INVITED", "IN_PROGRESS", "IN_REVIEW", "COMPLETED", "DISQUALIFIED", "CANCELLED",
	"EXPIRED"}

func (a *api) erase(who credential, sessionID string) response {
	a.t.Helper()
	return a.do("DELETE", "/v1/candidate-sessions/"+sessionID+"/candidate-data", who, nil)
}
