package attack

import (
	"context"
	"net/http"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// pings sends many pings at once to an endpoint that does not answer.
func (a *attack) pings(ctx context.Context) error {
	t, err := a.serve(ctx, insecureWebhooks)
	if err != nil {
		return err
	}
	defer t.Stop()
	hostile, err := rig.NewOrganization(ctx, t.api, "hostile")
	if err != nil {
		return t.Explain(err)
	}
	release := make(chan struct{})
	addr, stop, err := rig.Listen(ctx, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	if err != nil {
		return err
	}
	defer stop()
	defer close(release)
	var endpoint struct{ ID string }
	body := newEndpoint(0)
	body["url"] = "http://" + addr
	if _, err := t.api.Call(ctx, http.MethodPost, "/v1/webhooks", hostile.Owner, body, &endpoint); err != nil {
		return err
	}
	pings := a.often(300, 1000)
	before, most := t.Usage().Files, 0
	watching, watched := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() {
		for rig.Pause(watching, 50*time.Millisecond) {
			most = max(most, t.Usage().Files)
		}
	})
	api := rig.NewClient([]string{t.Addr}, pings)
	limit, cancel := context.WithTimeout(ctx, 4*time.Second) // pings that were accepted wait for the endpoint
	answers := storm(limit, pings, pings, func(ctx context.Context, _, _ int) (rig.Answer, error) {
		return api.Send(ctx, http.MethodPost, "/v1/webhooks/"+endpoint.ID+"/test", hostile.Owner, nil)
	})
	cancel()
	watched()
	watch.Wait()
	sent := pings - answers.statuses[http.StatusTooManyRequests]
	a.tried("%d pings at once to an endpoint that does not answer", pings)
	a.got("%s; %d still waited after %s", answers, pings-answers.sum(), rig.Seconds(answers.took))
	a.check(sent <= testsPerMinute, ruleTests, "%d were sent", sent)
	own := most - before - pings // the connections of the pings themselves
	a.check(own <= testFiles, ruleTestFiles, "%d before, %d at the most, of which %d are the requests",
		before, most, pings)
	return nil
}

// replays replays again and again.
func (a *attack) replays(ctx context.Context) error {
	t, err := a.serve(ctx, insecureWebhooks)
	if err != nil {
		return err
	}
	defer t.Stop()
	hostile, err := rig.NewOrganization(ctx, t.api, "hostile")
	if err != nil {
		return t.Explain(err)
	}
	var endpoint struct{ ID string }
	if _, err := t.api.Call(ctx, http.MethodPost, "/v1/webhooks", hostile.Owner, newEndpoint(0), &endpoint); err != nil {
		return err
	}
	if _, err := hostile.Add(ctx, "replayed"); err != nil {
		return err
	}
	period := rig.Object{
		"since": time.Now().Add(-time.Hour).UTC().Format(time.RFC3339), "until": time.Now().UTC().Format(time.RFC3339Nano),
	}
	end := costs(t.Process)
	answers := storm(ctx, 40, 4, func(ctx context.Context, _, _ int) (rig.Answer, error) {
		return t.api.Send(ctx, http.MethodPost, "/v1/webhooks/"+endpoint.ID+"/replay", hostile.Owner, period)
	})
	a.tried("%d replays", answers.sum())
	a.got("%s; %s", answers, end())
	a.check(answers.ok() <= replaysPerHour && answers.ok() > 0, ruleReplays, "%d of %d were accepted",
		answers.ok(), answers.sum())
	return nil
}
