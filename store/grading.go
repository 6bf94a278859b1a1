package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// GradingRules say how people grade the answers of an assessment that no key can judge.
type GradingRules struct {
	Blind                bool    `db:"blind_grading"`          // a grader does not see who the candidate is
	Graders              int     `db:"graders"`                // how many people grade each answer: 1 or 2
	MaxDifferencePercent float64 `db:"max_difference_percent"` // between two grades, before a third person grades
	PromisedHours        int     `db:"promised_hours"`         // within which people grade and decide
}

// GradingChange changes the rules. A nil field does not change, or has its default in a new assessment.
type GradingChange struct {
	Blind                *bool
	Graders              *int
	MaxDifferencePercent *float64
	PromisedHours        *int
}

// change gives a copy of an assessment the same rules.
func (r GradingRules) change() GradingChange {
	return GradingChange{
		Blind: &r.Blind, Graders: &r.Graders, MaxDifferencePercent: &r.MaxDifferencePercent, PromisedHours: &r.PromisedHours,
	}
}

// promised is how long an answer or a decision may wait.
func (r GradingRules) promised() time.Duration { return time.Duration(r.PromisedHours) * time.Hour }

// GradingQueue is what waits for grades.
type GradingQueue struct {
	Questions []GradingQueueQuestion // the oldest first
	HasMore   bool
}

// GradingQueueQuestion is a question whose answers wait.
type GradingQueueQuestion struct {
	AssessmentID string `db:"assessment_id"`
	QuestionID   string `db:"question_id"`
	Waiting      int    `db:"waiting"`
	Claimed      int    `db:"claimed"` // by anybody
	Mine         int    `db:"mine"`    // claimed by the caller
	Open         int    `db:"open"`    // the caller can claim them, or holds them
	Oldest       Time   `db:"oldest"`

	Done       int         // graded by the caller
	Assessment *Assessment `db:"-"`
	Question   rules.Question
	DueAt      time.Time
}

const (
	// maxQueued is how many answers the queue counts. A team does not grade more in a week.
	maxQueued          = 20_000
	maxQueuedQuestions = 200
)

// RetrieveGradingQueue returns the questions with answers that wait for grades, of one assessment or of all. It uses
// several queries, each bounded and on an index.
func (s *Store) RetrieveGradingQueue(ctx context.Context, scope Scope, assessmentID *string) (GradingQueue, error) {
	c := s.read()
	now := s.Now()
	waiting := filterOf(scope, Page{})
	waiting.and("settles_at IS NULL")
	c.onlySeen(waiting, scope, "assessment_id")
	if assessmentID != nil {
		waiting.and("assessment_id = ?", *assessmentID)
	}
	args := append([]any{now, now, now}, waiting.args...)
	var questions []GradingQueueQuestion
	if err := c.List(ctx, &questions, `
		SELECT a.assessment_id, a.question_id, COUNT(*) AS waiting,
			COUNT(CASE WHEN a.leased_until > ? THEN 1 END) AS claimed,
			COUNT(CASE WHEN a.leased_until > ? AND a.claim_id = g.id THEN 1 END) AS mine,
			COUNT(CASE WHEN g.graded_at IS NULL AND (a.leased_until IS NULL OR a.leased_until <= ? OR a.claim_id = g.id)
				THEN 1 END) AS open,
			MIN(a.since) AS oldest
		FROM (SELECT session_id, question_id, assessment_id, since, claim_id, leased_until FROM grading_answers`+
		waiting.sql.String()+atMost(maxQueued)+`) a
			LEFT JOIN grading_claims g ON g.session_id = a.session_id AND g.question_id = a.question_id AND g.user_id = ?
		GROUP BY a.assessment_id, a.question_id ORDER BY MIN(a.since), a.question_id LIMIT ?`,
		append(args, scope.UserID, maxQueuedQuestions+1)...); err != nil {
		return GradingQueue{}, err
	}
	counted := 0
	for _, question := range questions {
		counted += question.Waiting
	}
	queue := GradingQueue{}
	queue.Questions, queue.HasMore = cut(questions, maxQueuedQuestions)
	queue.HasMore = queue.HasMore || counted >= maxQueued
	return queue, c.describeQueue(ctx, scope, queue.Questions)
}

// describeQueue adds what each question is, and how many of its answers the caller has graded.
func (c conn) describeQueue(ctx context.Context, scope Scope, questions []GradingQueueQuestion) error {
	for i := range questions {
		q := &questions[i]
		var err error
		if q.Assessment, err = c.content(ctx, scope, q.AssessmentID); err != nil {
			return err
		}
		q.Question, _, _ = q.Assessment.Definition.QuestionByID(q.QuestionID)
		q.DueAt = q.Oldest.Add(q.Assessment.promised())
	}
	if len(questions) == 0 {
		return nil
	}
	var done []struct {
		QuestionID string `db:"question_id"`
		Done       int    `db:"done"`
	}
	if err := c.List(ctx, &done, `
		SELECT question_id, COUNT(*) AS done
		FROM (SELECT question_id FROM grading_claims WHERE organization_id = ? AND user_id = ? AND graded_at IS NOT NULL`+
		atMost(maxQueued)+`) graded GROUP BY question_id`,
		scope.OrganizationID, scope.UserID); err != nil {
		return err
	}
	byQuestion := make(map[string]int, len(done))
	for _, row := range done {
		byQuestion[row.QuestionID] = row.Done
	}
	for i := range questions {
		questions[i].Done = byQuestion[questions[i].QuestionID]
	}
	return nil
}
