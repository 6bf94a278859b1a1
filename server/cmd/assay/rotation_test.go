package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"assay/store/storetest"
)

// The master secrets of the rotation in .deploy/README.md.
const (
	retiring = "the master secret that is being retired"
	incoming = "the master secret that takes its place"
)

// fleet is two replicas on one PostgreSQL and the load on them.
type fleet struct {
	t        *testing.T
	common   []string // variables of every replica
	replicas [2]*process
	load     *load
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	b := &balancer{}
	transport := &http.Transport{MaxIdleConnsPerHost: 2 * workers}
	t.Cleanup(transport.CloseIdleConnections)
	b.client.Transport = transport
	return &fleet{t: t, load: &load{t: t, balancer: b}, common: []string{
		"ASSAY_DATABASE_URL=" + storetest.URL(t, "postgres"), "ASSAY_WEBHOOK_ALLOW_INSECURE=true",
		"ASSAY_ADDR=127.0.0.1:0", "ASSAY_ADMIN_ADDR=off", "ASSAY_LOG_LEVEL=warn",
		"ASSAY_RATE_LIMITS=off", // all of the load comes from one address
	}}
}

func (f *fleet) variables(secret string, previous ...string) []string {
	return append(f.common[:len(f.common):len(f.common)], "ASSAY_SECRET="+secret,
		"ASSAY_SECRET_PREVIOUS="+strings.Join(previous, ","))
}

// roll restarts the replicas in turn with these secrets.
func (f *fleet) roll(secret string, previous ...string) {
	f.t.Helper()
	for i, running := range f.replicas {
		if running != nil {
			running.signal()
			if status := running.wait(); !status.Exited() || status.ExitStatus() != 0 {
				f.t.Errorf("a replica ended with %d", status)
			}
		}
		f.replicas[i] = start(f.t, f.variables(secret, previous...), "serve")
		base := f.replicas[i].printed(`listens on (\S+)`)
		poll(f.t, "readiness", func() bool { return get(f.t, base+"/readyz").status == 200 })
		f.load.balancer.back(i, base)
		if running != nil {
			f.load.turnOver() // old and new replicas work together
		}
	}
}

// onEach sends a request to each replica.
func (f *fleet) onEach(status int, method, path string, header ...string) {
	f.t.Helper()
	for i := range f.replicas {
		got, err := f.load.balancer.send(method, *f.load.balancer.replicas[i].base.Load()+path, "", header)
		if err != nil || got.status != status {
			f.t.Errorf("replica %d, %s %s: %d, want %d, %v", i, method, path, got.status, status, err)
		}
	}
}

// reencrypt runs the command while the replicas run.
func (f *fleet) reencrypt(want string, secret string, previous ...string) {
	f.t.Helper()
	p := start(f.t, f.variables(secret, previous...), "reencrypt")
	if status := p.wait(); status.ExitStatus() != 0 || p.stdout.String() != want {
		f.t.Errorf("reencrypt ended with %d: %q, want %q", status.ExitStatus(), &p.stdout, want)
	}
}

// TestRotation rotates the master secret under load, as .deploy/README.md
// describes. The first two steps cause no failed request. The last step rejects
// only credentials that the old secret signed.
func TestRotation(t *testing.T) {
	t.Parallel()
	f, hooks := newFleet(t), newReceiver(t)
	f.roll(retiring)
	l := f.load
	l.prepare()
	owner, _ := l.login()
	hook := func(name string) (path string) {
		secret := "signing-secret-of-" + name
		created := l.expect(201, "POST", "/v1/webhooks", fmt.Sprintf(
			`{"url":%q,"secret":%q,"events":["candidate.invited","candidate.completed"]}`, hooks.add(name, secret), secret),
			bearer(owner)...)
		return "/v1/webhooks/" + field(created, "id")
	}
	hook("first")
	// An endpoint with two secrets. The second one becomes active in a week.
	l.expect(200, "POST", hook("turning")+"/rotate-secret", `{"activateAfterSeconds":604800}`, bearer(owner)...)
	before := l.events.Load()
	old := l.mint()
	l.kept.Store(old)
	_, early := l.login()
	_, late := l.login()
	l.begin()
	l.turnOver()

	// Step 1: all replicas accept the new secret before one signs with it.
	f.roll(retiring, incoming)
	hook("second")
	// Step 2: the new secret signs.
	f.roll(incoming, retiring)
	hook("third")
	l.turnOver()
	l.expect(200, "POST", "/v1/auth/refresh", `{"refreshToken":"`+early+`"}`)
	f.reencrypt("4 of 5 stored secrets were encrypted again.\n", incoming, retiring)
	f.reencrypt("0 of 5 stored secrets were encrypted again.\n", incoming, retiring)

	// Last step: remove the old secret when its credentials have expired.
	fresh := l.mint()
	l.kept.Store(fresh)
	l.turnOver()
	owner = fresh.access
	reached := hooks.events("first")
	f.roll(incoming)
	f.onEach(401, "GET", "/v1/me", bearer(old.access)...)
	f.onEach(401, "GET", "/v1/candidate/session", bearer(old.invite)...)
	f.onEach(404, "GET", "/v1/public/results/"+old.result, "X-API-Key", l.apiKey)
	f.onEach(200, "GET", "/v1/me", bearer(fresh.access)...)
	f.onEach(200, "GET", "/v1/candidate/session", bearer(fresh.invite)...)
	l.expect(401, "POST", "/v1/auth/refresh", `{"refreshToken":"`+late+`"}`)
	l.send(422, owner, old.invited[0]) // and no second invite
	// A candidate with a link of the old secret gets another one.
	renewed := l.expect(200, "POST", "/v1/candidate-sessions/"+old.invited[0].sessionID+"/resend", "", bearer(owner)...)
	l.events.Add(1)
	_, link, _ := strings.Cut(field(renewed, "inviteUrl"), "#")
	f.onEach(200, "GET", "/v1/candidate/session", bearer(link)...)
	l.turnOver()
	l.end()

	emitted := l.events.Load() - before
	for _, name := range []string{"first", "turning"} {
		poll(t, "every event at the endpoint "+name, func() bool { return hooks.events(name) >= emitted })
	}
	for _, name := range []string{"first", "turning", "second", "third"} {
		if got := hooks.events(name); got == 0 || got > emitted {
			t.Errorf("%s: %d of %d events", name, got, emitted)
		}
	}
	if hooks.events("first") == reached {
		t.Error("no event was delivered after the last step")
	}
	t.Logf("%d requests, %d failed, %d connections refused and tried elsewhere; %d events",
		l.balancer.sent.Load(), l.failed.Load(), l.balancer.refused.Load(), emitted)
}
