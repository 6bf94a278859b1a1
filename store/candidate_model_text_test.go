package store_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"assay/store"
)

// The tests write a model session and a stored session as one line of text each
// and compare the lines. A dash stands for a missing value.

const sessionLine = "%s %s attempt=%d extra=%d %s reason=%s stage=%s score=%s passed=%s " +
	"invited=%s expires=%s started=%s deadline=%s due=%s completed=%s disqualified=%s cancelled=%s updated=%s link=%s"

// String writes the session as describe writes a stored one.
func (s modelSession) String() string {
	stage := "-"
	if s.stage >= 0 {
		stage = s.assessment.stages[s.stage].id
	}
	link := "-"
	if s.live() {
		link = s.link()
	}
	return fmt.Sprintf(sessionLine,
		s.id, s.email, s.attempt, s.extra, s.status, orDash(s.reason), stage, formatPercent(s.score), s.passed(),
		formatTime(s.invited), formatTime(s.expires), formatTime(s.started), formatTime(s.deadline),
		formatTime(s.due()), formatTime(s.completed), formatTime(s.disqualified), formatTime(s.cancelled),
		formatTime(s.updated), link)
}

// describe writes a stored session.
func describe(s *store.Store, session store.CandidateSession) string {
	score, passed := "-", "-"
	if session.Score != nil {
		score = strconv.FormatFloat(*session.Score, 'f', -1, 64)
	}
	if session.Passed != nil {
		passed = strconv.FormatBool(*session.Passed)
	}
	optional := func(at *store.Time) string {
		if at == nil {
			return "-"
		}
		return formatExactTime(at.Time)
	}
	return fmt.Sprintf(sessionLine,
		session.ID, session.CandidateEmail, session.Attempt, session.ExtraTimePercent, session.Status,
		deref(session.CloseReason), deref(session.CurrentStageID), score, passed,
		formatExactTime(session.InvitedAt.Time), formatExactTime(session.ExpiresAt.Time),
		optional(session.StartedAt), optional(session.DeadlineAt), optional(session.DueAt),
		optional(session.CompletedAt), optional(session.DisqualifiedAt), optional(session.CancelledAt),
		formatExactTime(session.UpdatedAt.Time), deref(s.InviteURL(session)))
}

// passed is a dash without a passing score, and until the session has finished.
func (s modelSession) passed() string {
	if !s.finished() || s.assessment.passing < 0 {
		return "-"
	}
	return strconv.FormatBool(s.status == "COMPLETED" && s.score >= s.assessment.passing)
}

// event returns the line of an event about the session.
func (s modelSession) event(eventType string, at time.Time) string {
	switch eventType {
	case "candidate.invited":
		return eventLine(at, eventType, s.id, s.assessment.id, s.email, "INVITED", s.link(), formatTime(s.expires))
	case "candidate.started":
		return eventLine(at, eventType, s.id, s.assessment.id, s.email, s.status, formatTime(s.started),
			formatTime(s.deadline))
	case "candidate.expired":
		return eventLine(at, eventType, s.id, s.assessment.id, s.email, s.status, formatTime(s.expires))
	case "candidate.cancelled":
		return eventLine(at, eventType, s.id, s.assessment.id, s.email, s.status, formatTime(s.cancelled))
	case "candidate.disqualified":
		last := len(s.runs) - 1
		for s.runs[last].closed.IsZero() {
			last--
		}
		stage := s.assessment.stages[last]
		return eventLine(at, eventType, s.id, s.assessment.id, s.email, s.status, formatPercent(s.score), s.passed(),
			stage.id, formatPercent(s.runs[last].score), formatPercent(stage.gate.minScore))
	}
	return eventLine(at, eventType, s.id, s.assessment.id, s.email, s.status, formatPercent(s.score), s.passed())
}

func eventLine(at time.Time, eventType string, fields ...string) string {
	return formatTime(at) + " " + eventType + " " + strings.Join(fields, " ")
}

// storedEventLine writes a stored event as eventLine does. It checks that the
// event has one delivery.
func (x *sessionTest) storedEventLine(t *rapid.T, event store.Event) string {
	t.Helper()
	var envelope struct {
		ID, Type, Timestamp, OrganizationID string
		Data                                struct {
			SessionID, AssessmentID, CandidateEmail, Status, InviteURL, ExpiresAt, StageID string
			PublishedAt, ArchivedAt, StartedAt, DeadlineAt, CancelledAt                    string
			InReviewSince, CloseReason                                                     string
			PendingAnswers                                                                 int
			Score, StageScore, MinScore                                                    json.Number
			Passed                                                                         *bool
		}
	}
	must(t, json.Unmarshal([]byte(event.Body), &envelope))
	if envelope.ID != event.ID || envelope.OrganizationID != x.scope.OrganizationID || len(event.Deliveries) != 1 {
		t.Fatalf("event %s with %d deliveries: %s", event.ID, len(event.Deliveries), event.Body)
	}

	data, passed := envelope.Data, "-"
	if data.Passed != nil {
		passed = strconv.FormatBool(*data.Passed)
	}
	fields := []string{data.SessionID, data.AssessmentID, data.CandidateEmail, data.Status}
	switch envelope.Type {
	case "assessment.published":
		fields = []string{data.AssessmentID, data.Status, data.PublishedAt}
	case "assessment.archived":
		fields = []string{data.AssessmentID, data.Status, data.ArchivedAt}
	case "candidate.invited":
		fields = append(fields, data.InviteURL, data.ExpiresAt)
	case "candidate.started":
		fields = append(fields, data.StartedAt, orDash(data.DeadlineAt))
	case "candidate.expired":
		fields = append(fields, data.ExpiresAt)
	case "candidate.cancelled":
		fields = append(fields, data.CancelledAt)
	case "candidate.submitted":
		fields = append(fields, data.InReviewSince, data.CloseReason, strconv.Itoa(data.PendingAnswers))
	case "candidate.review_requested":
		fields = append(fields, data.InReviewSince, data.StageID, data.StageScore.String(), data.MinScore.String())
	case "candidate.completed":
		fields = append(fields, data.Score.String(), passed)
	case "candidate.disqualified":
		fields = append(fields, data.Score.String(), passed, data.StageID, data.StageScore.String(), data.MinScore.String())
	}
	return envelope.Timestamp + " " + envelope.Type + " " + strings.Join(fields, " ")
}

// formatPercent writes hundredths of a percent as JSON does. A negative number is missing.
func formatPercent(hundredths int64) string {
	if hundredths < 0 {
		return "-"
	}
	text := fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// formatPoints writes points as JSON does, with two decimals, rounded half up.
func formatPoints(points *big.Rat) string {
	if points == nil {
		return "-"
	}
	sum := new(big.Rat).Add(new(big.Rat).Mul(points, big.NewRat(100, 1)), big.NewRat(1, 2))
	return formatPercent(new(big.Int).Div(sum.Num(), sum.Denom()).Int64())
}

// formatTime writes a time as the API does.
func formatTime(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// formatExactTime is like formatTime, but also shows a fraction of a millisecond.
func formatExactTime(t time.Time) string {
	if t.Equal(t.Truncate(time.Millisecond)) {
		return formatTime(t)
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func deref[T ~string](text *T) string {
	if text == nil {
		return "-"
	}
	return string(*text)
}

func toJSON(t *rapid.T, value any) string {
	text, err := json.Marshal(value)
	must(t, err)
	return string(text)
}
