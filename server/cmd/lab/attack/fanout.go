package attack

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"assay/server/cmd/lab/rig"
)

const fanOutWorkers = 4

// fanOut lets a hostile organization with as many endpoints as it can create invite
// candidates, while the victim invites too.
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
	endpoints := storm(ctx, a.often(1000, 4000), fanOutWorkers,
		func(ctx context.Context, n, _ int) (rig.Answer, error) {
			return t.api.Send(ctx, http.MethodPost, "/v1/webhooks", hostile.Owner, newEndpoint(n))
		})
	if err := a.inviteAtQuota(ctx, t, hostile, v.org, endpoints.ok()); err != nil {
		return err
	}

	end := costs(t.Process)
	invites := newTally()
	d := duel{rounds: a.often(4, 12), interval: 15 * time.Millisecond, length: 2 * time.Second}
	alone, beside := v.besideAttack(ctx, d, func(ctx context.Context) { a.inviteSteadily(ctx, t, hostile, invites) })
	a.tried("%d invites of an organization with %d endpoints, %s apart", invites.sum(), endpoints.ok(), hostileInterval)
	a.got("%s; %s", invites, end())
	percent, broken := slowedDown(alone, beside)
	a.check(!broken, ruleFanOut, "%+.0f %%: victim alone %s, worst round %s; beside %s",
		percent, alone, rig.Milliseconds(alone.worst()), beside)
	return nil
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
	for n := range a.often(100, 1000) {
		for i, org := range []*rig.Organization{with, without} {
			began := time.Now()
			answer, err := t.api.Send(ctx, http.MethodPost, "/v1/public/candidate-sessions", org.Key,
				org.Invite(fmt.Sprintf("quota-%d", n)))
			if err != nil || !answer.OK() {
				return unexpected("invite", answer, err)
			}
			took[i] = append(took[i], time.Since(began))
			rig.Pause(ctx, 10*time.Millisecond) // the deliveries of the invite before are sent meanwhile
		}
	}
	longer := rig.Percentile(took[0], 50) - rig.Percentile(took[1], 50)
	a.tried("%d invites with %d endpoints, and as many with none, in turns", len(took[0]), endpoints)
	a.check(longer <= quotaInvite, ruleQuotaInvite, "%s longer: p50 %s and %s, p99 %s and %s", rig.Milliseconds(longer),
		rig.Milliseconds(rig.Percentile(took[0], 50)), rig.Milliseconds(rig.Percentile(took[1], 50)),
		rig.Milliseconds(rig.Percentile(took[0], 99)), rig.Milliseconds(rig.Percentile(took[1], 99)))
	return nil
}
