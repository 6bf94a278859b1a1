package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"assay/store"
)

// provider is the identity provider of an organization, which a test plays: it sends the requests that Okta and Entra
// ID document.
type provider struct {
	*tenant

	key     string
	mayFail bool // a test makes the service fail
}

func (o *tenant) provider() *provider {
	o.api.t.Helper()
	return &provider{tenant: o, key: o.key("members:provision").value}
}

func (p *provider) call(method, path string, body any) answer {
	p.api.t.Helper()
	return p.callWith(p.api, "Bearer "+p.key, method, path, body)
}

func (p *provider) callWith(replica *api, authorization, method, path string, body any) answer {
	t := p.api.t
	t.Helper()
	content, isText := body.(string)
	if body != nil && !isText {
		encoded, _ := json.Marshal(body)
		content = string(encoded)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, replica.url+"/scim/v2"+path,
		bytes.NewReader([]byte(content)))
	if err != nil {
		t.Fatal(err)
	}
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	r.Header.Set("Content-Type", "application/scim+json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, _ := io.ReadAll(response.Body)
	if wrong := wrongHeaders(response.Header, true); len(wrong) > 0 {
		t.Errorf("%s %s: wrong headers %q", method, path, wrong)
	}
	if response.StatusCode >= 500 && !p.mayFail {
		t.Errorf("%s %s %s: %d %s", method, path, content, response.StatusCode, raw)
	}
	if kind := response.Header.Get("Content-Type"); len(raw) > 0 && kind != "application/scim+json" {
		t.Errorf("%s %s: the content type is %s", method, path, kind)
	}
	if response.StatusCode >= 400 {
		var refused object
		if json.Unmarshal(raw, &refused) != nil || refused["status"] != fmt.Sprint(response.StatusCode) ||
			fmt.Sprint(refused["schemas"]) != "[urn:ietf:params:scim:api:messages:2.0:Error]" || refused["detail"] == "" {
			t.Errorf("%s %s: the refusal is %s", method, path, raw)
		}
	}
	return answer{t, response.StatusCode, response.Header, strings.TrimSpace(string(raw))}
}

// wantRefused fails the test unless the response has the status and the scimType.
func (a answer) wantRefused(status int, scimType string) {
	a.t.Helper()
	if body := a.want(status); fmt.Sprint(body["scimType"]) != scimType && scimType != "" {
		a.t.Errorf("the refusal is %s, want %s", a.raw, scimType)
	}
}

func (p *provider) find(filter string) object {
	p.api.t.Helper()
	return p.call("GET", "/Users?filter="+url.QueryEscape(filter), nil).want(200)
}

// oktaUser is what Okta sends for a new person.
func oktaUser(address string) object {
	return object{
		"schemas":  []any{"urn:ietf:params:scim:schemas:core:2.0:User"},
		"userName": address, "name": object{"givenName": "Grace", "familyName": "Hopper"},
		"emails":      []any{object{"primary": true, "value": address, "type": "work"}},
		"displayName": "Grace Hopper", "locale": "en-US", "externalId": "00u" + address, "groups": []any{},
		"password": "1mz050nq", "active": true,
	}
}

// entraUser is what Entra ID sends for a new person.
func entraUser(address string) object {
	return object{
		"schemas": []any{"urn:ietf:params:scim:schemas:core:2.0:User",
			"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"},
		"externalId": "oid-" + address, "userName": address, "active": true,
		"emails": []any{object{"primary": true, "type": "work", "value": address}},
		"meta":   object{"resourceType": "User"},
		"name":   object{"formatted": "Mary Jackson", "familyName": "Jackson", "givenName": "Mary"},
		"roles":  []any{}, "title": "Engineer",
		"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": object{"department": "Research"},
	}
}

// patchOf is a PATCH of Entra ID, with the operations as pairs of path and value.
func patchOf(pairs ...any) object {
	var operations []any
	for i := 0; i < len(pairs); i += 2 {
		operations = append(operations, object{"op": "Replace", "path": pairs[i], "value": pairs[i+1]})
	}
	return object{"schemas": []any{"urn:ietf:params:scim:api:messages:2.0:PatchOp"}, "Operations": operations}
}

func newAddress(of string) string { return fmt.Sprintf("%s%d%s@example.com", of, added.Add(1), run) }

// join provisions a person and accepts the invitation in the email.
func (p *provider) join(who string) (id, email string, in signedIn) {
	p.api.t.Helper()
	email = newAddress(who)
	id = p.call("POST", "/Users", oktaUser(email)).want(201)["id"].(string)
	token := p.api.outbox().sendOne().token(p.api.t, store.EmailInvitation)
	return id, email, p.api.accept(token, testPassword).want(200).tokens()
}

// withEmail lets the store send emails.
func withEmail(o *store.Options) { o.SendsEmail = true }
