// Command journey performs an integration, and reads each kind of response.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"

	"assay.example/further/generated"
)

func main() {
	log.SetFlags(0)
	if err := journey(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("journey complete")
}

func journey() error {
	configuration := assay.NewConfiguration()
	configuration.Servers = assay.ServerConfigurations{{URL: os.Getenv("ASSAY_URL")}}
	client := assay.NewAPIClient(configuration)
	anybody := context.Background()

	credentials := assay.NewLoginRequest(os.Getenv("ASSAY_EMAIL"), os.Getenv("ASSAY_PASSWORD"))
	login, _, err := client.AuthAPI.Login(anybody).LoginRequest(*credentials).Execute()
	if err != nil {
		return err
	}
	author := context.WithValue(anybody, assay.ContextAccessToken, login.Data.AccessToken)
	fmt.Println("signed in as", login.Data.User.Name)

	hook := assay.NewWebhookEndpointCreate("http://127.0.0.1:9/hooks",
		[]assay.EventTypeInput{"candidate.completed", "candidate.disqualified"})
	endpoint, _, err := client.WebhooksAPI.CreateWebhook(author).WebhookEndpointCreate(*hook).Execute()
	if err != nil {
		return err
	}
	fmt.Println("registered a webhook endpoint for", endpoint.Data.Events)

	assessmentID, err := publish(author, client)
	if err != nil {
		return err
	}
	key, _, err := client.ApiKeysAPI.CreateApiKey(author).ApiKeyCreate(*assay.NewApiKeyCreate("Careers site",
		[]assay.ApiKeyScopeInput{"assessments:read", "candidates:read", "candidates:write", "results:read"})).Execute()
	if err != nil {
		return err
	}
	integration := context.WithValue(anybody, assay.ContextAPIKeys,
		map[string]assay.APIKey{"apiKeyAuth": {Key: key.Data.Key}})

	invite := func(assessmentID, name, email string) (*assay.CandidateSessionData, error) {
		session, _, err := client.CandidateSessionsAPI.CreatePublicCandidateSession(integration).
			CandidateSessionCreate(*assay.NewCandidateSessionCreate(assessmentID, name, email)).Execute()
		return session, err
	}
	session, err := invite(assessmentID, "Ada", "ada@candidates.example")
	if err != nil {
		return err
	}
	fmt.Println("invited until", session.Data.ExpiresAt)

	_, inviteToken, _ := strings.Cut(session.Data.GetInviteUrl(), "#")
	redirect, err := take(context.WithValue(anybody, assay.ContextAccessToken, inviteToken), client)
	if err != nil {
		return err
	}
	result, _, err := client.ResultsAPI.ExchangeResultToken(integration, redirect.Query().Get("result")).Execute()
	if err != nil {
		return err
	}
	if result.Data.SessionId != session.Data.Id || result.Data.Score != 100 || !result.Data.GetPassed() {
		return fmt.Errorf("the score is %v", result.Data.Score)
	}
	fmt.Println("exchanged the result token for a score of", result.Data.Score, result.Data.CloseReason)

	listed, _, err := client.CandidateSessionsAPI.ListPublicCandidateSessions(integration).
		AssessmentId(assessmentID).Execute()
	if err != nil {
		return err
	}
	fmt.Println("listed", len(listed.Data), "session that is", listed.Data[0].Status)
	events, _, err := client.EventsAPI.ListEvents(author).Execute()
	if err != nil {
		return err
	}
	fmt.Println("read", len(events.Data), "events")

	_, err = invite("asm_00000000000000000000000000", "Ada", "ada@candidates.example")
	missing, err := problem(err, http.StatusNotFound)
	if err != nil {
		return err
	}
	fmt.Println("refused an unknown assessment:", missing.Code)
	_, err = invite(assessmentID, "   ", "nobody")
	invalid, err := problem(err, http.StatusBadRequest)
	if err != nil {
		return err
	}
	fmt.Println("refused:", invalid.Code, "at", invalid.Errors[0].Pointer)
	return nil
}

func publish(author context.Context, client *assay.APIClient) (string, error) {
	choice := assay.NewSingleChoiceQuestionInput("SINGLE_CHOICE", "How long?", 2)
	choice.SetOptions([]assay.OptionInput{{Id: "a", Text: "Nine hours"}, {Id: "b", Text: "Two days"}})
	choice.SetCorrectOptionId("a")
	number := assay.NewNumericQuestionInput("NUMERIC", "How many?", 1)
	number.SetAnswer(5)
	stage := assay.NewStageInput("Storage")
	stage.SetQuestions([]assay.QuestionInput{
		assay.SingleChoiceQuestionInputAsQuestionInput(choice), assay.NumericQuestionInputAsQuestionInput(number),
	})
	create := assay.NewAssessmentCreate("Night-shift pharmacist")
	create.SetPassingScore(60)
	create.SetRedirectUrl("https://jobs.example/thanks")
	create.SetStages([]assay.StageInput{*stage})
	draft, _, err := client.AssessmentsAPI.CreateAssessment(author).AssessmentCreate(*create).Execute()
	if err != nil {
		return "", err
	}
	published, _, err := client.AssessmentsAPI.PublishAssessment(author, draft.Data.Id).Execute()
	if err != nil {
		return "", err
	}
	fmt.Println("published", len(published.Data.Stages[0].Questions), "questions")
	return published.Data.Id, nil
}

func take(candidate context.Context, client *assay.APIClient) (*url.URL, error) {
	taking, _, err := client.CandidateAPI.RetrieveTaking(candidate).Execute()
	if err != nil {
		return nil, err
	}
	fmt.Println("it has", len(taking.Data.Stages), "stages and is", taking.Data.Status)
	if _, _, err := client.CandidateAPI.StartTaking(candidate).TakingStart(*assay.NewTakingStart()).Execute(); err != nil {
		return nil, err
	}
	stage, _, err := client.CandidateAPI.RetrieveCurrentStage(candidate).Execute()
	if err != nil {
		return nil, err
	}
	for _, question := range stage.Data.Questions {
		answer := assay.NewAnswerInput()
		switch question.Type {
		case "SINGLE_CHOICE":
			answer.SetOptionId("a")
		case "NUMERIC":
			answer.SetNumber(5)
		default: // a type that the service had later than this program
			continue
		}
		if _, _, err := client.CandidateAPI.SaveAnswer(candidate, question.Id).AnswerInput(*answer).Execute(); err != nil {
			return nil, err
		}
	}
	outcome, _, err := client.CandidateAPI.SubmitStage(candidate).
		StageSubmit(*assay.NewStageSubmit(stage.Data.Id)).Execute()
	if err != nil {
		return nil, err
	}
	fmt.Println("submitted the answers; the session is", outcome.Data.Status)
	return url.Parse(outcome.Data.GetRedirectUrl())
}

// problem returns the problem with which a request is refused.
func problem(err error, status int32) (assay.Problem, error) {
	var refused *assay.GenericOpenAPIError
	if !errors.As(err, &refused) {
		return assay.Problem{}, fmt.Errorf("the request was not refused: %w", err)
	}
	problem, read := refused.Model().(assay.Problem)
	if !read || problem.Status != status {
		return problem, fmt.Errorf("the problem is %s: %w", refused.Body(), err)
	}
	return problem, nil
}
