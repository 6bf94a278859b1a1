package contract

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

// getUnless sends GET with an If-None-Match header.
func (a *api) getUnless(etag, path string, who credential) response {
	a.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), "GET", a.url+path, nil)
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set("If-None-Match", etag)
	r.Header.Set(who.header, who.value)
	return a.send(r)
}

// finishedSession returns the id and a result token of a new session with a result.
func (o *tenant) finishedSession(key credential, assessmentID string) (id, token string) {
	s := o.begin(assessmentID)
	o.api.save(s, 175).want(200)
	o.api.submit(s).want(200)
	o.api.fold()
	created := o.api.do("POST", "/v1/public/candidate-sessions/"+s.id+"/result-token", key, nil).want(200)
	return s.id, created.text("data.token")
}

// A client that has a document receives 304 without a body.
func TestUnchangedDocuments(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key, assessmentID := o.key(), o.publish(oneQuestion(object{"description": strings.Repeat("long ", 300)}))
		id, token := o.finishedSession(key, assessmentID)
		for _, document := range []struct {
			path string
			who  credential
		}{
			{"/v1/public/assessments/" + assessmentID, key},
			{"/v1/public/candidate-sessions/" + id + "/result", key},
			{"/v1/public/results/" + token, key},
			{"/v1/candidate-sessions/" + id + "/result", o.owner},
		} {
			first := a.do("GET", document.path, document.who, nil).want(200)
			etag := first.header.Get("ETag")
			if !strings.HasPrefix(etag, `W/"`) {
				t.Errorf("%s: ETag %q, want a weak one", document.path, etag)
			}
			for ifNoneMatch, want := range map[string]int{
				etag: 304, strings.TrimPrefix(etag, "W/"): 304, `"other", ` + etag: 304, "*": 304,
				`"other"`: 200, strings.Trim(etag, `W/"`): 200, etag + "x": 200,
			} {
				again := a.getUnless(ifNoneMatch, document.path, document.who).want(want)
				if again.header.Get("ETag") != etag || want == 304 && len(again.body) > 0 {
					t.Errorf("%s with %s: ETag %s, %d bytes", document.path, ifNoneMatch, again.header.Get("ETag"), len(again.body))
				}
				if vary := again.header.Get("Vary"); vary != first.header.Get("Vary") {
					t.Errorf("%s with %s: Vary %q", document.path, ifNoneMatch, vary)
				}
			}
			for range 2 { // the second one is compressed already
				packed := a.raw("GET", document.path, document.who, "gzip", nil)
				body := packed.Body.Bytes()
				if len(first.body) > 1024 {
					body = gunzip(t, body)
				}
				if packed.Header().Get("ETag") != etag || string(body) != string(first.body) {
					t.Errorf("%s: the compressed response is another document", document.path)
				}
			}
			a.getUnless(strings.Repeat("x", 256), document.path, document.who).want(400, "invalid_request")
		}
	})
}

// A change takes effect at once on the replica that makes it, and within a second on others.
func TestDocumentsFollowChanges(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		key, assessmentID := o.key(), o.publish(oneQuestion())
		id, token := o.finishedSession(key, assessmentID)
		a.clock.Advance(time.Minute)
		changes := func(path, field, before, after string, change func()) {
			t.Helper()
			etags := map[*api]string{}
			for _, replica := range []*api{a, b} {
				read := replica.do("GET", path, key, nil).want(200).wantFields(object{field: before})
				etags[replica] = read.header.Get("ETag")
			}
			if etags[a] != etags[b] {
				t.Errorf("%s: the replicas' ETags differ: %v", path, etags)
			}
			change()
			a.getUnless(etags[a], path, key).want(200).wantFields(object{field: after})
			a.clock.Advance(time.Second)
			b.getUnless(etags[b], path, key).want(200).wantFields(object{field: after})
		}
		changes("/v1/public/assessments/"+assessmentID, "data.status", "PUBLISHED", "ARCHIVED", func() {
			a.do("POST", "/v1/assessments/"+assessmentID+"/archive", o.owner, nil).want(200)
		})
		name := a.do("GET", "/v1/candidate-sessions/"+id, o.owner, nil).text("data.candidateName")
		changes("/v1/public/results/"+token, "data.candidate.name", name, "erased", func() {
			a.erase(o.owner, id).want(204)
		})
	})
}

// A result's percentile follows other completions, and its ETag with it.
func TestPercentileChangesTheDocument(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key, assessmentID := o.key(), o.publish(oneQuestion())
		first, _ := o.finishedSession(key, assessmentID)
		path := "/v1/public/candidate-sessions/" + first + "/result"
		etag := a.do("GET", path, key, nil).want(200).wantFields(object{"data.percentile": nil}).header.Get("ETag")
		for range 19 {
			s := o.begin(assessmentID)
			a.save(s, 1).want(200)
			a.submit(s).want(200)
		}
		a.fold()
		a.clock.Advance(time.Second)
		a.getUnless(etag, path, key).want(200).wantFields(object{"data.percentile": 97.5})
	})
}

// A document in memory is as invisible to others as one in the database.
func TestDocumentsInMemoryKeepTheirScope(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		key, foreign, assessmentID := o.key(), stranger.key(), o.publish(oneQuestion())
		id, token := o.finishedSession(key, assessmentID)
		for path, code := range map[string]string{
			"/v1/public/assessments/" + assessmentID:          "not_found",
			"/v1/public/candidate-sessions/" + id + "/result": "not_found",
			"/v1/public/results/" + token:                     "result_not_found",
		} {
			a.do("GET", path, key, nil).want(200)
			a.getUnless("*", path, foreign).want(404, code)
			a.do("GET", path, key, nil).want(200)
		}
	})
}
