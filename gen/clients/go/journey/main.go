// Command journey performs a complete integration, from signing in to a verified
// webhook.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"assay.example/integration/client"
	"assay.example/integration/generated/assay"
	"assay.example/integration/verify"

	"github.com/oapi-codegen/nullable"
)

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := journey(ctx, os.Getenv("ASSAY_URL")); err != nil {
		log.Fatal(err)
	}
	fmt.Println("journey complete")
}

func journey(ctx context.Context, server string) error {
	anybody, err := client.New(server)
	if err != nil {
		return err
	}
	login, err := anybody.LoginWithResponse(ctx,
		assay.LoginRequest{Email: os.Getenv("ASSAY_EMAIL"), Password: os.Getenv("ASSAY_PASSWORD")})
	if err != nil {
		return err
	}
	person, err := client.New(server, client.Bearer(login.JSON200.Data.AccessToken))
	if err != nil {
		return err
	}
	fmt.Println("signed in as", login.JSON200.Data.User.Name)

	receiver, err := listen()
	if err != nil {
		return err
	}
	endpoint, err := person.CreateWebhookWithResponse(ctx, nil, assay.WebhookEndpointCreate{
		URL:    receiver.url,
		Events: assay.WebhookEvents{assay.EventTypeInputCandidateCompleted},
	})
	if err != nil {
		return err
	}
	fmt.Println("registered the webhook endpoint", endpoint.JSON201.Data.ID)

	assessmentID, err := publish(ctx, person)
	if err != nil {
		return err
	}
	fmt.Println("published", assessmentID)

	key, err := person.CreateAPIKeyWithResponse(ctx, nil, assay.APIKeyCreate{
		Name: "Applicant tracking",
		Scopes: assay.APIKeyScopes{
			assay.APIKeyScopeInputASSESSMENTSREAD, assay.APIKeyScopeInputCANDIDATESREAD,
			assay.APIKeyScopeInputCANDIDATESWRITE, assay.APIKeyScopeInputRESULTSREAD,
		},
	})
	if err != nil {
		return err
	}
	integration, err := client.New(server, client.APIKey(key.JSON201.Data.Key))
	if err != nil {
		return err
	}
	fmt.Println("made the API key", key.JSON201.Data.Prefix+"…")

	session, err := invite(ctx, integration, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println("invited", session.CandidateName, "once, though asked twice")

	inviteURL, err := session.InviteURL.Get()
	if err != nil {
		return err
	}
	_, token, _ := strings.Cut(inviteURL, "#")
	candidate, err := client.New(server, client.Bearer(token))
	if err != nil {
		return err
	}
	redirect, err := take(ctx, candidate)
	if err != nil {
		return err
	}
	fmt.Println("taken, and sent back to", redirect.Host)

	result, err := integration.ExchangeResultTokenWithResponse(ctx, redirect.Query().Get("result"), nil)
	if err != nil {
		return err
	}
	passed, err := result.JSON200.Data.Passed.Get()
	if err != nil || !passed || result.JSON200.Data.Score != 100 {
		return fmt.Errorf("the result is %v, passed %t (%v)", result.JSON200.Data.Score, passed, err)
	}
	fmt.Println("exchanged the token for a score of", result.JSON200.Data.Score)

	if err := page(ctx, integration, assessmentID, session.ID); err != nil {
		return err
	}
	if err := refused(ctx, integration, assessmentID); err != nil {
		return err
	}
	events, err := person.ListEventsWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	fmt.Println("read", len(events.JSON200.Data), "events")
	return await(ctx, receiver, endpoint.JSON201.Data.Secret, session.ID)
}

// await waits until the session's candidate.completed arrives. An event of another
// type may be there first.
func await(ctx context.Context, receiver *receiver, secret string, session string) error {
	for {
		select {
		case <-ctx.Done():
			return errors.New("no webhook came")
		case got := <-receiver.received:
			if !verify.ServiceSignature(secret, got.body, got.header.Get("X-Service-Signature")) ||
				!verify.StandardWebhook(secret, got.header, got.body, time.Now()) {
				return errors.New("the webhook's signature is wrong")
			}
			var envelope assay.EventEnvelope
			if err := json.Unmarshal(got.body, &envelope); err != nil {
				return err
			}
			if envelope.Type != "candidate.completed" {
				continue
			}
			var event assay.CandidateCompletedEvent
			if err := json.Unmarshal(got.body, &event); err != nil {
				return err
			}
			if event.Data.SessionID != session {
				return fmt.Errorf("the webhook is about %s", event.Data.SessionID)
			}
			fmt.Println("received and verified", event.Type, "with", event.Data.Score)
			return nil
		}
	}
}

func publish(ctx context.Context, person *assay.ClientWithResponses) (string, error) {
	var choice, number assay.QuestionInput
	err := errors.Join(
		choice.FromSingleChoiceQuestionInput(assay.SingleChoiceQuestionInput{
			Type:            assay.SingleChoiceQuestionInputTypeSINGLECHOICE,
			Prompt:          "How long may a compounded syringe be kept at room temperature?",
			Points:          2,
			Options:         &assay.Options{{ID: "a", Text: "Nine hours"}, {ID: "b", Text: "Two days"}},
			CorrectOptionID: nullable.NewNullableWithValue("a"),
		}),
		number.FromNumericQuestionInput(assay.NumericQuestionInput{
			Type:      assay.NumericQuestionInputTypeNUMERIC,
			Prompt:    "How many millilitres are in a teaspoon?",
			Points:    1,
			Answer:    nullable.NewNullableWithValue(4.93),
			Tolerance: new(0.1),
		}),
	)
	if err != nil {
		return "", err
	}
	draft, err := person.CreateAssessmentWithResponse(ctx, nil, assay.AssessmentCreate{
		Title:        "Night-shift pharmacist",
		PassingScore: nullable.NewNullableWithValue(60.0),
		RedirectURL:  nullable.NewNullableWithValue("https://jobs.example/thanks?source=assay"),
		Stages:       []assay.StageInput{{Title: "Storage", Questions: []assay.QuestionInput{choice, number}}},
	})
	if err != nil {
		return "", err
	}
	published, err := person.PublishAssessmentWithResponse(ctx, draft.JSON201.Data.ID)
	if err != nil {
		return "", err
	}
	return published.JSON200.Data.ID, nil
}

// invite sends the request twice with one Idempotency-Key, as after a lost response.
func invite(
	ctx context.Context, integration *assay.ClientWithResponses, assessmentID string,
) (*assay.CandidateSession, error) {
	key := assay.CreatePublicCandidateSessionParams{IdempotencyKey: new("application-4711")}
	ada := assay.CandidateSessionCreate{AssessmentID: assessmentID, CandidateName: "Ada Lovelace",
		CandidateEmail: "ada@candidates.example"}
	first, err := integration.CreatePublicCandidateSessionWithResponse(ctx, &key, ada)
	if err != nil {
		return nil, err
	}
	again, err := integration.CreatePublicCandidateSessionWithResponse(ctx, &key, ada)
	if err != nil {
		return nil, err
	}
	if again.JSON201 == nil || again.JSON201.Data.ID != first.JSON201.Data.ID {
		return nil, errors.New("the same request made another session")
	}
	return &first.JSON201.Data, nil
}

// take answers as the candidate, and returns the final redirect.
func take(ctx context.Context, candidate *assay.ClientWithResponses) (*url.URL, error) {
	if _, err := candidate.RetrieveTakingWithResponse(ctx, nil); err != nil {
		return nil, err
	}
	if _, err := candidate.StartTakingWithResponse(ctx, assay.TakingStart{}); err != nil {
		return nil, err
	}
	stage, err := candidate.RetrieveCurrentStageWithResponse(ctx)
	if err != nil {
		return nil, err
	}
	for _, question := range stage.JSON200.Data.Questions {
		var answer assay.AnswerInput
		switch question.Type {
		case "SINGLE_CHOICE":
			answer.OptionID = new("a")
		case "NUMERIC":
			answer.Number = new(5.0)
		default: // a type that the service had later than this program
			continue
		}
		if _, err := candidate.SaveAnswerWithResponse(ctx, question.ID, answer); err != nil {
			return nil, err
		}
	}
	outcome, err := candidate.SubmitStageWithResponse(ctx, assay.StageSubmit{StageID: stage.JSON200.Data.ID})
	if err != nil {
		return nil, err
	}
	redirectURL, err := outcome.JSON200.Data.RedirectURL.Get()
	if err != nil {
		return nil, fmt.Errorf("the session is %s and has no redirect: %w", outcome.JSON200.Data.Status, err)
	}
	fmt.Println("submitted the answers; the session is", outcome.JSON200.Data.Status)
	return url.Parse(redirectURL)
}

// page invites two more candidates and reads all three sessions, one per page.
func page(ctx context.Context, integration *assay.ClientWithResponses, assessmentID string, first string) error {
	expected := []string{first}
	for _, name := range []string{"Grace", "Edsger"} {
		invited, err := integration.CreatePublicCandidateSessionWithResponse(ctx, nil, assay.CandidateSessionCreate{
			AssessmentID: assessmentID, CandidateName: name,
			CandidateEmail: assay.Email(strings.ToLower(name) + "@candidates.example"),
		})
		if err != nil {
			return err
		}
		expected = append([]string{invited.JSON201.Data.ID}, expected...) // newest first
	}
	var listed []string
	params := assay.ListPublicCandidateSessionsParams{AssessmentID: &assessmentID, Limit: new(1)}
	for {
		list, err := integration.ListPublicCandidateSessionsWithResponse(ctx, &params)
		if err != nil {
			return err
		}
		for _, session := range list.JSON200.Data {
			listed = append(listed, session.ID)
			params.After = &session.ID
		}
		if !strings.Contains(list.HTTPResponse.Header.Get("Link"), `rel="next"`) {
			break
		}
	}
	if fmt.Sprint(listed) != fmt.Sprint(expected) {
		return fmt.Errorf("paged through %v instead of %v", listed, expected)
	}
	fmt.Println("paged through", len(listed), "sessions")
	return nil
}

// refused reads two error responses as typed errors.
func refused(ctx context.Context, integration *assay.ClientWithResponses, assessmentID string) error {
	var problem *client.Problem
	_, err := integration.RetrievePublicAssessmentWithResponse(ctx, "asm_00000000000000000000000000", nil)
	if !errors.As(err, &problem) || problem.Status != http.StatusNotFound {
		return fmt.Errorf("an unknown assessment was answered with %v", err)
	}
	fmt.Println("refused an unknown assessment:", problem.Code)
	_, err = integration.CreatePublicCandidateSessionWithResponse(ctx, nil, assay.CandidateSessionCreate{
		AssessmentID: assessmentID, CandidateName: "   ", CandidateEmail: "grace@candidates.example",
	})
	if !errors.As(err, &problem) || problem.Status != http.StatusBadRequest || len(problem.Errors) != 1 {
		return fmt.Errorf("a blank name was answered with %v", err)
	}
	fmt.Println("refused a blank name:", problem.Code, "at", problem.Errors[0].Pointer)
	return nil
}

type delivery struct {
	header http.Header
	body   []byte
}

type receiver struct {
	url      string
	received chan delivery
}

// listen receives webhooks on a free port.
func listen() (*receiver, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{url: "http://" + listener.Addr().String() + "/hooks", received: make(chan delivery, 1)}
	server := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, 1<<20))
		if err != nil {
			http.Error(w, "unreadable", http.StatusBadRequest)
			return
		}
		r.received <- delivery{request.Header, body}
		w.WriteHeader(http.StatusNoContent)
	})}
	go func() { _ = server.Serve(listener) }()
	return r, nil
}
