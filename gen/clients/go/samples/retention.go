package main

import (
	"context"
	"fmt"

	"github.com/oapi-codegen/nullable"

	"assay.example/integration/generated/assay"
)

// retention decides how long data are kept, and protects some from erasure.
func (t *tour) retention(ctx context.Context) error {
	person, assessmentID, sessionID := t.person, t.assessmentID, t.sessionID
	// sample: retrieveRetention
	current, err := person.RetrieveRetentionWithResponse(ctx)
	if err != nil {
		return err
	}
	if current.JSON200.Data.Months == nil {
		fmt.Println("data are kept without a limit")
	}
	// end sample

	// sample: previewRetention
	preview, err := person.PreviewRetentionWithResponse(ctx, assay.RetentionPreviewRequest{Months: new(12)})
	if err != nil {
		return err
	}
	fmt.Println(preview.JSON200.Data.Now, "sessions now, and", preview.JSON200.Data.Soon, "within 30 days")
	// end sample

	// sample: replaceRetention
	replaced, err := person.ReplaceRetentionWithResponse(ctx, assay.RetentionPut{
		Months: new(12), NotStartedMonths: nullable.NewNullableWithValue(1),
		States: []assay.RetentionStateInput{{StateID: "rejected", Months: 6}},
	})
	if err != nil {
		return err
	}
	fmt.Println("erases from", *replaced.JSON200.Data.AppliesFrom)
	// end sample

	// sample: replaceAssessmentRetention
	if _, err := person.ReplaceAssessmentRetentionWithResponse(ctx, assessmentID,
		assay.RetentionPut{Months: new(24)}); err != nil {
		return err
	}
	// end sample

	// sample: retrieveAssessmentRetention
	own, err := person.RetrieveAssessmentRetentionWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println(*own.JSON200.Data.Months, "months, inherited:", own.JSON200.Data.Inherited)
	// end sample

	// sample: deleteAssessmentRetention
	if _, err := person.DeleteAssessmentRetentionWithResponse(ctx, assessmentID); err != nil {
		return err
	}
	// end sample

	// sample: createLegalHold
	hold, err := person.CreateLegalHoldWithResponse(ctx, nil, assay.LegalHoldCreate{
		SessionID: nullable.NewNullableWithValue(sessionID), Reason: "Claim 14-220 before the labour court",
	})
	if err != nil {
		return err
	}
	holdID := hold.JSON201.Data.ID
	// end sample

	// sample: listLegalHolds
	holds, err := person.ListLegalHoldsWithResponse(ctx, &assay.ListLegalHoldsParams{SessionID: &sessionID})
	if err != nil {
		return err
	}
	for _, each := range holds.JSON200.Data {
		fmt.Println(each.ID, each.Reason, each.CreatedBy.Name)
	}
	// end sample

	// sample: retrieveLegalHold
	found, err := person.RetrieveLegalHoldWithResponse(ctx, holdID)
	if err != nil {
		return err
	}
	fmt.Println("set on", found.JSON200.Data.CreatedAt)
	// end sample

	// sample: deleteLegalHold
	if _, err := person.DeleteLegalHoldWithResponse(ctx, holdID); err != nil {
		return err
	}
	// end sample
	return nil
}
