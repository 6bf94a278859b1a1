package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/sync/errgroup"
)

// dataset is what the scenarios ask for. It was made over HTTP, as a client
// would make it.
type dataset struct {
	addr           string
	organizationID string
	assessmentID   string
	key            string // API key with every scope
	questions      []question
	candidates     []candidate // at work on the first stage, with an answer to its first question saved
	finished       []string    // ids of completed sessions
}

type question struct {
	stageID, id, kind string
}

type candidate struct {
	sessionID, token string
}

// object is a JSON object to be sent.
type object = map[string]any

// loopback asks servers on this machine, whatever proxy the environment names.
var loopback = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: preparing}}

// preparing is how many requests run at once while the data is made.
const preparing = 16

// prepare registers an organization and makes a key, a published assessment of
// two stages with five questions each, candidates at work and finished ones.
func prepare(ctx context.Context, addr string, candidates, completed int) (*dataset, error) {
	d := &dataset{addr: addr, candidates: make([]candidate, candidates), finished: make([]string, completed)}
	owner, err := d.register(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.publish(ctx, owner); err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(preparing)
	for i := range d.finished {
		group.Go(func() error {
			finished, err := d.start(ctx, fmt.Sprintf("finished-%d", i))
			if err != nil {
				return err
			}
			d.finished[i] = finished.sessionID
			return d.finish(ctx, finished)
		})
	}
	for i := range d.candidates {
		group.Go(func() error {
			started, err := d.start(ctx, fmt.Sprintf("candidate-%d", i))
			if err != nil {
				return err
			}
			d.candidates[i] = started
			return d.answer(ctx, started, d.questions[0])
		})
	}
	return d, group.Wait()
}

// register returns the header of the owner's credential.
func (d *dataset) register(ctx context.Context) (http.Header, error) {
	var registered struct {
		AccessToken  string
		Organization struct{ ID string }
	}
	err := d.call(ctx, http.MethodPost, "/v1/auth/register", nil, object{
		"organizationName": "Analytical Engines", "name": "Ada Lovelace", "email": "ada@bench.example",
		"password": "a pass phrase for measuring",
	}, &registered)
	if err != nil {
		return nil, err
	}
	d.organizationID = registered.Organization.ID
	owner := bearer(registered.AccessToken)
	var created struct{ Key string }
	err = d.call(ctx, http.MethodPost, "/v1/api-keys", owner, object{
		"name": "bench", "scopes": []string{"assessments:read", "candidates:read", "candidates:write", "results:read"},
	}, &created)
	d.key = created.Key
	return owner, err
}

// publish makes the assessment and notes its questions.
func (d *dataset) publish(ctx context.Context, owner http.Header) error {
	var created struct {
		ID     string
		Stages []struct {
			ID        string
			Questions []struct{ ID, Type string }
		}
	}
	if err := d.call(ctx, http.MethodPost, "/v1/assessments", owner, assessment(), &created); err != nil {
		return err
	}
	d.assessmentID = created.ID
	for _, stage := range created.Stages {
		for _, q := range stage.Questions {
			d.questions = append(d.questions, question{stageID: stage.ID, id: q.ID, kind: q.Type})
		}
	}
	return d.call(ctx, http.MethodPost, "/v1/assessments/"+created.ID+"/publish", owner, nil, nil)
}

// start invites a candidate, who begins.
func (d *dataset) start(ctx context.Context, name string) (candidate, error) {
	var invited struct{ ID, InviteURL string }
	if err := d.call(ctx, http.MethodPost, "/v1/public/candidate-sessions", apiKey(d.key), d.invite(name), &invited); err != nil {
		return candidate{}, err
	}
	_, token, found := strings.Cut(invited.InviteURL, "#")
	if !found {
		return candidate{}, errors.New("the invite has no token")
	}
	return candidate{invited.ID, token}, d.call(ctx, http.MethodPost, "/v1/candidate/session/start", bearer(token), nil, nil)
}

// invite is the body of an invite, as an applicant tracking system sends it.
func (d *dataset) invite(name string) object {
	return object{
		"assessmentId": d.assessmentID, "candidateName": "Grace Hopper", "candidateEmail": name + "@bench.example",
		"externalId": "application-" + name, "metadata": object{"source": "careers-page", "requisition": "R-207"},
	}
}

// finish answers everything rightly and submits both stages.
func (d *dataset) finish(ctx context.Context, who candidate) error {
	for i, q := range d.questions {
		if err := d.answer(ctx, who, q); err != nil {
			return err
		}
		if i+1 < len(d.questions) && d.questions[i+1].stageID == q.stageID {
			continue
		}
		if err := d.call(ctx, http.MethodPost, "/v1/candidate/session/stage/submit", bearer(who.token),
			object{"stageId": q.stageID}, nil); err != nil {
			return err
		}
	}
	return nil
}

func (d *dataset) answer(ctx context.Context, who candidate, q question) error {
	return d.call(ctx, http.MethodPut, "/v1/candidate/session/answers/"+q.id, bearer(who.token), rightAnswers[q.kind], nil)
}

// resultTokens mints a token for each finished session. They live 15 minutes.
func (d *dataset) resultTokens(ctx context.Context) ([]string, error) {
	tokens := make([]string, 0, len(d.finished))
	for _, id := range d.finished {
		var minted struct{ Token string }
		if err := d.call(ctx, http.MethodPost, "/v1/public/candidate-sessions/"+id+"/result-token", apiKey(d.key), nil, &minted); err != nil {
			return nil, err
		}
		tokens = append(tokens, minted.Token)
	}
	return tokens, nil
}

func bearer(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }
func apiKey(key string) http.Header   { return http.Header{"X-Api-Key": {key}} }

// call sends one request and reads the answer's data into dest, unless that is nil.
func (d *dataset) call(ctx context.Context, method, path string, credential http.Header, body, dest any) error {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://"+d.addr+path, content)
	if err != nil {
		return err
	}
	if credential != nil {
		request.Header = credential
	}
	if body != nil {
		request.Header = request.Header.Clone()
		request.Header.Set("Content-Type", "application/json")
	}
	answered, err := send(request)
	if err != nil || dest == nil {
		return err
	}
	return json.Unmarshal(answered, &struct{ Data any }{dest})
}

// get reads one address.
func get(ctx context.Context, url string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return send(request)
}

// send returns the body of a 2xx answer; any other answer is an error.
func send(request *http.Request) ([]byte, error) {
	answer, err := loopback.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode/100 != 2 {
		return nil, fmt.Errorf("%s %s: %s: %s", request.Method, request.URL.Path, answer.Status, body)
	}
	return body, nil
}

// rightAnswers are those to the questions of assessment, by type.
var rightAnswers = map[string]object{
	"SINGLE_CHOICE":   {"optionId": "a"},
	"MULTIPLE_CHOICE": {"optionIds": []string{"a", "b"}},
	"NUMERIC":         {"number": 165},
	"SHORT_TEXT":      {"text": "first in, first out"},
}

// assessment is the body of a usual assessment: two stages of five questions,
// a gate on the first, no time limit. The first question is SINGLE_CHOICE.
func assessment() object {
	const prompt = "A tray of cooked rice has stood at room temperature since the end of the lunch service. " +
		"What has to be known before it may go back into the cold room?"
	choices := []object{
		{"id": "a", "text": "How long it has stood there"}, {"id": "b", "text": "Its temperature now"},
		{"id": "c", "text": "Who cooked it"}, {"id": "d", "text": "What it was served with"},
	}
	questions := []object{
		{"type": "SINGLE_CHOICE", "options": choices, "correctOptionId": "a", "explanation": "Food Code 2022, 3-501.14."},
		{"type": "MULTIPLE_CHOICE", "options": choices, "correctOptionIds": []string{"a", "b"}, "partialCredit": true},
		{"type": "NUMERIC", "answer": 165, "tolerance": 1},
		{"type": "SHORT_TEXT", "acceptedAnswers": []string{"FIFO", "first in, first out"}},
		{"type": "SINGLE_CHOICE", "options": choices, "correctOptionId": "a"},
	}
	for _, q := range questions {
		q["prompt"], q["points"] = prompt, 2
	}
	return object{
		"title": "Line cook: food safety", "description": "Keeping food safe, for those who cook it.", "passingScore": 70,
		"stages": []object{
			{"title": "Storage", "gate": object{"required": true, "minScore": 50}, "questions": questions},
			{"title": "Cooking and cooling", "description": "What happens at the stove.", "questions": questions},
		},
	}
}
