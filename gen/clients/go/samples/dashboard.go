package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"assay.example/integration/client"
	"assay.example/integration/generated/assay"

	"github.com/oapi-codegen/nullable"
)

// pixel is an image in PNG.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func (t *tour) dashboard(ctx context.Context) error {
	person := t.person
	logo, err := base64.StdEncoding.DecodeString(pixel)
	if err != nil {
		return err
	}
	// sample: replaceOrganizationLogo
	branded, err := person.ReplaceOrganizationLogoWithBodyWithResponse(ctx, "image/png", bytes.NewReader(logo))
	if err != nil {
		return err
	}
	fmt.Println(branded.JSON200.Data.Name, "has a logo")
	// end sample

	// sample: deleteOrganizationLogo
	if _, err := person.DeleteOrganizationLogoWithResponse(ctx); err != nil {
		return err
	}
	// end sample

	// sample: createMedia
	uploaded, err := person.CreateMediaWithBodyWithResponse(ctx, "image/png", bytes.NewReader(logo))
	if err != nil {
		return err
	}
	fmt.Printf("![A square](media:%s)\n", uploaded.JSON201.Data.ID)
	// end sample

	// sample: listMedia
	pictures, err := person.ListMediaWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	for _, picture := range pictures.JSON200.Data {
		fmt.Println(picture.ID, picture.Width, picture.Height, picture.Used)
	}
	// end sample

	// sample: retrieveMedia
	picture, err := person.RetrieveMediaWithResponse(ctx, uploaded.JSON201.Data.ID)
	if err != nil {
		return err
	}
	fmt.Println(picture.JSON200.Data.URL, picture.JSON200.Data.UsedIn)
	// end sample

	// sample: deleteMedia
	if _, err := person.DeleteMediaWithResponse(ctx, uploaded.JSON201.Data.ID); err != nil {
		return err
	}
	// end sample

	// sample: retrieveOverview
	overview, err := person.RetrieveOverviewWithResponse(ctx)
	if err != nil {
		return err
	}
	fmt.Println(overview.JSON200.Data.ExpiringInvites.Count, "invites expire soon")
	// end sample

	// sample: listSignIns
	signIns, err := person.ListSignInsWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	for _, signIn := range signIns.JSON200.Data {
		fmt.Println(signIn.CreatedAt, signIn.Current)
	}
	// end sample

	// sample: exportAuditLog
	log, err := person.ExportAuditLogWithResponse(ctx,
		&assay.ExportAuditLogParams{Action: new(assay.AuditActionInputAPIKEYCREATED)})
	if err != nil {
		return err
	}
	fmt.Println(len(log.Body), "bytes of CSV")
	// end sample
	return t.supervision(ctx)
}

// supervision follows a session in progress.
func (t *tour) supervision(ctx context.Context) error {
	person, assessmentID := t.person, t.assessmentID
	// sample: bulkCreateCandidateSessions
	bulk, err := person.BulkCreateCandidateSessionsWithResponse(ctx, nil, assay.CandidateSessionBulk{Rows: []assay.CandidateSessionCreate{
		{AssessmentID: assessmentID, CandidateName: "Alan Turing", CandidateEmail: "alan@candidates.example"},
	}})
	if err != nil {
		return err
	}
	fmt.Println(bulk.JSON200.Data.CreatedCount, "invited")
	// end sample
	session, err := bulk.JSON200.Data.Rows[0].Session.Get()
	if err != nil {
		return err
	}
	sessionID := session.ID

	// sample: updateCandidateSession
	updated, err := person.UpdateCandidateSessionWithResponse(ctx, sessionID, assay.CandidateSessionUpdate{
		ExtraTimePercent: new(25), Note: nullable.NewNullableWithValue("Agreed by phone"),
	})
	if err != nil {
		return err
	}
	fmt.Println(updated.JSON200.Data.ExtraTimePercent, "percent more time")
	// end sample

	if err := t.answer(ctx, session.InviteURL.MustGet()); err != nil {
		return err
	}
	// sample: extendCandidateSession
	extended, err := person.ExtendCandidateSessionWithResponse(ctx, sessionID, nil, assay.CandidateSessionExtend{
		Minutes: 10, Reason: "A power cut",
	})
	if err != nil {
		return err
	}
	fmt.Println("time until", extended.JSON200.Data.DeadlineAt)
	// end sample

	// sample: retrieveCandidateSessionProgress
	progress, err := person.RetrieveCandidateSessionProgressWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	fmt.Println(progress.JSON200.Data.AnsweredCount, "of", progress.JSON200.Data.QuestionCount, "answered")
	// end sample

	// sample: retrieveCandidateSessionTimeline
	timeline, err := person.RetrieveCandidateSessionTimelineWithResponse(ctx, sessionID)
	if err != nil {
		return err
	}
	for _, entry := range timeline.JSON200.Data {
		fmt.Println(entry.At, entry.Type)
	}
	// end sample
	return t.reports(ctx)
}

func (t *tour) answer(ctx context.Context, inviteURL string) error {
	_, token, _ := strings.Cut(inviteURL, "#")
	candidate, err := client.New(t.server, client.Bearer(token))
	if err != nil {
		return err
	}
	if _, err := candidate.StartTakingWithResponse(ctx, assay.TakingStart{}); err != nil {
		return err
	}
	current, err := candidate.RetrieveCurrentStageWithResponse(ctx)
	if err != nil {
		return err
	}
	stageID := current.JSON200.Data.ID
	// sample: startStage
	stage, err := candidate.StartStageWithResponse(ctx, assay.StageStart{StageID: stageID})
	if err != nil {
		return err
	}
	fmt.Println(stage.JSON200.Data.Title, "has", len(stage.JSON200.Data.Questions), "questions")
	// end sample

	questionID := stage.JSON200.Data.Questions[0].ID
	// sample: saveAnswers
	saved, err := candidate.SaveAnswersWithResponse(ctx, assay.AnswersSave{
		StageID: stageID, ClientID: "page-1",
		Answers: []assay.AnswerChange{{
			QuestionID: questionID, Answer: nullable.NewNullableWithValue(assay.ChangedAnswer{OptionID: new("a")}), Revision: 1,
		}},
	})
	if err != nil {
		return err
	}
	for _, answer := range saved.JSON200.Data.Answers {
		fmt.Println(answer.QuestionID, answer.Outcome)
	}
	// end sample

	// sample: clearAnswer
	if _, err := candidate.ClearAnswerWithResponse(ctx, questionID); err != nil {
		return err
	}
	// end sample
	return nil
}

func (t *tour) reports(ctx context.Context) error {
	person, assessmentID, sessionID, webhookID := t.person, t.assessmentID, t.sessionID, t.webhookID
	// sample: checkAssessment
	check, err := person.CheckAssessmentWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println("publishable:", check.JSON200.Data.Publishable)
	// end sample

	// sample: previewAssessment
	preview, err := person.PreviewAssessmentWithResponse(ctx, assessmentID, nil)
	if err != nil {
		return err
	}
	fmt.Println("try it at", preview.JSON201.Data.InviteURL.MustGet())
	// end sample

	// sample: replaceAssessmentNotifications
	_, err = person.ReplaceAssessmentNotificationsWithResponse(ctx, assessmentID,
		assay.AssessmentNotificationsInput{FinishedEmail: true})
	if err != nil {
		return err
	}
	// end sample

	// sample: retrieveAssessmentNotifications
	notifications, err := person.RetrieveAssessmentNotificationsWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println("an email when candidates finish:", notifications.JSON200.Data.FinishedEmail)
	// end sample

	// sample: replaceAssessmentRegistration
	nameRequired := true
	opened, err := person.ReplaceAssessmentRegistrationWithResponse(ctx, assessmentID,
		assay.AssessmentRegistrationInput{NameRequired: &nameRequired})
	if err != nil {
		return err
	}
	fmt.Println("register at", opened.JSON200.Data.URL.MustGet())
	// end sample

	// sample: retrieveAssessmentRegistration
	registration, err := person.RetrieveAssessmentRegistrationWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println("registered:", registration.JSON200.Data.Used)
	// end sample

	// sample: closeAssessmentRegistration
	if _, err := person.CloseAssessmentRegistrationWithResponse(ctx, assessmentID); err != nil {
		return err
	}
	// end sample

	// sample: replaceEmailText
	words := assay.EmailTextInput{
		Kind: assay.EmailTextKindInputINVITE, Locale: assay.EmailTextLocaleInputEn,
		Subject: "Invitation: {{assessmentTitle}}", Text: "Dear {{candidateName}},\n\nplease start by {{lastDay}}.",
	}
	replaced, err := person.ReplaceEmailTextWithResponse(ctx, words)
	if err != nil {
		return err
	}
	fmt.Println("invites have the words of", replaced.JSON200.Data.Source)
	// end sample

	// sample: previewEmailText
	email, err := person.PreviewEmailTextWithResponse(ctx, words)
	if err != nil {
		return err
	}
	fmt.Println(email.JSON200.Data.Text)
	// end sample

	// sample: testEmailText
	name := assay.EmailTextName{Kind: words.Kind, Locale: words.Locale}
	if _, err := person.TestEmailTextWithResponse(ctx, name); err != nil {
		return err
	}
	// end sample

	// sample: listEmailTexts
	texts, err := person.ListEmailTextsWithResponse(ctx, &assay.ListEmailTextsParams{AssessmentID: &assessmentID})
	if err != nil {
		return err
	}
	for _, one := range texts.JSON200.Data {
		fmt.Println(one.Kind, one.Locale, one.Source, one.Subject)
	}
	// end sample

	// sample: resetEmailText
	if _, err := person.ResetEmailTextWithResponse(ctx, name); err != nil {
		return err
	}
	// end sample

	// sample: retrieveAssessmentStatistics
	statistics, err := person.RetrieveAssessmentStatisticsWithResponse(ctx, assessmentID, nil)
	if err != nil {
		return err
	}
	fmt.Println("computed at", statistics.JSON200.Data.ComputedAt)
	// end sample

	// sample: retrieveAssessmentQuestionStatistics
	questions, err := person.RetrieveAssessmentQuestionStatisticsWithResponse(ctx, assessmentID, nil)
	if err != nil {
		return err
	}
	for _, question := range questions.JSON200.Data.Questions {
		fmt.Println(question.Prompt, question.Answered)
	}
	// end sample

	// sample: summarizeCandidateSessions
	summary, err := person.SummarizeCandidateSessionsWithResponse(ctx,
		&assay.SummarizeCandidateSessionsParams{AssessmentID: &assessmentID})
	if err != nil {
		return err
	}
	fmt.Println(summary.JSON200.Data.Total, "sessions")
	// end sample

	// sample: retrieveCandidateHistory
	histories, err := person.RetrieveCandidateHistoryWithResponse(ctx, assay.CandidateHistoryQuery{
		AssessmentID: assessmentID, CandidateEmails: []string{"ada@example.com"},
	})
	if err != nil {
		return err
	}
	for _, history := range histories.JSON200.Data {
		fmt.Println(history.CandidateEmail, history.AttemptCount, history.Repeat)
	}
	// end sample

	// sample: exportCandidateSessions
	table, err := person.ExportCandidateSessionsWithResponse(ctx,
		&assay.ExportCandidateSessionsParams{AssessmentID: &assessmentID})
	if err != nil {
		return err
	}
	fmt.Println(len(table.Body), "bytes of CSV")
	// end sample

	// sample: exportCandidateSpreadsheet
	format, german, berlin := assay.SpreadsheetFormatXLSX, assay.SpreadsheetLanguageDe, "Europe/Berlin"
	sheet, err := person.ExportCandidateSpreadsheetWithResponse(ctx, &assay.ExportCandidateSpreadsheetParams{
		AssessmentID: &assessmentID, Format: &format, Language: &german, TimeZone: &berlin,
	})
	if err != nil {
		return err
	}
	fmt.Println(len(sheet.Body), "bytes of XLSX")
	// end sample

	// sample: retrieveResults
	results, err := person.RetrieveResultsWithResponse(ctx, assay.ResultBatch{SessionIds: []string{sessionID}})
	if err != nil {
		return err
	}
	for _, row := range results.JSON200.Data {
		fmt.Println(row.SessionID, row.Result.IsNull())
	}
	// end sample

	// sample: listAllDeliveries
	failed, err := person.ListAllDeliveriesWithResponse(ctx,
		&assay.ListAllDeliveriesParams{Status: new(assay.DeliveryStatusInputFAILED)})
	if err != nil {
		return err
	}
	fmt.Println(len(failed.JSON200.Data), "failed deliveries")
	// end sample

	// sample: retrieveWebhookStatistics
	webhook, err := person.RetrieveWebhookStatisticsWithResponse(ctx, webhookID)
	if err != nil {
		return err
	}
	fmt.Println(webhook.JSON200.Data.Succeeded, "deliveries succeeded")
	// end sample

	// sample: endSignIns
	if _, err := person.EndSignInsWithResponse(ctx); err != nil {
		return err
	}
	// end sample
	return nil
}
