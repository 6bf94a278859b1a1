package main

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// A page whose name was rebound to this machine reads nothing of the demo, which needs no credential. The demo shows
// no response of a private address, because each of its clients can add a webhook.
func TestDemoHosts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args          []string
		answered, not []string
	}{
		{nil, []string{"127.0.0.1", "localhost:8080", "LOCALHOST", "[::1]:80"}, []string{
			"evil.example", "127.0.0.1.evil.example:8080", "192.168.1.5", "0.0.0.0",
		}},
		{[]string{"--public"}, []string{"127.0.0.1", "localhost", "192.168.1.5:8080", "[fd00::1]"}, []string{"evil.example"}},
	} {
		p := start(t, []string{"ASSAY_ADDR=127.0.0.1:0"}, append([]string{"demo"}, test.args...)...)
		p.printed(`the contract at (\S+)\n`) // the last line
		base := p.printed(`^  address +(http://127\.0\.0\.1:\d+)\n`)
		ask := func(host, path string) int {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Host = host
			response, err := http.DefaultTransport.RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			return response.StatusCode
		}
		for _, path := range []string{
			"/demo/mail", "/demo/sign-in", "/app", "/v1/public/assessments", "/nothing", "/healthz",
		} {
			for _, host := range test.answered {
				if status := ask(host, path); status == http.StatusMisdirectedRequest {
					t.Errorf("%v: %s of %s: %d", test.args, path, host, status)
				}
			}
			for _, host := range test.not {
				if status := ask(host, path); status != http.StatusMisdirectedRequest {
					t.Errorf("%v: %s of %s: %d", test.args, path, host, status)
				}
			}
		}

		as := []string{"Content-Type", "application/json"}
		first := func(path, body, pattern string) string {
			got := send(t, http.MethodPost, base+path, body, as...)
			found := regexp.MustCompile(pattern).FindStringSubmatch(got.body)
			if found == nil {
				t.Fatalf("%s: %d %s", path, got.status, got.body)
			}
			return found[1]
		}
		token := first("/v1/auth/login", `{"email":"`+demoEmail+`","password":"`+demoPassword+`"}`, `"accessToken":"([^"]+)"`)
		as = append(as, "Authorization", "Bearer "+token)
		webhook := first("/v1/webhooks", `{"url":"`+base+`/healthz","events":["candidate.invited"]}`, `"id":"(whk_\w+)"`)
		attempt := first("/v1/webhooks/"+webhook+"/test", "{}", `(.*"statusCode":405.*)`)
		if strings.Contains(attempt, "problem") {
			t.Errorf("the attempt has the response: %s", attempt)
		}
	}
}
