package contract

import (
	"net/url"
	"testing"
)

// A person signs in with any form of the address, and cannot register twice with another form.
func TestInternationalAddressesOfPeople(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		const password = "a long and good pass phrase"
		registration := func(email string) object {
			return object{"organizationName": "O", "name": "Ada", "email": email, "password": password}
		}
		a.do("POST", "/v1/auth/register", credential{}, registration("gr\u00e4ce@b\u00fccher.example")).want(201)
		for _, form := range []string{
			"gr\u00e4ce@b\u00fccher.example", "GRA\u0308CE@xn--bcher-kva.example", "gra\u0308ce@BU\u0308CHER.EXAMPLE",
		} {
			a.do("POST", "/v1/auth/register", credential{}, registration(form)).want(409, "email_taken")
			signedIn := a.do("POST", "/v1/auth/login", credential{}, object{"email": form, "password": password}).want(200)
			me := a.do("GET", "/v1/me", bearer(signedIn.text("data.accessToken")), nil).want(200)
			me.wantFields(object{"data.email": "gr\u00e4ce@b\u00fccher.example"}) // as it was typed
		}
	})
}

// A candidate is the same in all forms of the address.
func TestInternationalAddressesOfCandidates(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(twoStages())
		session := o.invite(id, object{"candidateEmail": "用户@例子.example"})
		session.wantFields(object{"data.candidateEmail": "用户@例子.example"})
		for _, form := range []string{"用户@例子.example", "用户@xn--fsqu00a.example", "用户@例子。Example"} {
			invite := object{"assessmentId": id, "candidateName": "Grace", "candidateEmail": form, "onExisting": "ERROR"}
			a.do("POST", "/v1/candidate-sessions", o.owner, invite).want(409, "candidate_already_invited")
			found := a.do("GET", "/v1/candidate-sessions?candidateEmail="+url.QueryEscape(form), o.owner, nil).want(200)
			found.wantFields(object{"data.0.id": session.text("data.id")})
		}
	})
}
