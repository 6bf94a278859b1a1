package scale

import (
	"context"
	"fmt"
	"net/http"

	"assay/server/cmd/lab/rig"
)

const (
	organization = "large" // its name in rig
	expiring     = "expiring"
)

// template is what was created over HTTP.
type template struct {
	*rig.Organization
	webhookID, backlogID string
}

// makeTemplate makes the large organization with an assessment, an API key, a
// session in each status, the endpoint that has the history, and the one that
// will have a backlog.
func makeTemplate(ctx context.Context, addr string) (*template, error) {
	o, err := rig.NewOrganization(ctx, rig.NewClient([]string{addr}, 1), organization)
	if err != nil {
		return nil, err
	}
	t := &template{Organization: o}
	if err := t.takeSessions(ctx); err != nil {
		return nil, err
	}
	for _, id := range []*string{&t.webhookID, &t.backlogID} {
		var created struct{ ID string }
		if _, err := o.API.Call(ctx, http.MethodPost, "/v1/webhooks", o.Owner, rig.Object{
			"url":    "http://127.0.0.1:9/hook", // replaced before anything is delivered
			"events": []string{"candidate.invited", "candidate.completed", "candidate.disqualified"},
		}, &created); err != nil {
			return nil, err
		}
		*id = created.ID
	}
	return t, nil
}

// takeSessions makes one session of each status. The expired one is made in
// the copies, because no wait is short enough here.
func (t *template) takeSessions(ctx context.Context) error {
	for name, take := range map[string]func(rig.Candidate) error{
		"working":      func(c rig.Candidate) error { return t.Answer(ctx, c, t.Stages[0].Questions[0]) },
		"completed":    func(c rig.Candidate) error { return t.Complete(ctx, c) },
		"disqualified": func(c rig.Candidate) error { return t.Submit(ctx, c, t.Stages[0]) },
	} {
		c, err := t.Start(ctx, name)
		if err == nil {
			err = take(c)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range []string{"invited", expiring} {
		if _, err := t.Add(ctx, name); err != nil {
			return err
		}
	}
	c, err := t.Add(ctx, "cancelled")
	if err != nil {
		return err
	}
	_, err = t.API.Call(ctx, http.MethodPost, "/v1/candidate-sessions/"+c.SessionID+"/cancel", t.Owner, nil, nil)
	return err
}
