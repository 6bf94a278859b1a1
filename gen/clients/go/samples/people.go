package main

import (
	"context"
	"fmt"

	"assay.example/integration/generated/assay"
)

// people reads and erases everything about a person.
func (t *tour) people(ctx context.Context) error {
	person, integration, sessionID := t.person, t.integration, t.sessionID
	// sample: retrieveCandidateData
	known, err := person.RetrieveCandidateDataWithResponse(ctx,
		assay.CandidateDataRequest{Email: "ada@candidates.example"})
	if err != nil {
		return err
	}
	for _, session := range known.JSON200.Data.Sessions {
		fmt.Println(session.AssessmentTitle, "has", len(session.Answers), "answers")
	}
	// end sample

	// sample: renderCandidateDataPage
	page, err := person.RenderCandidateDataPageWithResponse(ctx,
		assay.CandidateDataPageRequest{Email: "ada@candidates.example"})
	if err != nil {
		return err
	}
	fmt.Println(len(page.Body), "bytes of HTML")
	// end sample

	// sample: retrievePublicCandidateData
	// The key needs candidates:read, results:read, and reviews:read.
	found, err := integration.RetrievePublicCandidateDataWithResponse(ctx,
		assay.CandidateDataRequest{Email: "ada@candidates.example"})
	if err != nil {
		return err
	}
	fmt.Println(len(found.JSON200.Data.Sessions), "sessions")
	// end sample

	// sample: erasePublicCandidateData
	// The key needs candidates:erase.
	if _, err := integration.ErasePublicCandidateDataWithResponse(ctx, sessionID); err != nil {
		return err
	}
	// end sample

	// sample: eraseCandidateDataByEmail
	for remaining := 1; remaining > 0; {
		done, err := person.EraseCandidateDataByEmailWithResponse(ctx,
			assay.CandidateDataErase{Email: "ada@candidates.example"})
		if err != nil {
			return err
		}
		remaining = done.JSON200.Data.Remaining
	}
	// end sample

	// sample: erasePublicCandidateDataByEmail
	done, err := integration.ErasePublicCandidateDataByEmailWithResponse(ctx,
		assay.CandidateDataErase{Email: "grace@candidates.example"})
	if err != nil {
		return err
	}
	fmt.Println(done.JSON200.Data.Erased, "erased,", done.JSON200.Data.Held, "held")
	// end sample
	return t.deletion(ctx)
}

// deletion schedules the deletion of the organization, and cancels it.
func (t *tour) deletion(ctx context.Context) error {
	person := t.person
	organization, err := person.RetrieveOrganizationWithResponse(ctx)
	if err != nil {
		return err
	}
	name := organization.JSON200.Data.Name
	// sample: scheduleOrganizationDeletion
	// The name confirms it.
	scheduled, err := person.ScheduleOrganizationDeletionWithResponse(ctx, assay.OrganizationDeletionCreate{Name: name})
	if err != nil {
		return err
	}
	fmt.Println("will be deleted at", scheduled.JSON200.Data.Deletion.MustGet().DeleteAt)
	// end sample

	// sample: cancelOrganizationDeletion
	if _, err := person.CancelOrganizationDeletionWithResponse(ctx); err != nil {
		return err
	}
	// end sample
	return nil
}
