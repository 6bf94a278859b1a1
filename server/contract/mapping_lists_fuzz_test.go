package contract

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// Any query of a list operation returns a page, or a 400 with field errors. A
// page begins after the cursor, has at most limit items, is sorted, and links to
// a next page that is valid too. The fuzzer replaces {} in the query with value,
// encoded as a client encodes it.
func FuzzListQuery(f *testing.F) {
	a := fuzzServer(f)
	e := a.estate()
	var lists []described
	var paths []string

	for _, o := range everyOperation(f) {
		if !slices.ContainsFunc(o.query, func(p *openapi3.Parameter) bool { return p.Name == "after" }) {
			continue
		}
		path := o.path
		if o.hasPathParameter() {
			path = e.at(o, e.of(o.collection())[0])
		}
		lists, paths = append(lists, o), append(paths, path)
	}

	if len(lists) < 7 {
		f.Fatalf("found only %d list operations", len(lists))
	}
	for i, o := range lists {
		for _, p := range o.query {
			f.Add(uint8(i), p.Name+"={}&limit=2", "x")
		}
	}

	session := e.of("candidate-sessions")[2]
	for _, value := range []string{
		session, strings.ToUpper(session), session[:29], "ses_7zzzzzzzzzzzzzzzzzzzzzzzzz", "evt_00000000000000000000000000",
		"", "\x00", "%", "é", "\xff",
	} {
		f.Add(uint8(4), "after={}", value)
	}

	for query, value := range map[string]string{
		"updatedSince={}": "2026-11-20T10:00:00.000+23:59", "since={}": "0001-01-01T00:00:00Z",
		"limit={}&limit=1": "9223372036854775808", "q={}&status=DRAFT": `%_\' OR 1=1 --`,
		"candidateEmail={}": "Candidate1@Example.com", "a;b=%zz&&=": "", "limit=01": "", "%61fter={}": session,
	} {
		for i := range lists {
			f.Add(uint8(i), query, value)
		}
	}

	f.Fuzz(func(t *testing.T, which uint8, query, value string) {
		a, o, path := a.withTest(t), lists[int(which)%len(lists)], paths[int(which)%len(lists)]
		raw := strings.ReplaceAll(query, "{}", url.QueryEscape(value))
		page, arrives := a.callDirect("GET", path+"?"+raw, e.right(o), nil)
		if !arrives {
			return
		}
		if page.status == 400 {
			known := slices.Contains([]string{"invalid_request", "cursor_invalid", "cursor_expired"}, page.code())
			if !known || len(page.faults()) == 0 {
				t.Errorf("%s: the 400 has no field errors: %s", page.name, page.body)
			}
			return
		}

		checkPage(t, o, page, raw)
		if link := page.header.Get("Link"); link != "" {
			_, after, _ := strings.Cut(link, "<https://assay.test"+path+"?")
			next, _, _ := strings.Cut(after, ">")
			following, _ := a.callDirect("GET", path+"?"+next, e.right(o), nil)
			checkPage(t, o, following, next)
			if len(following.list("data")) == 0 {
				t.Errorf("%s links to an empty page", page.name)
			}
		}
	})
}

// checkPage checks that a page matches its query.
func checkPage(t *testing.T, o described, page response, raw string) {
	t.Helper()
	page.want(200)
	query, err := url.ParseQuery(raw)
	if err != nil {
		t.Fatalf("%s is accepted, but its query is malformed: %v", page.name, err)
	}
	for name, values := range query {
		if len(values) != 1 || !slices.ContainsFunc(o.query, func(p *openapi3.Parameter) bool { return p.Name == name }) {
			t.Errorf("%s is accepted with %s=%q", page.name, name, values)
		}
	}

	limit := defaultLimit
	if query.Has("limit") {
		if limit, err = strconv.Atoi(query.Get("limit")); err != nil || limit < 1 || limit > 100 {
			t.Fatalf("%s is accepted with limit %q", page.name, query.Get("limit"))
		}
	}

	var ids []string
	for _, item := range page.list("data") {
		item := item.(object)
		ids = append(ids, item["id"].(string))
		if since := query.Get("updatedSince"); since != "" {
			from, err := time.Parse(time.RFC3339Nano, since)
			updated, updatedErr := time.Parse(time.RFC3339Nano, item["updatedAt"].(string))
			if err != nil || updatedErr != nil || updated.Before(from) {
				t.Errorf("%s returns an item with updatedAt %s", page.name, item["updatedAt"])
			}
		}

		if status := query.Get("status"); status != "" && item["status"] != status {
			t.Errorf("%s returns an item with status %s", page.name, item["status"])
		}
	}

	ordered := slices.IsSortedFunc(ids, func(a, b string) int { return strings.Compare(b, a) })
	if len(ids) > limit || !ordered || (query.Get("after") != "" && len(ids) > 0 && ids[0] >= query.Get("after")) {
		t.Errorf("%s: the ids are too many, unsorted, or not after the cursor: %v", page.name, ids)
	}
}
