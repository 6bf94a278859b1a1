package attack

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// flood sends passwords for accounts that do not exist, from 100 networks. No limit of an account applies, so only the
// hashes are scarce. Meanwhile 20 people sign in, from networks from which they have signed in before.
func flood(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, behindProxy, "ASSAY_RATE_LIMITS=login-ip=100000/1m,register-ip=1000/1h")
	if err != nil {
		return err
	}
	defer t.Stop()
	home := func(person int) http.Header { return fromNetwork(fmt.Sprint("198.51.100.", 1+person)) }
	signIn := func(ctx context.Context, person int) (rig.Answer, error) {
		credentials := rig.Credentials(rig.Email(fmt.Sprint("person-", person)))
		return t.api.Send(ctx, http.MethodPost, "/v1/auth/login", home(person), credentials)
	}
	for person := range floodPeople {
		body := newRegistration(fmt.Sprint("person-", person))
		body["password"] = rig.Credentials("")["password"]
		if answer, err := t.register(ctx, home(person), body); err != nil || !answer.OK() {
			return t.Explain(unexpected("register", answer, err))
		}
	}
	alone := storm(ctx, floodPeople, 1, func(ctx context.Context, n, _ int) (rig.Answer, error) { return signIn(ctx, n) })

	attacking, stop := context.WithTimeout(ctx, floodTime)
	defer stop()
	end := costs(t.Process)
	var strangers *tally
	var running sync.WaitGroup
	running.Go(func() {
		strangers = storm(attacking, 1<<30, floodNetworks, func(ctx context.Context, n, worker int) (rig.Answer, error) {
			return t.api.Send(ctx, http.MethodPost, "/v1/auth/login", fromNetwork(fmt.Sprint("203.0.113.", 1+worker)),
				rig.Object{"email": rig.Email(fmt.Sprint("nobody-", n)), "password": fmt.Sprint("guess number ", n)})
		})
	})
	rig.Pause(ctx, time.Second)
	beside := storm(ctx, floodPeople, 1, func(ctx context.Context, n, _ int) (rig.Answer, error) {
		rig.Pause(ctx, floodTime/2/floodPeople)
		return signIn(ctx, n)
	})
	running.Wait()

	a.tried("%d passwords for unknown accounts from %d networks in %s",
		strangers.sum(), floodNetworks, rig.Seconds(floodTime))
	a.got("%s; %s", strangers, end())
	a.check(alone.ok() == floodPeople && beside.ok() == floodPeople && beside.slowest < floodBound, ruleFlood,
		"alone %s; beside the flood %s", alone, beside)
	return nil
}
