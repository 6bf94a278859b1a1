package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// Accepting an invitation sets the password, activates the member and signs them
// in. A token works once. A rejected password leaves the token valid.
func TestAcceptInvitation(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		invited := o.add("ADMIN")
		token, email := invited.invitation(), invited.text("data.email")
		for password, code := range map[string]string{
			"elevenchars": "too_short", "012345678901": "too_common", strings.Repeat("pass phrase", 12): "too_long",
			strings.ToUpper(email): "too_common", "KATHERINE johnson": "too_common", "zzzzzzzzzzzzzzzz": "too_common",
		} {
			refused := a.accept(token, password).want(400, "invalid_request")
			if got := refused.faults(); !slices.Equal(got, []string{"body /password " + code}) {
				t.Errorf("%s: %v, want %s", password, got, code)
			}
		}

		joined := b.accept(token, testPassword).want(200)
		joined.wantFields(object{"data.user": object{"id": invited.at("data.id"), "name": "Katherine Johnson",
			"email": email}})
		in := a.wantValid(joined.tokens())
		b.me(in.access).want(200).wantFields(object{"data.role": "ADMIN", "data.organization.id": o.organizationID})
		a.login(email)
		a.login(strings.ToUpper(email))
		a.do("GET", "/v1/members/"+invited.text("data.id"), o.owner, nil).want(200).
			wantFields(object{"data.status": "ACTIVE", "data.invitationExpiresAt": nil})
		for _, replica := range []*api{a, b} {
			replica.accept(token, otherPassword).want(401, "unauthenticated")
			replica.accept(token, testPassword).want(401, "unauthenticated")
		}
		a.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": otherPassword}).
			want(401, "invalid_credentials")
	})
}

// All invalid invitation tokens get the same response. Otherwise the response
// would reveal whether a token has ever been valid.
func TestInvalidInvitations(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		used, replaced, removed, open := o.add("MEMBER"), o.add("MEMBER"), o.add("MEMBER"), o.add("MEMBER")
		a.accept(used.invitation(), testPassword).want(200)
		a.resendInvitation(o.owner, replaced.text("data.id")).want(200)
		a.remove(o.owner, removed.text("data.id")).want(204)
		token := open.invitation()
		unknown := a.accept("mbr_"+strings.Repeat("0", 64), otherPassword).want(401, "unauthenticated")
		if unknown.header.Get("WWW-Authenticate") == "" {
			t.Error("the 401 has no WWW-Authenticate")
		}
		for name, invalid := range map[string]string{
			"used": used.invitation(), "replaced": replaced.invitation(), "removed member": removed.invitation(),
			"forged": tampered(token), "too short": token[:len(token)-1], "too long": token + "0",
			"upper case": strings.ToUpper(token), "another prefix": "inv_" + token[4:], "without prefix": token[4:],
			"the whole link": open.text("data.invitationUrl"), "its hash": hashOf(token), "an id": open.text("data.id"),
			"one character": "x", "letters": "mbr_" + strings.Repeat("ä", 32),
			"SQL":                    "mbr_' OR invitation_hash IS NOT NULL --                                ",
			"truncated access token": o.access[:68], "truncated refresh token": o.refresh[:200],
			"spaces around": " " + token + " ",
		} {
			answer := a.accept(invalid, otherPassword)
			answer.name = name
			wantSame(t, answer, unknown)
			weak := a.accept(invalid, "short") // the server may check the password first
			if weak.status != 400 && weak.status != 401 {
				t.Errorf("%s with a weak password: %d %s, want 400 or 401", name, weak.status, weak.body)
			}
		}

		for _, wrong := range []string{"", strings.Repeat("x", 201), "mbr_\x00"} {
			a.accept(wrong, otherPassword).want(400, "invalid_request")
		}
		a.accept(token, otherPassword).want(200)
	})
}

// hashOf returns the SHA-256 of a token in hexadecimal.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// An invitation is valid for exactly seven days. A resend starts a new period and
// invalidates the previous token.
func TestInvitationExpiry(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		onTime, late := o.add("MEMBER"), o.add("MEMBER")
		began := a.store.Now()
		a.setClock(began.Add(invitationLifetime - time.Millisecond))
		a.accept(onTime.invitation(), testPassword).want(200)
		a.accept(late.invitation(), "too short").want(400, "invalid_request")
		for _, after := range []time.Duration{invitationLifetime, invitationLifetime + time.Hour, 300 * 24 * time.Hour} {
			a.setClock(began.Add(after))
			a.accept(late.invitation(), testPassword).want(410, "invitation_expired")
			a.accept(onTime.invitation(), testPassword).want(401, "unauthenticated")
		}

		o.signIn()
		id := late.text("data.id")
		a.do("GET", "/v1/members/"+id, o.owner, nil).want(200).
			wantFields(object{"data.status": "INVITED", "data.invitationExpiresAt": wire(began.Add(invitationLifetime))})
		resent := a.resendInvitation(o.owner, id).want(200).
			wantFields(object{"data.invitationExpiresAt": wire(a.store.Now().Add(invitationLifetime))})
		a.accept(late.invitation(), testPassword).want(401, "unauthenticated") // replaced tokens are invalid, not expired
		a.accept(resent.invitation(), testPassword).want(200)
	})
}

// Each resend returns a new link with a new expiry. Every replica then rejects
// all earlier links. An active member has no invitation to resend.
func TestResendInvitation(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		admin := o.member("ADMIN")
		invited := o.add("MEMBER")
		id, links := invited.text("data.id"), []string{invited.text("data.invitationUrl")}

		for i, who := range []credential{o.owner, admin.who, o.owner} {
			a.clock.Advance(time.Minute)
			resent := []*api{a, b}[i%2].resendInvitation(who, id).want(200)
			resent.wantFields(object{
				"data.id": id, "data.status": "INVITED", "data.email": invited.at("data.email"),
				"data.createdAt": invited.at("data.createdAt"), "data.updatedAt": wire(a.store.Now()),
				"data.invitationExpiresAt": wire(a.store.Now().Add(invitationLifetime)),
			})
			if link := resent.text("data.invitationUrl"); slices.Contains(links, link) || !invitationLink.MatchString(link) {
				t.Errorf("the new link is %s, the earlier links are %v", link, links)
			}
			for _, replica := range []*api{a, b} {
				for _, old := range links {
					replica.accept(strings.SplitN(old, "#", 2)[1], testPassword).want(401, "unauthenticated")
				}
			}

			links = append(links, resent.text("data.invitationUrl"))
			invited = resent
		}

		b.accept(invited.invitation(), testPassword).want(200)
		for _, active := range []string{id, admin.id, a.userID(o.owner)} {
			a.resendInvitation(o.owner, active).want(409, "invitation_accepted")
		}
		a.do("POST", "/v1/auth/login", anonymous, object{"email": invited.text("data.email"), "password": testPassword}).
			want(200)
	})
}

// An invited member has no password until they accept. A login must fail with the
// same response and the same cost as a login with a wrong password.
func TestLoginBeforeAcceptingInvitation(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		invited := o.add("OWNER")
		wrong := a.do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": "x"}).
			want(401, "invalid_credentials")
		for _, password := range []string{
			testPassword, "x", strings.Repeat("\u0001", 32), invited.invitation(), "Katherine Johnson",
		} {
			before := a.store.PasswordHashes()
			wantSame(t, a.do("POST", "/v1/auth/login", anonymous,
				object{"email": invited.text("data.email"), "password": password}), wrong)
			if hashes := a.store.PasswordHashes() - before; hashes != 1 {
				t.Errorf("computed %d password hashes, want 1", hashes)
			}
		}

		a.do("POST", "/v1/auth/login", anonymous, object{"email": invited.text("data.email"), "password": ""}).
			want(400, "invalid_request")
		a.accept(invited.invitation(), testPassword).want(200)
		a.login(invited.text("data.email"))
	})
}

// The database stores only the hash of an invitation token. The log contains
// neither the token nor its hash.
func TestInvitationTokenIsNotStored(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		invited := o.add("MEMBER")
		tokens := []string{invited.invitation(), a.resendInvitation(o.owner, invited.text("data.id")).want(200).invitation(),
			o.add("ADMIN").invitation()}
		r, err := http.NewRequestWithContext(t.Context(), "POST", a.url+"/v1/members", nil)
		if err != nil {
			t.Fatal(err)
		}
		setBody(r, `{"name":"N","email":"once@example.com","role":"MEMBER"}`)
		r.Header.Set("Authorization", o.owner.value)
		r.Header.Set("Idempotency-Key", "members")
		tokens = append(tokens, a.send(r).want(201).invitation()) // the idempotency record keeps this response, encrypted
		a.accept(tokens[2], testPassword).want(200)
		a.accept(tokens[0], testPassword).want(401)

		email := invited.text("data.email")
		sum := sha256.Sum256([]byte(tokens[1]))
		found := storetest.Search(t, a.database, append(tokens, email, string(sum[:]))...)
		if !found.Texts[email] || !found.Texts[string(sum[:])] {
			t.Fatalf("the search of %d bytes does not find the email and the token hash", found.Searched)
		}
		log := a.log.String()
		if !strings.Contains(log, "/v1/auth/accept-invitation") {
			t.Fatal("the log does not contain the requests")
		}
		for i, token := range tokens {
			if found.Texts[token] || strings.Contains(log, token[4:]) || strings.Contains(log, hashOf(token)) {
				t.Errorf("token %d is stored or logged; in the database: %v", i, found.Texts[token])
			}
		}
	})
}
