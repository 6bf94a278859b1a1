package contract

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
)

// What a provider cannot say. None of it changes the member, and none of it is an error of the service.
func TestProvisioningBadInput(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p := a.register().provider()
		id, email, _ := p.join("bad")
		before := p.call("GET", "/Users/"+id, nil).want(200)
		operations := func(items ...any) object { return object{"Operations": items} }
		long := strings.Repeat("x", 300)
		for _, c := range []struct {
			method, path string
			body         any
			status       int
			scimType     string
		}{
			{"POST", "/Users", nil, 400, "invalidValue"},
			{"POST", "/Users", "{", 400, "invalidSyntax"},
			{"POST", "/Users", "[]", 400, "invalidValue"},
			{"POST", "/Users", `{"userName":"a@example.com","userName":"b@example.com"}`, 400, ""},
			{"POST", "/Users", object{}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": "jane"}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": 1}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "displayName": long}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "displayName": "a\nb"}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "name": "N"}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "name": object{"givenName": strings.Repeat("x", 100)}}, 400,
				"invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "externalId": long}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "externalId": "a\x00b"}, 400, ""},
			{"POST", "/Users", object{"userName": newAddress("x"), "active": "maybe"}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "userType": "GUEST"}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "externalId": "00u" + email}, 409, "uniqueness"},
			{"POST", "/Users", `{"userName":"` + strings.Repeat("x", 70_000) + `"}`, 413, ""},
			{"PUT", "/Users/" + id, object{"userName": newAddress("other")}, 400, "mutability"},
			{"PATCH", "/Users/" + id, patchOf("userName", newAddress("other")), 400, "mutability"},
			{"PATCH", "/Users/" + id, patchOf(`emails[type eq "work"].value`, newAddress("other")), 400, "mutability"},
			{"PATCH", "/Users/" + id, patchOf("emails", []any{object{"value": newAddress("other"), "primary": true}}), 400,
				"mutability"},
			{"PATCH", "/Users/" + id, operations(object{"op": "remove", "path": "userName"}), 400, "mutability"},
			{"PATCH", "/Users/" + id, operations(object{"op": "remove", "path": "active"}), 400, "mutability"},
			{"PATCH", "/Users/" + id, operations(object{"op": "remove"}), 400, "noTarget"},
			{"PATCH", "/Users/" + id, operations(object{"op": "move", "path": "active", "value": true}), 400, "invalidSyntax"},
			{"PATCH", "/Users/" + id, operations(), 400, "invalidSyntax"},
			{"PATCH", "/Users/" + id, operations(1, nil, "x"), 400, "invalidSyntax"},
			{"PATCH", "/Users/" + id, operations(make([]any, 101)...), 400, "invalidSyntax"},
			{"PATCH", "/Users/" + id, operations(object{"op": "replace", "value": "x"}), 400, "invalidValue"},
			{"PATCH", "/Users/" + id, operations(object{"op": "replace", "path": 1, "value": "x"}), 400, "invalidPath"},
			{"PATCH", "/Users/" + id, patchOf("active or true", "x"), 400, "invalidPath"},
			{"PATCH", "/Users/" + id, patchOf(`emails[type eq "work"`, "x"), 400, "invalidPath"},
			{"PATCH", "/Users/" + id, patchOf("active", []any{}), 400, "invalidValue"},
			{"PATCH", "/Users/" + id, patchOf("displayName", object{}), 400, "invalidValue"},
			// The last operation fails, so none applies.
			{"PATCH", "/Users/" + id, patchOf("displayName", "Changed", "userType", "NONE"), 400, "invalidValue"},
			{"PATCH", "/Users/" + id, object{}, 400, "invalidSyntax"},
			{"GET", "/Users?filter=" + url.QueryEscape(`userName co "x"`), nil, 400, "invalidFilter"},
			{"GET", "/Users?filter=" + url.QueryEscape(`title eq "x"`), nil, 400, "invalidFilter"},
			{"GET", "/Users?filter=" + url.QueryEscape(`userName eq "a" or userName eq "b"`), nil, 400, "invalidFilter"},
			{"GET", "/Users?filter=" + url.QueryEscape(`userName eq `), nil, 400, "invalidFilter"},
			{"GET", "/Users?startIndex=x", nil, 400, "invalidValue"},
			{"GET", "/Users?count=99999999999999999999", nil, 400, "invalidValue"},
			{"GET", "/Users?filter=%zz", nil, 400, "invalidSyntax"},
			{"GET", "/Users/usr_x", nil, 404, ""},
			{"GET", "/Users/%00", nil, 404, ""},
			{"DELETE", "/Users/" + strings.Repeat("y", 5000), nil, 404, ""},
		} {
			refused := p.call(c.method, c.path, c.body)
			if refused.status != c.status {
				t.Errorf("%s %s %v: %d %s, want %d", c.method, c.path, c.body, refused.status, refused.raw, c.status)
				continue
			}
			refused.wantRefused(c.status, c.scimType)
		}
		for _, filter := range []string{`userName eq "jane"`, `userName eq "a\u0000b"`, `externalId eq ""`} {
			if found := p.find(filter); found["totalResults"] != 0.0 {
				t.Errorf("%s finds %v", filter, found)
			}
		}
		if after := p.call("GET", "/Users/"+id, nil).want(200); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("the member is %v, was %v", after, before)
		}
	}, withEmail)
}

// The pages of a list have each member and invited person once.
func TestProvisioningPages(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p := a.register().provider()
		for range 1000 - 1 {
			p.add("MEMBER")
			a.clock.Advance(time.Millisecond)
		}
		seen := map[any]bool{}
		for start := 1; start <= 1000; start += 200 {
			page := p.call("GET", fmt.Sprintf("/Users?startIndex=%d&count=500", start), nil).want(200)
			if page["totalResults"] != 1000.0 || page["itemsPerPage"] != 200.0 || page["startIndex"] != float64(start) {
				t.Fatalf("the page from %d has %v of %v", start, page["itemsPerPage"], page["totalResults"])
			}
			for _, shown := range page["Resources"].([]any) {
				seen[shown.(object)["id"]] = true
			}
		}
		if len(seen) != 1000 {
			t.Errorf("the pages have %d people", len(seen))
		}
		for query, want := range map[string]float64{
			"startIndex=1001": 0, "startIndex=2147483647": 0, "count=0": 0, "count=-5": 0, "startIndex=-1&count=1": 1, "": 100,
		} {
			page := p.call("GET", "/Users?"+query, nil).want(200)
			if page["itemsPerPage"] != want || page["totalResults"] != 1000.0 {
				t.Errorf("%s: %v of %v, want %v", query, page["itemsPerPage"], page["totalResults"], want)
			}
		}
	})
}

// No value of any type, and no path or filter, is an error of the service.
func TestProvisioningAnyValue(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p := a.register().provider()
		id, email, _ := p.join("any")
		values := []any{
			nil, true, 0, -1e300, "", "x", "a\u0000b", "\u2028", strings.Repeat("x", 5000), []any{}, []any{nil}, []any{[]any{}},
			[]any{object{"value": object{}}}, []any{object{"value": nil, "primary": "True"}}, object{}, object{"value": []any{}},
			object{"": nil, "a b": 1, "givenName": 1},
		}
		for _, attribute := range []string{
			"active", "userName", "displayName", "name", "name.givenName", "name.formatted", "name.x", "emails",
			`emails[type eq "work"].value`, "emails[].value", "externalId", "userType", "roles",
			`roles[primary eq "True"].value`, "id", "meta", "schemas", "password", "groups", "", ".", "[]", "urn:",
			"urn:ietf:params:scim:schemas:core:2.0:User:",
			"urn:ietf:params:scim:schemas:core:2.0:User:active", "$ref", "active.x", "active[a eq b]",
		} {
			for _, value := range values {
				for _, op := range []any{"add", "Replace", "REMOVE"} {
					p.call("PATCH", "/Users/"+id, object{"Operations": []any{object{"op": op, "path": attribute, "value": value}}})
				}
				p.call("PATCH", "/Users/"+id,
					object{"Operations": []any{object{"op": "add", "value": object{attribute: value}}}})
				p.call("PUT", "/Users/"+id, object{attribute: value})
			}
			for _, filter := range []string{
				attribute, attribute + " eq", attribute + ` eq "`, attribute + ` eq "\u0000"`, attribute + ` eq "\ud800"`,
				attribute + ` eq 1`, attribute + ` eq "x" and active eq true`, "(" + attribute + ` eq "x")`, attribute + " pr",
				attribute + ` eq "` + strings.Repeat("x", 3000) + `"`, attribute + ` eq "%"`, attribute + ` EQ "x' OR 1=1"`,
			} {
				p.call("GET", "/Users?filter="+url.QueryEscape(filter), nil)
			}
		}
		if shown := p.call("GET", "/Users/"+id, nil).want(200); shown["userName"] != email {
			t.Errorf("the member is %v", shown)
		}
	}, withEmail)
}
