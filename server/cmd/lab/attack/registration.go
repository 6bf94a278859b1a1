package attack

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"assay/server/cmd/lab/rig"
)

// registration tries to register where the people who run the service do not want it.
func registration(ctx context.Context, a *attack) error {
	for _, try := range []func(context.Context, *attack) error{
		firstRegistration, firstRace, closedRegistration, openRegistration, createByCommand, publicDemo,
	} {
		if err := try(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

func newRegistration(name string) rig.Object {
	return rig.Object{
		"organizationName": "Hostile Engines", "name": "Eve Adams", "email": rig.Email(name), "password": passPhrase,
	}
}

const passPhrase = "seven quiet harbours at dawn"

// fromNetwork is the header that a trusted proxy sends for a client.
func fromNetwork(addresses string) http.Header { return http.Header{"X-Forwarded-For": {addresses}} }

const behindProxy = "ASSAY_TRUSTED_PROXIES=127.0.0.1"

// The token is printed alone or as a part of a link.
var setupToken = regexp.MustCompile(`setup_[A-Za-z0-9_-]+`)

// modeFirst is the default of ASSAY_REGISTRATION. Each variable overrides the part's own.
const modeFirst = "ASSAY_REGISTRATION=first"

func (t *target) register(ctx context.Context, header http.Header, body rig.Object) (rig.Answer, error) {
	return t.api.Send(ctx, http.MethodPost, "/v1/auth/register", header, body)
}

// firstRegistration tries without the token, with guesses, and with forged addresses.
func firstRegistration(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, modeFirst, behindProxy, "ASSAY_LOG_LEVEL=info")
	if err != nil {
		return err
	}
	defer t.Stop()
	forged := []string{
		"203.0.113.9", "127.0.0.1, 203.0.113.9", "::1, 203.0.113.9", "localhost, 203.0.113.9", "203.0.113.9, 127.0.0.1",
		"[::1]:80, 203.0.113.9", "::ffff:127.0.0.1, 203.0.113.10",
	}
	answers := storm(ctx, len(forged)*2, 1, func(ctx context.Context, n, _ int) (rig.Answer, error) {
		body := newRegistration(fmt.Sprint("first-", n))
		if n%2 == 1 {
			body["setupToken"] = fmt.Sprintf("setup_%032d", n)
		}
		return t.register(ctx, fromNetwork(forged[n/2]), body)
	})
	a.tried("the first registration, through a proxy, without a token, with guesses, and with forged addresses")
	a.got("%s", answers)
	token := setupToken.FindString(t.Output())
	with := newRegistration("first")
	with["setupToken"] = "setup_" + strings.TrimPrefix(token, "setup_")
	right, err := t.register(ctx, fromNetwork("198.51.100.1"), with)
	if err != nil {
		return err
	}
	again := newRegistration("second")
	again["setupToken"] = with["setupToken"]
	second, err := t.register(ctx, fromNetwork("198.51.100.1"), again)
	if err != nil {
		return err
	}
	a.check(answers.ok() == 0 && right.Status == http.StatusCreated, ruleFirstToken,
		"%d of %d without the token, %d with it (a token was printed: %v)",
		answers.ok(), answers.sum(), right.Status, token != "")
	a.check(second.Code() == "registration_closed", ruleFirstOnce, "another one with the same token: %d %s",
		second.Status, second.Code())
	return nil
}

// firstRace registers many times at once from loopback.
func firstRace(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, modeFirst)
	if err != nil {
		return err
	}
	defer t.Stop()
	answers := storm(ctx, 20, 20, func(ctx context.Context, n, _ int) (rig.Answer, error) {
		return t.api.From(fmt.Sprintf("127.0.0.%d", 10+n), 0).Send(ctx, http.MethodPost, "/v1/auth/register", nil,
			newRegistration(fmt.Sprint("race-", n)))
	})
	a.tried("20 first registrations at once from loopback")
	a.got("%s", answers)
	a.check(answers.ok() == 1, ruleFirstOnce, "%d of %d got an organization", answers.ok(), answers.sum())

	proxied, err := a.serve(ctx, modeFirst) // the operator forgot to trust the proxy
	if err != nil {
		return err
	}
	defer proxied.Stop()
	forwarded, err := proxied.register(ctx, fromNetwork("203.0.113.9"), newRegistration("forwarded"))
	if err != nil {
		return err
	}
	a.tried("the first registration through a proxy on this machine that is not configured as trusted")
	a.check(!forwarded.OK(), ruleFirstToken, "%d %s", forwarded.Status, forwarded.Code())
	return nil
}

func closedRegistration(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, "ASSAY_REGISTRATION=closed", behindProxy)
	if err != nil {
		return err
	}
	defer t.Stop()
	answers := storm(ctx, 8, 1, func(ctx context.Context, n, _ int) (rig.Answer, error) {
		var header http.Header
		if n%2 == 1 {
			header = fromNetwork(fmt.Sprintf("203.0.113.%d", n))
		}
		return t.register(ctx, header, newRegistration(fmt.Sprint("closed-", n)))
	})
	a.tried("registrations at a closed service, from loopback and from elsewhere")
	a.got("%s", answers)
	a.check(answers.outcomes["403 registration_closed"] == answers.sum(), ruleClosed, "%d of %d succeeded",
		answers.ok(), answers.sum())
	return nil
}

func openRegistration(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, behindProxy)
	if err != nil {
		return err
	}
	defer t.Stop()
	answers := storm(ctx, 25, 4, func(ctx context.Context, n, _ int) (rig.Answer, error) {
		return t.register(ctx, fromNetwork("203.0.113.9"), newRegistration(fmt.Sprint("open-", n)))
	})
	a.tried("registrations at an open service from one network")
	a.got("%s", answers)
	a.check(answers.ok() > 0 && answers.ok() <= registrations, ruleOpen, "%d of %d succeeded", answers.ok(), answers.sum())
	return nil
}

// createByCommand makes the organization of a closed service from a shell.
func createByCommand(ctx context.Context, a *attack) error {
	db, err := a.database(ctx)
	if err != nil {
		return err
	}
	service := db.Service(a.binary)
	cmd := service.Command(ctx, "127.0.0.1:0", "off", "create-organization", "--name=Shell Engines",
		"--owner-name=Ada Lovelace", "--owner-email="+rig.Email("shell"))
	cmd.Stdin = strings.NewReader(passPhrase + "\n")
	output, failed := cmd.CombinedOutput()
	a.tried("assay create-organization")
	a.check(failed == nil, ruleCreateByCLI, "%v %.150q", failed, output)
	return nil
}

// publicDemo starts a demo on all addresses.
func publicDemo(ctx context.Context, a *attack) error {
	port, err := rig.FreeAddr(ctx)
	if err != nil {
		return err
	}
	addr := strings.Replace(port, "127.0.0.1", "0.0.0.0", 1)
	demo := func(args ...string) (started bool, output string) {
		ctx, cancel := context.WithTimeout(ctx, startsWithin)
		defer cancel()
		cmd := rig.Service{Binary: a.binary, Dir: a.Dir}.Command(ctx, addr, "off", append([]string{"demo"}, args...)...)
		p, err := rig.Start(ctx, cmd, port)
		if err != nil {
			return false, err.Error()
		}
		p.Stop()
		return true, ""
	}
	open, refusal := demo()
	public, failure := demo("--public")
	a.tried("assay demo on 0.0.0.0")
	a.check(!open && strings.Contains(refusal, "--public") && public, ruleDemo,
		"without --public it started: %v; with it: %v %.200q", open, public, failure)
	return nil
}
