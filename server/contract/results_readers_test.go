package contract

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
)

// resultState is what depends on the decisions about one result of resultReaders.
type resultState struct {
	score, percentile float64 // of the corrected session
	passed            bool
	other             float64 // the percentile of a session that did not change
	revision          int
}

// Before and after each decision. Of the other 20 sessions, 10 have 50 % and 10 have 100 %.
var (
	notPassed = resultState{score: 50, percentile: 26.19, other: 26.19}
	passed    = resultState{score: 100, percentile: 73.81, other: 23.81, passed: true}
)

// resultReaders is an assessment in which the key of the first question lacks the answer 7, which one candidate gave.
type resultReaders struct {
	*tenant
	key                        credential
	assessmentID, first        string // the first question
	corrected, unchanged       string // sessions
	candidate                  credential
	token, since, correctionID string
	gradeVersion               int
}

func newResultReaders(a *api) *resultReaders {
	x := &resultReaders{tenant: a.register()}
	a.do("PATCH", "/v1/organization", x.owner, object{"notifyCorrected": true}).want(200)
	numeric := func(answer int) object {
		return object{"type": "NUMERIC", "prompt": "?", "points": 1, "answer": answer, "tolerance": 0}
	}
	x.key = x.tenant.key()
	x.assessmentID = x.publish(object{"title": "Read", "passingScore": 60, "stages": []any{
		object{"title": "One", "questions": []any{numeric(1), numeric(2)}}}})
	for i := range 20 {
		x.unchanged, _ = x.take([]float64{1, 5}[i/10], 2)
	}
	x.corrected, x.candidate = x.take(7, 2)
	a.fold()
	x.token = a.do("POST", "/v1/public/candidate-sessions/"+x.corrected+"/result-token", x.key, nil).
		want(200).text("data.token")
	return x
}

func (x *resultReaders) take(answers ...float64) (id string, who credential) {
	x.api.t.Helper()
	invite := x.invite(x.assessmentID)
	who = invite.candidate()
	x.api.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	stage := x.api.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
	for i, answer := range answers {
		question := stage.text(fmt.Sprintf("data.questions.%d.id", i))
		if i == 0 {
			x.first = question
		}
		x.api.do("PUT", "/v1/candidate/session/answers/"+question, who, object{"number": answer}).want(200)
	}
	x.api.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")}).want(200)
	return invite.text("data.id"), who
}

// resultReader is one way to read what depends on a result. It reads on the given replica.
type resultReader struct {
	name string
	read func(x *resultReaders, on *api) any
	want func(s resultState) any
}

// by is the credential for a path.
func (x *resultReaders) by(path string) credential {
	if strings.HasPrefix(path, "/v1/public/") {
		return x.key
	}
	return x.owner
}

func (x *resultReaders) fields(on *api, path string, fields ...string) any {
	on.t.Helper()
	read := on.do("GET", x.path(path), x.by(path), nil).want(200)
	values := make([]any, len(fields))
	for i, field := range fields {
		values[i] = read.at("data." + field)
	}
	return values
}

// path completes a path with the ids.
func (x *resultReaders) path(path string) string {
	return strings.NewReplacer("ASM", x.assessmentID, "SES", x.corrected, "TOKEN", x.token, "QST", x.first, "SINCE",
		url.QueryEscape(x.since)).Replace(path)
}

// ids are the ids of the sessions in a list.
func (x *resultReaders) ids(on *api, path string) any {
	on.t.Helper()
	ids, _ := on.pages(x.path(path), x.by(path), "id")
	return ids
}

func (s resultState) result() any { return []any{s.score, s.passed, float64(s.revision), s.percentile} }

func reading(path string, fields []string, want func(s resultState) any) resultReader {
	return resultReader{path, func(x *resultReaders, on *api) any { return x.fields(on, path, fields...) }, want}
}

// only is the list of the corrected session if it is in the state, and otherwise an empty list.
func (x *resultReaders) only(list any, alone bool) any {
	return slices.Contains(list.([]string), x.corrected) == alone
}

func resultReadersTable() []resultReader {
	result := []string{"score", "passed", "revision", "percentile"}
	scored := func(s resultState) any { return []any{s.score, s.passed} }
	table := []resultReader{
		reading("/v1/candidate-sessions/SES/result", result, resultState.result),
		reading("/v1/public/candidate-sessions/SES/result", result, resultState.result),
		reading("/v1/public/results/TOKEN", result, resultState.result),
		reading("/v1/candidate-sessions/SES", []string{"score", "passed"}, scored),
		reading("/v1/public/candidate-sessions/SES", []string{"score", "passed"}, scored),
		reading("/v1/candidate-sessions?assessmentId=ASM&limit=1", []string{"0.score", "0.passed"}, scored),
		reading("/v1/public/candidate-sessions?assessmentId=ASM&limit=1", []string{"0.score", "0.passed"}, scored),
		reading("/v1/overview", []string{"latestResults.items.0.score", "latestResults.items.0.passed"}, scored),
		reading("/v1/candidate-sessions/SES/result/revisions", []string{"0.score", "0.passed", "0.revision"},
			func(s resultState) any { return []any{s.score, s.passed, float64(s.revision)} }),
		reading("/v1/candidate-sessions/summary?assessmentId=ASM&passed=true", []string{"total"}, func(s resultState) any {
			return []any{float64(s.count(10))}
		}),
		reading("/v1/assessments/ASM/statistics", []string{"passedCount", "scores.count", "scores.mean", "scores.median"},
			func(s resultState) any {
				return []any{float64(s.count(10)), 21.0, map[bool]any{false: 73.81, true: 76.19}[s.passed], s.score}
			}),
		reading("/v1/assessments/ASM/statistics/questions", []string{"questions.0.meanPoints", "questions.1.meanPoints"},
			func(s resultState) any { return []any{map[bool]any{false: 0.48, true: 0.52}[s.passed], 1.0} }),
		{"the batch of results", func(x *resultReaders, on *api) any {
			batch := on.do("POST", "/v1/results/batch", x.owner, object{"sessionIds": []any{x.corrected}}).want(200)
			return []any{batch.at("data.0.result.score"), batch.at("data.0.result.passed"),
				batch.at("data.0.result.revision"), batch.at("data.0.result.percentile")}
		}, resultState.result},
		{"the percentile of another session", func(x *resultReaders, on *api) any {
			return on.do("GET", "/v1/candidate-sessions/"+x.unchanged+"/result", x.owner, nil).want(200).at("data.percentile")
		}, func(s resultState) any { return s.other }},
		{"the file of the candidates", func(x *resultReaders, on *api) any {
			file := on.do("GET", x.path("/v1/candidate-sessions/export?assessmentId=ASM"), x.owner, nil).want(200)
			rows, err := csv.NewReader(strings.NewReader(string(file.body))).ReadAll()
			if err != nil || len(rows) != 22 {
				on.t.Fatalf("%d rows, %v", len(rows), err)
			}
			column := func(name string) string { return rows[1][slices.Index(rows[0], name)] }
			return column("score") + " " + column("passed")
		}, func(s resultState) any { return fmt.Sprint(s.score, " ", s.passed) }},
		{"the spreadsheet of the candidates", func(x *resultReaders, on *api) any {
			rows := (&tenant{api: on, owner: x.owner}).spreadsheetOf(x.path("assessmentId=ASM"), ',')
			return cellOf(rows, 1, "Score (%)") + " " + cellOf(rows, 1, "One (%)") + " " + cellOf(rows, 1, "Passed") + " " +
				cellOf(rows, 1, "Percentile")
		}, func(s resultState) any {
			return fmt.Sprint(s.score, " ", s.score, " ", map[bool]string{true: "Yes", false: "No"}[s.passed], " ", s.percentile)
		}},
		{"changes since the last run", func(x *resultReaders, on *api) any {
			return x.ids(on, "/v1/public/candidate-sessions?assessmentId=ASM&updatedSince=SINCE")
		}, nil},
	}
	for _, filter := range []string{"passed=true", "minScore=90", "minScore=90&sort=completedAt", "minScore=90&q=cand"} {
		table = append(table, resultReader{"the filter " + filter, func(x *resultReaders, on *api) any {
			return x.only(x.ids(on, "/v1/candidate-sessions?assessmentId=ASM&"+filter), true)
		}, func(s resultState) any { return s.passed }})
	}
	return table
}

func (s resultState) count(others int) int {
	if s.passed {
		return others + 1
	}
	return others
}

// decisions are the ways to change the result of a session that has finished.
var decisions = []struct {
	name   string
	decide func(x *resultReaders)
	after  resultState
}{
	{"a correction", func(x *resultReaders) {
		x.correctionID = x.api.do("POST", "/v1/assessments/"+x.assessmentID+"/corrections", x.owner, object{
			"questionId": x.first, "action": "ACCEPT_ALSO", "key": object{"answer": 7}, "reason": "r"}).want(201).text("data.id")
	}, passed},
	{"a withdrawal", func(x *resultReaders) {
		x.api.do("POST", "/v1/assessments/"+x.assessmentID+"/corrections/"+x.correctionID+"/withdraw", x.owner,
			object{"reason": "r"}).want(200)
	}, notPassed},
	{"a grade", func(x *resultReaders) { x.grade(1.0) }, passed},
	{"no grade any more", func(x *resultReaders) { x.grade(nil) }, notPassed},
}

func (x *resultReaders) grade(points any) {
	x.api.do("PUT", "/v1/candidate-sessions/"+x.corrected+"/grades/"+x.first, x.owner,
		object{"points": points, "reason": "r", "version": x.gradeVersion}).want(200)
	x.gradeVersion++
}

// Everything that reads results follows each decision: on the replica that made it at once, and on others within a
// second. No client is told that nothing has changed.
func TestEveryReaderFollowsAResult(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		x := newResultReaders(a)
		state := notPassed
		state.revision = 1
		for _, decision := range decisions {
			a.clock.Advance(time.Minute) // longer than updatedSince reaches back
			x.signIn()
			x.since = wire(a.clock.Now())
			x.check(decision.name+", before", state, nil, a, b)
			etags := x.etags(a, b)

			decision.decide(x)
			a.correct()
			a.fold()
			revision := state.revision + 1
			state = decision.after
			state.revision = revision
			x.wantChanged(decision.name, etags, a)
			a.clock.Advance(time.Second)
			x.wantChanged(decision.name, etags, b)
			x.check(decision.name, state, []string{x.corrected}, a, b)
		}
	}, sendsEmail)
}

func (x *resultReaders) check(when string, state resultState, changed []string, replicas ...*api) {
	x.api.t.Helper()
	for _, reader := range resultReadersTable() {
		for i, on := range replicas {
			want := any(changed)
			if reader.want != nil {
				want = reader.want(state)
			}
			if got := reader.read(x, on); mustJSON(got) != mustJSON(want) {
				x.api.t.Errorf("%s, replica %d, %s: %s, want %s", when, i+1, reader.name, mustJSON(got), mustJSON(want))
			}
		}
	}
}

func mustJSON(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// conditional are the paths of responses with an ETag.
func (x *resultReaders) conditional() map[string]credential {
	paths := map[string]credential{"/v1/candidate/session": x.candidate}
	for _, path := range []string{"/v1/candidate-sessions/SES/result", "/v1/public/candidate-sessions/SES/result",
		"/v1/public/results/TOKEN"} {
		paths[x.path(path)] = x.by(path)
	}
	return paths
}

func (x *resultReaders) etags(replicas ...*api) map[string]string {
	x.api.t.Helper()
	etags := map[string]string{}
	for path, who := range x.conditional() {
		for _, on := range replicas {
			etags[path] = on.do("GET", path, who, nil).want(200).header.Get("ETag")
			on.getUnless(etags[path], path, who).want(304)
		}
	}
	return etags
}

func (x *resultReaders) wantChanged(decision string, etags map[string]string, on *api) {
	x.api.t.Helper()
	for path, who := range x.conditional() {
		if got := on.getUnless(etags[path], path, who); got.status != 200 || got.header.Get("ETag") == etags[path] {
			x.api.t.Errorf("after %s, %s is %d", decision, path, got.status)
		}
	}
}

// The email to a subscriber has the result of the moment at which it is sent. A session that ends once more leaves
// another notice, also while an email about its first end is being sent.
func TestNoticesFollowAResult(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		x := newResultReaders(a)
		a.subscribe(x.owner, x.assessmentID, true)
		outbox := a.outbox()
		outbox.send()
		x.corrected, x.candidate = x.take(7, 2)
		decisions[0].decide(x)
		a.correct()
		email := outbox.claim()
		content := outbox.content(*email)
		if sessions := content.Finished.Sessions; len(sessions) != 1 || *sessions[0].Score != 100 || !*sessions[0].Passed {
			t.Errorf("the email has %+v", sessions)
		}

		a.do("POST", "/v1/candidate-sessions/"+x.corrected+"/reopen", x.owner, object{"minutes": 5, "reason": "r"}).want(200)
		stage := a.do("GET", "/v1/candidate/session/stage", x.candidate, nil).want(200)
		a.do("PUT", "/v1/candidate/session/answers/"+x.first, x.candidate, object{"number": 5}).want(200)
		a.do("POST", "/v1/candidate/session/stage/submit", x.candidate, object{"stageId": stage.text("data.id")}).want(200)
		outbox.settle(*email, store.EmailSent, "")
		a.clock.Advance(time.Hour)
		var again []store.FinishedSession
		for _, sent := range outbox.send() {
			if sent.Email.Kind == store.EmailFinished {
				again = append(again, sent.Finished.Sessions...)
			}
		}
		if len(again) != 1 || *again[0].Score != 50 || *again[0].Passed {
			t.Errorf("after the session ended once more, the emails have %+v", again)
		}
	}, sendsEmail)
}
