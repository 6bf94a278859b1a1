package contract

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// eachRead calls visit with a request for each GET operation. It succeeds if the operation does for some resources
// of the estate.
func (e estate) eachRead(t *testing.T, visit func(o described, request func() *http.Request)) {
	t.Helper()
	for _, o := range everyOperation(t) {
		if o.method != "GET" {
			continue
		}
		chosen := 0
		request := func() *http.Request {
			who := e.right(o)
			if o.id == "retrieveOwnSelfIdentification" { // only after the end
				who = e.finished
			}
			r := e.wellFormed(o, who)
			r.URL.Path = o.address(func(collection string) string {
				ids := e.of(collection)
				return ids[min(chosen, len(ids)-1)]
			})
			return r
		}
		for chosen < 5 && e.api.send(request()).status != http.StatusOK {
			chosen++
		}
		visit(o, request)
	}
}

// varying are headers that differ in each response.
var varying = []string{"Date", "X-Request-Id", "Ratelimit", "Retry-After"}

func stable(header http.Header) http.Header {
	header = header.Clone()
	for _, name := range varying {
		header.Del(name)
	}
	return header
}

// HEAD has the headers of GET and no body (RFC 9110, section 9.3.2).
func TestHead(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		succeeded := 0
		a.estate().eachRead(t, func(o described, request func() *http.Request) {
			plain := func(method string) response {
				r := request()
				r.Method = method
				r.Header.Set("Accept-Encoding", "identity") // otherwise net/http decompresses, and removes the length
				return a.exchange(r)
			}
			get, head := plain("GET"), plain("HEAD")
			// A list of changes can grow between the two, when a transaction of another test ends.
			for tries := 0; tries < 5 && plain("GET").header.Get("ETag") != get.header.Get("ETag"); tries++ {
				get, head = plain("GET"), plain("HEAD")
			}
			length := strconv.Itoa(len(get.body))
			if strings.HasSuffix(o.path, "/audit-log/export") { // each export is an entry of the log
				length = head.header.Get("Content-Length")
			}
			if head.status != get.status || len(head.body) > 0 || head.header.Get("Content-Length") != length {
				t.Errorf("%s: HEAD %d with %d bytes and the length %s, GET %d with %s bytes", o.id, head.status, len(head.body),
					head.header.Get("Content-Length"), get.status, length)
			}
			want, got := stable(get.header), stable(head.header)
			want.Set("Content-Length", length)
			if !maps.EqualFunc(want, got, slices.Equal) {
				t.Errorf("%s: HEAD has %v, GET %v", o.id, got, want)
			}
			if get.status == 200 {
				succeeded++
			}
		})
		if succeeded < 50 {
			t.Errorf("only %d operations succeeded", succeeded)
		}
	})
}

// Each JSON document has an entity tag, with which a client that has the document gets 304.
func TestEachDocumentHasATag(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		unchanged := 0
		a.estate().eachRead(t, func(o described, request func() *http.Request) {
			declared := contract().document.Paths.Value(o.path).Get.Responses.Status(304) != nil
			first := a.send(request())
			if !declared {
				return
			}
			if first.status != 200 {
				t.Errorf("%s: %d for each resource of the estate", o.id, first.status)
				return
			}
			tag := first.header.Get("ETag")
			if !strings.HasPrefix(tag, `W/"`) {
				t.Errorf("%s: ETag %q", o.id, tag)
			}
			for value, want := range map[string]int{tag: 304, `"other"`: 200} {
				r := request()
				r.Header.Set("If-None-Match", value)
				again := a.send(r)
				// What depends on the time of the request differs each time, and then the tag does.
				if again.header.Get("ETag") != tag && want == 304 {
					t.Logf("%s: the document differs each time", o.id)
					continue
				}
				if again.status != want || want == 304 && len(again.body) > 0 {
					t.Errorf("%s with %s: %d with %d bytes, want %d", o.id, value, again.status, len(again.body), want)
				}
				if want == 304 {
					unchanged++
				}
			}
		})
		if unchanged < 45 {
			t.Errorf("only %d documents were unchanged", unchanged)
		}
	})
}

// A list has another tag after a change.
func TestListsChangeTheirTag(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.invite(o.publish(oneQuestion(object{}))).text("data.id")
		for i, path := range []string{"/v1/candidate-sessions", "/v1/candidate-sessions/" + id} {
			tag := a.do("GET", path, o.owner, nil).want(200).header.Get("ETag")
			a.getUnless(tag, path, o.owner).want(304)
			a.do("PATCH", "/v1/candidate-sessions/"+id, o.owner, object{"extraTimePercent": 10 + i}).want(200)
			a.getUnless(tag, path, o.owner).want(200)
		}
	})
}
