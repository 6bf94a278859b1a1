package store_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"assay/store"
)

// compare checks all stored sessions, results, and events against the model.
func (x *sessionTest) compare(t *rapid.T) {
	s := x.replicas[len(x.replicas)-1]
	listed, err := s.ListCandidateSessions(x.ctx, x.scope, store.SessionFilter{}, store.SessionPage{Limit: 100})
	must(t, err)
	stored := listed.Sessions
	if len(stored) != len(x.sessions) || listed.Next != "" {
		t.Fatalf("%d sessions, want %d", len(stored), len(x.sessions))
	}

	byID := map[string]store.CandidateSession{}
	for _, session := range stored {
		byID[session.ID] = session
	}
	for _, session := range x.sessions {
		x.compareSession(t, s, byID[session.id], session)
	}
	x.swept = false
	x.compareEvents(t, s)
}

// compareSession accepts a session to which the store has not applied a passed
// deadline, unless a sweep has just run. The rules determine what a deadline
// does to a session. They do not determine when the store applies it.
func (x *sessionTest) compareSession(t *rapid.T, s *store.Store, stored store.CandidateSession, session *modelSession) {
	t.Helper()
	next := session.settled(x.now())
	if x.describe(s, stored, next) == next.String() {
		finished := !session.finished() && next.finished()
		x.update(session, next)
		if finished || x.swept {
			x.compareResult(t, s, *session)
		}
		return
	}
	if x.swept {
		x.wantSession(t, s, stored, next)
	}
	x.wantSession(t, s, stored, *session)
}

// describe is describe with the deadline of the model, if the stored one is not after the time at which the session
// really ends. At the stored one, the store looks for the deadline again, so it must be in the future after a sweep.
func (x *sessionTest) describe(s *store.Store, stored store.CandidateSession, want modelSession) string {
	if due := stored.DueAt; want.status == "IN_PROGRESS" && due != nil && !due.After(want.lapse()) &&
		(!x.swept || x.now().Before(due.Time)) {
		stored.DueAt = &store.Time{Time: want.due()}
	}
	return describe(s, stored)
}

// compareResult checks the result document. Only a finished session has one.
func (x *sessionTest) compareResult(t *rapid.T, s *store.Store, session modelSession) {
	t.Helper()
	document, err := s.RetrieveCandidateSessionResult(x.ctx, x.scope, session.id)
	if session.status == "IN_REVIEW" {
		wantRefusal(t, err, "result_in_review")
		return
	}
	if !session.finished() {
		wantRefusal(t, err, "result_not_ready")
		return
	}
	must(t, err)
	var result struct {
		Status, CloseReason      string
		Score, Points, MaxPoints json.Number
		Passed                   *bool
		StartedAt, CompletedAt   string
		Disqualification         *struct{ StageID string }
		Stages                   []struct {
			ID, Status    string
			Score, Points *json.Number
		}
	}
	must(t, json.Unmarshal(document.Data(), &result))

	const resultLine = "%s %s %s %s/%s %s..%s"
	got := fmt.Sprintf(resultLine, result.Status, result.CloseReason,
		result.Score, result.Points, result.MaxPoints, result.StartedAt, result.CompletedAt)
	ended := session.completed
	if session.status == "DISQUALIFIED" {
		ended = session.disqualified
	}
	want := fmt.Sprintf(resultLine, session.status, session.reason,
		formatPercent(session.score), formatPoints(session.points), formatPoints(maxPoints(session.assessment.stages...)),
		formatTime(session.started), formatTime(ended))

	for i, stage := range result.Stages {
		got += fmt.Sprintf("\n  %s %s %s %s", stage.ID, stage.Status, deref(stage.Score), deref(stage.Points))
		run := session.runs[i]
		want += fmt.Sprintf("\n  %s %s %s %s", session.assessment.stages[i].id, session.stageStatus(i),
			closedScore(run), formatPoints(run.points))
	}
	if got != want || len(result.Stages) != len(session.runs) {
		t.Fatalf("the result of %s is\n  %s\nwant\n  %s", session.id, got, want)
	}
}

func closedScore(run modelRun) string {
	if run.closed.IsZero() {
		return "-"
	}
	return formatPercent(run.score)
}

// compareEvents checks that each event is stored exactly once, with one delivery.
func (x *sessionTest) compareEvents(t *rapid.T, s *store.Store) {
	t.Helper()
	var lines []string
	page := store.Page{Limit: 100}
	for next := "-"; next != ""; page.After = next {
		var events []store.Event
		var err error
		events, next, err = s.ListEvents(x.ctx, x.scope, store.EventFilter{}, page)
		must(t, err)
		for _, event := range events {
			lines = append(lines, x.storedEventLine(t, event))
		}
	}

	slices.Sort(lines)
	want := slices.Sorted(slices.Values(x.events))
	if !slices.Equal(lines, want) {
		t.Fatalf("the events are\n  %s\nwant\n  %s", strings.Join(lines, "\n  "), strings.Join(want, "\n  "))
	}
}

// wantSession checks that the stored session equals one of the wanted ones.
func (x *sessionTest) wantSession(t *rapid.T, s *store.Store, stored store.CandidateSession, wanted ...modelSession) {
	t.Helper()
	if !slices.ContainsFunc(wanted, func(want modelSession) bool { return want.String() == x.describe(s, stored, want) }) {
		t.Fatalf("at %s the session is\n  %s\nwant\n  %s", formatTime(x.now()), describe(s, stored), wanted[0])
	}
}
