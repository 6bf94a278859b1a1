package contract

import (
	"testing"

	"assay/store/storetest"
)

// An EDITOR writes assessments, and manages neither people nor the organization, from the invitation on. A change of
// the role has an effect at once, also one by the previous version, which knows no EDITOR.
func TestEditor(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		invited := o.add("EDITOR")
		id := invited.text("data.id")
		a.do("GET", "/v1/members/"+id, o.owner, nil).want(200).
			wantFields(object{"data.role": "EDITOR", "data.status": "INVITED"})

		joined := a.accept(invited.invitation(), testPassword).want(200)
		editor := bearer(joined.text("data.accessToken"))
		a.me(joined.text("data.accessToken")).want(200).wantFields(object{"data.role": "EDITOR"})
		write := func(title string) response {
			return a.do("POST", "/v1/assessments", editor, object{"title": title})
		}
		write("Night porter").want(201)
		a.do("POST", "/v1/api-keys", editor, object{"name": "ATS", "scopes": []string{"candidates:read"}}).
			want(403, "insufficient_role")
		a.do("POST", "/v1/members", editor, object{"name": "N", "email": newEmail(), "role": "MEMBER"}).
			want(403, "insufficient_role")

		a.setRole(o.owner, id, "MEMBER").want(200).wantFields(object{"data.role": "MEMBER"})
		write("Day porter").want(403, "insufficient_role")
		a.setRole(o.owner, id, "EDITOR").want(200).wantFields(object{"data.role": "EDITOR"})
		write("Day porter").want(201)
		listed := a.do("GET", "/v1/members", o.owner, nil).want(200)
		if listed.text("data.0.role") != "EDITOR" {
			t.Errorf("the list says %s", listed.body)
		}

		for _, change := range []struct{ written, read string }{{"ADMIN", "ADMIN"}, {"MEMBER", "EDITOR"}} {
			storetest.ReplaceRole(t, a.database, id, change.written)
			a.do("GET", "/v1/members/"+id, o.owner, nil).want(200).wantFields(object{"data.role": change.read})
		}
	})
}
