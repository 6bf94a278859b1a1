package attack

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// rates sends more requests than each limit permits, with the default limits.
func rates(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, insecureWebhooks)
	if err != nil {
		return err
	}
	defer t.Stop()
	hostile, v, err := t.two(ctx)
	if err != nil {
		return err
	}
	for _, try := range []func(context.Context, *target, *rig.Organization, *victim) error{
		a.manyKeys, a.candidateToken, a.onePerson, a.networks,
	} {
		if err := try(ctx, t, hostile, v); err != nil {
			return t.Explain(err)
		}
	}
	// With a person's limit used up, nothing could be said about the two others.
	for _, try := range []func(context.Context) error{a.pings, a.replays} {
		if err := try(ctx); err != nil {
			return err
		}
	}
	return nil
}

const hostileWorkers = 16

// limit is a default of ASSAY_RATE_LIMITS.
type limit struct {
	rule    string
	atOnce  int
	perHour float64
}

// permits is the number of requests that the limit permits, with a second more for a
// request that waited.
func (l limit) permits(took time.Duration) int {
	return l.atOnce + int(l.perHour*(took+time.Second).Hours()) + 1
}

// limited reports whether a storm got no more than a limit permits.
func (l limit) limited(answers *tally) bool {
	refused := answers.statuses[http.StatusTooManyRequests]
	return refused > 0 && answers.sum()-refused <= l.permits(answers.took)
}

// storming sends a storm, with the victim beside it, and checks a limit's rule.
func (a *attack) storming(
	ctx context.Context, t *target, v *victim, name string, l limit, requests int,
	send func(ctx context.Context, n, worker int) (rig.Answer, error),
) {
	var alone, beside work
	const interval, length = 125 * time.Millisecond, 2 * time.Second // below the victim's own limit
	v.round(ctx, &alone, interval, length)
	end := costs(t.Process)
	attacking, stop := context.WithCancel(ctx)
	var answers *tally
	var ended sync.WaitGroup
	ended.Go(func() { answers = storm(attacking, requests, hostileWorkers, send) })
	v.round(ctx, &beside, interval, length)
	ended.Wait()
	stop()
	a.tried("%s: %d requests in %s", name, answers.sum(), rig.Seconds(answers.took))
	a.got("%s; %s", answers, end())
	a.check(l.limited(answers), l.rule, "%d of %d got through, at most %d are permitted",
		answers.not(http.StatusTooManyRequests), answers.sum(), l.permits(answers.took))
	a.check(bearable(alone, beside), ruleVictim, "alone %s, beside %s", alone, beside)
}

func (a *attack) manyKeys(ctx context.Context, t *target, hostile *rig.Organization, v *victim) error {
	var keys []http.Header
	for n := range 60 {
		var made struct{ Key string }
		if _, err := t.api.Call(ctx, http.MethodPost, "/v1/api-keys", hostile.Owner,
			rig.NewKey(fmt.Sprint("key-", n)), &made); err != nil {
			return err
		}
		keys = append(keys, rig.APIKey(made.Key))
	}
	a.storming(ctx, t, v, "60 keys of one organization", limit{ruleOrganization, 500, 180_000}, a.often(6000, 60_000),
		func(ctx context.Context, n, _ int) (rig.Answer, error) {
			return t.api.Send(ctx, http.MethodGet, "/v1/public/candidate-sessions?limit=20", keys[n%len(keys)], nil)
		})
	return nil
}

func (a *attack) candidateToken(ctx context.Context, t *target, _ *rig.Organization, v *victim) error {
	candidate, err := v.org.Start(ctx, "hostile-candidate") // of an organization with its limit left
	if err != nil {
		return err
	}
	path := "/v1/candidate/session/answers/" + v.org.Stages[0].Questions[3].ID
	a.storming(ctx, t, v, "one candidate token", limit{ruleCandidate, 100, 36_000}, a.often(6000, 60_000),
		func(ctx context.Context, n, _ int) (rig.Answer, error) {
			answer := rig.Object{"text": fmt.Sprint("answer ", n)}
			return t.api.Send(ctx, http.MethodPut, path, rig.Bearer(candidate.Token), answer)
		})
	return nil
}

func (a *attack) onePerson(ctx context.Context, t *target, hostile *rig.Organization, v *victim) error {
	a.storming(ctx, t, v, "one person's access token", limit{rulePerson, 100, 36_000}, a.often(6000, 60_000),
		func(ctx context.Context, _, _ int) (rig.Answer, error) {
			return t.api.Send(ctx, http.MethodGet, "/v1/me", hostile.Owner, nil)
		})
	return nil
}

// networks sends from one loopback address what needs no credential.
func (a *attack) networks(ctx context.Context, t *target, _ *rig.Organization, v *victim) error {
	stranger := t.api.From("127.0.0.66", hostileWorkers)
	a.storming(ctx, t, v, "unknown paths from one network", limit{ruleUnknownPaths, 600, 36_000}, a.often(6000, 60_000),
		func(ctx context.Context, n, _ int) (rig.Answer, error) {
			return stranger.Send(ctx, http.MethodGet, fmt.Sprint("/wp-admin/", n), nil, nil)
		})
	stranger = t.api.From("127.0.0.67", hostileWorkers)
	a.storming(ctx, t, v, "/readyz from one network", limit{ruleProbes, 600, 36_000}, a.often(6000, 60_000),
		func(ctx context.Context, _, _ int) (rig.Answer, error) {
			return stranger.Send(ctx, http.MethodGet, "/readyz", nil, nil)
		})
	return nil
}
