package contract

import (
	"strings"
	"testing"

	"github.com/descope/virtualwebauthn"
)

// passkeyType is RSA, because an elliptic curve key of virtualwebauthn has a coordinate that is too short in 1 of 128
// cases.
const passkeyType = virtualwebauthn.KeyTypeRSA

// relyingParty is the service as a browser sees it.
var relyingParty = virtualwebauthn.RelyingParty{ID: "assay.test", Name: "Assay", Origin: "https://assay.test"}

// passkey is an authenticator with one passkey.
type passkey struct {
	api        *api
	id         string
	device     virtualwebauthn.Authenticator
	credential virtualwebauthn.Credential
}

// newPasskey begins to add a passkey.
func (a *api) newPasskey(who credential) response {
	a.t.Helper()
	return a.do("POST", "/v1/me/second-factors", who, object{"type": "PASSKEY", "name": "Key", "password": testPassword})
}

func (a *api) addPasskey(who credential) *passkey {
	a.t.Helper()
	begun := a.newPasskey(who).want(200)
	key := &passkey{
		api: a, id: begun.text("data.id"), device: virtualwebauthn.NewAuthenticator(),
		credential: virtualwebauthn.NewCredential(passkeyType),
	}
	a.confirmPasskey(who, key.id, key.attest(relyingParty, begun.text("data.publicKey"))).want(200)
	return key
}

func (a *api) confirmPasskey(who credential, id, response string) response {
	a.t.Helper()
	return a.do("POST", "/v1/me/second-factors/"+id+"/confirm", who, object{"passkey": response})
}

// attest returns what a browser on the page of a service makes of the options for a new passkey.
func (key *passkey) attest(of virtualwebauthn.RelyingParty, options string) string {
	key.api.t.Helper()
	parsed, err := virtualwebauthn.ParseAttestationOptions(options)
	if err != nil {
		key.api.t.Fatalf("%v: %s", err, options)
	}
	key.device.Options.UserHandle = []byte(parsed.UserID)
	return virtualwebauthn.CreateAttestationResponse(of, key.device, key.credential, *parsed)
}

// assert returns what a browser on the page of a service makes of the options for a sign-in.
func (key *passkey) assert(of virtualwebauthn.RelyingParty, options string) string {
	key.api.t.Helper()
	parsed, err := virtualwebauthn.ParseAssertionOptions(options)
	if err != nil {
		key.api.t.Fatalf("%v: %s", err, options)
	}
	return virtualwebauthn.CreateAssertionResponse(of, key.device, key.credential, *parsed)
}

// passkeyOptions returns the options of a sign-in.
func (a *api) passkeyOptions(challenge string) string {
	a.t.Helper()
	return a.do("POST", "/v1/auth/second-factor/passkey-options", anonymous, object{"challenge": challenge}).
		want(200).text("data.publicKey")
}

func (a *api) completePasskey(challenge, assertion string) response {
	a.t.Helper()
	return a.do("POST", "/v1/auth/second-factor", anonymous, object{"challenge": challenge, "passkey": assertion})
}

// A person adds a passkey, and signs in with it.
func TestPasskeys(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		begun := a.newPasskey(o.owner).want(200)
		begun.wantFields(object{"data.type": "PASSKEY", "data.secret": nil, "data.uri": nil})
		options := begun.text("data.publicKey")
		for _, part := range []string{
			`"rp":{"name":"Assay","id":"assay.test"}`, `"userVerification":"preferred"`, `"attestation":"none"`,
		} {
			if !strings.Contains(options, part) {
				t.Errorf("the options lack %s: %s", part, options)
			}
		}
		if strings.Contains(options, o.organizationID) {
			t.Errorf("the options name the organization: %s", options)
		}
		key := &passkey{
			api: a, id: begun.text("data.id"), device: virtualwebauthn.NewAuthenticator(),
			credential: virtualwebauthn.NewCredential(passkeyType),
		}
		a.confirmPasskey(o.owner, key.id, "{}").want(401, "invalid_code")
		evil := virtualwebauthn.RelyingParty{ID: "assay.test", Origin: "https://evil.example"}
		a.confirmPasskey(o.owner, key.id, key.attest(evil, options)).want(401, "invalid_code")
		evil = virtualwebauthn.RelyingParty{ID: "evil.example", Origin: "https://assay.test"}
		a.confirmPasskey(o.owner, key.id, key.attest(evil, options)).want(401, "invalid_code")
		confirmed := b.confirmPasskey(o.owner, key.id, key.attest(relyingParty, options)).want(200)
		if len(confirmed.list("data.recoveryCodes")) != 10 {
			t.Errorf("the first passkey got %v", confirmed.at("data.recoveryCodes"))
		}

		required := a.loginCode(o.email, "").want(401, "second_factor_required")
		required.wantFields(object{"secondFactor.methods": []any{"PASSKEY", "RECOVERY_CODE"}})
		challenge := required.text("secondFactor.challenge")
		key.credential.Counter = 1
		in := a.completePasskey(challenge, key.assert(relyingParty, b.passkeyOptions(challenge))).want(200).tokens()
		b.wantValid(in)

		excluded := a.newPasskey(bearer(in.access)).want(200)
		parsed, err := virtualwebauthn.ParseAttestationOptions(excluded.text("data.publicKey"))
		if err != nil || !key.credential.IsExcludedForAttestation(*parsed) {
			t.Errorf("the passkey can be added twice: %v", err)
		}
		a.confirmPasskey(bearer(in.access), excluded.text("data.id"),
			key.attest(relyingParty, excluded.text("data.publicKey"))).want(401, "invalid_code")
	})
}

// An assertion is for one ceremony of one sign-in of one person on the pages of this service.
func TestForgedAssertions(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		key, foreign := a.addPasskey(o.owner), a.addPasskey(other.owner)
		key.credential.Counter, foreign.credential.Counter = 7, 7
		on := func(id, origin string) func(string, string) string {
			return func(_, options string) string {
				return key.assert(virtualwebauthn.RelyingParty{ID: id, Origin: origin}, options)
			}
		}
		for name, forged := range map[string]func(challenge, options string) string{
			"no assertion": func(string, string) string {
				return `{"id":"AA","rawId":"AA","type":"public-key","response":{}}`
			},
			"not JSON":        func(string, string) string { return "passkey" },
			"another origin":  on("assay.test", "https://evil.example"),
			"another port":    on("assay.test", "https://assay.test:8443"),
			"another service": on("evil.example", "https://assay.test"),
			"another person":  func(_, options string) string { return foreign.assert(relyingParty, options) },
			"another sign-in": func(string, string) string {
				return key.assert(relyingParty, a.passkeyOptions(a.challenge(o.email)))
			},
			"a sign-in of another person": func(string, string) string {
				return key.assert(relyingParty, a.passkeyOptions(a.challenge(other.email)))
			},
			"an earlier ceremony": func(challenge, options string) string {
				a.passkeyOptions(challenge)
				return key.assert(relyingParty, options)
			},
			"the person absent": func(_, options string) string {
				absent := *key
				absent.device.Options.UserNotPresent = true
				return absent.assert(relyingParty, options)
			},
		} {
			challenge := a.challenge(o.email)
			assertion := forged(challenge, a.passkeyOptions(challenge))
			if got := a.completePasskey(challenge, assertion); got.status != 401 || got.code() != "invalid_code" {
				t.Errorf("%s: %d %s", name, got.status, got.body)
			}
		}
		challenge := a.challenge(o.email)
		a.completePasskey(challenge, key.assert(relyingParty, a.passkeyOptions(a.challenge(o.email)))).
			want(401, "invalid_code") // without options of its own
		assertion := key.assert(relyingParty, a.passkeyOptions(challenge))
		a.completePasskey(challenge, assertion).want(200)
		a.completePasskey(challenge, assertion).want(401, "unauthenticated") // replayed

		// The counter is 7 now. A copy of the passkey has the same one, or an earlier one.
		for _, counter := range []uint32{7, 6, 0} {
			key.credential.Counter = counter
			challenge := a.challenge(o.email)
			a.completePasskey(challenge, key.assert(relyingParty, a.passkeyOptions(challenge))).want(401, "invalid_code")
		}
		key.credential.Counter = 8
		challenge = a.challenge(o.email)
		wrongThenRight := key.assert(relyingParty, a.passkeyOptions(challenge))
		a.completeWith(challenge, "000000").want(401, "invalid_code")
		a.completePasskey(challenge, wrongThenRight).want(401, "invalid_code") // an answer has ended the ceremony
		a.completePasskey(challenge, key.assert(relyingParty, a.passkeyOptions(challenge))).want(200)

		a.do("POST", "/v1/auth/second-factor/passkey-options", anonymous, object{"challenge": challenge}).
			want(401, "unauthenticated")
		a.do("POST", "/v1/auth/second-factor", anonymous, object{"challenge": a.challenge(o.email)}).
			want(400, "invalid_request")
		third := a.register()
		a.addAuthenticator(third.owner)
		a.do("POST", "/v1/auth/second-factor/passkey-options", anonymous, object{"challenge": a.challenge(third.email)}).
			want(400, "invalid_request")
	})
}
