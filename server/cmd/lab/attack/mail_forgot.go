package attack

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
)

const (
	forgotAccounts = 20
	forgotWarmUp   = 40 // the first requests prepare statements
)

func (t *target) forgot(ctx context.Context, header http.Header, address string) (rig.Answer, error) {
	return t.api.Send(ctx, http.MethodPost, "/v1/auth/forgot-password", header, rig.Object{"email": address})
}

// shownAnswer is an answer without the parts that differ between two equal requests.
func shownAnswer(answer rig.Answer) string {
	header := answer.Header.Clone()
	header.Del("Date")
	header.Del("X-Request-Id")
	var shown strings.Builder
	_ = header.Write(&shown) // to memory
	return fmt.Sprintf("%d %s %s", answer.Status, shown.String(), answer.Body)
}

// forgotTimes asks for links for addresses with and without an account in turns, and
// compares the answers and their times.
func (a *attack) forgotTimes(ctx context.Context) error {
	t, box, err := a.mailTarget(ctx, unlimited)
	if err != nil {
		return err
	}
	defer box.Close()
	defer t.Stop()
	for n := range forgotAccounts {
		if answer, err := t.register(ctx, nil, newRegistration(fmt.Sprint("known-", n))); err != nil || !answer.OK() {
			return unexpected("register", answer, err)
		}
	}

	var took [2][]time.Duration // without and with an account
	answers := map[string]int{}
	for n := range forgotWarmUp + a.often(1000, 10_000) {
		// Of two requests the first one is with an account in one turn, and without in the next,
		// because a request can be slower after one that has caused an email.
		for _, known := range []int{n % 2, 1 - n%2} {
			address := rig.Email(fmt.Sprint("unknown-", n%forgotAccounts))
			if known == 1 {
				address = rig.Email(fmt.Sprint("known-", n%forgotAccounts))
			}
			began := time.Now()
			answer, err := t.forgot(ctx, nil, address)
			elapsed := time.Since(began)
			if err != nil {
				return err
			}
			if n >= forgotWarmUp {
				took[known] = append(took[known], elapsed)
				answers[shownAnswer(answer)]++
			}
		}
	}
	without, with := rig.Percentile(took[0], 50), rig.Percentile(took[1], 50)
	percent := 100 * (with.Seconds()/without.Seconds() - 1)
	a.tried("%d links for addresses with an account, and as many for addresses without one, in turns",
		len(took[1]))
	a.check(len(answers) == 1 && max(percent, -percent) <= forgotPercent, ruleForgotBlind,
		"%d different answers; p50 %s with an account, %s without, %+.1f %%; p90 %s and %s", len(answers),
		rig.Microseconds(with), rig.Microseconds(without), percent,
		rig.Microseconds(rig.Percentile(took[1], 90)), rig.Microseconds(rig.Percentile(took[0], 90)))
	return nil
}

// forgotLimits asks for many links from one network, and for one person from many.
func (a *attack) forgotLimits(ctx context.Context) error {
	t, box, err := a.mailTarget(ctx, behindProxy)
	if err != nil {
		return err
	}
	defer box.Close()
	defer t.Stop()
	if answer, err := t.register(ctx, fromNetwork(knownNetwork), newRegistration("person")); err != nil || !answer.OK() {
		return unexpected("register", answer, err)
	}
	one := storm(ctx, 60, 8, func(ctx context.Context, n, _ int) (rig.Answer, error) {
		return t.forgot(ctx, fromNetwork("198.18.0.1"), rig.Email(fmt.Sprint("anybody-", n)))
	})
	a.tried("%d links for different addresses from one network", one.sum())
	a.got("%s", one)
	a.check(one.ok() > 0 && one.ok() <= forgotPerNetwork, ruleForgotNetwork, "%d of %d", one.ok(), one.sum())

	many := func(address string) *tally {
		return storm(ctx, 60, 8, func(ctx context.Context, n, _ int) (rig.Answer, error) {
			return t.forgot(ctx, fromNetwork(fmt.Sprint("203.0.113.", n)), address)
		})
	}
	person, nobody := many(rig.Email("person")), many(rig.Email("nobody"))
	rig.Pause(ctx, 3*time.Second) // for the emails: the default rate permits thirty
	a.tried("%d links for one person from as many networks, and as many for nobody", person.sum())
	a.got("%s; for nobody %s", person, nobody)
	a.check(person.ok() > 0 && person.ok() == nobody.ok() && box.count(rig.Email("person")) <= forgotPerPerson,
		ruleForgotPerson, "%d emails arrived, %d and %d requests were accepted", box.count(rig.Email("person")),
		person.ok(), nobody.ok())
	return nil
}
