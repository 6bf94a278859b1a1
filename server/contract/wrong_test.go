package contract

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
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

// The harness finds what a wrong implementation of the contract does: here, a proxy that changes a response.
func TestWrongImplementationsAreFound(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		o.publish(oneQuestion())
		target, err := url.Parse(a.url)
		if err != nil {
			t.Fatal(err)
		}
		replace := func(old, new string) func(*http.Response, string) string {
			return func(_ *http.Response, body string) string { return strings.Replace(body, old, new, 1) }
		}
		unknown := "/v1/assessments/" + a.unknownID("assessments")
		for name, test := range map[string]struct {
			path   string
			change func(r *http.Response, body string) string
			want   string // in the complaint; "" if the response is right
		}{
			"nothing": {"/v1/me", func(_ *http.Response, body string) string { return body }, ""},
			"the status": {"/v1/me", func(r *http.Response, body string) string {
				r.StatusCode = http.StatusAccepted
				return body
			}, "202"},
			"a field is missing":       {"/v1/me", replace(`,"role":"OWNER"`, ``), `"role" is missing`},
			"a field has another name": {"/v1/me", replace(`"role":`, `"Role":`), "Role"},
			"a field is undeclared":    {"/v1/me", replace(`"role":`, `"x":1,"role":`), "x"},
			"a value is null":          {"/v1/me", replace(`"name":"Ada Lovelace"`, `"name":null`), "name"},
			"a type":                   {"/v1/organization", replace(`"inviteExpiryDays":14`, `"inviteExpiryDays":"14"`), "inviteExpiryDays"},
			"a number":                 {"/v1/organization", replace(`"used":0`, `"used":0.5`), "used"},
			"a time":                   {"/v1/organization", replace(`"createdAt":"2`, `"createdAt":"x2`), "createdAt"},
			"an email":                 {"/v1/me", replace(`"email":"`, `"email":"x y`), "email"},
			"an error code":            {unknown, replace(`"code":"not_found"`, `"code":"question_not_found"`), "question_not_found"},
			"the media type": {"/v1/me", func(r *http.Response, body string) string {
				r.Header.Set("Content-Type", "text/plain")
				return body
			}, "text/plain"},
			"an undeclared header": {"/v1/me", func(r *http.Response, body string) string {
				r.Header.Set("Location", "/v1/me")
				return body
			}, "Location"},
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
				changed := test.change(r, string(body))
				if test.want != "" && changed == string(body) && !strings.Contains("the status the media type an undeclared header", name) {
					t.Errorf("%s: the response has nothing to change: %s", name, body)
				}
				r.Body = io.NopCloser(bytes.NewReader([]byte(changed)))
				r.Header.Set("Content-Length", strconv.Itoa(len(changed)))
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
