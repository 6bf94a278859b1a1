package contract

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/gen"
)

// response is a response that the harness has checked.
type response struct {
	t      testing.TB
	name   string
	status int
	header http.Header
	body   []byte
}

// want ends the test unless the response has the status and, if given, the error code.
func (r response) want(status int, code ...string) response {
	r.t.Helper()
	if r.status != status || (len(code) > 0 && r.text("code") != code[0]) {
		r.t.Fatalf("%s: %d, want %d %v\n%s", r.name, r.status, status, code, r.body)
	}
	return r
}

// at returns the value at a dotted path such as "data.stages.0.id".
func (r response) at(path string) any {
	r.t.Helper()
	var value any
	if err := json.Unmarshal(r.body, &value); err != nil {
		r.t.Fatalf("%s: %v\n%s", r.name, err, r.body)
	}
	for _, step := range strings.Split(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v) {
				r.t.Fatalf("%s: nothing at %s\n%s", r.name, path, r.body)
			}
			value = v[i]
		default:
			r.t.Fatalf("%s: nothing at %s\n%s", r.name, path, r.body)
		}
	}

	return value
}

func (r response) text(path string) string {
	r.t.Helper()
	s, _ := r.at(path).(string)
	return s
}

func (r response) number(path string) float64 {
	r.t.Helper()
	n, _ := r.at(path).(float64)
	return n
}

// list returns the array at a dotted path.
func (r response) list(path string) []any {
	r.t.Helper()
	l, ok := r.at(path).([]any)
	if !ok {
		r.t.Fatalf("%s: no list at %s\n%s", r.name, path, r.body)
	}
	return l
}

// faults returns each field error in the form "in pointer code".
func (r response) faults() []string {
	r.t.Helper()
	var problem gen.Problem
	if err := json.Unmarshal(r.body, &problem); err != nil {
		r.t.Fatal(err)
	}
	var faults []string
	for _, f := range problem.Errors {
		faults = append(faults, fmt.Sprintf("%s %s %s", f.In, f.Pointer, f.Code))
	}
	return faults
}

// is compares the status and the code. Unlike want, it lets the test continue.
func (r response) is(status int, code string) response {
	r.t.Helper()
	if r.status != status || r.code() != code {
		r.t.Errorf("%s: %d %s, want %d %s\n%s", r.name, r.status, r.code(), status, code, r.body)
	}
	return r
}

// code returns the error code, or "" if the response is not an error.
func (r response) code() string {
	if r.status < 400 || len(r.body) == 0 {
		return ""
	}
	return r.text("code")
}

// blames fails the test unless the response is a 400 with the given field error, in
// the form "in pointer code". "" stands for any field error.
func (r response) blames(fault string) {
	r.t.Helper()
	r.is(http.StatusBadRequest, "invalid_request")
	if r.status != http.StatusBadRequest {
		return
	}
	if faults := r.faults(); len(faults) == 0 || (fault != "" && !slices.Contains(faults, fault)) {
		r.t.Errorf("%s: field errors %q, want %q among them", r.name, faults, fault)
	}
}

// data returns the decoded field "data" of the body.
func (r response) data() object {
	r.t.Helper()
	data, ok := r.at("data").(object)
	if !ok {
		r.t.Fatalf("%s: data is not an object\n%s", r.name, r.body)
	}
	return data
}

// pages reads a list from path to its end by following the Link headers. It
// returns the given field of each item, in order, and the number of pages.
func (a *api) pages(path string, who credential, field string) (values []string, pages int) {
	a.t.Helper()
	for path != "" && pages < 1000 {
		page := a.do("GET", path, who, nil).want(200)
		for _, item := range page.list("data") {
			values = append(values, item.(object)[field].(string))
		}
		pages++
		link := page.header.Get("Link")
		if path = ""; link != "" {
			address, found := strings.CutPrefix(link, "<"+a.base)
			next, rel := strings.CutSuffix(address, `>; rel="next"`)
			if !found || !rel {
				a.t.Fatalf("Link %s", link)
			}
			path = next
		}
	}

	return values, pages
}
