package scale

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"assay/server/cmd/lab/rig"
)

// The people who sign in. The first owns the large organization.
const (
	largeOwner = "owner@large.example"
	smallOwner = "owner@small.example"
	password   = "a pass phrase for measuring"

	// expiring marks the session that becomes the template of expired ones.
	expiring = "expiring@scale.example"
)

// template is what was created over HTTP.
type template struct {
	client *rig.Client
	owner  http.Header
	key    http.Header

	organizationID, assessmentID, webhookID, backlogID string
}

// makeTemplate registers two organizations, and gives the large one an
// assessment, an API key, two endpoints and a session in each status.
func makeTemplate(ctx context.Context, addr string) (*template, error) {
	t := &template{client: rig.NewClient([]string{addr}, 1)}
	for _, step := range []func(context.Context) error{t.register, t.publish, t.takeSessions, t.subscribe} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *template) register(ctx context.Context) error {
	for _, email := range []string{smallOwner, largeOwner} {
		var registered struct {
			AccessToken  string
			Organization struct{ ID string }
		}
		if err := t.post(ctx, "/v1/auth/register", nil, rig.Object{
			"organizationName": "Analytical Engines", "name": "Ada Lovelace", "email": email, "password": password,
		}, &registered); err != nil {
			return err
		}
		t.owner, t.organizationID = rig.Bearer(registered.AccessToken), registered.Organization.ID
	}
	key, err := createKey(ctx, t.client, t.owner)
	t.key = key
	return err
}

func createKey(ctx context.Context, client *rig.Client, owner http.Header) (http.Header, error) {
	var created struct{ Key string }
	_, err := client.Call(ctx, http.MethodPost, "/v1/api-keys", owner, rig.Object{
		"name": "Applicant tracking", "scopes": []string{"candidates:write", "results:read"},
	}, &created)
	return rig.APIKey(created.Key), err
}

// publish makes an assessment of two stages with three questions each, whose
// first stage disqualifies.
func (t *template) publish(ctx context.Context) error {
	options := []rig.Object{{"id": "a", "text": "How long it has stood there"}, {"id": "b", "text": "Who cooked it"}}
	question := rig.Object{
		"type": "SINGLE_CHOICE", "points": 2, "options": options, "correctOptionId": "a",
		"prompt": "A tray of cooked rice has stood at room temperature. What decides whether it may be cooled again?",
	}
	questions := []rig.Object{question, question, question}
	var created struct{ ID string }
	if err := t.post(ctx, "/v1/assessments", t.owner, rig.Object{
		"title": "Line cook: food safety", "passingScore": 70, "stages": []rig.Object{
			{"title": "Storage", "gate": rig.Object{"required": true, "minScore": 50}, "questions": questions},
			{"title": "Cooking and cooling", "questions": questions},
		},
	}, &created); err != nil {
		return err
	}
	t.assessmentID = created.ID
	return t.post(ctx, "/v1/assessments/"+created.ID+"/publish", t.owner, nil, nil)
}

// takeSessions makes one session of each status. The expired one is made in
// the copies, because no wait is short enough here.
func (t *template) takeSessions(ctx context.Context) error {
	for email, take := range map[string]func(context.Context, *candidate) error{
		"invited@scale.example":      func(context.Context, *candidate) error { return nil },
		expiring:                     func(context.Context, *candidate) error { return nil },
		"at-work@scale.example":      func(ctx context.Context, c *candidate) error { return c.answer(ctx, 1) },
		"completed@scale.example":    func(ctx context.Context, c *candidate) error { return c.finish(ctx, 3, 2) },
		"disqualified@scale.example": func(ctx context.Context, c *candidate) error { return c.finish(ctx, 0) },
		"cancelled@scale.example": func(ctx context.Context, c *candidate) error {
			return t.post(ctx, "/v1/candidate-sessions/"+c.id+"/cancel", t.owner, nil, nil)
		},
	} {
		c := &candidate{client: t.client}
		var invited invitation
		if err := t.post(ctx, "/v1/public/candidate-sessions", t.key, invite(t.assessmentID, email), &invited); err != nil {
			return err
		}
		c.id, c.credential = invited.ID, invited.credential()
		if err := take(ctx, c); err != nil {
			return fmt.Errorf("%s: %w", email, err)
		}
	}
	return nil
}

// subscribe makes the endpoint that has the history, and the one that will have a backlog.
func (t *template) subscribe(ctx context.Context) error {
	for _, id := range []*string{&t.webhookID, &t.backlogID} {
		var created struct{ ID string }
		if err := t.post(ctx, "/v1/webhooks", t.owner, rig.Object{
			"url":    "http://127.0.0.1:9/hook", // replaced before anything is delivered
			"events": []string{"candidate.invited", "candidate.completed", "candidate.disqualified"},
		}, &created); err != nil {
			return err
		}
		*id = created.ID
	}
	return nil
}

func (t *template) post(ctx context.Context, path string, credential http.Header, body, dest any) error {
	_, err := t.client.Call(ctx, http.MethodPost, path, credential, body, dest)
	return err
}

// invite is the body of an invitation, as an applicant tracking system sends it.
func invite(assessmentID, email string) rig.Object {
	return rig.Object{
		"assessmentId": assessmentID, "candidateName": "Grace Hopper", "candidateEmail": email,
		"externalId": "application-of-" + email, "metadata": rig.Object{"source": "careers-page", "requisition": "R-207"},
	}
}

// invitation is what an invite returns.
type invitation struct{ ID, InviteURL string }

func (i invitation) credential() http.Header {
	_, token, _ := strings.Cut(i.InviteURL, "#")
	return rig.Bearer(token)
}

// candidate takes one session.
type candidate struct {
	client     *rig.Client
	id         string
	credential http.Header
	stage      stage // after answer
}

type stage struct {
	ID        string
	Questions []struct{ ID string }
}

// answer starts the session unless it has started, and answers the first
// questions of the current stage rightly.
func (c *candidate) answer(ctx context.Context, right int) error {
	const session = "/v1/candidate/session"
	if _, err := c.client.Call(ctx, http.MethodPost, session+"/start", c.credential, nil, nil); err != nil {
		return err
	}
	if _, err := c.client.Call(ctx, http.MethodGet, session+"/stage", c.credential, nil, &c.stage); err != nil {
		return err
	}
	for _, question := range c.stage.Questions[:right] {
		path := session + "/answers/" + question.ID
		if _, err := c.client.Call(ctx, http.MethodPut, path, c.credential, rightAnswer, nil); err != nil {
			return err
		}
	}
	return nil
}

var rightAnswer = rig.Object{"optionId": "a"}

// finish submits each stage with so many right answers.
func (c *candidate) finish(ctx context.Context, right ...int) error {
	for _, count := range right {
		if err := c.answer(ctx, count); err != nil {
			return err
		}
		body := rig.Object{"stageId": c.stage.ID}
		_, err := c.client.Call(ctx, http.MethodPost, "/v1/candidate/session/stage/submit", c.credential, body, nil)
		if err != nil {
			return err
		}
	}
	return nil
}
