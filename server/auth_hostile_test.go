package server

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// The test sends every hostile form of a token to the operation that accepts its
// kind. Each must be rejected, all with the same body, and the valid token must
// still work afterwards.
func TestHostileTokensAreRejected(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		invite := o.invite(o.publish(oneQuestion()))
		a.complete(invite.candidate())
		result := a.do("POST", "/v1/public/candidate-sessions/"+invite.text("data.id")+"/result-token", key, nil).
			want(200).text("data.token")
		in := a.refresh(o.refresh).want(200).tokens() // so that the refresh token has a predecessor

		for _, test := range []struct {
			kind  tokenKind
			token string // a valid one
			send  func(token string) response
			// expected returns the status and code for a form, or 0 if HTTP cannot carry it.
			expected func(token string) (status int, code string)
			status   int // of forms that are parsed as tokens
		}{
			{accessKind, in.access, a.me, expectedFromHeader, 401},
			{refreshKind, in.refresh, a.refresh, expectedFromBody, 401},
			{resultKind, result, func(token string) response {
				return a.do("GET", "/v1/public/results/"+url.PathEscape(token), key, nil)
			}, expectedFromPath, 404},
		} {
			claims, err := a.server.tokens.parse(test.kind, test.token)
			if err != nil {
				t.Fatalf("%s: the valid token is rejected: %v", test.kind.typ, err)
			}
			forms := hostileTokens(t, a.store.Keys(), test.kind, claims)
			const senders = 4
			counts := atOnce(senders, func(sender int) (sent [2]int) { // forms parsed as tokens, and forms that cannot be sent
				var refusal string
				for i := sender; i < len(forms); i += senders {
					form := forms[i]
					status, code := test.expected(form.token)
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
						t.Errorf("%s, %s: %s\nother forms: %s", test.kind.typ, form.name, answer.body, refusal)
					}
				}

				return sent
			})
			refused, unsendable := 0, 0
			for _, count := range counts {
				refused, unsendable = refused+count[0], unsendable+count[1]
			}
			t.Logf("%s: %d forms, %d rejected as tokens, %d cannot be sent", test.kind.typ, len(forms), refused, unsendable)
			if refused < 40 {
				t.Errorf("%s: only %d forms were rejected as tokens, want at least 40", test.kind.typ, refused)
			}
			test.send(test.token).want(200)
		}
	})
}

// expectedFromHeader is for tokens in a header. A field value has no control
// characters, and no white space at its ends (RFC 9110, section 5.5).
func expectedFromHeader(token string) (status int, code string) {
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	if strings.ContainsFunc(token, control) || strings.TrimRight(token, " \t") != token {
		return 0, ""
	}
	return 401, "unauthenticated"
}

// expectedFromBody is for tokens in a JSON body. JSON is UTF-8, and the schema limits
// the string before the server parses the token.
func expectedFromBody(token string) (status int, code string) {
	switch {
	case !utf8.ValidString(token):
		return 0, ""
	case token == "", utf8.RuneCountInString(token) > 1024, strings.Contains(token, "\x00"):
		return 400, "invalid_request"
	}

	return 401, "unauthenticated"
}

// expectedFromPath is for tokens in a path. Percent-encoding can carry any byte. An
// empty token makes a different path.
func expectedFromPath(token string) (status int, code string) {
	switch {
	case token == "":
		return 404, "not_found"
	case !utf8.ValidString(token), utf8.RuneCountInString(token) > 2048, strings.Contains(token, "\x00"):
		return 400, "invalid_request"
	}

	return 404, "result_not_found"
}
