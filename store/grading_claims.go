package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/rules"
)

// leaseTime is how long a claim holds an answer since it was made, or since its draft was last saved.
const leaseTime = 15 * time.Minute

const (
	// claimWindow is among how many of the oldest answers to a question a grader's own order chooses. It keeps graders
	// apart, and no answer waits much longer than others.
	claimWindow = 100
	// maxClaimTries is how many answers one request claims that turn out to need no grade.
	maxClaimTries = 10
)

// gradingClaim is a row of grading_claims: the work of one person on one answer.
type gradingClaim struct {
	ID           string   `db:"id"`
	AssessmentID string   `db:"assessment_id"`
	SessionID    string   `db:"session_id"`
	QuestionID   string   `db:"question_id"`
	Points       *float64 `db:"points"`
	RubricJSON   *string  `db:"rubric"`
	Comment      *string  `db:"comment"`
	SavedAt      *Time    `db:"saved_at"`
	ReleasedAt   *Time    `db:"released_at"`
	GradedAt     *Time    `db:"graded_at"`
}

// Rubric returns the points of each criterion, or nil.
func (g gradingClaim) Rubric() []CriterionPoints {
	return AnswerGrade{RubricJSON: g.RubricJSON}.Rubric()
}

const claimColumns = `SELECT g.id, g.assessment_id, g.session_id, g.question_id, g.points, g.rubric, g.comment,
	g.saved_at, g.released_at, g.graded_at FROM grading_claims g`

// queuedAnswer is a row of grading_answers.
type queuedAnswer struct {
	Since       Time    `db:"since"`
	Graded      int     `db:"graded"`
	Graders     int     `db:"graders"` // 0 until the first grade
	ClaimID     *string `db:"claim_id"`
	LeasedUntil *Time   `db:"leased_until"`
	SettlesAt   *Time   `db:"settles_at"` // nil before the last grade that it needs
}

// heldBy reports whether the claim holds the answer, or can hold it again because nobody has claimed it since.
func (a queuedAnswer) heldBy(claim gradingClaim, now time.Time) bool {
	if a.SettlesAt != nil {
		return false
	}
	return a.ClaimID != nil && *a.ClaimID == claim.ID || a.LeasedUntil == nil || !a.LeasedUntil.After(now)
}

// ClaimInput is the input of ClaimAnswer.
type ClaimInput struct {
	AssessmentID string
	QuestionID   *string // nil for all questions
}

// ClaimedAnswer is what a grader sees of an answer that they hold.
type ClaimedAnswer struct {
	gradingClaim
	Assessment  *Assessment
	Question    rules.Question
	Order       int // of the question in its stage, from 1
	Text        string
	Since       time.Time
	LeasedUntil time.Time
	Candidate   *CandidateSession // nil while grading is blind, and for a REVIEWER
}

// ClaimAnswer gives the caller the next answer to grade, or nil if none waits for them. A claim that they hold comes
// first. Refusal: not_found.
func (s *Store) ClaimAnswer(ctx context.Context, scope Scope, in ClaimInput) (*ClaimedAnswer, error) {
	assessment, err := s.read().current(ctx, scope, in.AssessmentID)
	if err != nil {
		return nil, err
	}
	wanted := wantedAnswer{assessmentID: assessment.ID}
	if in.QuestionID != nil {
		if _, _, known := assessment.Definition.QuestionByID(*in.QuestionID); !known {
			return nil, errNoQuestion
		}
		wanted.questionID, wanted.only = *in.QuestionID, true
	}
	return s.nextClaim(ctx, scope, wanted)
}

// wantedAnswer says which answers a grader claims.
type wantedAnswer struct {
	assessmentID string
	questionID   string // whose answers come first; "" for none
	only         bool   // no others
}

// nextClaim claims an answer in one transaction, and reads it outside, because a transaction that reads the material of
// a session locks its corrections. An answer that waits for no grade is removed from the queue, and the next one is
// claimed. Compatibility until v1.2: v1.0 erases a candidate and leaves the answers in the queue.
func (s *Store) nextClaim(ctx context.Context, scope Scope, wanted wantedAnswer) (*ClaimedAnswer, error) {
	for range maxClaimTries {
		var claim *gradingClaim
		err := s.write(ctx, func(c conn) (err error) {
			claim, err = c.claimNext(ctx, scope, wanted)
			return err
		})
		if err != nil || claim == nil {
			return nil, err
		}
		claimed, err := s.claimedAnswer(ctx, scope, *claim)
		if err != nil || claimed != nil {
			return claimed, err
		}
		if err := s.write(ctx, func(c conn) error { return c.requeue(ctx, scope, claim.SessionID) }); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// requeue corrects the queue for one session.
func (c conn) requeue(ctx context.Context, scope Scope, sessionID string) error {
	session, err := c.lockSession(ctx, scope, sessionID)
	if err != nil {
		return err
	}
	m, err := c.material(ctx, session)
	if err != nil {
		return err
	}
	m.progress.Status = session.Status // a cancelled session can have the progress of one in review
	return c.queueAnswers(ctx, session, m)
}

// claimNext claims the next answer for the caller, or returns nil.
func (c conn) claimNext(ctx context.Context, scope Scope, wanted wantedAnswer) (*gradingClaim, error) {
	if claim, err := c.continueClaim(ctx, scope, wanted); err != nil || claim != nil {
		return claim, err
	}
	if wanted.questionID != "" {
		claim, err := c.claimFirst(ctx, scope, wanted.assessmentID, wanted.questionID)
		if err != nil || claim != nil || wanted.only {
			return claim, err
		}
	}
	questionID, err := c.firstFreeQuestion(ctx, scope, wanted.assessmentID)
	if err != nil || questionID == "" {
		return nil, err
	}
	return c.claimFirst(ctx, scope, wanted.assessmentID, questionID)
}

// maxContinued is how many unfinished claims are tried. Each but the first has lost its answer to another grader.
const maxContinued = 20

// continueClaim holds the answer of an unfinished claim of the caller again: after a crash, the same answer comes with
// its draft.
func (c conn) continueClaim(ctx context.Context, scope Scope, wanted wantedAnswer) (*gradingClaim, error) {
	only := ``
	args := []any{scope.OrganizationID, scope.UserID, wanted.assessmentID}
	if wanted.only {
		only = ` AND g.question_id = ?`
		args = append(args, wanted.questionID)
	}
	now := c.store.Now()
	var claims []gradingClaim
	if err := c.List(ctx, &claims, claimColumns+`
			JOIN grading_answers a ON a.session_id = g.session_id AND a.question_id = g.question_id
		WHERE g.organization_id = ? AND g.user_id = ? AND g.assessment_id = ? AND g.graded_at IS NULL`+only+`
			AND g.released_at IS NULL AND a.settles_at IS NULL
			AND (a.claim_id = g.id OR a.leased_until IS NULL OR a.leased_until <= ?)
		ORDER BY CASE WHEN a.claim_id = g.id THEN 0 ELSE 1 END, g.id DESC LIMIT ?`,
		append(args, now, maxContinued)...); err != nil {
		return nil, err
	}
	for _, claim := range claims {
		answer, err := c.lockQueuedAnswer(ctx, claim, c.store.db.SkipLocked)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			continue
		case err != nil:
			return nil, err
		case answer.heldBy(claim, now):
			return &claim, c.lease(ctx, claim, now)
		}
	}
	return nil, nil
}

// freeAnswers are the answers of an assessment that the caller can claim.
const freeAnswers = ` FROM grading_answers a
	WHERE a.organization_id = ? AND a.assessment_id = ? AND a.settles_at IS NULL
		AND (a.leased_until IS NULL OR a.leased_until <= ?)
		AND NOT EXISTS (SELECT 1 FROM grading_claims g
			WHERE g.session_id = a.session_id AND g.question_id = a.question_id AND g.user_id = ? AND g.graded_at IS NOT NULL)`

// firstFreeQuestion is a question with an answer that the caller can claim, or "".
func (c conn) firstFreeQuestion(ctx context.Context, scope Scope, assessmentID string) (id string, err error) {
	err = c.Get(ctx, &id, `SELECT a.question_id`+freeAnswers+` ORDER BY a.question_id LIMIT 1`,
		scope.OrganizationID, assessmentID, c.store.Now(), scope.UserID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// claimFirst claims the first free answer to a question in the order of the caller, a hash of grader and answer.
// Answers that the caller has released come last.
func (c conn) claimFirst(ctx context.Context, scope Scope, assessmentID, questionID string) (*gradingClaim, error) {
	now := c.store.Now()
	var sessions []string
	if err := c.List(ctx, &sessions, `
		SELECT w.session_id
		FROM (SELECT a.session_id, a.question_id, a.shuffle`+freeAnswers+` AND a.question_id = ?
				ORDER BY a.since, a.session_id LIMIT ?) w
			LEFT JOIN grading_claims g ON g.session_id = w.session_id AND g.question_id = w.question_id AND g.user_id = ?
		ORDER BY CASE WHEN g.id IS NULL THEN 0 ELSE 1 END, g.released_at, w.shuffle * ? % ?, w.session_id`,
		scope.OrganizationID, assessmentID, now, scope.UserID, questionID, claimWindow, scope.UserID,
		shuffled(scope.UserID), int64(shufflePrime)); err != nil {
		return nil, err
	}
	for _, sessionID := range sessions {
		claim := gradingClaim{AssessmentID: assessmentID, SessionID: sessionID, QuestionID: questionID}
		answer, err := c.lockQueuedAnswer(ctx, claim, c.store.db.SkipLocked)
		switch {
		case errors.Is(err, sql.ErrNoRows): // somebody else is claiming it, or it was graded
			continue
		case err != nil:
			return nil, err
		case answer.SettlesAt != nil || answer.LeasedUntil != nil && answer.LeasedUntil.After(now):
			continue
		}
		return c.insertClaim(ctx, scope, claim, now)
	}
	return nil, nil
}

// insertClaim makes a claim of a locked answer, or takes up the one that the caller has released.
func (c conn) insertClaim(ctx context.Context, scope Scope, claim gradingClaim, now time.Time) (*gradingClaim, error) {
	var made gradingClaim
	if err := c.Get(ctx, &made, `
		INSERT INTO grading_claims (id, organization_id, assessment_id, session_id, question_id, user_id)
		VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (session_id, question_id, user_id) DO UPDATE SET released_at = NULL
		RETURNING id, assessment_id, session_id, question_id, points, rubric, comment, saved_at, released_at, graded_at`,
		c.store.NewID("clm"), scope.OrganizationID, claim.AssessmentID, claim.SessionID, claim.QuestionID,
		scope.UserID); err != nil {
		return nil, err
	}
	return &made, c.lease(ctx, made, now)
}

// lockQueuedAnswer locks the answer of a claim; sql.ErrNoRows if it waits for no grade, or if lock skips it.
func (c conn) lockQueuedAnswer(ctx context.Context, claim gradingClaim, lock string) (queuedAnswer, error) {
	var answer queuedAnswer
	err := c.Get(ctx, &answer, `
		SELECT since, graded, graders, claim_id, leased_until, settles_at FROM grading_answers
		WHERE session_id = ? AND question_id = ?`+lock, claim.SessionID, claim.QuestionID)
	return answer, err
}

// lease lets a claim hold its locked answer.
func (c conn) lease(ctx context.Context, claim gradingClaim, now time.Time) error {
	_, err := c.Exec(ctx, `
		UPDATE grading_answers SET claim_id = ?, leased_until = ? WHERE session_id = ? AND question_id = ?`,
		claim.ID, now.Add(leaseTime), claim.SessionID, claim.QuestionID)
	return err
}

// claim is an ungraded claim of the caller, by its id. Refusals: not_found, claim_ended.
func (c conn) claim(ctx context.Context, scope Scope, id string) (gradingClaim, error) {
	claim, err := c.anyClaim(ctx, scope, id)
	if err == nil && (claim.GradedAt != nil || claim.ReleasedAt != nil) {
		err = errClaimEnded
	}
	return claim, err
}

// anyClaim is a claim of the caller, by its id, also a graded one. Refusal: not_found.
func (c conn) anyClaim(ctx context.Context, scope Scope, id string) (gradingClaim, error) {
	var claim gradingClaim
	err := c.Get(ctx, &claim, claimColumns+` WHERE g.organization_id = ? AND g.id = ? AND g.user_id = ?`,
		scope.OrganizationID, id, scope.UserID)
	if err == nil && !scope.SeesAssessment(claim.AssessmentID) {
		return gradingClaim{}, errNoClaim
	}
	return claim, orRefuse(err, errNoClaim)
}

// holdAnswer locks the answer of a claim that holds it, or can hold it again. Refusal: claim_ended.
func (c conn) holdAnswer(ctx context.Context, claim gradingClaim, now time.Time) (queuedAnswer, error) {
	answer, err := c.lockQueuedAnswer(ctx, claim, c.store.db.ForUpdate)
	if err == nil && !answer.heldBy(claim, now) {
		err = errClaimEnded
	}
	return answer, orRefuse(err, errClaimEnded)
}

// claimedAnswer reads what the grader sees of a claim, or nil if the answer waits for no grade.
func (s *Store) claimedAnswer(ctx context.Context, scope Scope, claim gradingClaim) (*ClaimedAnswer, error) {
	c := s.read()
	session, err := c.session(ctx, scope, claim.SessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	if err != nil {
		return nil, err
	}
	answer, err := c.lockQueuedAnswer(ctx, claim, "")
	if errors.Is(err, sql.ErrNoRows) || err == nil && session.Status != rules.SessionInReview {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m, err := c.material(ctx, session)
	if err != nil {
		return nil, err
	}
	shown := &ClaimedAnswer{gradingClaim: claim, Since: answer.Since.Time}
	if answer.LeasedUntil != nil {
		shown.LeasedUntil = answer.LeasedUntil.Time
	}
	if !shown.fill(m) {
		return nil, nil
	}
	if !m.assessment.Blind && scope.Role != Reviewer {
		shown.Candidate = &session
	}
	shown.Assessment, err = s.rendered(ctx, m.assessment)
	return shown, err
}

// fill adds the question and the text of the answer, and reports whether the answer waits for a grade.
func (a *ClaimedAnswer) fill(m material) bool {
	question, position, known := m.assessment.Definition.QuestionByID(a.QuestionID)
	if !known {
		return false
	}
	a.Question = question
	for i, score := range m.scoring.Stage(position).Questions {
		if score.QuestionID != a.QuestionID {
			continue
		}
		a.Order = i + 1
		if score.ScoredBy != rules.ByNobody || score.Answer == nil || score.Answer.Text == nil {
			return false
		}
		a.Text = *score.Answer.Text
		return true
	}
	return false
}
