package contract

import (
	"strings"
	"testing"
	"time"

	"assay/server"
	"assay/store/storetest"
)

// hostileEmail tries to get HTML into the pages that show it.
var hostileEmail = server.DemoEmail{
	ID: "eml_1", At: time.Date(2026, 11, 20, 9, 5, 0, 0, time.FixedZone("", 3600)),
	From: `"</td><script>from</script>" <a@b.example>`, To: `<img src=x onerror=to> <c@d.example>`,
	Subject: `</title><script>subject</script>`, Header: "Subject: </pre><script>header</script>",
	Text: "</pre><script>text</script>\nhttp://127.0.0.1/take#inv_1",
	HTML: `<!doctype html><html lang="en"><head><title>t</title></head><body>` +
		`<a href="http://127.0.0.1/take#inv_1">Start</a><script>document.title = "run"</script></body></html>`,
}

// The demo shows its emails. Their texts are text, and only the HTML part is HTML, in a sandbox.
func TestDemoMail(t *testing.T) {
	t.Parallel()
	a := demoMail(t, hostileEmail)
	list := a.do("GET", "/demo/mail", anonymous, nil).want(200)
	one := a.do("GET", "/demo/mail/eml_1", anonymous, nil).want(200)
	for _, page := range []response{list, one} {
		policy := page.header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "script-src") {
			t.Errorf("%s: the policy is %q", page.name, policy)
		}
		for _, part := range []string{"<script", "<img", "onerror=to>"} {
			if strings.Contains(string(page.body), part) {
				t.Errorf("%s contains %s\n%s", page.name, part, page.body)
			}
		}
	}
	for page, parts := range map[*response][]string{
		&list: {
			`<a href="mail/eml_1">&lt;/title&gt;&lt;script&gt;subject&lt;/script&gt;</a>`, "08:05:00", "c@d.example",
			"a@b.example",
		},
		&one: {`src="eml_1/html"`, "&lt;script&gt;text&lt;/script&gt;\nhttp://127.0.0.1/take#inv_1", "&lt;script&gt;header"},
	} {
		for _, part := range parts {
			if !strings.Contains(string(page.body), part) {
				t.Errorf("%s lacks %s\n%s", page.name, part, page.body)
			}
		}
	}

	html := a.do("GET", "/demo/mail/eml_1/html", anonymous, nil).want(200)
	if policy := html.header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "sandbox allow-popups ") ||
		!strings.Contains(policy, "default-src 'none'") || html.header.Get("X-Frame-Options") != "" {
		t.Errorf("%s: the headers are %v", html.name, html.header)
	}
	if want := strings.Replace(hostileEmail.HTML, "<head>", `<head><base target="_blank">`, 1); string(html.body) != want {
		t.Errorf("%s: %s", html.name, html.body)
	}
	a.do("GET", "/demo/mail/eml_2", anonymous, nil).want(404, "not_found")
	a.do("GET", "/demo/mail/eml_2/html", anonymous, nil).want(404, "not_found")
	a.do("POST", "/demo/mail", anonymous, nil).want(405, "method_not_allowed")
}

// demoMail is a server with one email.
func demoMail(t *testing.T, email server.DemoEmail) *api {
	t.Helper()
	clock := storetest.NewClock()
	return serve(t, storetest.OpenURL(t, storetest.URL(t, "sqlite"), clock.Now), clock,
		func(opts *server.Options) {
			opts.DemoMail = func() []server.DemoEmail { return []server.DemoEmail{email} }
		})
}

// Any other service has no such pages.
func TestDemoMailOnlyInTheDemo(t *testing.T) {
	onAny(t, func(_ *testing.T, a *api) {
		for _, path := range []string{"/demo/mail", "/demo/mail/eml_1", "/demo/mail/eml_1/html", "/demo/sign-in"} {
			a.do("GET", path, anonymous, nil).want(404, "not_found")
		}
	})
}
