package contract

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// complaints is a test whose failures are collected.
type complaints struct {
	testing.TB
	all []string
}

func (c *complaints) Helper() {}
func (c *complaints) Errorf(format string, a ...any) {
	c.all = append(c.all, fmt.Sprintf(format, a...))
}

// altered is a response that a proxy can change.
type altered struct {
	status int
	header http.Header
	body   string
}

// The harness finds what a wrong implementation of the contract does: here, a proxy that changes a response.
func TestWrongImplementationsAreFound(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		target, err := url.Parse(a.url)
		if err != nil {
			t.Fatal(err)
		}
		replace := func(old, new string) func(*altered) {
			return func(a *altered) { a.body = strings.Replace(a.body, old, new, 1) }
		}
		header := func(name, value string) func(*altered) { return func(a *altered) { a.header.Set(name, value) } }
		unknown := "/v1/assessments/" + a.unknownID("assessments")
		for name, test := range map[string]struct {
			path   string
			change func(*altered)
			want   string // in the complaint; "" if the response is right
		}{
			"nothing":           {"/v1/me", func(*altered) {}, ""},
			"a status":          {"/v1/me", func(a *altered) { a.status = http.StatusAccepted }, "202"},
			"a missing field":   {"/v1/me", replace(`,"role":"OWNER"`, ``), `"role" is missing`},
			"a field's name":    {"/v1/me", replace(`"role":`, `"Role":`), "Role"},
			"an unknown field":  {"/v1/me", replace(`"role":`, `"x":1,"role":`), `"x"`},
			"a null":            {"/v1/me", replace(`"name":"Ada Lovelace"`, `"name":null`), "name"},
			"a type":            {"/v1/organization", replace(`Days":14`, `Days":"14"`), "inviteExpiryDays"},
			"a number":          {"/v1/organization", replace(`"used":0`, `"used":0.5`), "used"},
			"a time":            {"/v1/organization", replace(`"createdAt":"2`, `"createdAt":"x2`), "createdAt"},
			"an email":          {"/v1/me", replace(`"email":"`, `"email":"x y`), "email"},
			"an error code":     {unknown, replace(`"not_found"`, `"question_not_found"`), "question_not_found"},
			"a media type":      {"/v1/me", header("Content-Type", "text/plain"), "text/plain"},
			"an unknown header": {"/v1/me", header("Location", "/v1/me"), "Location"},
		} {
			proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(target)
				r.Out.Header.Set("Accept-Encoding", "identity")
			}}
			proxy.ModifyResponse = func(r *http.Response) error {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					return err
				}
				right := altered{r.StatusCode, r.Header.Clone(), string(body)}
				changed := altered{r.StatusCode, r.Header, string(body)}
				test.change(&changed)
				if test.want != "" && reflect.DeepEqual(changed, right) {
					t.Errorf("%s: the response has nothing to change: %s", name, body)
				}
				r.StatusCode = changed.status
				r.Header.Set("Content-Length", strconv.Itoa(len(changed.body)))
				r.Body = io.NopCloser(strings.NewReader(changed.body))
				return nil
			}
			wrong := httptest.NewServer(proxy)
			found := &complaints{TB: t}
			service := &api{t: found, url: wrong.URL, base: a.base}
			service.do("GET", test.path, o.owner, nil)
			wrong.Close()
			if all := strings.Join(found.all, "\n"); (test.want == "") != (all == "") || !strings.Contains(all, test.want) {
				t.Errorf("%s: the harness finds %q, want %q", name, all, test.want)
			}
		}
	})
}
