package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"assay.example/integration/client"
	"assay.example/integration/generated/assay"

	"github.com/oapi-codegen/nullable"
)

func (t *tour) sessions(ctx context.Context) error {
	person, integration, assessmentID := t.person, t.integration, t.assessmentID
	// sample: createPublicCandidateSession
	invited, err := integration.CreatePublicCandidateSessionWithResponse(ctx,
		&assay.CreatePublicCandidateSessionParams{IdempotencyKey: new("application-4711")}, // safe to send again
		assay.CandidateSessionCreate{
			AssessmentID:   assessmentID,
			CandidateName:  "Ada Lovelace",
			CandidateEmail: "ada@candidates.example",
			ExternalID:     nullable.NewNullableWithValue("application-4711"),
		})
	if err != nil {
		return err
	}
	session := invited.JSON201.Data // or JSON200, when the candidate has a live session already
	// end sample
	sessionID := session.ID
	t.sessionID = sessionID

	// sample: retrievePublicCandidateSession
	found, err := integration.RetrievePublicCandidateSessionWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	fmt.Println(found.JSON200.Data.CandidateName, "is", found.JSON200.Data.Status)
	// end sample

	// sample: bulkCreatePublicCandidateSessions
	bulk, err := integration.BulkCreatePublicCandidateSessionsWithResponse(ctx,
		&assay.BulkCreatePublicCandidateSessionsParams{IdempotencyKey: new("import-2026-11-20")},
		assay.CandidateSessionBulk{Rows: []assay.CandidateSessionCreate{
			{AssessmentID: assessmentID, CandidateName: "Grace Hopper", CandidateEmail: "grace@candidates.example"},
			{AssessmentID: assessmentID, CandidateName: "Edsger Dijkstra", CandidateEmail: "edsger@candidates.example"},
		}})
	if err != nil {
		return err
	}
	for _, row := range bulk.JSON200.Data.Rows {
		fmt.Println(row.Index, row.Outcome) // each row has an outcome of its own
	}
	// end sample
	grace, err := bulk.JSON200.Data.Rows[0].Session.Get()
	if err != nil {
		return err
	}
	sessionID = grace.ID

	// sample: resendPublicCandidateSession
	renewed, err := integration.ResendPublicCandidateSessionWithResponse(ctx, sessionID, nil,
		assay.CandidateSessionResend{SendEmail: new(true)})
	if err != nil {
		return err
	}
	fmt.Println("the email with the new link is", renewed.JSON200.Data.Email.Status)
	// end sample

	// sample: cancelPublicCandidateSession
	cancelled, err := integration.CancelPublicCandidateSessionWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	fmt.Println(cancelled.JSON200.Data.Status)
	// end sample

	// sample: listPublicCandidateSessions
	params := assay.ListPublicCandidateSessionsParams{AssessmentID: &assessmentID, Limit: new(2)}
	for more := true; more; {
		page, err := integration.ListPublicCandidateSessionsWithResponse(ctx, &params)
		if err != nil {
			return err
		}
		for _, session := range page.JSON200.Data {
			fmt.Println(session.CandidateName, session.Status)
			params.After = &session.ID
		}
		more = strings.Contains(page.HTTPResponse.Header.Get("Link"), `rel="next"`)
	}
	// end sample

	// sample: listPublicCandidateSessionChanges
	var cursor *string
	for more := true; more; {
		page, err := integration.ListPublicCandidateSessionChangesWithResponse(ctx,
			&assay.ListPublicCandidateSessionChangesParams{Cursor: cursor, Limit: new(100)})
		if err != nil {
			return err
		}
		for _, session := range page.JSON200.Data.Items {
			fmt.Println(session.ID, session.Status)
		}
		// The next run continues from this cursor. Store it with the items of the page.
		cursor, more = &page.JSON200.Data.Cursor, page.JSON200.Data.HasMore
	}
	// end sample

	// sample: listCandidateSessionChanges
	changes, err := person.ListCandidateSessionChangesWithResponse(ctx,
		&assay.ListCandidateSessionChangesParams{Cursor: cursor})
	if err != nil {
		return err
	}
	fmt.Println(len(changes.JSON200.Data.Items), "sessions have changed since")
	// end sample

	// sample: createCandidateSession
	added, err := person.CreateCandidateSessionWithResponse(ctx, nil, assay.CandidateSessionCreate{
		AssessmentID:     assessmentID,
		CandidateName:    "Barbara Liskov",
		CandidateEmail:   "barbara@candidates.example",
		ExtraTimePercent: new(25),
	})
	if err != nil {
		return err
	}
	fmt.Println("invited until", added.JSON201.Data.ExpiresAt)
	// end sample
	sessionID = added.JSON201.Data.ID

	// sample: retrieveCandidateSession
	known, err := person.RetrieveCandidateSessionWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	fmt.Println(known.JSON200.Data.CandidateName, "is", known.JSON200.Data.Status)
	// end sample

	// sample: resendCandidateSession
	resent, err := person.ResendCandidateSessionWithResponse(ctx, sessionID, nil, assay.CandidateSessionResend{})
	if err != nil {
		return err
	}
	fmt.Println("the new link lives until", resent.JSON200.Data.ExpiresAt)
	// end sample

	// sample: cancelCandidateSession
	ended, err := person.CancelCandidateSessionWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	fmt.Println(ended.JSON200.Data.Status)
	// end sample

	// sample: listCandidateSessions
	open, err := person.ListCandidateSessionsWithResponse(ctx, &assay.ListCandidateSessionsParams{Status: assay.SessionStatusesFilter{assay.SessionStatusInputINVITED}})
	if err != nil {
		return err
	}
	fmt.Println(len(open.JSON200.Data), "have not begun")
	// end sample
	return nil
}

func (t *tour) take(ctx context.Context) error {
	invited, err := t.integration.RetrievePublicCandidateSessionWithResponse(ctx, t.sessionID)
	if err != nil {
		return err
	}
	inviteURL, err := invited.JSON200.Data.InviteURL.Get()
	if err != nil {
		return err
	}
	server := t.server
	// sample: retrieveTaking
	_, token, _ := strings.Cut(inviteURL, "#")
	candidate, err := client.New(server, client.Bearer(token))
	if err != nil {
		return err
	}
	taking, err := candidate.RetrieveTakingWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	fmt.Println(taking.JSON200.Data.Assessment.Title, "for", taking.JSON200.Data.Candidate.Name)
	// end sample

	// sample: startTaking
	started, err := candidate.StartTakingWithResponse(ctx, assay.TakingStart{})
	if err != nil {
		return err
	}
	if deadline, err := started.JSON200.Data.DeadlineAt.Get(); err == nil { // null without a time limit
		fmt.Println("time until", deadline)
	}
	// end sample

	// sample: retrieveCurrentStage
	stage, err := candidate.RetrieveCurrentStageWithResponse(ctx)
	if err != nil {
		return err
	}
	for _, question := range stage.JSON200.Data.Questions {
		fmt.Println(question.Order, question.Type, question.Prompt)
	}
	// end sample

	questionID := stage.JSON200.Data.Questions[0].ID
	// sample: saveAnswer
	saved, err := candidate.SaveAnswerWithResponse(ctx, questionID, assay.AnswerInput{OptionID: new("a")})
	if err != nil {
		return err
	}
	fmt.Println("saved at", saved.JSON200.Data.SavedAt)
	// end sample

	// sample: recordActivity
	language := "en"
	if _, err := candidate.RecordActivityWithResponse(ctx, assay.ActivityReport{
		Language: &language, Questions: []assay.QuestionTime{{QuestionID: questionID, Seconds: 24}},
	}); err != nil {
		return err
	}
	// end sample

	stageID := stage.JSON200.Data.ID
	// sample: submitStage
	outcome, err := candidate.SubmitStageWithResponse(ctx, assay.StageSubmit{StageID: stageID})
	if err != nil {
		return err
	}
	redirectURL, err := outcome.JSON200.Data.RedirectURL.Get() // null until COMPLETED
	if err != nil {
		return err
	}
	// end sample
	redirect, err := url.Parse(redirectURL)
	if err != nil {
		return err
	}
	t.resultToken = redirect.Query().Get("result")
	return identify(ctx, candidate)
}

func (t *tour) results(ctx context.Context) error {
	person, integration, sessionID, token := t.person, t.integration, t.sessionID, t.resultToken
	// sample: exchangeResultToken
	exchanged, err := integration.ExchangeResultTokenWithResponse(ctx, token, nil) // from ?result= of the redirect
	if err != nil {
		return err
	}
	fmt.Println(exchanged.JSON200.Data.Candidate.Name, "scored", exchanged.JSON200.Data.Score)
	// end sample

	// sample: retrievePublicCandidateSessionResult
	result, err := integration.RetrievePublicCandidateSessionResultWithResponse(ctx, sessionID, nil)
	if err != nil {
		return err
	}
	for _, stage := range result.JSON200.Data.Stages {
		fmt.Println(stage.Title, stage.Status)
	}
	// end sample

	// sample: createResultToken
	fresh, err := integration.CreateResultTokenWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	fmt.Println("a new token, until", fresh.JSON200.Data.ExpiresAt)
	// end sample

	// sample: retrieveCandidateSessionResult
	shown, err := person.RetrieveCandidateSessionResultWithResponse(ctx, sessionID, nil)
	if err != nil {
		return err
	}
	fmt.Println(shown.JSON200.Data.Points, "of", shown.JSON200.Data.MaxPoints, "points")
	// end sample
	return resultLinks(ctx, person, integration, sessionID)
}

func resultLinks(ctx context.Context, person, integration *assay.ClientWithResponses, sessionID string) error {
	// sample: createPublicResultLink
	created, err := integration.CreatePublicResultLinkWithResponse(ctx, sessionID, nil,
		assay.ResultLinkCreate{Label: nullable.NewNullableWithValue("Application 4711")})
	if err != nil {
		return err
	}
	fmt.Println("the result is at", created.JSON201.Data.URL.MustGet())
	// end sample

	// sample: listPublicResultLinks
	links, err := integration.ListPublicResultLinksWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	for _, link := range links.JSON200.Data {
		fmt.Println(link.ID, "was opened", link.OpenCount, "times")
	}
	// end sample

	linkID := created.JSON201.Data.ID
	// sample: revokePublicResultLink
	if _, err := integration.RevokePublicResultLinkWithResponse(ctx, sessionID, linkID); err != nil {
		return err
	}
	// end sample

	// sample: createResultLink
	shared, err := person.CreateResultLinkWithResponse(ctx, sessionID, nil, assay.ResultLinkCreate{
		Label: nullable.NewNullableWithValue("Ana Ruiz, head of kitchen"), WithAnswers: new(true),
	})
	if err != nil {
		return err
	}
	fmt.Println("send this address to Ana:", shared.JSON201.Data.URL.MustGet())
	// end sample

	// sample: listResultLinks
	all, err := person.ListResultLinksWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	fmt.Println(len(all.JSON200.Data), "links")
	// end sample

	linkID = shared.JSON201.Data.ID
	// sample: revokeResultLink
	if _, err := person.RevokeResultLinkWithResponse(ctx, sessionID, linkID); err != nil {
		return err
	}
	// end sample
	return nil
}
