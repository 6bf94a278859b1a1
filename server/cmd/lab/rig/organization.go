package rig

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// Organization is an organization with a published assessment and an API key.
// It was made over HTTP.
type Organization struct {
	API          *Client
	ID           string
	Owner        http.Header // of a token that is valid for some minutes; see SignIn
	Key          http.Header // of an API key
	AssessmentID string
	Stages       []Stage

	email string // the owner's
}

// Stage is a stage of the assessment.
type Stage struct {
	ID        string
	Questions []Question
}

// Question is a question of a stage.
type Question struct{ ID, Type string }

// Candidate is an invited candidate.
type Candidate struct{ SessionID, Token string }

const password = "a pass phrase for the lab"

// NewOrganization registers an organization, makes the key, and publishes the
// assessment.
func NewOrganization(ctx context.Context, api *Client, name string) (*Organization, error) {
	o := &Organization{API: api, email: Email(name)}
	var registered struct {
		AccessToken  string
		Organization struct{ ID string }
	}
	if _, err := api.Call(ctx, http.MethodPost, "/v1/auth/register", nil, Object{
		"organizationName": "Analytical Engines", "name": "Ada Lovelace", "email": o.email, "password": password,
	}, &registered); err != nil {
		return nil, err
	}
	o.ID, o.Owner = registered.Organization.ID, Bearer(registered.AccessToken)

	if err := o.createKey(ctx); err != nil {
		return nil, err
	}
	var created struct {
		ID     string
		Stages []Stage
	}
	if _, err := api.Call(ctx, http.MethodPost, "/v1/assessments", o.Owner, assessment(), &created); err != nil {
		return nil, err
	}
	o.AssessmentID, o.Stages = created.ID, created.Stages
	_, err := api.Call(ctx, http.MethodPost, "/v1/assessments/"+created.ID+"/publish", o.Owner, nil, nil)
	return o, err
}

// OpenOrganization opens an organization that NewOrganization made in an earlier
// run. It makes another key.
func OpenOrganization(ctx context.Context, api *Client, name, assessmentID string) (*Organization, error) {
	o := &Organization{API: api, email: Email(name), AssessmentID: assessmentID}
	if err := errors.Join(o.SignIn(ctx), o.createKey(ctx)); err != nil {
		return nil, err
	}
	var assessment struct{ Stages []Stage }
	_, err := api.Call(ctx, http.MethodGet, "/v1/assessments/"+assessmentID, o.Owner, nil, &assessment)
	o.Stages = assessment.Stages
	return o, err
}

func (o *Organization) createKey(ctx context.Context) error {
	var key struct{ Key string }
	_, err := o.API.Call(ctx, http.MethodPost, "/v1/api-keys", o.Owner, NewKey("lab"), &key)
	o.Key = APIKey(key.Key)
	return err
}

// SignIn gets a new token for the owner.
func (o *Organization) SignIn(ctx context.Context) (err error) {
	o.Owner, err = SignIn(ctx, o.API, o.email)
	return err
}

// SignIn returns the header of a new token for an owner.
func SignIn(ctx context.Context, api *Client, email string) (http.Header, error) {
	var signedIn struct{ AccessToken string }
	_, err := api.Call(ctx, http.MethodPost, "/v1/auth/login", nil, Credentials(email), &signedIn)
	return Bearer(signedIn.AccessToken), err
}

// Credentials is the body with which an owner signs in.
func Credentials(email string) Object { return Object{"email": email, "password": password} }

// Add invites a candidate.
func (o *Organization) Add(ctx context.Context, name string) (Candidate, error) {
	var invited Invited
	_, err := o.API.Call(ctx, http.MethodPost, "/v1/public/candidate-sessions", o.Key, o.Invite(name), &invited)
	if err != nil {
		return Candidate{}, err
	}
	return invited.Candidate()
}

// Start invites a candidate, who starts the session.
func (o *Organization) Start(ctx context.Context, name string) (Candidate, error) {
	c, err := o.Add(ctx, name)
	if err != nil {
		return Candidate{}, err
	}
	_, err = o.API.Call(ctx, http.MethodPost, "/v1/candidate/session/start", Bearer(c.Token), nil, nil)
	return c, err
}

// Answer has a candidate give the right answers to some questions of the current stage.
func (o *Organization) Answer(ctx context.Context, c Candidate, questions ...Question) error {
	for _, q := range questions {
		path := "/v1/candidate/session/answers/" + q.ID
		if _, err := o.API.Call(ctx, http.MethodPut, path, Bearer(c.Token), RightAnswers[q.Type], nil); err != nil {
			return err
		}
	}
	return nil
}

// Submit has a candidate submit the current stage.
func (o *Organization) Submit(ctx context.Context, c Candidate, stage Stage) error {
	body := Object{"stageId": stage.ID}
	_, err := o.API.Call(ctx, http.MethodPost, "/v1/candidate/session/stage/submit", Bearer(c.Token), body, nil)
	return err
}

// Complete has a candidate who started answer everything right.
func (o *Organization) Complete(ctx context.Context, c Candidate) error {
	for _, stage := range o.Stages {
		if err := o.Answer(ctx, c, stage.Questions...); err != nil {
			return err
		}
		if err := o.Submit(ctx, c, stage); err != nil {
			return err
		}
	}
	return nil
}

// Invited is the answer to an invite.
type Invited struct{ ID, InviteURL string }

// Candidate returns the invited candidate.
func (i Invited) Candidate() (Candidate, error) {
	_, token, found := strings.Cut(i.InviteURL, "#")
	if !found {
		return Candidate{}, errors.New("the invite link has no token")
	}
	return Candidate{i.ID, token}, nil
}

// Invite is the body of an invite, as an applicant tracking system sends it.
func (o *Organization) Invite(name string) Object {
	return Object{
		"assessmentId": o.AssessmentID, "candidateName": "Grace Hopper", "candidateEmail": Email(name),
		"externalId": "application-" + name, "metadata": Object{"source": "careers-page", "requisition": "R-207"},
	}
}

// Email is the address of a candidate.
func Email(name string) string { return name + "@lab.example" }

// NewKey is the body that makes an API key.
func NewKey(name string) Object {
	scopes := []string{"assessments:read", "candidates:read", "candidates:write", "results:read"}
	return Object{"name": name, "scopes": scopes}
}

// NewAssessment is the body of a small assessment.
func NewAssessment(title string) Object {
	return Object{"title": title, "stages": []Object{{"title": "Yard", "questions": []Object{
		{"type": "SHORT_TEXT", "prompt": "Why?", "points": 1, "acceptedAnswers": []string{"because"}},
	}}}}
}

// RightAnswers are the right answers to the questions of the assessment, by type.
var RightAnswers = map[string]Object{
	"SINGLE_CHOICE":   {"optionId": "a"},
	"MULTIPLE_CHOICE": {"optionIds": []string{"a", "b"}},
	"NUMERIC":         {"number": 165},
	"SHORT_TEXT":      {"text": "first in, first out"},
}

// assessment is the body of an assessment of a usual size: two stages of five
// questions, without a time limit. The first stage has a gate, for which one
// right answer is enough.
func assessment() Object {
	const prompt = "A tray of cooked rice has stood at room temperature since the end of the lunch service. " +
		"What has to be known before it may go back into the cold room?"
	choices := []Object{
		{"id": "a", "text": "How long it has stood there"}, {"id": "b", "text": "Its temperature now"},
		{"id": "c", "text": "Who cooked it"}, {"id": "d", "text": "What it was served with"},
	}
	questions := []Object{
		{"type": "SINGLE_CHOICE", "options": choices, "correctOptionId": "a", "explanation": "Food Code 2022, 3-501.14."},
		{"type": "MULTIPLE_CHOICE", "options": choices, "correctOptionIds": []string{"a", "b"}, "partialCredit": true},
		{"type": "NUMERIC", "answer": 165, "tolerance": 1},
		{"type": "SHORT_TEXT", "acceptedAnswers": []string{"FIFO", "first in, first out"}},
		{"type": "SINGLE_CHOICE", "options": choices, "correctOptionId": "a"},
	}
	for _, q := range questions {
		q["prompt"], q["points"] = prompt, 2
	}
	return Object{
		"title": "Line cook: food safety", "description": "Keeping food safe, for those who cook it.", "passingScore": 70,
		"stages": []Object{
			{"title": "Storage", "gate": Object{"required": true, "minScore": 20}, "questions": questions},
			{"title": "Cooking and cooling", "description": "What happens at the stove.", "questions": questions},
		},
	}
}
