package contract

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

// tag returns the ETag as the service sent it: the compression of a response adds W/.
func (r response) tag() string { return strings.TrimPrefix(r.header.Get("ETag"), "W/") }

// patchIf changes the title of an assessment with an If-Match header.
func (o *tenant) patchIf(id, ifMatch, title string) response {
	o.api.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), "PATCH", o.api.url+"/v1/assessments/"+id,
		strings.NewReader(`{"title":"`+title+`"}`))
	if err != nil {
		o.api.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("If-Match", ifMatch)
	r.Header.Set(o.owner.header, o.owner.value)
	return o.api.send(r)
}

// A change must not overwrite one that the caller has not seen.
func TestIfMatch(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		created := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201)
		id, first := created.text("data.id"), created.tag()
		if !strings.HasPrefix(first, `"`) || first == `""` {
			t.Fatalf("the ETag is %s", first)
		}
		second := o.patchIf(id, first, "one").want(200).tag()
		if second == first {
			t.Error("a change has kept the ETag")
		}
		for _, stale := range []string{first, "W/" + first, `"x", ` + first, "7x", ",", `""`} {
			o.patchIf(id, stale,
				"two").want(412).wantFields(object{"code": "assessment_changed", "title": "Precondition Failed"})
		}
		read := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200)
		read.wantFields(object{"data.title": "one"})
		if tag := read.tag(); tag != second {
			t.Errorf("the ETag is %s when read, and %s when changed", tag, second)
		}
		third := o.patchIf(id, first+`,W/`+second, "three").want(200).tag()
		fourth := o.patchIf(id, "*", "four").want(200).tag()

		published := a.do("POST", "/v1/assessments/"+id+"/publish", o.owner, nil).want(200).tag()
		o.patchIf(id, fourth, "five").want(412)
		again := a.do("POST", "/v1/assessments/"+id+"/publish", o.owner, nil).want(200).tag()
		if published == fourth || third == fourth || again != published {
			t.Errorf("ETags %s, %s, published %s, and again %s", third, fourth, published, again)
		}
		o.patchIf(id, published, "five").want(200)
		a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"title": "six"}).want(200)
	})
}

// Of several changes with the same ETag at the same moment, one succeeds.
func TestIfMatchOfSeveralEditors(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		created := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201)
		id, tag := created.text("data.id"), created.tag()
		changed := statuses(atOnce(8, func(i int) response {
			editor := *o
			editor.api = []*api{a, b}[i%2]
			return editor.patchIf(id, tag, "changed")
		}))
		if changed[200] != 1 || changed[412] != 7 {
			t.Errorf("the statuses are %v, want one 200 and seven 412", changed)
		}
	})
}
