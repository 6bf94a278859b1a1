package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"assay/store/rules"
)

// maxQuestionSeconds bounds the time of a candidate for one question. A page that is left open is not work.
const maxQuestionSeconds = 4 * 60 * 60

// Activity is a report of a candidate's page.
type Activity struct {
	Language  *string // of the page; the first report with a language decides
	Questions []QuestionTime
}

// QuestionTime is for how long a candidate could see a question since the last report.
type QuestionTime struct {
	QuestionID string
	Seconds    int
}

// RecordActivity adds the times to the activity of the session, for statistics only. Times of a test session are
// checked and not stored. It locks no row that a save or a submission uses. Refusals: invalid_request for a question
// that the candidate cannot have seen, session_not_in_progress, invite_expired.
func (s *Store) RecordActivity(ctx context.Context, scope Scope, in Activity) error {
	own, err := s.currentSession(ctx, scope)
	if err != nil {
		return err
	}
	if _, refusal := own.Status.After(rules.VerbSave); refusal != "" {
		return refused(refusal)
	}
	assessment, err := s.read().contentFor(ctx, scope, own.contentID(), own.ID)
	if err != nil {
		return err
	}
	if faults := in.faults(assessment.Definition, own.Progress); len(faults) > 0 {
		return errInvalid.with(faults...)
	}
	if own.Test || in.isEmpty() {
		return nil
	}
	return s.write(ctx, func(c conn) error { return c.addActivity(ctx, scope, in) })
}

func (in Activity) isEmpty() bool { return in.Language == nil && len(in.Questions) == 0 }

// faults names the questions that the candidate has not reached.
func (in Activity) faults(d rules.Definition, progress rules.Progress) []rules.Fault {
	var faults []rules.Fault
	for i, question := range in.Questions {
		_, stage, known := d.QuestionByID(question.QuestionID)
		if !known || progress.Stages[stage].StartedAt == nil {
			faults = append(faults, fault(fmt.Sprintf("/questions/%d/questionId", i), "unknown_id",
				"is not a question that the candidate has reached"))
		}
	}
	return faults
}

// addActivity locks the row of the activity, so that two reports at once are both counted. It reads the session
// afterwards: see eraseActivity.
func (c conn) addActivity(ctx context.Context, scope Scope, in Activity) error {
	now := c.store.Now()
	var stored string
	if err := c.Get(ctx, &stored, `
		INSERT INTO session_activity (session_id, organization_id, language, seconds, updated_at) VALUES (?, ?, ?, '{}', ?)
		ON CONFLICT (session_id) DO UPDATE SET language = COALESCE(session_activity.language, excluded.language),
			updated_at = excluded.updated_at
		RETURNING seconds`, scope.SessionID, scope.OrganizationID, in.Language, now); err != nil {
		return err
	}
	own, err := c.ownSession(ctx, scope, ownSessionQuery)
	if err != nil {
		return err
	}
	if _, refusal := own.Status.After(rules.VerbSave); refusal != "" {
		return refused(refusal)
	}
	seconds := map[string]int{}
	if err := json.Unmarshal([]byte(stored), &seconds); err != nil {
		return err
	}
	in.addTo(seconds, now.Sub(own.StartedAt.Time))
	encoded, err := json.Marshal(seconds)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `UPDATE session_activity SET seconds = ? WHERE organization_id = ? AND session_id = ?`,
		string(encoded), scope.OrganizationID, scope.SessionID)
	return err
}

// addTo adds the times to seconds, which never exceed the time since the start in all.
func (in Activity) addTo(seconds map[string]int, sinceStart time.Duration) {
	room := int(sinceStart / time.Second)
	for _, counted := range seconds {
		room -= counted
	}
	for _, question := range in.Questions {
		before := seconds[question.QuestionID]
		added := max(0, min(question.Seconds, room, maxQuestionSeconds-before))
		if added > 0 {
			seconds[question.QuestionID] = before + added
			room -= added
		}
	}
}

// eraseActivity waits for a report that is being stored. The insertion conflicts with the row of the report, which the
// deletion alone would not see. A later report finds that the session has ended.
func (c conn) eraseActivity(ctx context.Context, scope Scope, id string, now time.Time) error {
	if _, err := c.Exec(ctx, `
		INSERT INTO session_activity (session_id, organization_id, seconds, updated_at) VALUES (?, ?, '{}', ?)
		ON CONFLICT DO NOTHING`, id, scope.OrganizationID, now); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `DELETE FROM session_activity WHERE organization_id = ? AND session_id = ?`,
		scope.OrganizationID, id)
	return err
}
