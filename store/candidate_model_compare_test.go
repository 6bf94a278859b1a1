package store_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"assay/store"
)

// compare holds everything that is stored against the model.
func (x *sessionTest) compare(t *rapid.T) {
	s := x.replicas[len(x.replicas)-1]
	stored, more, err := s.ListCandidateSessions(x.ctx, x.scope, store.SessionFilter{}, store.Page{Limit: 100})
	must(t, err)
	if len(stored) != len(x.sessions) || more {
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

// compareSession lets the store be late with a deadline, until the sweep: it is
// what the session has become by the deadlines that is fixed, not when that is
// written down.
func (x *sessionTest) compareSession(t *rapid.T, s *store.Store, stored store.CandidateSession, session *modelSession) {
	t.Helper()
	next := session.settled(x.now())
	if describe(s, stored) == next.String() {
		finished := !session.finished() && next.finished()
		x.become(session, next)
		if finished || x.swept {
			x.compareResult(t, s, *session)
		}
		return
	}
	if x.swept {
		x.same(t, s, stored, next)
	}
	x.same(t, s, stored, *session)
}

// compareResult reads the document of a finished session, which others have none of.
func (x *sessionTest) compareResult(t *rapid.T, s *store.Store, session modelSession) {
	t.Helper()
	document, err := s.RetrieveCandidateSessionResult(x.ctx, x.scope, session.id)
	if !session.finished() {
		refused(t, err, "result_not_ready")
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
	must(t, json.Unmarshal(document, &result))
	got := fmt.Sprintf("%s %s %s %s/%s %s..%s", result.Status, result.CloseReason, result.Score, result.Points,
		result.MaxPoints,
		result.StartedAt, result.CompletedAt)
	ended := session.completed
	if session.status == "DISQUALIFIED" {
		ended = session.disqualified
	}
	want := fmt.Sprintf("%s %s %s %s/%s %s..%s", session.status, session.reason, percentage(session.score),
		rounded(session.points),
		rounded(worthOf(session.assessment.stages...)), moment(session.started), moment(ended))
	for i, stage := range result.Stages {
		got += fmt.Sprintf("\n  %s %s %s %s", stage.ID, stage.Status, deref(stage.Score), deref(stage.Points))
		run := session.runs[i]
		want += fmt.Sprintf("\n  %s %s %s %s", session.assessment.stages[i].id, session.stageStatus(i), closedScore(run),
			rounded(run.points))
	}
	if got != want || len(result.Stages) != len(session.runs) {
		t.Fatalf("the result of %s is\n  %s\nwant\n  %s", session.id, got, want)
	}
}

// compareEvents expects each event once, and one delivery of each.
func (x *sessionTest) compareEvents(t *rapid.T, s *store.Store) {
	t.Helper()
	var lines []string
	page := store.Page{Limit: 100}
	for more := true; more; {
		var events []store.Event
		var err error
		events, more, err = s.ListEvents(x.ctx, x.scope, store.EventFilter{}, page)
		must(t, err)
		for _, event := range events {
			lines = append(lines, x.lineOf(t, event))
			page.After = event.ID
		}
	}
	slices.Sort(lines)
	want := slices.Sorted(slices.Values(x.events))
	if !slices.Equal(lines, want) {
		t.Fatalf("the events are\n  %s\nwant\n  %s", strings.Join(lines, "\n  "), strings.Join(want, "\n  "))
	}
}

// lineOf writes a stored event as eventLine does.
func (x *sessionTest) lineOf(t *rapid.T, event store.Event) string {
	t.Helper()
	var envelope struct {
		ID, Type, Timestamp, OrganizationID string
		Data                                struct {
			SessionID, AssessmentID, CandidateEmail, Status, InviteURL, ExpiresAt, PublishedAt, StageID string
			Score, StageScore, MinScore                                                                 json.Number
			Passed                                                                                      *bool
		}
	}
	must(t, json.Unmarshal([]byte(event.Body), &envelope))
	if envelope.ID != event.ID || envelope.OrganizationID != x.scope.OrganizationID || len(event.Deliveries) != 1 {
		t.Fatalf("event %s with %d deliveries: %s", event.ID, len(event.Deliveries), event.Body)
	}
	data, passed := envelope.Data, "-"
	if data.Passed != nil {
		passed = fmt.Sprint(*data.Passed)
	}
	fields := []string{data.SessionID, data.AssessmentID, data.CandidateEmail, data.Status}
	switch envelope.Type {
	case "assessment.published":
		fields = []string{data.AssessmentID, data.Status, data.PublishedAt}
	case "candidate.invited":
		fields = append(fields, data.InviteURL, data.ExpiresAt)
	case "candidate.completed":
		fields = append(fields, data.Score.String(), passed)
	case "candidate.disqualified":
		fields = append(fields, data.Score.String(), passed, data.StageID, data.StageScore.String(), data.MinScore.String())
	}
	return envelope.Timestamp + " " + envelope.Type + " " + strings.Join(fields, " ")
}

func closedScore(run modelRun) string {
	if run.closed.IsZero() {
		return "-"
	}
	return percentage(run.score)
}

// rounded writes points with two decimals, half up, as JSON does; "-" for none.
func rounded(points *big.Rat) string {
	if points == nil {
		return "-"
	}
	sum := new(big.Rat).Add(new(big.Rat).Mul(points, big.NewRat(100, 1)), big.NewRat(1, 2))
	return percentage(new(big.Int).Div(sum.Num(), sum.Denom()).Int64())
}
