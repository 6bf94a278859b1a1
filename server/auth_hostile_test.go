package server

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// The test sends every hostile form of a token to the operation that accepts its
// kind. Each must be rejected, all with the same body, and the valid token must
// still work afterwards.
func TestHostileTokensAreRejected(t *testing.T) {
	onEach(t, func(t *testing.T, s *inside) {
		access, refresh := s.register()
		key, result := s.resultToken(access)
		send := func(method, path string, body any, credential ...string) (status int, code, anonymous string) {
			answer := s.do(method, path, body, credential...)
			var problem struct{ Code, RequestID string }
			if err := json.Unmarshal(answer.Body.Bytes(), &problem); err != nil {
				t.Error(err)
			}
			return answer.Code, problem.Code, strings.ReplaceAll(answer.Body.String(), problem.RequestID, "")
		}
		renew := func(token string) (status int, code, anonymous string) {
			return send("POST", "/v1/auth/refresh", map[string]any{"refreshToken": token})
		}
		in := s.get("POST", "/v1/auth/refresh", map[string]any{"refreshToken": refresh}) // the new one has a predecessor

		for _, test := range []struct {
			kind  tokenKind
			token string // a valid one
			send  func(token string) (status int, code, anonymous string)
			// expected returns the status and code for a form, or 0 if HTTP cannot carry it.
			expected func(token string) (status int, code string)
			status   int // of forms that are parsed as tokens
		}{
			{accessKind, in["accessToken"].(string), func(token string) (status int, code, anonymous string) {
				return send("GET", "/v1/me", nil, "Authorization", "Bearer "+token)
			}, expectedFromHeader, 401},
			{refreshKind, in["refreshToken"].(string), renew, expectedFromBody, 401},
			{resultKind, result, func(token string) (status int, code, anonymous string) {
				return send("GET", "/v1/public/results/"+url.PathEscape(token), nil, "X-API-Key", key)
			}, expectedFromPath, 404},
		} {
			claims, err := s.tokens.parse(test.kind, test.token)
			if err != nil {
				t.Fatalf("%s: the valid token is rejected: %v", test.kind.typ, err)
			}
			forms := hostileTokens(t, s.store.Keys(), test.kind, claims)
			refused, unsendable, refusal := 0, 0, ""
			for _, form := range forms {
				status, code := test.expected(form.token)
				if status == 0 {
					unsendable++
					continue
				}
				gotStatus, gotCode, anonymous := test.send(form.token)
				if gotStatus != status || gotCode != code {
					t.Errorf("%s, %s: %d, want %d %s\n%s", test.kind.typ, form.name, gotStatus, status, code, anonymous)
				}
				if status != test.status || code == "not_found" {
					continue
				}
				if refused++; refusal == "" {
					refusal = anonymous
				}
				if anonymous != refusal {
					t.Errorf("%s, %s: %s\nother forms: %s", test.kind.typ, form.name, anonymous, refusal)
				}
			}
			t.Logf("%s: %d forms, %d rejected as tokens, %d cannot be sent", test.kind.typ, len(forms), refused, unsendable)
			if refused < 40 {
				t.Errorf("%s: only %d forms were rejected as tokens, want at least 40", test.kind.typ, refused)
			}
			if status, code, _ := test.send(test.token); status != http.StatusOK {
				t.Errorf("%s: the valid token: %d %s", test.kind.typ, status, code)
			}
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
