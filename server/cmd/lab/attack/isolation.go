package attack

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/server/cmd/lab/rig"
)

const (
	isolationSessions = 2000                  // of the hostile organization
	isolationSamples  = 500                   // of the victim, in each round
	isolationInterval = 5 * time.Millisecond  // between the victim's requests
	isolationWorkers  = 4                     // of the hostile organization
	isolationPause    = 20 * time.Millisecond // between its requests: 50 per second are permitted

	// manyRequests permits the victim as many requests as it needs, and leaves every other limit as it is.
	manyRequests = "ASSAY_RATE_LIMITS=api-key=1000000/1m,person=1000000/1m,organization=1000000/1m"
)

// isolation measures how long an organization waits for its list of sessions, alone and while another one sends, as
// fast as the default limits permit, requests that look cheap and are not.
func isolation(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, manyRequests, insecureWebhooks)
	if err != nil {
		return err
	}
	defer t.Stop()
	hostile, v, err := t.two(ctx)
	if err != nil {
		return err
	}
	costly, err := newCostly(ctx, t, hostile)
	if err != nil {
		return t.Explain(err)
	}
	if _, err := invited(ctx, v.org, "victim", 200); err != nil {
		return t.Explain(err)
	}
	v.list(ctx, &work{}) // so that all connections exist

	a.tried("the victim lists its sessions every %s, in %d rounds of %d, each alone and beside an attack of one kind",
		isolationInterval, a.often(4, 8), isolationSamples)
	table := [][]string{{"attack", "requests", "429", "CPU", "p50 alone", "p50 beside", "p99 alone", "p99 beside", "p99"}}
	var slowed []string
	for _, kind := range costly.kinds() {
		answers, end := newTally(), costs(t.Process)
		alone, beside := v.besideCostly(ctx, a.often(4, 8), func(ctx context.Context) { kind.repeat(ctx, answers) })
		used := end()
		percent := 100 * (beside.percentile(99).Seconds()/max(alone.percentile(99).Seconds(), 1e-9) - 1)
		table = append(table, []string{
			kind.name, fmt.Sprint(answers.sum()), fmt.Sprint(answers.statuses[http.StatusTooManyRequests]),
			rig.Seconds(used.cpu), rig.Milliseconds(alone.percentile(50)), rig.Milliseconds(beside.percentile(50)),
			rig.Milliseconds(alone.percentile(99)), rig.Milliseconds(beside.percentile(99)), fmt.Sprintf("%+.0f %%", percent),
		})
		if answers.ok()+answers.statuses[http.StatusTooManyRequests] < answers.sum() {
			a.fault("%s: %s", kind.name, answers)
		}
		if failed := slices.Concat(alone.failed, beside.failed); len(failed) > 0 {
			a.fault("%s: %d requests of the victim failed: %s", kind.name, len(failed), failed[0])
		}
		if rise := beside.percentile(99) - alone.percentile(99); rise > isolationRise {
			slowed = append(slowed, fmt.Sprintf("%s by %s", kind.name, rig.Milliseconds(rise)))
		}
	}
	rig.PrintTable(a.out, table)
	a.check(len(slowed) == 0, ruleIsolation, "%d kinds are above: %s", len(slowed), strings.Join(slowed, ", "))
	return nil
}

// besideCostly measures the victim in alternate rounds alone and beside an attack.
func (v *victim) besideCostly(
	ctx context.Context, rounds int, attack func(ctx context.Context),
) (alone, beside work) {
	for range rounds {
		v.list(ctx, &alone)
		attacking, stop := context.WithCancel(ctx)
		var ended sync.WaitGroup
		ended.Go(func() { attack(attacking) })
		rig.Pause(ctx, 200*time.Millisecond)
		v.list(ctx, &beside)
		stop()
		ended.Wait()
		rig.Pause(ctx, 500*time.Millisecond)
	}
	return alone, beside
}

// list lists sessions at fixed times, whether or not the previous answer has come: otherwise a slow answer would
// delay, and hide, the samples after it.
func (v *victim) list(ctx context.Context, w *work) {
	var mu sync.Mutex
	var round []time.Duration
	var sending sync.WaitGroup
	ticker := time.NewTicker(isolationInterval)
	defer ticker.Stop()
	for range isolationSamples {
		<-ticker.C
		sending.Go(func() {
			began := time.Now()
			answer, err := v.org.API.Send(ctx, http.MethodGet, "/v1/candidate-sessions?limit=20", v.org.Owner, nil)
			took := time.Since(began)
			mu.Lock()
			defer mu.Unlock()
			round = append(round, took)
			if err != nil || !answer.OK() {
				w.failed = append(w.failed, fmt.Sprintf("%d %s %v", answer.Status, answer.Code(), err))
			}
		})
	}
	sending.Wait()
	w.rounds = append(w.rounds, round)
}

// costly is an organization that sends requests whose cost depends on their content.
type costly struct {
	*target

	org      *rig.Organization
	draft    string // the id of an assessment of hostile texts
	webhook  string // the id of an endpoint that refuses connections
	sessions []string
	n        atomic.Int64
}

func newCostly(ctx context.Context, t *target, org *rig.Organization) (*costly, error) {
	c := &costly{target: t, org: org}
	var err error
	if c.sessions, err = invited(ctx, org, "hostile", isolationSessions); err != nil {
		return nil, err
	}
	var made struct{ ID string }
	if _, err := t.api.Call(ctx, http.MethodPost, "/v1/webhooks", org.Owner, newEndpoint(0), &made); err != nil {
		return nil, err
	}
	c.webhook = made.ID
	text, err := hostileText{"mixed marks", strings.Repeat("_*a", promptLength/3)}.assessment(0)
	if err != nil {
		return nil, err
	}
	_, err = t.api.Call(ctx, http.MethodPost, "/v1/assessments", org.Owner, text, &made)
	c.draft = made.ID
	return c, err
}

// invited invites candidates in bulk requests and returns the ids of their sessions.
func invited(ctx context.Context, org *rig.Organization, name string, count int) ([]string, error) {
	var ids []string
	for len(ids) < count {
		answer, err := org.API.Send(ctx, http.MethodPost, "/v1/public/candidate-sessions/bulk", org.Key,
			invites(org, fmt.Sprint(name, len(ids)), min(500, count-len(ids))))
		if err != nil || !answer.OK() {
			return nil, unexpected("bulk", answer, err)
		}
		var made struct {
			Rows []struct{ Session struct{ ID string } }
		}
		if err := answer.Decode(&made); err != nil {
			return nil, err
		}
		for _, result := range made.Rows {
			ids = append(ids, result.Session.ID)
		}
	}
	return ids, nil
}

// invites is the body of a bulk request.
func invites(org *rig.Organization, name string, count int) rig.Object {
	rows := make([]rig.Object, count)
	for n := range rows {
		rows[n] = org.Invite(fmt.Sprintf("%s-%d", name, n))
	}
	return rig.Object{"rows": rows}
}

// costlyKind is one kind of request.
type costlyKind struct {
	name string
	send func(ctx context.Context) (rig.Answer, error)
}

func (c *costly) kinds() []costlyKind {
	get := func(path string) func(ctx context.Context) (rig.Answer, error) {
		return func(ctx context.Context) (rig.Answer, error) {
			return c.api.Send(ctx, http.MethodGet, path, c.org.Owner, nil)
		}
	}
	sent := func(method, path string, body func(n int64) any) func(ctx context.Context) (rig.Answer, error) {
		return func(ctx context.Context) (rig.Answer, error) {
			return c.api.Send(ctx, method, path, c.org.Owner, body(c.n.Add(1)))
		}
	}
	return []costlyKind{
		{"search", get("/v1/candidate-sessions?limit=100&q=grace%20hopper%20hostile")},
		{"export", get("/v1/candidate-sessions/export")},
		{"spreadsheet", get("/v1/candidate-sessions/spreadsheet?format=XLSX")},
		{"statistics", get("/v1/assessments/" + c.org.AssessmentID + "/statistics")},
		{"summary", get("/v1/candidate-sessions/summary?q=grace")},
		{"replay", sent(http.MethodPost, "/v1/webhooks/"+c.webhook+"/replay", func(int64) any {
			now := time.Now().UTC()
			return rig.Object{"since": now.Add(-time.Hour).Format(time.RFC3339), "until": now.Format(time.RFC3339)}
		})},
		{"bulk", sent(http.MethodPut, "/v1/candidate-sessions/review-states", func(n int64) any {
			rows := make([]rig.Object, 100)
			for i := range rows {
				rows[i] = rig.Object{"sessionId": c.sessions[(int(n)*len(rows)+i)%len(c.sessions)]}
			}
			return rig.Object{"stateId": []string{"shortlisted", "rejected"}[n/int64(len(c.sessions)/len(rows))%2], "rows": rows}
		})},
		{"import", sent(http.MethodPost, "/v1/candidate-sessions/bulk", func(n int64) any {
			return invites(c.org, fmt.Sprint("import", n), 500)
		})},
		{"Markdown", sent(http.MethodPost, "/v1/assessments", func(n int64) any {
			body, _ := hostileText{"", strings.Repeat("_*a", promptLength/3)}.assessment(int(n)) // of known texts
			return body
		})},
		{"new titles", sent(http.MethodPatch, "/v1/assessments/"+c.draft, func(n int64) any {
			return rig.Object{"title": fmt.Sprint("T", n)}
		})},
	}
}

// repeat sends requests until the context ends.
func (k costlyKind) repeat(ctx context.Context, answers *tally) {
	ticker := time.NewTicker(isolationPause)
	defer ticker.Stop()
	var sending sync.WaitGroup
	for range isolationWorkers {
		sending.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case <-ticker.C:
				}
				began := time.Now()
				answer, err := k.send(context.WithoutCancel(ctx))
				answers.add(answer, time.Since(began), err)
			}
		})
	}
	sending.Wait()
}
