package contract

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"assay/server"
	"assay/server/web"
	"assay/store"
	"assay/store/storetest"
)

func appPage(t *testing.T) *web.Page {
	t.Helper()
	page, err := web.App()
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// The page is the same for each screen. It finds its files from each address, also below
// the path of a proxy.
func TestAppScreens(t *testing.T) {
	clock := storetest.NewClock()
	a := serve(t, storetest.Open(t, "sqlite", clock.Now), clock)
	a.register()
	references := regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	for _, path := range []string{
		"/app", "/app/", "/app/sign-in", "/app/register", "/app/candidates/ses_01m45jykxp5v6eh188600f79y7",
		"/app/assessments/asm_1/edit/", "/app/a/b/c/d/e/f", "/app/a//b", "/app/%2Fx", "/app/candidates?status=INVITED&q=a.b",
	} {
		r := httptest.NewRequest("GET", path, nil)
		r.Host = "assay.test"
		page := a.serveBare(r).want(200)
		found := references.FindAllStringSubmatch(string(page.body), -1)
		if len(found) < 2 {
			t.Errorf("%s refers to %q", path, found)
		}
		for _, reference := range found {
			at, err := url.Parse("https://assay.test/proxy" + path)
			if err != nil {
				t.Fatal(err)
			}
			at, err = at.Parse(reference[1])
			if err != nil {
				t.Fatal(err)
			}
			file, below := strings.CutPrefix(at.Path, "/proxy")
			if !below || !strings.HasPrefix(file, "/app/") {
				t.Errorf("%s refers to %s, which is %s", path, reference[1], at)
			}
			a.serveBare(httptest.NewRequest("GET", file, nil)).want(200)
		}
		if policy := page.header.Get("Content-Security-Policy"); policy != webPages(t)[0].policy() {
			t.Errorf("%s has the policy %s", path, policy)
		}
		a.serveBare(httptest.NewRequest("POST", path, nil)).want(405, "method_not_allowed")
	}

	for _, path := range []string{
		"/app/a/b/c/d/e/f/g", "/app/a/b/c/d/e/f/", "/app/" + strings.Repeat("/", 100), "/application", "/app.html",
		"/app/main.js", "/app/app.html", "/app/x/app-00000000.js", "/app/x%2ejs", "/app/x%2Ejs", "/app/.", "/app/..",
		"/app/.env", "/app/x/favicon.ico", "/app/%2e%2e",
	} {
		a.serveBare(httptest.NewRequest("GET", path, nil)).want(404, "not_found")
	}
}

// The policy names the origin of logos, and never an origin that may frame the page.
func TestAppPolicy(t *testing.T) {
	ask := takeServer(t, func(opts *server.Options) {
		opts.BaseURL, opts.FrameAncestors = "https://logos.test/hiring", []string{"https://jobs.example"}
		opts.RateLimits = replicaLimits
	})
	page := ask("GET", "/app/register").want(200)
	want := strings.Replace(webPages(t)[0].policy(), "'self' blob:", "'self' https://logos.test blob:", 1)
	if got := page.header.Get("Content-Security-Policy"); got != want {
		t.Errorf("the policy is %s, want %s", got, want)
	}
	if page.header.Get("X-Frame-Options") != "DENY" || page.limits().policy != "pages" {
		t.Errorf("the headers are %v", page.header)
	}
	packed := ask("GET", "/app/x/y", "Accept-Encoding", "gzip").want(200)
	if !strings.Contains(string(gunzip(t, packed.body)), `src="../../app/`) {
		t.Error("the compressed page of a deeper address refers to its files as /app does")
	}
}

// The first visit of all leads to the registration, and later ones do not.
func TestAppFirstVisit(t *testing.T) {
	for mode, first := range map[store.RegistrationMode]bool{
		store.RegistrationOpen: true, store.RegistrationFirst: true, store.RegistrationClosed: false,
	} {
		storetest.Each(t, func(t *testing.T, database string) {
			clock, address := storetest.NewClock(), storetest.URL(t, database)
			configured := func(opts *store.Options) { opts.Registration = mode }
			a := serve(t, storetest.OpenURL(t, address, clock.Now, configured), clock)
			visit := func(path, want string) {
				t.Helper()
				answer := a.serveBare(httptest.NewRequest("GET", path, nil))
				location := answer.header.Get("Location")
				if location != want || answer.status != map[bool]int{true: http.StatusOK, false: http.StatusFound}[want == ""] {
					t.Errorf("%s: %d, Location %q, want %q", path, answer.status, location, want)
				}
				if want != "" && answer.header.Get("Cache-Control") != "no-store" {
					t.Errorf("%s: a browser could keep the redirect", path)
				}
			}
			at := func(location string) string { return map[bool]string{true: location}[first] }
			visit("/", "app")
			visit("/app", at("app/register"))
			visit("/app/", at("register"))
			visit("/app/sign-in", at("register"))
			visit("/app/register", "")
			visit("/app/candidates", "")
			serve(t, storetest.OpenURL(t, address, clock.Now), clock).register()
			for _, path := range []string{"/app", "/app/", "/app/sign-in", "/app/register"} {
				visit(path, "")
			}
		})
	}
}
