package contract

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// acrossMemberships are the operations with which a person reaches their other organizations on purpose, and those on
// their sign-ins and second factors, which are of all organizations.
var acrossMemberships = []string{
	"listMemberships", "switchOrganization", "listSignIns", "endSignIns", "endSignIn", "confirmSecondFactor",
	"deleteSecondFactor",
}

// inBoth creates two organizations with all resources, whose OWNER is the same person in both.
func (a *api) inBoth() (one, two estate) {
	a.t.Helper()
	one, two = a.estate(), a.estate()
	_, in := two.joins(one.email, "OWNER")
	two.tenant = &tenant{
		api: a, organizationID: two.organizationID, email: one.email, access: in.access, refresh: in.refresh,
		owner: bearer(in.access),
	}
	return one, two
}

// Every operation with a token of one organization finds nothing of the other one, although the person is an OWNER of
// both: neither with an id in the path, nor with one in the body. Nothing changes there.
func TestTenancyOfOnePerson(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		one, two := a.inBoth()
		cells := 0
		for _, pair := range [][2]estate{{one, two}, {two, one}} {
			mine, theirs := pair[0], pair[1]
			before := theirs.readAll()
			for _, o := range everyOperation(t) {
				if slices.Contains(acrossMemberships, o.id) {
					continue
				}
				if o.hasPathParameter() {
					mine.findsNone(t, o, theirs, 404)
					cells += len(theirs.of(o.collection()))
				}
				if o.scheme != "" { // a sign-in can name each organization of the person
					cells += len(mine.namesNone(t, o, theirs))
				}
			}
			if after := theirs.readAll(); after != before {
				t.Errorf("the other organization changed from\n%s\nto\n%s", before, after)
			}
		}
		t.Logf("%d ids of the other organization", cells)
	}, sendsEmail)
}

// A list has only what belongs to the organization of the token, and an ETag of one organization does not match the
// response of the other one.
func TestListsOfOnePerson(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		one, two := a.inBoth()
		cells := 0
		for _, o := range everyOperation(t) {
			isFollowed := strings.HasSuffix(o.path, "/changes")
			if o.method != "GET" || o.scheme != "bearerAuth" || o.hasPathParameter() || isExport(o.path) || isFollowed ||
				slices.Contains(acrossMemberships, o.id) {
				continue
			}
			for _, pair := range [][2]estate{{one, two}, {two, one}} {
				mine, theirs := pair[0], pair[1]
				answer := a.do("GET", o.path, mine.owner, nil)
				for collection, ids := range theirs.ids {
					for _, id := range ids {
						if cells++; len(id) > 20 && strings.Contains(string(answer.body), id) {
							t.Errorf("%s has %s of %s of the other organization", o.id, id, collection)
						}
					}
				}
				r := theirs.wellFormed(o, theirs.owner)
				r.Header.Set("If-None-Match", answer.header.Get("ETag"))
				again := a.send(r)
				cells++
				same := bytes.Equal(answer.body, a.do("GET", o.path, theirs.owner, nil).body)
				if again.status == http.StatusNotModified && !same {
					t.Errorf("%s: the ETag of one organization matches in the other one", o.id)
				}
			}
		}
		t.Logf("%d cells", cells)
	}, sendsEmail)
}

// The cookie of a browser switches. Another tab then gets a token of the new organization; its old token is refused. A
// former cookie, a foreign site, and a browser without a cookie cannot switch.
func TestAppSessionSwitch(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		one, two := a.register(), a.register()
		two.joins(one.email, "MEMBER")
		toTwo := object{"type": "switch", "organizationId": two.organizationID}
		toOne := object{"type": "switch", "organizationId": one.organizationID}
		a.browser().session("POST", toTwo).want(401, "unauthenticated")

		b := a.browser()
		first := b.wantSignedIn(b.session("POST", object{"type": "login", "email": one.email, "password": testPassword,
			"organizationId": one.organizationID}), one.email)
		kept := b.cookies
		b.session("POST", object{"type": "switch", "organizationId": "org_unknown"}).want(404, "not_found")
		b.session("POST", object{"type": "switch"}).want(400, "invalid_request")
		b.session("POST", object{"type": "switch", "organizationId": two.organizationID, "refreshToken": kept[0].Value}).
			want(400).wantFields(object{"errors.0.pointer": "/refreshToken", "errors.0.code": "unknown_field"})
		a.wantIn(first, one.organizationID) // a refused switch keeps the cookie
		if b.cookies[0].Value != kept[0].Value {
			t.Error("a refused switch has replaced the cookie")
		}
		foreign := b.request("POST", toTwo)
		foreign.Header.Set("Sec-Fetch-Site", "cross-site")
		b.exchange(foreign).want(403, "cross_origin_request")

		second := b.wantSignedIn(b.session("POST", toTwo), one.email)
		a.wantIn(second, two.organizationID)
		a.me(first).want(401, "unauthenticated")
		a.wantIn(b.wantSignedIn(b.session("PUT", nil), one.email), two.organizationID) // the other tab

		former := a.browser()
		former.cookies = kept
		former.session("POST", toOne).want(401, "unauthenticated")
		former.cookies = kept
		former.wantSignedOut(former.session("PUT", nil))
		a.wantIn(b.wantSignedIn(b.session("PUT", nil), one.email), two.organizationID)

		// A replaced cookie of the same sign-in, as a thief has it, ends the sign-in.
		stolen := a.browser()
		stolen.cookies, stolen.peer = b.cookies, "198.51.100.7:1"
		a.clock.Advance(time.Minute)
		b.session("PUT", nil).want(200)
		a.clock.Advance(time.Minute)
		stolen.session("POST", toOne).want(401, "unauthenticated")
		b.wantSignedOut(b.session("PUT", nil))
	})
}

// A stolen access token does not become a new sign-in, because the switch also needs the refresh token of the sign-in.
// A token of another sign-in changes nothing.
func TestSwitchNeedsTheRefreshToken(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		one, two, stranger := a.register(), a.register(), a.register()
		_, in := two.joins(one.email, "MEMBER")
		other := a.loginTo(one.email, two.organizationID).want(200).tokens() // of the same person
		a.do("POST", "/v1/me/organization", bearer(in.access), object{"organizationId": one.organizationID}).
			want(400).wantFields(object{"errors.0.pointer": "/refreshToken", "errors.0.code": "required"})
		for name, token := range map[string]string{
			"no token": "x", "the access token": in.access, "a forged token": tampered(in.refresh),
			"another sign-in": other.refresh, "the other membership": one.refresh, "a stranger": stranger.refresh,
		} {
			for _, to := range []string{one.organizationID, two.organizationID, stranger.organizationID, "org_x"} {
				got := b.switchTo(signedIn{in.access, token}, to)
				if got.status != 400 || got.text("errors.0.pointer") != "/refreshToken" {
					t.Errorf("%s, to %s: %d %s", name, to, got.status, got.body)
				}
			}
		}
		a.wantValid(other)
		a.wantValid(signedIn{one.access, one.refresh})
		a.wantValid(signedIn{stranger.access, stranger.refresh})
		in = a.wantValid(in)
		a.wantIn(b.switchTo(in, one.organizationID).want(200).tokens().access, one.organizationID)
	})
}

// A replaced refresh token ends the sign-in, because somebody else may have it. For half a minute, it is accepted, as
// in a refresh.
func TestSwitchWithReplacedToken(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		two.joins(one.email, "MEMBER")
		for _, test := range []struct {
			after  time.Duration
			status int
		}{{29 * time.Second, 200}, {31 * time.Second, 401}} {
			in := a.loginTo(one.email, one.organizationID).want(200).tokens()
			now := a.refresh(in.refresh).want(200).tokens()
			a.clock.Advance(test.after)
			switched := b.switchTo(signedIn{now.access, in.refresh}, two.organizationID)
			if switched.status != test.status {
				t.Errorf("after %s: %d %s, want %d", test.after, switched.status, switched.body, test.status)
			}
			a.clock.Advance(2 * time.Second) // past the lifetime of a verified credential
			a.wantRejected(now)
		}
		one.signIn()
		if got := one.auditedActions("REFRESH_TOKEN_REUSED"); len(got) != 1 {
			t.Errorf("the audit log has %d reused tokens, want 1", len(got))
		}
	})
}

// A switch does not make a sign-in valid for longer.
func TestSwitchKeepsTheEndOfTheSignIn(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		one, two := a.register(), a.register()
		_, in := two.joins(one.email, "MEMBER")
		expiresAt := func(access string) string {
			return a.do("GET", "/v1/me/sign-ins", bearer(access), nil).want(200).text("data.0.expiresAt")
		}
		want := expiresAt(in.access)
		a.clock.Advance(10 * time.Minute)
		now := a.switchTo(in, one.organizationID).want(200).tokens()
		if got := expiresAt(now.access); got != want {
			t.Errorf("the sign-in ends at %s, want %s", got, want)
		}
	})
}
