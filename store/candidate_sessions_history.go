package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/rules"
)

// PastAttempt is one session of a person.
type PastAttempt struct {
	EmailKey        string              `db:"candidate_email_key"`
	SessionID       string              `db:"id"`
	AssessmentID    string              `db:"assessment_id"`
	AssessmentTitle string              `db:"assessment_title"`
	Status          rules.SessionStatus `db:"status"`
	InvitedAt       Time                `db:"invited_at"`
	StartedAt       *Time               `db:"started_at"`
	EndedAt         *Time               `db:"ended_at"` // nil also for an invite that has expired
	DueAt           *Time               `db:"due_at"`
	Score           *float64            `db:"score"`
	Passed          *bool               `db:"passed"`
	Progress        string              `db:"progress"` // JSON; "" unless the session is DISQUALIFIED
	StateID         string              `db:"state_id"` // see ReviewState
}

// StageNumber is the number of the stage whose gate has stopped the candidate, from 1, or nil.
func (a PastAttempt) StageNumber() *int {
	if a.Progress == "" {
		return nil
	}
	var progress rules.Progress
	_ = json.Unmarshal([]byte(a.Progress), &progress) // the store wrote it
	number := 1
	for i, stage := range progress.Stages {
		if stage.ClosedAt != nil {
			number = i + 1
		}
	}
	return &number
}

func (a PastAttempt) ofRules() rules.Attempt {
	return rules.Attempt{
		Status: a.Status, StartedAt: timePtr(a.StartedAt), EndedAt: timePtr(a.EndedAt), DueAt: timePtr(a.DueAt),
	}
}

// History is what a person has done in an assessment and its copies.
type History struct {
	Attempts int          // sessions that the person has started
	Latest   *PastAttempt // the attempt that decides, see rules.Attempt.Precedes; nil if there is none

	Repeat     rules.RepeatDecision
	PossibleAt *time.Time // of rules.RepeatLater
}

// seenBy returns the history without attempts that the caller does not see. What the rule decides stays.
func (h History) seenBy(scope Scope) History {
	if h.Latest != nil && !scope.SeesAssessment(h.Latest.AssessmentID) {
		h.Latest = nil
	}
	return h
}

// HistoryQuery is the input of RetrieveCandidateHistory.
type HistoryQuery struct {
	AssessmentID string
	Emails       []string
}

// RetrieveCandidateHistory returns the history of each address, in their order. Refusal: not_found.
func (s *Store) RetrieveCandidateHistory(ctx context.Context, scope Scope, in HistoryQuery) ([]History, error) {
	c, now := s.read(), s.Now()
	assessment, err := c.current(ctx, scope, in.AssessmentID)
	if err != nil {
		return nil, err
	}
	keys := make([]string, len(in.Emails))
	for i, email := range in.Emails {
		keys[i] = emailKey(email)
	}
	found, err := c.histories(ctx, scope, assessment, keys, now)
	if err != nil {
		return nil, err
	}
	histories := make([]History, len(keys))
	for i, key := range keys {
		histories[i] = found[key].seenBy(scope)
		if histories[i].Repeat == "" {
			histories[i].Repeat = rules.RepeatPossible
		}
	}
	return histories, nil
}

// maxHistory is how many sessions of a person are examined, in all assessments of the organization. People have few;
// an address of a load test can have a million.
const maxHistory = 200

// ofPeople selects the newest sessions of each person, whose addresses are in the JSON array that is its first
// argument, in the assessments of another one.
func (c conn) ofPeople() string {
	const columns = `candidate_email_key, id, assessment_id,
			(SELECT a.title FROM assessments a WHERE a.id = assessment_id) AS assessment_title, status, invited_at, started_at,
			COALESCE(completed_at, disqualified_at, cancelled_at) AS ended_at, due_at, score, passed,
			CASE WHEN status = 'DISQUALIFIED' THEN progress ELSE '' END AS progress,
			COALESCE((SELECT r.state_id FROM reviews r WHERE r.session_id = id), '` + initialState + `') AS state_id`
	return `SELECT ` + columns + ` FROM ` +
		c.store.db.NewestOfKeys("candidate_sessions", "candidate_email_key", "candidate_sessions_email", maxHistory) +
		` WHERE NOT test AND ` + c.store.db.IsOneOf("assessment_id")
}

// histories returns the histories of the people who have any, by the keys of their addresses.
func (c conn) histories(
	ctx context.Context, scope Scope, assessment *Assessment, keys []string, now time.Time,
) (map[string]History, error) {
	var family []string
	if err := c.List(ctx, &family, `
		SELECT id FROM assessments WHERE organization_id = ? AND id = ?
		UNION ALL SELECT id FROM assessments WHERE organization_id = ? AND origin_id = ?`,
		scope.OrganizationID, assessment.root(), scope.OrganizationID, assessment.root()); err != nil {
		return nil, err
	}
	people, err := json.Marshal(unique(keys))
	if err != nil {
		return nil, err
	}
	members, err := json.Marshal(family)
	if err != nil {
		return nil, err
	}
	var attempts []PastAttempt
	if err := c.List(ctx, &attempts, c.ofPeople(), string(people), scope.OrganizationID, string(members)); err != nil {
		return nil, err
	}
	terms := rules.RepeatTerms{Rule: assessment.RepeatRule, Days: assessment.RepeatAfterDays}
	found := map[string]History{}
	for i := range attempts {
		history := found[attempts[i].EmailKey]
		if attempts[i].StartedAt != nil && scope.SeesAssessment(attempts[i].AssessmentID) {
			history.Attempts++
		}
		if history.Latest == nil || attempts[i].precedes(*history.Latest, now) {
			history.Latest = &attempts[i]
		}
		found[attempts[i].EmailKey] = history
	}
	for key, history := range found {
		history.Repeat, history.PossibleAt = terms.Decide(history.Latest.ofRules(), now)
		found[key] = history
	}
	return found, nil
}

// precedes compares two sessions of a person, which come in no order.
func (a PastAttempt) precedes(b PastAttempt, now time.Time) bool {
	switch x, y := a.ofRules(), b.ofRules(); {
	case x.Precedes(y, now):
		return true
	case y.Precedes(x, now):
		return false
	}
	return a.SessionID > b.SessionID
}

// unique returns the values without repetitions, in their order.
func unique(values []string) []string {
	seen, kept := map[string]bool{}, make([]string, 0, len(values))
	for _, value := range values {
		if !seen[value] {
			seen[value] = true
			kept = append(kept, value)
		}
	}
	return kept
}
