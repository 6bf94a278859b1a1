package main

import (
	"context"
	"fmt"

	"assay.example/integration/generated/assay"
)

// reviews decides about a candidate together with the team.
func (t *tour) reviews(ctx context.Context) error {
	person, sessionID := t.person, t.sessionID
	// sample: listReviewStates
	list, err := person.ListReviewStatesWithResponse(ctx)
	if err != nil {
		return err
	}
	for _, state := range list.JSON200.Data.States {
		fmt.Println(state.ID, state.Name)
	}
	// end sample

	// sample: replaceReviewStates
	states := []assay.ReviewStateInput{}
	for _, state := range list.JSON200.Data.States {
		states = append(states, assay.ReviewStateInput{ID: &state.ID, Name: state.Name, Archived: &state.Archived})
	}
	states = append(states, assay.ReviewStateInput{Name: "Trial shift"})
	replaced, err := person.ReplaceReviewStatesWithResponse(ctx, assay.ReviewStatesPut{
		Version: list.JSON200.Data.Version, States: states,
	})
	if err != nil {
		return err
	}
	trial := replaced.JSON200.Data.States[len(states)-1].ID
	// end sample

	// sample: changeReviewState
	review, err := person.ChangeReviewStateWithResponse(ctx, sessionID, assay.ReviewStatePut{
		StateID: trial, From: new("new"), Reason: new("Strong in both stages"),
	})
	if err != nil {
		return err
	}
	fmt.Println("now in", review.JSON200.Data.State.Name)
	// end sample

	// sample: bulkChangeReviewStates
	outcome, err := person.BulkChangeReviewStatesWithResponse(ctx, assay.ReviewStateBulk{
		StateID: "shortlisted", Reason: new("The trial shifts went well"),
		Rows: []assay.ReviewStateBulkItem{{SessionID: sessionID, From: &trial}},
		Email: &assay.ReviewEmailInput{
			Subject: "Your application to {{organizationName}}", Text: "Dear {{candidateName}},\n\nplease come on Thursday.",
			DelayMinutes: new(30),
		},
	})
	if err != nil {
		return err
	}
	for _, row := range outcome.JSON200.Data.Rows {
		fmt.Println(row.Index, row.Outcome)
	}
	// end sample
	t.emailBatchID = outcome.JSON200.Data.EmailBatchID.MustGet()
	if err := t.reviewEmails(ctx); err != nil {
		return err
	}

	// sample: changeReviewTags
	tagged, err := person.ChangeReviewTagsWithResponse(ctx, sessionID, assay.ReviewTagsPatch{
		Add: []string{"night shift", "speaks French"},
	})
	if err != nil {
		return err
	}
	fmt.Println(tagged.JSON200.Data.Tags)
	// end sample

	// sample: listReviewTags
	tags, err := person.ListReviewTagsWithResponse(ctx)
	if err != nil {
		return err
	}
	for _, tag := range tags.JSON200.Data {
		fmt.Println(tag.Name, tag.Count)
	}
	// end sample

	// sample: replaceReviewRating
	rated, err := person.ReplaceReviewRatingWithResponse(ctx, sessionID, assay.ReviewRatingPut{Rating: 4})
	if err != nil {
		return err
	}
	fmt.Println("on average", rated.JSON200.Data.Rating.MustGet())
	// end sample

	// sample: deleteReviewRating
	if _, err := person.DeleteReviewRatingWithResponse(ctx, sessionID); err != nil {
		return err
	}
	// end sample

	// sample: createReviewComment
	comment, err := person.CreateReviewCommentWithResponse(ctx, sessionID,
		&assay.CreateReviewCommentParams{IdempotencyKey: new("comment-3")},
		assay.ReviewCommentCreate{Text: "Asked good questions about allergens"})
	if err != nil {
		return err
	}
	commentID := comment.JSON201.Data.ID
	// end sample

	// sample: updateReviewComment
	if _, err := person.UpdateReviewCommentWithResponse(ctx, sessionID, commentID,
		assay.ReviewCommentUpdate{Text: "Asked good questions about allergens. Invited for Thursday."}); err != nil {
		return err
	}
	// end sample

	// sample: retrieveReview
	whole, err := person.RetrieveReviewWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	for _, said := range whole.JSON200.Data.Comments {
		fmt.Println(said.CreatedAt, said.Text)
	}
	// end sample

	// sample: deleteReviewComment
	if _, err := person.DeleteReviewCommentWithResponse(ctx, sessionID, commentID); err != nil {
		return err
	}
	// end sample
	return t.reviewsByKey(ctx)
}

// reviewEmails previews an email about a decision, and cancels it.
func (t *tour) reviewEmails(ctx context.Context) error {
	person, integration, sessionID, batchID := t.person, t.integration, t.sessionID, t.emailBatchID
	// sample: previewReviewEmail
	preview, err := person.PreviewReviewEmailWithResponse(ctx, sessionID, assay.ReviewEmailPreview{
		Subject: "Your application to {{organizationName}}", Text: "Dear {{candidateName}}",
	})
	if err != nil {
		return err
	}
	fmt.Println(preview.JSON200.Data.Subject)
	// end sample

	// sample: cancelReviewEmail
	one, err := person.CancelReviewEmailWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	fmt.Println(one.JSON200.Data.CancelledCount, "cancelled")
	// end sample

	// sample: cancelReviewEmails
	all, err := person.CancelReviewEmailsWithResponse(ctx, batchID)
	if err != nil {
		return err
	}
	fmt.Println(all.JSON200.Data.CancelledCount, "cancelled,", all.JSON200.Data.SentCount, "sent")
	// end sample

	// sample: cancelPublicReviewEmail
	byKey, err := integration.CancelPublicReviewEmailWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	fmt.Println(byKey.JSON200.Data.CancelledCount, "cancelled")
	// end sample

	// sample: cancelPublicReviewEmails
	allByKey, err := integration.CancelPublicReviewEmailsWithResponse(ctx, batchID)
	if err != nil {
		return err
	}
	fmt.Println(allByKey.JSON200.Data.SentCount, "sent")
	// end sample
	return nil
}

// reviewsByKey is what an applicant tracking system does.
func (t *tour) reviewsByKey(ctx context.Context) error {
	integration, sessionID := t.integration, t.sessionID
	// sample: listPublicReviewStates
	list, err := integration.ListPublicReviewStatesWithResponse(ctx)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, state := range list.JSON200.Data.States {
		names[state.ID] = state.Name
	}
	// end sample
	fmt.Println(len(names), "states")

	// sample: changePublicReviewState
	changed, err := integration.ChangePublicReviewStateWithResponse(ctx, sessionID, assay.ReviewStatePut{StateID: "hired"})
	if err != nil {
		return err
	}
	fmt.Println("now in", changed.JSON200.Data.State.Name)
	// end sample

	// sample: bulkChangePublicReviewStates
	rows := []assay.ReviewStateBulkItem{{SessionID: sessionID}}
	outcome, err := integration.BulkChangePublicReviewStatesWithResponse(ctx, assay.ReviewStateBulk{
		StateID: "hired", Rows: rows,
	})
	if err != nil {
		return err
	}
	fmt.Println(outcome.JSON200.Data.FailedCount, "failed")
	// end sample

	// sample: changePublicReviewTags
	tagged, err := integration.ChangePublicReviewTagsWithResponse(ctx, sessionID, assay.ReviewTagsPatch{
		Add: []string{"reference checked"}, Remove: []string{"night shift"},
	})
	if err != nil {
		return err
	}
	fmt.Println(tagged.JSON200.Data.Tags)
	// end sample

	// sample: listPublicReviewTags
	tags, err := integration.ListPublicReviewTagsWithResponse(ctx)
	if err != nil {
		return err
	}
	for _, tag := range tags.JSON200.Data {
		fmt.Println(tag.Name, tag.Count)
	}
	// end sample

	// sample: replacePublicReviewRating
	rated, err := integration.ReplacePublicReviewRatingWithResponse(ctx, sessionID, assay.ReviewRatingPut{Rating: 5})
	if err != nil {
		return err
	}
	fmt.Println("on average", rated.JSON200.Data.Rating.MustGet())
	// end sample

	// sample: deletePublicReviewRating
	if _, err := integration.DeletePublicReviewRatingWithResponse(ctx, sessionID); err != nil {
		return err
	}
	// end sample

	// sample: createPublicReviewComment
	comment, err := integration.CreatePublicReviewCommentWithResponse(ctx, sessionID, nil,
		assay.ReviewCommentCreate{Text: "The offer was accepted"})
	if err != nil {
		return err
	}
	fmt.Println("comment", comment.JSON201.Data.ID)
	// end sample

	// sample: retrievePublicReview
	review, err := integration.RetrievePublicReviewWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	for _, change := range review.JSON200.Data.Changes {
		fmt.Println(change.CreatedAt, change.From.Name, "to", change.To.Name)
	}
	// end sample
	return nil
}
