package attack

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// An hour of the limits is shortened, so that the attack can last longer than it. A
// minute of them would be a third of a second, and the shortest window is one.
const (
	shortHour     = 20 * time.Second
	shortMinute   = time.Second
	shortenedRate = "ASSAY_RATE_LIMITS=login-account=5/1s,login-account-hourly=20/20s"
)

// guesses is one attack on an owner's password.
type guesses struct {
	t       *target
	email   string
	network string // that all guesses come from, without the last number
	length  time.Duration

	answers, known *tally
	unknownTries   int
	unknown        rig.Answer    // to the last try from an unknown network
	waited         time.Duration // until then
}

// guessing guesses the passwords of two owners from many networks. The owners sign in
// from known networks meanwhile, and from unknown networks afterwards. One attack ends when
// its hour's guesses are used up, the other one later than the hour.
func guessing(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, behindProxy, shortenedRate)
	if err != nil {
		return err
	}
	defer t.Stop()
	attacks := []*guesses{
		{t: t, email: rig.Email("owner-0"), network: "203.0.113.", length: shortHour * 4 / 5},
		{t: t, email: rig.Email("owner-1"), network: "198.18.0.", length: shortHour * time.Duration(a.often(3, 9)) / 2},
	}
	failures := make([]error, len(attacks))
	end := costs(t.Process)
	var running sync.WaitGroup
	for n, g := range attacks {
		running.Go(func() { failures[n] = g.run(ctx) })
	}
	running.Wait()
	if err := errors.Join(failures...); err != nil {
		return t.Explain(err)
	}
	a.tried("two attacks at once; an hour is %s, a minute %s", shortHour, shortMinute)
	a.got("%s", end())
	for _, g := range attacks {
		g.judge(a)
	}
	return nil
}

func (g *guesses) run(ctx context.Context) error {
	body := newRegistration("owner")
	body["email"], body["password"] = g.email, rig.Credentials("")["password"]
	if answer, err := g.t.register(ctx, fromNetwork(knownNetwork), body); err != nil || !answer.OK() {
		return unexpected("register", answer, err)
	}
	if answer, err := g.signIn(ctx, knownNetwork); err != nil || !answer.OK() {
		return unexpected("sign-in", answer, err)
	}
	rig.Pause(ctx, shortMinute)
	attacking, stop := context.WithTimeout(ctx, g.length)
	defer stop()
	var owner sync.WaitGroup
	owner.Go(func() { g.ownerSignsIn(attacking) })
	g.answers = storm(attacking, 1<<30, guessingNetworks, g.guess)
	ended := time.Now()
	owner.Wait()
	return g.ownerElsewhere(ctx, ended)
}

// judge checks the rules. Three minutes of an hour are a twentieth.
func (g *guesses) judge(a *attack) {
	hashed, permitted := g.answers.not(http.StatusTooManyRequests), guessesIn(g.answers.took)
	a.tried("%d guesses from %d networks in %s", g.answers.sum(), guessingNetworks, rig.Seconds(g.answers.took))
	a.got("%s", g.answers)
	a.check(hashed > 0 && hashed <= permitted, ruleHashes, "%d were compared, at most %d", hashed, permitted)
	a.check(g.known.ok() > 0 && g.known.not(http.StatusOK) == 0, ruleKnownNetwork, "the owner's sign-ins: %s", g.known)
	const most = shortHour / 20
	a.check(g.unknown.OK() && g.waited <= most+most/2, ruleUnknown, "%d after %s, %d tries; three minutes are %s",
		g.unknown.Status, rig.Seconds(g.waited), g.unknownTries, rig.Seconds(most))
}

// guessesIn is the number that the limits permit: in each hour that has begun, all of it.
func guessesIn(took time.Duration) int {
	return guessesPerHour * int(math.Ceil(took.Seconds()/shortHour.Seconds()))
}

func (g *guesses) signIn(ctx context.Context, network string) (rig.Answer, error) {
	return g.t.api.Send(ctx, http.MethodPost, "/v1/auth/login", fromNetwork(network), rig.Credentials(g.email))
}

// guess is one guess from one of the networks.
func (g *guesses) guess(ctx context.Context, n, worker int) (rig.Answer, error) {
	rig.Pause(ctx, 2*time.Second+time.Duration(worker)*10*time.Millisecond) // below the limit of a network
	return g.t.api.Send(ctx, http.MethodPost, "/v1/auth/login", fromNetwork(g.network+strconv.Itoa(1+worker)),
		rig.Object{"email": g.email, "password": fmt.Sprintf("guess number %d", n)})
}

func (g *guesses) ownerSignsIn(ctx context.Context) {
	g.known = newTally()
	for rig.Pause(ctx, 3*time.Second) {
		began := time.Now()
		answer, err := g.signIn(ctx, knownNetwork)
		if ctx.Err() == nil {
			g.known.add(answer, time.Since(began), err)
		}
	}
}

// ownerElsewhere waits until the owner can sign in from an unused network.
func (g *guesses) ownerElsewhere(ctx context.Context, ended time.Time) (err error) {
	for {
		g.unknownTries++
		if g.unknown, err = g.signIn(ctx, unknownNetwork); err != nil {
			return err
		}
		g.waited = time.Since(ended)
		if g.unknown.OK() || g.waited > 2*shortHour {
			return nil
		}
		if !rig.Pause(ctx, 500*time.Millisecond) { // more often than that is above the limit of a network
			return ctx.Err()
		}
	}
}
