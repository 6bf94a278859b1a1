package store

import (
	"context"
	"slices"
	"time"

	"assay/store/rules"
)

// SuspectedKey is a question whose key is probably wrong.
type SuspectedKey struct {
	AssessmentID    string          `db:"assessment_id"`
	AssessmentTitle string          `db:"-"`
	QuestionID      string          `db:"question_id"`
	Prompt          string          `db:"-"`
	Suspicion       rules.Suspicion `db:"suspicion"`
}

// suspectedFor is how long the overview names a suspicion. A key that is right although
// nobody knows the answer would otherwise be named for ever.
const suspectedFor = 30 * 24 * time.Hour

// noteSuspicions stores the questions of an assessment whose keys are probably wrong, which the
// statistics have found. It writes only what has changed. Statistics without all sums find nothing.
func (c conn) noteSuspicions(ctx context.Context, id string, a *foldedAssessment) error {
	if a.statistics.Version != rules.StatisticsVersion {
		return nil
	}
	scope := Scope{OrganizationID: a.OrganizationID}
	corrections, err := c.corrections(ctx, scope, id)
	if err != nil {
		return err
	}
	var stored []SuspectedKey
	if err := c.List(ctx, &stored, `
		SELECT assessment_id, question_id, suspicion FROM suspected_keys WHERE organization_id = ? AND assessment_id = ?`,
		scope.OrganizationID, id); err != nil {
		return err
	}
	known := map[string]rules.Suspicion{}
	for _, key := range stored {
		known[key.QuestionID] = key.Suspicion
	}
	for i, stage := range a.definition.Stages {
		for j, question := range stage.Questions {
			found := rules.Suspicions(question, a.statistics.Stages[i].Questions[j], corrections)
			before, isKnown := known[question.ID]
			switch {
			case len(found) == 0 && isKnown:
				err = c.forgetSuspicion(ctx, scope, id, question.ID)
			case len(found) > 0 && found[0] != before:
				_, err = c.Exec(ctx, `
					INSERT INTO suspected_keys (organization_id, assessment_id, question_id, suspicion, found_at)
					VALUES (?, ?, ?, ?, ?)
					ON CONFLICT (assessment_id, question_id) DO UPDATE SET suspicion = excluded.suspicion`,
					scope.OrganizationID, id, question.ID, found[0], c.store.Now())
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetSuspicion removes the suspicion about a key. The next result of the assessment can bring it back.
func (c conn) forgetSuspicion(ctx context.Context, scope Scope, assessmentID, questionID string) error {
	_, err := c.Exec(ctx, `DELETE FROM suspected_keys WHERE organization_id = ? AND assessment_id = ? AND question_id = ?`,
		scope.OrganizationID, assessmentID, questionID)
	return err
}

// suspectedKeys reads the definitions of at most overviewItems assessments, which the cache usually has.
func (c conn) suspectedKeys(ctx context.Context, scope Scope, o *Overview) error {
	found := filterOf(scope, Page{})
	found.and("found_at > ?", o.At.Add(-suspectedFor))
	c.onlySeen(found, scope, "assessment_id")
	suspected := ` FROM suspected_keys` + found.sql.String()
	if err := c.List(ctx, &o.SuspectedKeys.Items, `SELECT assessment_id, question_id, suspicion`+suspected+`
		ORDER BY found_at DESC, assessment_id DESC, question_id DESC LIMIT ?`,
		append(slices.Clone(found.args), overviewItems)...); err != nil {
		return err
	}
	for i := range o.SuspectedKeys.Items {
		key := &o.SuspectedKeys.Items[i]
		assessment, err := c.content(ctx, scope, key.AssessmentID)
		if err != nil {
			return err
		}
		question, _, _ := assessment.Definition.QuestionByID(key.QuestionID)
		key.AssessmentTitle, key.Prompt = assessment.Title, question.Prompt
	}
	var rows int
	err := c.Get(ctx, &rows, `SELECT COUNT(*) FROM (SELECT 1`+suspected+` LIMIT ?) AS bounded`,
		append(found.args, overviewCount+1)...)
	o.SuspectedKeys.Count, o.SuspectedKeys.HasMore = counted(rows)
	return err
}
