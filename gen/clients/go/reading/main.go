// Command reading reads an organization with a client that is generated from the last release of the contract,
// while the server is newer. It prints each value of the sets that can grow.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	assay "assay.example/integration/generated/released"
)

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := reading(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println("reading complete")
}

func reading(ctx context.Context) error {
	anybody, err := connect("", "")
	if err != nil {
		return err
	}
	login, err := anybody.LoginWithResponse(ctx,
		assay.LoginRequest{Email: os.Getenv("ASSAY_EMAIL"), Password: os.Getenv("ASSAY_PASSWORD")})
	if err != nil {
		return err
	}
	person, err := connect("Authorization", "Bearer "+login.JSON200.Data.AccessToken)
	if err != nil {
		return err
	}
	integration, err := connect("X-API-Key", os.Getenv("ASSAY_API_KEY"))
	if err != nil {
		return err
	}
	var token string
	for _, step := range []func() error{
		func() error { return organization(ctx, person) },
		func() error { return webhooks(ctx, person) },
		func() error { return assessments(ctx, person) },
		func() error { return received() },
		func() error { token, err = candidates(ctx); return err },
		func() error { return sessions(ctx, person, integration) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	result, err := integration.ExchangeResultTokenWithResponse(ctx, token, nil)
	if err != nil {
		return err
	}
	fmt.Println("token", result.JSON200.Data.Score)
	return nil
}

// connect makes a client with a credential in the header. A refused request is an error.
func connect(header, credential string) (*assay.ClientWithResponses, error) {
	authorize := func(_ context.Context, request *http.Request) error {
		if header != "" {
			request.Header.Set(header, credential)
		}
		return nil
	}
	return assay.NewClientWithResponses(os.Getenv("ASSAY_URL"),
		assay.WithHTTPClient(refusing{&http.Client{Timeout: 30 * time.Second}}), assay.WithRequestEditorFn(authorize))
}

// refused is the error of a request that was refused.
type refused struct{ assay.Problem }

func (r *refused) Error() string { return fmt.Sprint(r.Status, " ", r.Code, ": ", r.Detail) }

type refusing struct{ client *http.Client }

func (r refusing) Do(request *http.Request) (*http.Response, error) {
	response, err := r.client.Do(request)
	if err != nil || response.StatusCode < http.StatusBadRequest {
		return response, err
	}
	defer response.Body.Close()
	problem := &refused{}
	if err := json.NewDecoder(response.Body).Decode(&problem.Problem); err != nil {
		return nil, fmt.Errorf("%s: %w", response.Status, err)
	}
	return nil, problem
}

func organization(ctx context.Context, person *assay.ClientWithResponses) error {
	_, err1 := person.RetrieveMeWithResponse(ctx)
	_, err2 := person.RetrieveOrganizationWithResponse(ctx)
	_, err3 := person.RetrieveOverviewWithResponse(ctx)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	audit, err := person.ListAuditLogWithResponse(ctx, &assay.ListAuditLogParams{Limit: new(100)})
	if err != nil {
		return err
	}
	for _, entry := range audit.JSON200.Data {
		fmt.Println("action", entry.Action)
	}
	keys, err := person.ListAPIKeysWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	for _, key := range keys.JSON200.Data {
		for _, scope := range key.Scopes {
			fmt.Println("scope", scope)
		}
	}
	return nil
}

func webhooks(ctx context.Context, person *assay.ClientWithResponses) error {
	if _, err := person.ListEventTypesWithResponse(ctx); err != nil {
		return err
	}
	events, err := person.ListEventsWithResponse(ctx, &assay.ListEventsParams{Limit: new(100)})
	if err != nil {
		return err
	}
	for _, event := range events.JSON200.Data {
		if _, err := person.RetrieveEventWithResponse(ctx, event.ID); err != nil {
			return err
		}
		fmt.Println("event", event.Type)
	}
	endpoints, err := person.ListWebhooksWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	for _, endpoint := range endpoints.JSON200.Data {
		deliveries, err := person.ListDeliveriesWithResponse(ctx, endpoint.ID, &assay.ListDeliveriesParams{Limit: new(100)})
		if err != nil {
			return err
		}
		for _, delivery := range deliveries.JSON200.Data {
			if _, err := person.RetrieveDeliveryWithResponse(ctx, endpoint.ID, delivery.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// assessments reads the statistics, and invites a person who must not be invited again.
func assessments(ctx context.Context, person *assay.ClientWithResponses) error {
	list, err := person.ListAssessmentsWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	for _, assessment := range list.JSON200.Data {
		_, err1 := person.RetrieveAssessmentWithResponse(ctx, assessment.ID)
		_, err2 := person.RetrieveAssessmentStatisticsWithResponse(ctx, assessment.ID)
		_, err3 := person.RetrieveAssessmentQuestionStatisticsWithResponse(ctx, assessment.ID)
		if err := errors.Join(err1, err2, err3); err != nil {
			return err
		}
		if assessment.Title != "Once" {
			continue
		}
		_, err := person.CreateCandidateSessionWithResponse(ctx, nil, assay.CandidateSessionCreate{
			AssessmentID: assessment.ID, CandidateName: "Mary", CandidateEmail: "mary@candidates.example",
		})
		var problem *refused
		if !errors.As(err, &problem) {
			return fmt.Errorf("Mary is invited again: %w", err)
		}
		fmt.Println("refused", problem.Code)
	}
	return nil
}

// received reads the webhooks that an endpoint has received, by the types of the last release.
func received() error {
	bodies, err := os.ReadFile(os.Getenv("ASSAY_WEBHOOKS"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(bodies)) {
		var envelope assay.EventEnvelope
		if err := json.Unmarshal([]byte(line), &envelope); err != nil {
			return err
		}
		switch envelope.Type {
		case "candidate.completed":
			err = json.Unmarshal([]byte(line), new(assay.CandidateCompletedEvent))
		case "candidate.disqualified":
			err = json.Unmarshal([]byte(line), new(assay.CandidateDisqualifiedEvent))
		case "candidate.started":
			err = json.Unmarshal([]byte(line), new(assay.CandidateStartedEvent))
		}
		if err != nil {
			return err
		}
		fmt.Println("webhook", envelope.Type)
	}
	return nil
}

// candidates continues the sessions. The first one was reopened; at its end the redirect has a result token.
func candidates(ctx context.Context) (token string, err error) {
	for i, invite := range strings.Fields(os.Getenv("ASSAY_INVITES")) {
		candidate, err := connect("Authorization", "Bearer "+invite)
		if err != nil {
			return "", err
		}
		taking, err := candidate.RetrieveTakingWithResponse(ctx)
		if err != nil {
			return "", err
		}
		stage, err := candidate.RetrieveCurrentStageWithResponse(ctx)
		if err != nil {
			return "", err
		}
		fmt.Println("continues", taking.JSON200.Data.Status, stage.JSON200.Data.Title)
		if i > 0 {
			continue
		}
		for _, question := range stage.JSON200.Data.Questions {
			if _, err := candidate.SaveAnswerWithResponse(ctx, question.ID, assay.AnswerInput{Number: new(3.0)}); err != nil {
				return "", err
			}
		}
		outcome, err := candidate.SubmitStageWithResponse(ctx, assay.StageSubmit{StageID: stage.JSON200.Data.ID})
		if err != nil {
			return "", err
		}
		redirectURL, err := outcome.JSON200.Data.RedirectURL.Get()
		if err != nil {
			return "", err
		}
		redirect, err := url.Parse(redirectURL)
		if err != nil {
			return "", err
		}
		token = redirect.Query().Get("result")
	}
	return token, nil
}

func sessions(ctx context.Context, person, integration *assay.ClientWithResponses) error {
	_, err1 := person.SummarizeCandidateSessionsWithResponse(ctx, nil)
	_, err2 := integration.ListPublicCandidateSessionsWithResponse(ctx, nil)
	list, err3 := person.ListCandidateSessionsWithResponse(ctx, nil)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	for _, session := range list.JSON200.Data {
		timeline, err := person.RetrieveCandidateSessionTimelineWithResponse(ctx, session.ID)
		if err != nil {
			return err
		}
		for _, entry := range timeline.JSON200.Data {
			fmt.Println("entry", entry.Type)
			if email, err := entry.Email.Get(); err == nil {
				fmt.Println("email", email)
			}
		}
		switch session.Status {
		case "IN_PROGRESS":
			_, err = person.RetrieveCandidateSessionProgressWithResponse(ctx, session.ID)
		case "COMPLETED", "DISQUALIFIED":
			var result *assay.RetrieveCandidateSessionResultResponse
			result, err = person.RetrieveCandidateSessionResultWithResponse(ctx, session.ID, nil)
			if err == nil {
				fmt.Println("result", result.JSON200.Data.Score)
				_, err = integration.RetrievePublicCandidateSessionResultWithResponse(ctx, session.ID, nil)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
