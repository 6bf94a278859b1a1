package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"assay/store/storetest"
)

// The secrets of the rotation that README.md, "Secrets", tells step by step.
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
	return append(f.common[:len(f.common):len(f.common)], "ASSAY_SECRET="+secret, "ASSAY_SECRET_PREVIOUS="+strings.Join(previous, ","))
}

// roll starts the replicas anew, one after the other, with these secrets.
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
			f.load.turnOver() // each pair of replicas that there is on the way works together
		}
	}
}

// onEach asks every replica by itself.
func (f *fleet) onEach(status int, method, path string, header ...string) {
	f.t.Helper()
	for i := range f.replicas {
		got, err := f.load.balancer.send(method, *f.load.balancer.replicas[i].base.Load()+path, "", header)
		if err != nil || got.status != status {
			f.t.Errorf("replica %d, %s %s: %d, want %d, %v", i, method, path, got.status, status, err)
		}
	}
}

// reencrypt runs the command beside the replicas.
func (f *fleet) reencrypt(want string, secret string, previous ...string) {
	f.t.Helper()
	p := start(f.t, f.variables(secret, previous...), "reencrypt")
	if status := p.wait(); status.ExitStatus() != 0 || p.stdout.String() != want {
		f.t.Errorf("reencrypt ended with %d: %q, want %q", status.ExitStatus(), &p.stdout, want)
	}
}

// TestRotation rotates the master secret as README.md says, under load. Nobody
// who uses the service notices the first two steps, and of the third only
// those whose credential the old secret signed.
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
			`{"url":%q,"secret":%q,"events":["candidate.invited","candidate.completed"]}`, hooks.add(name, secret), secret), bearer(owner)...)
		return "/v1/webhooks/" + field(created, "id")
	}
	hook("first")
	// An endpoint that keeps two secrets: the second is to sign in a week.
	l.expect(200, "POST", hook("turning")+"/rotate-secret", `{"activateAfterSeconds":604800}`, bearer(owner)...)
	before := l.events.Load()
	old := l.mint()
	l.kept.Store(old)
	_, early := l.login()
	_, late := l.login()
	l.begin()
	l.turnOver()

	// Step 1: everybody accepts the new secret before anybody signs with it.
	f.roll(retiring, incoming)
	hook("second")
	// Step 2: the new one signs.
	f.roll(incoming, retiring)
	hook("third")
	l.turnOver()
	l.expect(200, "POST", "/v1/auth/refresh", `{"refreshToken":"`+early+`"}`)
	f.reencrypt("4 of 5 stored secrets were encrypted anew.\n", incoming, retiring)
	f.reencrypt("0 of 5 stored secrets were encrypted anew.\n", incoming, retiring)

	// Step 3: when what the old one signed has run out, or is given up, it goes.
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
	l.send(422, owner, old.invited[0]) // no second invite either
	// Whoever still has a link of the old secret is sent another.
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
