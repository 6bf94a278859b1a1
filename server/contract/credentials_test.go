package contract

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/store/storetest"
)

// The server checks the credential first. A caller without a valid credential gets a
// 401 and no information about other errors in the request.
func TestEveryOperationWithoutCredential(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		c := a.cast()
		spoil := map[string]func(*http.Request){
			"well-formed":       func(*http.Request) {},
			"not JSON":          func(r *http.Request) { setBody(r, `{"title`) },
			"invalid UTF-8":     func(r *http.Request) { setBody(r, "{\"title\":\"\xff\"}") },
			"null":              func(r *http.Request) { setBody(r, `null`) },
			"too large":         func(r *http.Request) { setBody(r, strings.Repeat(" ", 1<<20+1)) },
			"text":              func(r *http.Request) { setBody(r, `{}`); r.Header.Set("Content-Type", "text/plain") },
			"no body":           func(r *http.Request) { setBody(r, "") },
			"unknown parameter": func(r *http.Request) { r.URL.RawQuery = "nonsense=1" },
			"unreadable query":  func(r *http.Request) { r.URL.RawQuery = "limit=%ff" },
		}

		for _, o := range everyOperation(t) {
			if o.scheme == "" {
				continue
			}
			for name, change := range spoil {
				r := c.wellFormed(o, anonymous)
				change(r)
				answer := c.probe(o.id+", "+name, r).is(401, "unauthenticated")
				if answer.header.Get("WWW-Authenticate") == "" {
					t.Errorf("%s: no WWW-Authenticate", answer.name)
				}
			}
		}
	})
}

// misplaced are ways to send a credential. right is the one scheme that accepts this
// way, or "" if none does.
var misplaced = []struct {
	name, right string
	send        func(c *cast, r *http.Request)
}{
	{"access token as bearer", "bearerAuth", authorization(func(c *cast) string { return "Bearer " + c.access })},
	{"access token as bEARER", "bearerAuth", authorization(func(c *cast) string { return "bEARER " + c.access })},
	{"invite token as bearer", "candidateAuth", authorization(func(c *cast) string { return "Bearer " + c.invite })},
	{"invite token as bEARER", "candidateAuth", authorization(func(c *cast) string { return "bEARER " + c.invite })},
	{"API key", "apiKeyAuth", func(c *cast, r *http.Request) { r.Header.Set("X-API-Key", c.key) }},
	{"API key, another case of the header", "apiKeyAuth",
		func(c *cast, r *http.Request) { r.Header["x-api-key"] = []string{c.key} }},

	{"refresh token as bearer", "", authorization(func(c *cast) string { return "Bearer " + c.refresh })},
	{"result token as bearer", "", authorization(func(c *cast) string { return "Bearer " + c.result })},
	{"API key as bearer", "", authorization(func(c *cast) string { return "Bearer " + c.key })},
	{"password as bearer", "", authorization(func(*cast) string { return "Bearer " + testPassword })},
	{"no token", "", authorization(func(*cast) string { return "Bearer" })},
	{"access token without a scheme", "", authorization(func(c *cast) string { return c.access })},
	{"access token as Basic", "", authorization(func(c *cast) string { return "Basic " + c.access })},
	{"access token as Token", "", authorization(func(c *cast) string { return "Token " + c.access })},
	{"access token after two spaces", "", authorization(func(c *cast) string { return "Bearer  " + c.access })},
	{"access token twice", "", authorization(func(c *cast) string { return "Bearer " + c.access + " " + c.access })},
	{"two schemes in one header", "",
		authorization(func(c *cast) string { return "Bearer " + c.access + ", Bearer " + c.access })},
	{"access token with another signature", "",
		authorization(func(c *cast) string { return "Bearer " + tampered(c.access) })},
	{"access token without its signature", "",
		authorization(func(c *cast) string { return "Bearer " + c.access[:strings.LastIndex(c.access, ".")+1] })},
	{"invite token with another signature", "",
		authorization(func(c *cast) string { return "Bearer " + tampered(c.invite) })},
	{"invite link", "", authorization(func(c *cast) string { return "Bearer https://assay.test/take#" + c.invite })},
	{"API key as ApiKey", "", authorization(func(c *cast) string { return "ApiKey " + c.key })},
	{"two Authorization headers", "", func(c *cast, r *http.Request) {
		r.Header["Authorization"] = []string{"Bearer " + c.access, "Bearer " + c.access}
	}},
	{"two kinds in Authorization headers", "", func(c *cast, r *http.Request) {
		r.Header["Authorization"] = []string{"Bearer " + c.invite, "Bearer " + c.access}
	}},
	{"access token in Proxy-Authorization", "",
		func(c *cast, r *http.Request) { r.Header.Set("Proxy-Authorization", "Bearer "+c.access) }},
	{"access token in the query", "", func(c *cast, r *http.Request) { r.URL.RawQuery = "access_token=" + c.access }},
	{"access token in a cookie", "", func(c *cast, r *http.Request) {
		r.Header.Set("Cookie", "accessToken="+c.access+"; Authorization="+c.access)
	}},

	{"access token as API key", "", keyHeader(func(c *cast) []string { return []string{c.access} })},
	{"refresh token as API key", "", keyHeader(func(c *cast) []string { return []string{c.refresh} })},
	{"result token as API key", "", keyHeader(func(c *cast) []string { return []string{c.result} })},
	{"invite token as API key", "", keyHeader(func(c *cast) []string { return []string{c.invite} })},
	{"id of the API key", "", keyHeader(func(c *cast) []string { return []string{c.keyID} })},
	{"API key with another ending", "", keyHeader(func(c *cast) []string { return []string{tampered(c.key)} })},
	{"API key in upper case", "", keyHeader(func(c *cast) []string { return []string{strings.ToUpper(c.key)} })},
	{"API key without its prefix", "", keyHeader(func(c *cast) []string {
		return []string{strings.TrimPrefix(c.key, "pk_live_")}
	})},
	{"API key as bearer in its own header", "", keyHeader(func(c *cast) []string { return []string{"Bearer " + c.key} })},
	{"empty API key", "", keyHeader(func(*cast) []string { return []string{""} })},
	{"two X-API-Key headers", "", keyHeader(func(c *cast) []string { return []string{c.key, c.key} })},
	{"two keys in one header", "", keyHeader(func(c *cast) []string { return []string{c.key + ", " + c.key} })},
	{"API key in the query", "", func(c *cast, r *http.Request) {
		r.URL.RawQuery = "api_key=" + c.key + "&X-API-Key=" + c.key
	}},
}

func authorization(value func(*cast) string) func(*cast, *http.Request) {
	return func(c *cast, r *http.Request) { r.Header.Set("Authorization", value(c)) }
}

func keyHeader(values func(*cast) []string) func(*cast, *http.Request) {
	return func(c *cast, r *http.Request) { r.Header["X-Api-Key"] = values(c) }
}

// tampered returns the credential with another fifth-last character.
func tampered(credential string) string {
	at := len(credential) - 5
	other := "0"
	if credential[at] == '0' {
		other = "1"
	}
	return credential[:at] + other + credential[at+1:]
}

// Every operation accepts one kind of credential in one place. The correct credential
// must succeed, so that a 401 for the others is not caused by something else.
func TestEveryOperationMisplacedCredential(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		c := a.cast()
		for _, o := range everyOperation(t) {
			if o.scheme == "" {
				continue
			}
			for _, test := range misplaced {
				r := c.wellFormed(o, anonymous)
				test.send(c, r)
				answer := c.probe(o.id+", "+test.name, r)
				if test.right == o.scheme {
					if answer.code() == "unauthenticated" || answer.status == 403 {
						t.Errorf("%s: rejected with %d\n%s", answer.name, answer.status, answer.body)
					}
					continue
				}

				answer.is(401, "unauthenticated")
			}
		}
	})
}

// An operation without a security requirement ignores credentials in the request.
func TestEveryUnauthenticatedOperationIgnoresCredentials(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		c := a.cast()
		for _, o := range everyOperation(t) {
			if o.scheme != "" {
				continue
			}
			c.probe(o.id, c.wellFormed(o, anonymous)) // the first registration takes the email address
			want := c.probe(o.id, c.wellFormed(o, anonymous))
			for _, test := range misplaced {
				r := c.wellFormed(o, anonymous)
				test.send(c, r)
				if r.URL.RawQuery == "" { // these operations have no query parameters
					c.probe(o.id+", "+test.name, r).is(want.status, want.code())
				}
			}
		}
	})
}

// An API key needs the scopes of the operation. The test uses no scope, each one, each pair, all but one, and all: no
// operation needs more than two.
func TestEveryOperationScopes(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		c := a.cast()
		all := slices.DeleteFunc(enumOf(t, "ApiKeyScope"), func(scope string) bool {
			return scope == "members:provision" // not with others, and for no operation of the contract
		})
		for subset := range 1 << len(all) {
			var granted []string
			for i, scope := range all {
				if subset&(1<<i) != 0 {
					granted = append(granted, scope)
				}
			}
			areNeeded := func(o described) bool {
				return !slices.ContainsFunc(granted, func(scope string) bool { return !slices.Contains(o.scopes, scope) })
			}
			if len(granted) > 2 && len(granted) < len(all)-1 && !slices.ContainsFunc(everyOperation(t), areNeeded) {
				continue
			}

			made := a.do("POST", "/v1/api-keys", c.owner, object{"name": "test", "scopes": all}).want(201)
			storetest.SetScopes(t, a.database, made.text("data.id"), granted...) // the API does not create keys without scopes
			for _, o := range everyOperation(t) {
				if o.scheme != "apiKeyAuth" {
					continue
				}
				answer := c.probe(fmt.Sprintf("%s with %v", o.id, granted), c.wellFormed(o, apiKeyOf(made.text("data.key"))))
				has := func(scope string) bool { return slices.Contains(granted, scope) }
				missing := slices.DeleteFunc(slices.Clone(o.scopes), has)
				if len(o.oneOf) > 0 && !slices.ContainsFunc(o.oneOf, has) {
					missing = append(missing, o.oneOf...)
				}
				checkForbidden(t, answer, len(missing) > 0, "insufficient_scope")
				for _, scope := range missing {
					if !strings.Contains(answer.text("detail"), scope) {
						t.Errorf("%s: %q does not name %s", answer.name, answer.text("detail"), scope)
					}
				}
			}
		}
	})
}

// A member of each role calls every operation. Only the roles in openapi.yaml may.
func TestEveryOperationRoles(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		c := a.cast()
		pairs, rejected := 0, 0
		for _, role := range enumOf(t, "Role") {
			m := c.member(role)
			a.me(m.access).want(200).wantFields(object{"data.role": role, "data.organization.id": c.organizationID})
			for _, o := range everyOperation(t) {
				if o.scheme != "bearerAuth" {
					continue
				}
				pairs++
				allowed := slices.Contains(o.roles, role)
				answer := c.probe(o.id+" as "+role, c.wellFormed(o, m.who))
				checkForbidden(t, answer, !allowed, "insufficient_role")
				if allowed {
					continue
				}
				rejected++
				for _, needed := range o.roles {
					if !strings.Contains(answer.text("detail"), needed) {
						t.Errorf("%s: %q does not name %s", answer.name, answer.text("detail"), needed)
					}
				}
			}
		}

		t.Logf("%d pairs of a role and an operation, %d of them rejected", pairs, rejected)
		if pairs < 3*40 || rejected < 20 || rejected > pairs/2 {
			t.Errorf("%d pairs of a role and an operation, want at least 120; %d of them rejected, want 20 to %d",
				pairs, rejected, pairs/2)
		}
	})
}

// checkForbidden checks the response to a valid credential. If forbidden is set, it
// must be a 403 with the code. Otherwise it must not be a 401 or 403.
func checkForbidden(t *testing.T, answer response, forbidden bool, code string) {
	t.Helper()
	if forbidden {
		answer.is(403, code)
	} else if answer.status == 403 || answer.code() == "unauthenticated" {
		t.Errorf("%s: rejected with %d\n%s", answer.name, answer.status, answer.body)
	}
}

// A response or the log must not repeat a credential that a client sends in the wrong
// place or in an invalid request. probe and checkLog search for the credentials.
func TestEveryOperationRepeatsNoSecret(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		c := a.cast()
		for _, o := range everyOperation(t) {
			for _, secret := range c.secrets() {
				encoded := url.QueryEscape(secret)
				c.ask(o, "token="+encoded).blames("query token unknown_parameter")
				c.ask(o, "limit="+encoded).is(400, "invalid_request")
				c.ask(o, "token="+encoded+"%00").blames("query token invalid_encoding")
				if o.hasPathParameter() {
					r := c.to(o, secret)
					r.URL.RawQuery = "x=1"
					c.probe(o.id+", in the path", r).is(400, "invalid_request")
				}

				if o.body == nil {
					continue
				}
				fields := object{"unknownField": secret}
				for name := range o.minimal(t) {
					fields[name] = secret
				}
				inFields, err := json.Marshal(fields)
				if err != nil {
					t.Fatal(err)
				}
				for name, body := range map[string]string{
					"in each field": string(inFields), "alone": strconv.Quote(secret), "unquoted": secret,
					"truncated": `{"x":"` + secret, "before a NUL": `{"x":"` + secret + `\u0000"}`,
					"duplicate field": `{"x":"` + secret + `","x":1}`,
				} {
					c.send(o, name, body).blames("")
				}
			}
		}
	})
}
