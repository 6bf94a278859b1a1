package main

import (
	"context"
	"fmt"

	"assay.example/integration/generated/assay"

	"github.com/oapi-codegen/nullable"
)

// grading grades an answer that waits, and undoes the grade.
func (t *tour) grading(ctx context.Context) error {
	person, assessmentID := t.person, t.gradedID
	// sample: retrieveGradingQueue
	queue, err := person.RetrieveGradingQueueWithResponse(ctx, &assay.RetrieveGradingQueueParams{})
	if err != nil {
		return err
	}
	for _, question := range queue.JSON200.Data.Questions {
		fmt.Println(question.AssessmentTitle, question.Prompt, question.Waiting, "until", question.DueAt)
	}
	// end sample

	// sample: claimAnswer
	turn, err := person.ClaimAnswerWithResponse(ctx, assay.GradingClaimCreate{AssessmentID: assessmentID})
	if err != nil {
		return err
	}
	claim, err := turn.JSON200.Data.Claim.Get()
	if err != nil {
		return err // null: no answer waits
	}
	fmt.Println(claim.Question.Prompt, claim.Text)
	// end sample

	// sample: saveClaimDraft
	draft, err := person.SaveClaimDraftWithResponse(ctx, claim.ID, assay.GradingDraftPut{
		Points: nullable.NewNullNullable[float64](), Rubric: []assay.CriterionPointsInput{},
		Comment: nullable.NewNullableWithValue("The cause is missing"),
	})
	if err != nil {
		return err
	}
	fmt.Println("held until", draft.JSON200.Data.Claim.MustGet().LeasedUntil)
	// end sample

	// sample: gradeClaim
	next, err := person.GradeClaimWithResponse(ctx, claim.ID, assay.ClaimGrade{
		Points: 3, Comment: nullable.NewNullableWithValue("The cause is missing"),
	})
	if err != nil {
		return err
	}
	if next.JSON200.Data.Claim.IsNull() {
		fmt.Println("nothing else waits")
	}
	// end sample

	// sample: undoClaim
	again, err := person.UndoClaimWithResponse(ctx, claim.ID)
	if err != nil {
		return err
	}
	graded := again.JSON200.Data.Claim.MustGet().Draft.MustGet()
	fmt.Println("graded before as", graded.Points.MustGet())
	// end sample

	// sample: releaseClaim
	if _, err := person.ReleaseClaimWithResponse(ctx, claim.ID); err != nil {
		return err
	}
	// end sample

	// sample: retrieveGradingAgreement
	agreement, err := person.RetrieveGradingAgreementWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	for _, question := range agreement.JSON200.Data.Questions {
		fmt.Println(question.QuestionID, question.Answers, question.EqualShare)
	}
	// end sample
	return nil
}
