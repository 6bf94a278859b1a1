package contract

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// signInFrom signs in with a User-Agent header, and returns the access token and the
// refresh token.
func (a *api) signInFrom(email, userAgent string) (access, refresh string) {
	a.t.Helper()
	r, err := http.NewRequestWithContext(a.t.Context(), "POST", a.url+"/v1/auth/login", nil)
	if err != nil {
		a.t.Fatal(err)
	}
	setBody(r, fmt.Sprintf(`{"email":%q,"password":%q}`, email, testPassword))
	r.Header.Set("User-Agent", userAgent)
	in := a.send(r).want(200)
	return in.text("data.accessToken"), in.text("data.refreshToken")
}

// People see where they are signed in: the network address and the browser of each
// sign-in, and which of them they use. They can end all others.
func TestSignIns(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		colleague := o.member("ADMIN")
		a.clock.Advance(time.Second)
		began := a.clock.Now()
		phone, refreshed := a.signInFrom(o.email, "Phone/1.0 "+strings.Repeat("é", 300))
		a.clock.Advance(time.Second)
		laptop, _ := a.signInFrom(o.email, "Laptop")
		a.clock.Advance(time.Second)
		a.refresh(refreshed).want(200)

		list := a.do("GET", "/v1/me/sign-ins", bearer(laptop), nil).want(200)
		if n := len(list.list("data")); n != 3 {
			t.Fatalf("%d sign-ins, want those at registration, on the phone, and on the laptop\n%s", n, list.body)
		}
		list.wantFields(object{
			"data.0.current": true, "data.0.ip": "127.0.0.1", "data.0.userAgent": "Laptop",
			"data.1.current": false, "data.1.userAgent": "Go-http-client/1.1", // of the refresh
			"data.1.createdAt": wire(began), "data.1.lastUsedAt": wire(a.clock.Now()),
			"data.1.expiresAt": wire(began.Add(30 * 24 * time.Hour)),
			"data.2.current":   false,
		})
		another, _ := a.signInFrom(o.email, "Phone/1.0 "+strings.Repeat("é", 300))
		agent := a.do("GET", "/v1/me/sign-ins?limit=1", bearer(another), nil).want(200).text("data.0.userAgent")
		if agent != "Phone/1.0 "+strings.Repeat("Ã©", 122)+"Ã" && agent != "Phone/1.0 "+strings.Repeat("é", 245) {
			t.Errorf("the stored User-Agent has %d characters: %q", len([]rune(agent)), agent)
		}

		a.do("DELETE", "/v1/me/sign-ins", bearer(laptop), nil).want(204)
		a.do("GET", "/v1/me", bearer(phone), nil).want(401, "unauthenticated")
		a.do("GET", "/v1/me", o.owner, nil).want(401, "unauthenticated")
		a.refresh(o.refresh).want(401, "unauthenticated")
		a.do("GET", "/v1/me", bearer(laptop), nil).want(200)
		a.do("GET", "/v1/me", colleague.who, nil).want(200)
		ids, _ := a.pages("/v1/me/sign-ins", bearer(laptop), "id")
		if len(ids) != 1 {
			t.Errorf("%d sign-ins remain, want 1", len(ids))
		}
		o.owner = bearer(laptop)
		before := o.audited()
		a.do("DELETE", "/v1/me/sign-ins", bearer(laptop), nil).want(204) // nothing is left to end
		if got := o.audited(); got != before {
			t.Errorf("a request that changed nothing wrote %d audit entries", got-before)
		}

		a.clock.Advance(30 * 24 * time.Hour)
		o.signIn()
		if ids, _ := a.pages("/v1/me/sign-ins", o.owner, "id"); len(ids) != 1 {
			t.Errorf("the list contains %d sign-ins, want only the one that has not expired", len(ids))
		}
	})
}

// A person ends one of their sign-ins: on a lost device, or the one of the request.
func TestEndSignIn(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		colleague := o.member("ADMIN")
		phone, refreshed := a.signInFrom(o.email, "Phone")
		idOf := func(who credential) string {
			t.Helper()
			for _, item := range a.do("GET", "/v1/me/sign-ins", who, nil).want(200).list("data") {
				if signIn := item.(object); signIn["current"] == true {
					return signIn["id"].(string)
				}
			}
			t.Fatal("no sign-in is the current one")
			return ""
		}
		end := func(who credential, id string) response {
			t.Helper()
			return a.do("DELETE", "/v1/me/sign-ins/"+id, who, nil)
		}
		lost := idOf(bearer(phone))
		end(colleague.who, lost).want(404, "not_found")
		end(stranger.owner, lost).want(404, "not_found")
		a.me(phone).want(200)

		end(o.owner, lost).want(204)
		a.me(phone).want(401, "unauthenticated")
		a.refresh(refreshed).want(401, "unauthenticated")
		a.me(o.access).want(200)
		if got := o.auditedAs("SIGN_INS_ENDED"); got != 1 {
			t.Errorf("%d audit entries, want 1", got)
		}
		end(o.owner, lost).want(404, "not_found") // it has ended
		if got := o.auditedAs("SIGN_INS_ENDED"); got != 1 {
			t.Errorf("a refused request wrote an audit entry: %d", got)
		}

		expired := idOf(colleague.who)
		a.clock.Advance(30 * 24 * time.Hour)
		in := a.login(colleague.email)
		end(bearer(in.access), expired).want(404, "not_found")
		own := idOf(bearer(in.access))
		end(bearer(in.access), own).want(204)
		a.wantRejected(in)
	})
}
