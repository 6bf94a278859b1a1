package server

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// Sent one by one to the place where its kind is accepted, every form is
// refused, all with the same bytes, and the real token works on.
func TestHostileTokensAreRejected(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		invite := o.invite(o.publish(oneQuestion()))
		a.complete(invite.candidate())
		result := a.do("POST", "/v1/public/candidate-sessions/"+invite.text("data.id")+"/result-token", key, nil).want(200).text("data.token")
		in := a.refresh(o.refresh).want(200).tokens() // a second generation, so that there is one before it
		for _, test := range []struct {
			kind  tokenKind
			token string // a live one
			send  func(token string) response
			// what a form meets: the status and code, or 0 where it cannot be sent as it is
			meets  func(token string) (status int, code string)
			status int // of most of them
		}{
			{accessKind, in.access, a.me, expectedFromHeader, 401},
			{refreshKind, in.refresh, a.refresh, expectedFromBody, 401},
			{resultKind, result, func(token string) response {
				return a.do("GET", "/v1/public/results/"+url.PathEscape(token), key, nil)
			}, expectedFromPath, 404},
		} {
			claims, err := a.server.tokens.parse(test.kind, test.token)
			if err != nil {
				t.Fatalf("%s: the live token is refused: %v", test.kind.typ, err)
			}
			forms := hostileTokens(t, a.store.Keys(), test.kind, claims)
			const senders = 4
			counts := atOnce(senders, func(sender int) (sent [2]int) { // the refused as tokens, and what could not be sent
				var refusal string
				for i := sender; i < len(forms); i += senders {
					form := forms[i]
					status, code := test.meets(form.token)
					if status == 0 {
						sent[1]++
						continue
					}
					answer := test.send(form.token)
					if answer.status != status || answer.text("code") != code {
						t.Errorf("%s, %s: %d, want %d %s\n%s", test.kind.typ, form.name, answer.status, status, code, answer.body)
					}
					if status != test.status || code == "not_found" {
						continue
					}
					if sent[0]++; refusal == "" {
						refusal = answer.anonymous()
					}
					if answer.anonymous() != refusal {
						t.Errorf("%s, %s: %s\nothers: %s", test.kind.typ, form.name, answer.body, refusal)
					}
				}
				return sent
			})
			refused, unsendable := 0, 0
			for _, count := range counts {
				refused, unsendable = refused+count[0], unsendable+count[1]
			}
			t.Logf("%s: %d forms, %d sent and refused as tokens, %d cannot be sent", test.kind.typ, len(forms), refused, unsendable)
			if refused < 40 {
				t.Errorf("%s: only %d were sent", test.kind.typ, refused)
			}
			test.send(test.token).want(200)
		}
	})
}

// expectedFromHeader: a field value has no control characters, and begins and ends
// without white space (RFC 9110, section 5.5).
func expectedFromHeader(token string) (status int, code string) {
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	if strings.ContainsFunc(token, control) || strings.TrimRight(token, " \t") != token {
		return 0, ""
	}
	return 401, "unauthenticated"
}

// expectedFromBody: JSON is UTF-8, and the contract bounds the string before it is looked at.
func expectedFromBody(token string) (status int, code string) {
	switch {
	case !utf8.ValidString(token):
		return 0, ""
	case token == "", utf8.RuneCountInString(token) > 1024, strings.Contains(token, "\x00"):
		return 400, "invalid_request"
	}
	return 401, "unauthenticated"
}

// expectedFromPath: any byte can be sent percent-encoded; nothing at all is another address.
func expectedFromPath(token string) (status int, code string) {
	switch {
	case token == "":
		return 404, "not_found"
	case !utf8.ValidString(token), utf8.RuneCountInString(token) > 2048, strings.Contains(token, "\x00"):
		return 400, "invalid_request"
	}
	return 404, "result_not_found"
}
