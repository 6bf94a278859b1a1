package main

import (
	"context"
	"fmt"

	"assay.example/integration/generated/assay"

	"github.com/oapi-codegen/nullable"
)

// corrections corrects a question of the published assessment, and withdraws the correction.
func (t *tour) corrections(ctx context.Context) error {
	person, assessmentID := t.person, t.assessmentID
	assessment, err := person.RetrieveAssessmentWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	questionID := assessment.JSON200.Data.Stages[0].Questions[0].ID
	t.questionID = questionID

	// sample: listAssessmentQuestionAnswers
	given, err := person.ListAssessmentQuestionAnswersWithResponse(ctx, assessmentID, questionID)
	if err != nil {
		return err
	}
	for _, answer := range given.JSON200.Data.Answers {
		fmt.Println(answer.Count, "candidates got", answer.Points, "points")
	}
	// end sample

	// sample: previewAssessmentCorrection
	correction := assay.AssessmentCorrectionCreate{
		QuestionID: questionID, Action: assay.CorrectionActionInputACCEPTALSO,
		Key:    &assay.CorrectionKey{CorrectOptionID: new("b")},
		Reason: "Two days are right in a refrigerator",
	}
	effect, err := person.PreviewAssessmentCorrectionWithResponse(ctx, assessmentID, correction)
	if err != nil {
		return err
	}
	fmt.Println(effect.JSON200.Data.Changed, "results would change, and", effect.JSON200.Data.NowPass.Count, "more pass")
	// end sample

	// sample: createAssessmentCorrection
	created, err := person.CreateAssessmentCorrectionWithResponse(ctx, assessmentID,
		&assay.CreateAssessmentCorrectionParams{IdempotencyKey: new("correction-17")}, correction)
	if err != nil {
		return err
	}
	correctionID := created.JSON201.Data.ID
	// end sample

	// sample: retrieveAssessmentCorrection
	progress, err := person.RetrieveAssessmentCorrectionWithResponse(ctx, assessmentID, correctionID)
	if err != nil {
		return err
	}
	fmt.Println(progress.JSON200.Data.Done, "of", progress.JSON200.Data.Total, "sessions are done")
	// end sample

	// sample: listAssessmentCorrections
	list, err := person.ListAssessmentCorrectionsWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	for _, correction := range list.JSON200.Data {
		fmt.Println(correction.Action, correction.Reason, correction.CreatedAt)
	}
	// end sample

	// sample: withdrawAssessmentCorrection
	withdrawal, err := person.WithdrawAssessmentCorrectionWithResponse(ctx, assessmentID, correctionID,
		assay.CorrectionWithdraw{Reason: "The question says room temperature"})
	if err != nil {
		return err
	}
	fmt.Println(withdrawal.JSON200.Data.ID, "withdraws", correctionID)
	// end sample
	return nil
}

// grades changes the result of one session.
func (t *tour) grades(ctx context.Context) error {
	person, sessionID, questionID := t.person, t.sessionID, t.questionID
	// sample: gradeCandidateSessionAnswer
	graded, err := person.GradeCandidateSessionAnswerWithResponse(ctx, sessionID, questionID, assay.AnswerGradePut{
		Points:  nullable.NewNullableWithValue(1.5),
		Reason:  new("Right, but only by the old edition"),
		Version: 0, // nobody has graded the answer yet
	})
	if err != nil {
		return err
	}
	fmt.Println("version", graded.JSON200.Data.Version)
	// end sample

	// sample: listCandidateSessionGrades
	grades, err := person.ListCandidateSessionGradesWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	for _, grade := range grades.JSON200.Data {
		fmt.Println(grade.QuestionID, grade.Version, grade.Reason)
	}
	// end sample

	// sample: listResultRevisions
	revisions, err := person.ListResultRevisionsWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	for _, revision := range revisions.JSON200.Data {
		fmt.Println(revision.Revision, revision.Score, revision.DecidedBy)
	}
	// end sample

	// sample: retrieveResultRevision
	first, err := person.RetrieveResultRevisionWithResponse(ctx, sessionID, "1", nil)
	if err != nil {
		return err
	}
	fmt.Println("at first", first.JSON200.Data.Points, "points")
	// end sample

	sessionID = t.reviewSessionID
	// sample: retrieveOpenDecision
	open, err := person.RetrieveOpenDecisionWithResponse(ctx, sessionID, nil)
	if err != nil {
		return err
	}
	stageID, err := open.JSON200.Data.StageID.Get()
	if err != nil {
		return err
	}
	fmt.Println("the gate of", stageID, "waits for a decision")
	// end sample

	// sample: ruleCandidateSession
	ruled, err := person.RuleCandidateSessionWithResponse(ctx, sessionID, assay.GateRulingCreate{
		StageID: stageID, Decision: assay.GateRulingCreateDecisionPASS,
		Reason: "The wrong answer concerns equipment that we do not use",
	})
	if err != nil {
		return err
	}
	fmt.Println("the session is", ruled.JSON200.Data.Status)
	// end sample

	sessionID = t.lateSessionID
	// sample: listLateAnswers
	late, err := person.ListLateAnswersWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	for _, answer := range late.JSON200.Data {
		fmt.Println(answer.SecondsLate, "s late, worth", answer.Points, "points")
	}
	// end sample

	// sample: countLateAnswers
	counted, err := person.CountLateAnswersWithResponse(ctx, sessionID,
		assay.LateAnswersCount{Reason: "The network of the test room failed"})
	if err != nil {
		return err
	}
	fmt.Println("the score is now", counted.JSON200.Data.Score)
	// end sample

	// sample: reopenCandidateSession
	reopened, err := person.ReopenCandidateSessionWithResponse(ctx, sessionID, assay.CandidateSessionReopen{
		Minutes: 10, Reason: "The network of the test room failed",
	})
	if err != nil {
		return err
	}
	fmt.Println("the candidate may go on until", reopened.JSON200.Data.DeadlineAt)
	// end sample
	return nil
}
