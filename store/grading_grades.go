package store

import (
	"context"
	"slices"
	"time"

	"assay/store/rules"
)

// GradingDraft is the input of SaveClaimDraft.
type GradingDraft struct {
	Points  *float64
	Rubric  []CriterionPoints // some criteria, or all
	Comment *string           // can contain personal data; an erasure removes it
}

// SaveClaimDraft stores what a grader has decided so far, and renews the claim. Refusals: not_found, claim_ended,
// invalid_request.
func (s *Store) SaveClaimDraft(ctx context.Context, scope Scope, id string, in GradingDraft) (*ClaimedAnswer, error) {
	var claim gradingClaim
	if err := s.write(ctx, func(c conn) (err error) {
		if claim, err = c.claim(ctx, scope, id); err != nil {
			return err
		}
		now := s.Now()
		if _, err := c.holdAnswer(ctx, claim, now); err != nil {
			return err
		}
		if err := c.checkDraft(ctx, scope, claim, in); err != nil {
			return err
		}
		if err := c.saveMark(ctx, claim.ID, in, now, nil); err != nil {
			return err
		}
		if err := c.lease(ctx, claim, now); err != nil {
			return err
		}
		claim, err = c.claim(ctx, scope, id)
		return err
	}); err != nil {
		return nil, err
	}
	return s.shownClaim(ctx, scope, claim)
}

// shownClaim is claimedAnswer of a claim that the request has just changed. Refusal: claim_ended.
func (s *Store) shownClaim(ctx context.Context, scope Scope, claim gradingClaim) (*ClaimedAnswer, error) {
	shown, err := s.claimedAnswer(ctx, scope, claim)
	if err == nil && shown == nil {
		err = errClaimEnded
	}
	return shown, err
}

func (c conn) checkDraft(ctx context.Context, scope Scope, claim gradingClaim, in GradingDraft) error {
	assessment, err := c.content(ctx, scope, claim.AssessmentID)
	if err != nil {
		return err
	}
	question, _, known := assessment.Definition.QuestionByID(claim.QuestionID)
	if !known {
		return errClaimEnded
	}
	faults := criterionFaults(question.Rubric, in.Rubric)
	if in.Points != nil && *in.Points > question.Points {
		faults = append(faults, fault("/points", "too_large", "must be at most the points of the question"))
	}
	if len(faults) > 0 {
		return errInvalid.with(faults...)
	}
	return nil
}

// saveMark writes a draft, or a grade if gradedAt is not nil.
func (c conn) saveMark(ctx context.Context, id string, in GradingDraft, now time.Time, gradedAt *time.Time) error {
	rubric, err := jsonOrNull(in.Rubric, len(in.Rubric) == 0)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `
		UPDATE grading_claims SET points = ?, rubric = ?, comment = ?, saved_at = ?, graded_at = ? WHERE id = ?`,
		in.Points, rubric, in.Comment, now, gradedAt, id)
	return err
}

// ReleaseClaim ends a claim without a grade. Refusals: not_found, claim_ended.
func (s *Store) ReleaseClaim(ctx context.Context, scope Scope, id string) error {
	return s.write(ctx, func(c conn) error {
		claim, err := c.claim(ctx, scope, id)
		if err != nil {
			return err
		}
		now := s.Now()
		if _, err := c.holdAnswer(ctx, claim, now); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `
			UPDATE grading_claims SET points = NULL, rubric = NULL, comment = NULL, saved_at = NULL, released_at = ?
			WHERE id = ?`, now, claim.ID); err != nil {
			return err
		}
		return c.freeAnswer(ctx, claim)
	})
}

// freeAnswer ends the hold on a locked answer.
func (c conn) freeAnswer(ctx context.Context, claim gradingClaim) error {
	_, err := c.Exec(ctx, `
		UPDATE grading_answers SET claim_id = NULL, leased_until = NULL WHERE session_id = ? AND question_id = ?`,
		claim.SessionID, claim.QuestionID)
	return err
}

// GradeClaim grades a claimed answer, and claims the next one for the caller if they want it, first to the same
// question. The grade counts undoTime after all graders have graded the answer. The same grade sent again, after a lost
// response, only claims the next answer. It uses several transactions: after the first, the answer is graded. Refusals:
// not_found, claim_ended, invalid_request.
func (s *Store) GradeClaim(
	ctx context.Context, scope Scope, id string, in GradingDraft, claimNext bool,
) (*ClaimedAnswer, error) {
	var claim gradingClaim
	if err := s.write(ctx, func(c conn) (err error) {
		if claim, err = c.claim(ctx, scope, id); err != nil {
			if claim.GradedAt != nil && claim.hasMark(in) {
				return nil // The same request again: the response of the first one was lost.
			}
			return err
		}
		return c.gradeClaim(ctx, scope, claim, in)
	}); err != nil || !claimNext {
		return nil, err
	}
	return s.nextClaim(ctx, scope, wantedAnswer{assessmentID: claim.AssessmentID, questionID: claim.QuestionID})
}

// hasMark reports whether the claim was graded exactly so.
func (g gradingClaim) hasMark(in GradingDraft) bool {
	equal := g.Points != nil && in.Points != nil && *g.Points == *in.Points && slices.Equal(g.Rubric(), in.Rubric)
	if g.Comment == nil || in.Comment == nil {
		return equal && g.Comment == in.Comment
	}
	return equal && *g.Comment == *in.Comment
}

func (c conn) gradeClaim(ctx context.Context, scope Scope, claim gradingClaim, in GradingDraft) error {
	session, err := c.lockSession(ctx, scope, claim.SessionID) // before the answer, like every decision about the session
	if err != nil {
		return err
	}
	now := c.store.Now()
	answer, err := c.holdAnswer(ctx, claim, now)
	if err != nil {
		return err
	}
	assessment, err := c.contentFor(ctx, scope, session.contentID(), session.ID)
	if err != nil {
		return err
	}
	question, _, _ := assessment.Definition.QuestionByID(claim.QuestionID)
	// The rules of a first grade: a further person judges the answer, and not the grade of another.
	faults := gradeFaults(question, GradeInput{Points: in.Points, Rubric: in.Rubric}, AnswerGrade{})
	if len(faults) > 0 {
		return errInvalid.with(faults...)
	}
	if err := c.saveMark(ctx, claim.ID, in, now, &now); err != nil {
		return err
	}
	marks, err := c.marks(ctx, claim, question)
	if err != nil {
		return err
	}
	graders := answer.Graders
	if answer.Graded == 0 {
		graders = assessment.Graders
	}
	needed := rules.MarksNeeded(marks, graders, question.Points, assessment.MaxDifferencePercent)
	if len(marks) < needed {
		_, err := c.Exec(ctx, `
			UPDATE grading_answers SET graded = ?, graders = ?, claim_id = NULL, leased_until = NULL
			WHERE session_id = ? AND question_id = ?`, len(marks), graders, claim.SessionID, claim.QuestionID)
		return err
	}
	_, err = c.Exec(ctx, `
		UPDATE grading_answers SET graded = ?, graders = ?, claim_id = ?, leased_until = NULL, settles_at = ?
		WHERE session_id = ? AND question_id = ?`,
		len(marks), graders, claim.ID, now.Add(undoTime), claim.SessionID, claim.QuestionID)
	return err
}

// finishAnswer adds the grade that counts. Its comment is that of the last grader.
func (c conn) finishAnswer(
	ctx context.Context, scope Scope, claim gradingClaim, final rules.Mark, comment *string,
) error {
	current, err := c.currentGrade(ctx, claim.SessionID, claim.QuestionID)
	if err != nil {
		return err
	}
	in := GradeInput{Points: &final.Points, Comment: comment, Version: current.Version}
	for _, criterion := range final.Criteria {
		in.Rubric = append(in.Rubric, CriterionPoints(criterion))
	}
	return c.gradeAnswer(ctx, scope, claim.SessionID, claim.QuestionID, in)
}

// marks are the grades that people have given to the answer of a claim, the first first, with the criteria in the order
// of the rubric.
func (c conn) marks(ctx context.Context, claim gradingClaim, question rules.Question) ([]rules.Mark, error) {
	var rows []gradingClaim
	if err := c.List(ctx, &rows, claimColumns+`
		WHERE g.session_id = ? AND g.question_id = ? AND g.graded_at IS NOT NULL ORDER BY g.graded_at, g.id`,
		claim.SessionID, claim.QuestionID); err != nil {
		return nil, err
	}
	marks := make([]rules.Mark, len(rows))
	for i, row := range rows {
		marks[i].Points = *row.Points
		points := map[string]float64{}
		for _, criterion := range row.Rubric() {
			points[criterion.ID] = criterion.Points
		}
		for _, criterion := range question.Rubric {
			marks[i].Criteria = append(marks[i].Criteria, rules.CriterionMark{ID: criterion.ID, Points: points[criterion.ID]})
		}
	}
	return marks, nil
}
