package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"assay.example/integration/generated/assay"

	"github.com/oapi-codegen/nullable"
)

func (t *tour) assessments(ctx context.Context) error {
	person, integration := t.person, t.integration
	// sample: createAssessment
	var choice, number assay.QuestionInput
	if err := errors.Join(
		choice.FromSingleChoiceQuestionInput(assay.SingleChoiceQuestionInput{
			Type: assay.SingleChoiceQuestionInputTypeSINGLECHOICE, Points: 2,
			Prompt:          "How long may a compounded syringe be kept at room temperature?",
			Options:         &assay.Options{{ID: "a", Text: "Nine hours"}, {ID: "b", Text: "Two days"}},
			CorrectOptionID: nullable.NewNullableWithValue("a"),
		}),
		number.FromNumericQuestionInput(assay.NumericQuestionInput{
			Type: assay.NumericQuestionInputTypeNUMERIC, Points: 1,
			Prompt: "How many millilitres are in a teaspoon?",
			Answer: nullable.NewNullableWithValue(4.93), Tolerance: new(0.1),
		}),
	); err != nil {
		return err
	}
	draft, err := person.CreateAssessmentWithResponse(ctx, nil, assay.AssessmentCreate{
		Title:        "Night-shift pharmacist",
		PassingScore: nullable.NewNullableWithValue(60.0),
		RedirectURL:  nullable.NewNullableWithValue("https://jobs.example/thanks?source=assay"),
		Stages:       []assay.StageInput{{Title: "Storage", Questions: []assay.QuestionInput{choice, number}}},
	})
	if err != nil {
		return err
	}
	// end sample
	assessmentID := draft.JSON201.Data.ID

	// sample: updateAssessment
	updated, err := person.UpdateAssessmentWithResponse(ctx, assessmentID, nil, assay.AssessmentUpdate{
		TimeLimitMinutes: nullable.NewNullableWithValue(45),
	})
	if err != nil {
		return err
	}
	fmt.Println(updated.JSON200.Data.Title, "is worth", updated.JSON200.Data.MaxPoints, "points")
	// end sample

	// sample: publishAssessment
	published, err := person.PublishAssessmentWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println(published.JSON200.Data.Status)
	// end sample
	t.assessmentID = assessmentID

	// sample: retrieveAssessment
	assessment, err := person.RetrieveAssessmentWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	for _, stage := range assessment.JSON200.Data.Stages {
		fmt.Println(stage.Title, "has", len(stage.Questions), "questions")
	}
	// end sample

	// sample: listAssessments
	drafts, err := person.ListAssessmentsWithResponse(ctx, &assay.ListAssessmentsParams{Status: new(assay.AssessmentStatusInputDRAFT)})
	if err != nil {
		return err
	}
	fmt.Println(len(drafts.JSON200.Data), "drafts")
	// end sample

	// sample: duplicateAssessment
	copied, err := person.DuplicateAssessmentWithResponse(ctx, assessmentID, nil)
	if err != nil {
		return err
	}
	fmt.Println(copied.JSON201.Data.Title, "is a", copied.JSON201.Data.Status)
	// end sample
	draftID := copied.JSON201.Data.ID

	// sample: exportAssessment
	exported, err := person.ExportAssessmentWithResponse(ctx, assessmentID,
		&assay.ExportAssessmentParams{Format: new(assay.ExportFormatGIFT)})
	if err != nil {
		return err
	}
	fmt.Println(len(exported.Body), "bytes of GIFT")
	// end sample

	// sample: importAssessment
	gift := "Which gas do plants take up? {=Carbon dioxide ~Oxygen}"
	imported, err := person.ImportAssessmentWithBodyWithResponse(ctx,
		&assay.ImportAssessmentParams{Format: new(assay.ImportFormatGIFT), FileName: new("biology.gift")},
		"application/octet-stream", strings.NewReader(gift))
	if err != nil {
		return err
	}
	for _, question := range imported.JSON201.Data.Report.Questions {
		for _, note := range question.Notes {
			fmt.Println(question.Excerpt, note.Severity, note.Detail)
		}
	}
	// end sample

	// sample: deleteAssessment
	if _, err := person.DeleteAssessmentWithResponse(ctx, draftID); err != nil {
		return err
	}
	// end sample

	// sample: listPublicAssessments
	list, err := integration.ListPublicAssessmentsWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	for _, assessment := range list.JSON200.Data {
		fmt.Println(assessment.ID, assessment.Title)
	}
	// end sample

	// sample: listPublicAssessmentChanges
	var cursor *string
	for more := true; more; {
		page, err := integration.ListPublicAssessmentChangesWithResponse(ctx,
			&assay.ListPublicAssessmentChangesParams{Cursor: cursor, Limit: new(100)})
		if err != nil {
			return err
		}
		for _, assessment := range page.JSON200.Data.Items {
			fmt.Println(assessment.ID, assessment.Status)
		}
		// The next run continues from this cursor. Store it with the items of the page.
		cursor, more = &page.JSON200.Data.Cursor, page.JSON200.Data.HasMore
	}
	// end sample

	// sample: listAssessmentChanges
	changes, err := person.ListAssessmentChangesWithResponse(ctx, &assay.ListAssessmentChangesParams{Cursor: cursor})
	if err != nil {
		return err
	}
	fmt.Println(len(changes.JSON200.Data.Items), "assessments have changed since")
	// end sample

	// sample: retrievePublicAssessment
	public, err := integration.RetrievePublicAssessmentWithResponse(ctx, assessmentID, nil)
	if err != nil {
		return err
	}
	fmt.Println(public.JSON200.Data.Title, "has", public.JSON200.Data.QuestionCount, "questions")
	// end sample

	// sample: exportPublicAssessment
	backup, err := integration.ExportPublicAssessmentWithResponse(ctx, assessmentID, nil)
	if err != nil {
		return err
	}
	fmt.Println(len(backup.Body), "bytes of JSON")
	// end sample

	// sample: importPublicAssessment
	preview, err := integration.ImportPublicAssessmentWithBodyWithResponse(ctx,
		&assay.ImportPublicAssessmentParams{DryRun: new(true)}, "application/octet-stream", bytes.NewReader(backup.Body))
	if err != nil {
		return err
	}
	fmt.Println(len(preview.JSON200.Data.Stages), "stages can be imported")
	// end sample
	return nil
}
