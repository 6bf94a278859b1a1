package attack

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"assay/server/cmd/lab/rig"
)

const (
	fanOutWorkers    = 4
	hostileEndpoints = 4000 // that it tries to create
)

// fanOut lets a hostile organization with as many endpoints as it can create invite
// candidates, while the victim invites too. The endpoints accept their deliveries.
func (a *attack) fanOut(ctx context.Context) error {
	t, err := a.serve(ctx, unlimited, insecureWebhooks)
	if err != nil {
		return err
	}
	defer t.Stop()
	hostile, v, err := t.two(ctx)
	if err != nil {
		return err
	}
	receiver, stop, err := rig.Listen(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
	if err != nil {
		return err
	}
	defer stop()
	endpoints := storm(ctx, hostileEndpoints, fanOutWorkers,
		func(ctx context.Context, n, _ int) (rig.Answer, error) {
			body := newEndpoint(n)
			body["url"] = fmt.Sprintf("http://%s/%d", receiver, n)
			return t.api.Send(ctx, http.MethodPost, "/v1/webhooks", hostile.Owner, body)
		})
	end := costs(t.Process)
	invites := newTally()
	d := duel{rounds: a.often(5, 12), interval: 15 * time.Millisecond, length: 1500 * time.Millisecond}
	alone, beside := v.besideAttack(ctx, d,
		func(ctx context.Context) { a.inviteSteadily(ctx, t, hostile, invites) }, t.delivered)
	a.tried("%d invites of an organization with %d endpoints, %s apart", invites.sum(), endpoints.ok(), hostileInterval)
	a.got("%s; %s", invites, end())
	percent, above, broken := slowedDown(alone, beside)
	a.check(!broken, ruleFanOut, "%+.0f %%, %d of %d rounds above 20 %%: victim alone %s, beside %s",
		percent, above, len(beside.rounds), alone, beside)
	return a.inviteAtQuota(ctx, t, hostile, v.org, endpoints.ok())
}

// deliveredWithin bounds how long the queue is waited for.
const deliveredWithin = 10 * time.Second

// delivered waits until no delivery is due, and reports whether that is so.
func (t *target) delivered(ctx context.Context) bool {
	for end := time.Now().Add(deliveredWithin); time.Now().Before(end) && rig.Pause(ctx, 100*time.Millisecond); {
		if backlog, err := t.Metric(ctx, "assay_webhook_backlog"); err == nil && backlog == 0 {
			return true
		}
	}
	return false
}

// hostileInterval is what the default limit of an API key permits.
const hostileInterval = 100 * time.Millisecond

func (a *attack) inviteSteadily(ctx context.Context, t *target, org *rig.Organization, answers *tally) {
	for n := 0; rig.Pause(ctx, hostileInterval); n++ {
		body := org.Invite(fmt.Sprintf("fan-%d-%d", time.Now().UnixNano(), n))
		began := time.Now()
		answer, err := t.api.Send(ctx, http.MethodPost, "/v1/public/candidate-sessions", org.Key, body)
		if ctx.Err() == nil {
			answers.add(answer, time.Since(began), err)
		}
	}
}

// inviteAtQuota invites alternately with all endpoints and with none.
func (a *attack) inviteAtQuota(
	ctx context.Context, t *target, with, without *rig.Organization, endpoints int,
) error {
	var took [2][]time.Duration
	for n := range a.often(30, 300) {
		for i, org := range []*rig.Organization{with, without} {
			began := time.Now()
			answer, err := t.api.Send(ctx, http.MethodPost, "/v1/public/candidate-sessions", org.Key,
				org.Invite(fmt.Sprintf("quota-%d", n)))
			if err != nil || !answer.OK() {
				return unexpected("invite", answer, err)
			}
			took[i] = append(took[i], time.Since(began))
			t.delivered(ctx) // otherwise the deliveries of this invite would slow the next one down
		}
	}
	longer := rig.Percentile(took[0], 50) - rig.Percentile(took[1], 50)
	a.tried("%d invites with %d endpoints, and as many with none, in turns", len(took[0]), endpoints)
	a.check(longer <= quotaInvite, ruleQuotaInvite, "%s longer: p50 %s and %s, p99 %s and %s", rig.Milliseconds(longer),
		rig.Milliseconds(rig.Percentile(took[0], 50)), rig.Milliseconds(rig.Percentile(took[1], 50)),
		rig.Milliseconds(rig.Percentile(took[0], 99)), rig.Milliseconds(rig.Percentile(took[1], 99)))
	return nil
}
