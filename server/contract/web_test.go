package contract

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/server"
	"assay/server/web"
	"assay/store/storetest"
)

// takeServer starts a server without the checks of the harness's headers: the
// candidate page has its own.
func takeServer(t *testing.T, changes ...func(*server.Options)) func(method, path string, headers ...string) response {
	t.Helper()
	clock := storetest.NewClock()
	s := storetest.OpenURL(t, storetest.URL(t, "sqlite"), clock.Now)
	serve(t, s, clock).register() // the dashboard's first visit of all is different
	a := serve(t, s, clock, changes...)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	t.Cleanup(client.CloseIdleConnections)
	return func(method, path string, headers ...string) response {
		r, err := http.NewRequest(method, a.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "assay.test"
		for i := 0; i < len(headers); i += 2 {
			if headers[i] == "Host" {
				r.Host = headers[i+1]
				continue
			}
			r.Header.Set(headers[i], headers[i+1])
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response{t: t, name: method + " " + path, status: answer.StatusCode, header: answer.Header, body: body}
	}
}

// policyAlone is the policy of a page for people who use no other page of this server.
func policyAlone(page *web.Page, html string) string {
	return "default-src 'none'; script-src 'self'; style-src " + page.StyleSource + "; " +
		"img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
		"require-trusted-types-for 'script'; trusted-types " + html
}

// webPage is a page with its address and the Trusted Types policy that can make HTML.
type webPage struct {
	path, html string
	*web.Page
}

// policy differs for the dashboard, which also shows a logo before it is sent.
func (p webPage) policy() string {
	policy := policyAlone(p.Page, p.html)
	if p.path == "/app" {
		policy = strings.Replace(policy, "img-src 'self'", "img-src 'self' blob:", 1)
	}
	return policy
}

// webPages returns all pages, the dashboard first.
func webPages(t *testing.T) []webPage {
	t.Helper()
	take, account := takePage(t), accountPage(t)
	return []webPage{
		{"/app", "assay", appPage(t)}, {"/take", "assay", take},
		{"/accept-invitation", "'none'", account}, {"/reset-password", "'none'", account},
	}
}

// Requirement 31 of the candidate page, which holds for each page.
func TestWebHeaders(t *testing.T) {
	ask := takeServer(t)
	for _, p := range webPages(t) {
		page := ask("GET", p.path).want(200)
		for name, want := range map[string]string{
			"Content-Security-Policy":    p.policy(),
			"Cross-Origin-Opener-Policy": "same-origin",
			"X-Robots-Tag":               "noindex",
			"Referrer-Policy":            "no-referrer",
			"X-Content-Type-Options":     "nosniff",
			"X-Frame-Options":            "DENY",
			"Cache-Control":              "no-cache",
			"Content-Type":               "text/html; charset=UTF-8",
			"Set-Cookie":                 "",
			"Link":                       "",
		} {
			if got := strings.Join(page.header.Values(name), ", "); got != want {
				t.Errorf("%s: %s is %q, want %q", p.path, name, got, want)
			}
		}

		features := strings.Split(page.header.Get("Permissions-Policy"), ", ")
		form := regexp.MustCompile(`^[a-z-]+=\(\)$`)
		for _, feature := range features {
			if !form.MatchString(feature) {
				t.Errorf("%s: the Permissions-Policy contains %q", p.path, feature)
			}
		}
		off := []string{"camera", "microphone", "geolocation", "display-capture", "usb", "payment", "clipboard-read"}
		for _, feature := range off {
			if !slices.Contains(features, feature+"=()") {
				t.Errorf("%s: the Permissions-Policy lacks %s", p.path, feature)
			}
		}
		if got, want := slices.Contains(features, "clipboard-write=()"), p.path == "/take"; got != want {
			t.Errorf("%s: whether the clipboard is off: %t, want %t", p.path, got, want)
		}
		if got, want := slices.Contains(features, "publickey-credentials-get=()"), p.path == "/take"; got != want {
			t.Errorf("%s: whether passkeys are off: %t, want %t", p.path, got, want)
		}

		head := ask("HEAD", p.path).want(200)
		for _, varying := range []string{"X-Request-Id", "Date"} {
			page.header.Del(varying)
			head.header.Del(varying)
		}
		if len(head.body) != 0 || head.header.Get("Content-Length") != strconv.Itoa(len(page.body)) ||
			!maps.EqualFunc(head.header, page.header, slices.Equal) {
			t.Errorf("HEAD has %d bytes and the headers %v, GET %v", len(head.body), head.header, page.header)
		}
		ask("POST", p.path).is405(t)
	}

	for _, path := range []string{
		"/take/", "/take/take.html", "/take/main.tsx", "/take/x/y", "/takes", "/take//", "/take/account.html",
		"/account", "/account/", "/account/account.html", "/accept-invitation/", "/reset-password/", "/reset-password/x",
	} {
		ask("GET", path).want(404, "not_found")
	}
}

func (r response) is405(t *testing.T) {
	t.Helper()
	if r.status != http.StatusMethodNotAllowed || r.header.Get("Allow") != "OPTIONS, GET, HEAD" {
		t.Errorf("%s: %d, Allow %q", r.name, r.status, r.header.Get("Allow"))
	}
}

// The HTML has no script of its own, and refers only to files that exist.
func TestWebShell(t *testing.T) {
	ask := takeServer(t)
	for _, p := range webPages(t) {
		page := string(ask("GET", p.path).want(200).body)
		for _, want := range []string{
			`<div id="app">`, `id="polite"`, `aria-live="polite"`, `id="assertive"`, `aria-live="assertive"`, "<noscript>",
			`<meta name="viewport"`, `<meta name="color-scheme" content="light dark">`,
			`<meta name="robots" content="noindex">`, `<link rel="icon"`,
		} {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s", p.path, want)
			}
		}
		page = regexp.MustCompile(`<script type="application/json"[^>]*>[^<]*</script>`).ReplaceAllString(page, "") // data
		if inline := regexp.MustCompile(`style=|<script[^>]*>[^<]|\son[a-z]+=|{{`).FindString(page); inline != "" {
			t.Errorf("%s contains %q", p.path, inline)
		}

		references := regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1)
		if len(references) != 3 {
			t.Errorf("%s refers to %q, want a script, the licenses of its packages, and an icon", p.path, references)
		}
		for _, reference := range references {
			if !strings.HasPrefix(reference[1], p.Folder+"/") { // relative, so that the page works below a path of a proxy
				t.Errorf("%s refers to %s", p.path, reference[1])
			}
			ask("GET", "/"+reference[1]).want(200)
		}
	}
}

// Each file of the page is compressed once and cached forever. Each file is used:
// the HTML or the script names it.
func TestWebFiles(t *testing.T) {
	ask := takeServer(t)
	for _, page := range []*web.Page{takePage(t), accountPage(t), appPage(t)} {
		checkFiles(t, ask, page)
	}
}

func checkFiles(t *testing.T, ask func(method, path string, headers ...string) response, page *web.Page) {
	t.Helper()
	users := string(page.Shell)
	for _, file := range page.Files {
		if strings.HasSuffix(file.Name, ".js") {
			users += string(file.Content)
		}
	}

	hashed := regexp.MustCompile(`^[A-Za-z0-9_-]+-[A-Z0-9]{8}\.(js|json|svg)$`)
	for _, file := range page.Files {
		path := "/" + page.Folder + "/" + file.Name
		cache := "public, max-age=31536000, immutable"
		if file.Name == "LICENSES.txt" {
			cache = "no-cache"
		} else if !hashed.MatchString(file.Name) {
			t.Errorf("%s has no hash in its name, and is cached forever", file.Name)
		}
		if !strings.Contains(users, file.Name) {
			t.Errorf("nothing uses %s", file.Name)
		}

		plain := ask("GET", path, "Accept-Encoding", "identity").want(200)
		packed := ask("GET", path, "Accept-Encoding", "br, gzip").want(200)
		if !bytes.Equal(plain.body, file.Content) || !bytes.Equal(gunzip(t, packed.body), file.Content) {
			t.Errorf("%s has another content than the file", path)
		}
		if packed.header.Get("Content-Encoding") != "gzip" || plain.header.Get("Content-Encoding") != "" {
			t.Errorf("%s has the wrong Content-Encoding", path)
		}
		for _, r := range []response{plain, packed} {
			if r.header.Get("Cache-Control") != cache || r.header.Get("Content-Type") != file.Kind || file.Kind == "" ||
				r.header.Get("Vary") != "Accept-Encoding" || r.header.Get("X-Content-Type-Options") != "nosniff" ||
				r.header.Get("Set-Cookie") != "" {
				t.Errorf("%s has the headers %v", path, r.header)
			}
		}

		head := ask("HEAD", path, "Accept-Encoding", "gzip").want(200)
		if len(head.body) != 0 || head.header.Get("Content-Length") != strconv.Itoa(len(packed.body)) {
			t.Errorf("HEAD %s: %d bytes, %v", path, len(head.body), head.header)
		}
		ask("POST", path).is405(t)
		ask("GET", path+"/").want(404, "not_found")
		ask("GET", path+"x").want(404, "not_found")
		ask("GET", strings.ToUpper(path)).want(404, "not_found")
	}
}

// Requirement 35: at most 30 KB of scripts, and 45 KB in total, compressed. The total is what a candidate loads in
// English, without the headers. A question in free text, a text with a picture, the time on questions, and voluntary
// questions load a further part each, of at most 1.2 KB.
func TestTakeBudget(t *testing.T) {
	page := takePage(t)
	scripts, total := sizes(page)
	for _, file := range page.Files {
		part, _, _ := strings.Cut(file.Name, "-")
		size := len(file.Gzip())
		if slices.Contains([]string{"writing", "pictures", "activity", "voluntary"}, part) {
			scripts, total = scripts-size, total-size
			if size > 1200 {
				t.Errorf("%s has %d bytes, want at most 1200", file.Name, size)
			}
		}
	}
	t.Logf("scripts %d bytes, total %d bytes", scripts, total)
	if scripts > 30_000 || total > 45_000 || scripts == 0 {
		t.Errorf("scripts %d bytes, total %d bytes; want at most 30000 and 45000", scripts, total)
	}
}

// The page for passwords loads at most 25 KB in English, without the headers.
func TestAccountBudget(t *testing.T) {
	scripts, total := sizes(accountPage(t))
	t.Logf("scripts %d bytes, total %d bytes", scripts, total)
	if total > 25_000 || scripts == 0 {
		t.Errorf("total %d bytes, want at most 25000", total)
	}
}

// sizes returns how many bytes a visit in English loads, compressed.
func sizes(page *web.Page) (scripts, total int) {
	total = len(page.ShellGzip())
	for _, file := range page.Files {
		size := len(file.Gzip())
		switch {
		case strings.HasSuffix(file.Name, ".js"):
			scripts += size
			total += size
		case strings.HasSuffix(file.Name, ".svg"), strings.HasPrefix(file.Name, "en-"):
			total += size
		}
	}
	return scripts, total
}

// The HTML counts like each public page. Its files do not count, because many
// candidates in one room share an address.
func TestWebRateLimits(t *testing.T) {
	limit := func(opts *server.Options) { opts.RateLimits = replicaLimits }
	ask := takeServer(t, limit)
	pages := webPages(t)
	for i := range 600 {
		path := pages[i%len(pages)].path
		if fields := ask("GET", path).want(200).limits(); fields.policy != "pages" || fields.quota != 600 {
			t.Fatalf("%s has the rate limit headers %+v", path, fields)
		}
	}
	for _, p := range pages {
		if wait := ask("GET", p.path).limited("pages"); wait > int(time.Minute/time.Second) {
			t.Errorf("%s asks to wait %d seconds", p.path, wait)
		}
	}

	for i := range 1000 {
		p := pages[i%len(pages)]
		r := ask("GET", "/"+p.Folder+"/"+p.Files[i%len(p.Files)].Name).want(200)
		if r.header.Get("RateLimit") != "" || r.header.Get("RateLimit-Policy") != "" {
			t.Fatalf("%s has rate limit headers: %v", r.name, r.header)
		}
	}
}

// ASSAY_FRAME_ANCESTORS names the origins that may frame the page. X-Frame-Options
// cannot name origins, so it is absent then, but only from the page.
func TestTakeFrameAncestors(t *testing.T) {
	ask := takeServer(t, func(opts *server.Options) {
		opts.FrameAncestors = []string{"https://jobs.example", "https://ats.example:8443"}
	})
	page := ask("GET", "/take").want(200)
	want := strings.Replace(policyAlone(takePage(t), "assay"), "frame-ancestors 'none'",
		"frame-ancestors https://jobs.example https://ats.example:8443", 1)
	if got := page.header.Get("Content-Security-Policy"); got != want {
		t.Errorf("the policy is %q, want %q", got, want)
	}
	if got := page.header.Values("X-Frame-Options"); got != nil {
		t.Errorf("X-Frame-Options is %q", got)
	}
	for _, path := range []string{"/docs", "/accept-invitation", "/reset-password"} {
		header := ask("GET", path).want(200).header
		if got := header.Get("X-Frame-Options"); got != "DENY" {
			t.Errorf("%s has X-Frame-Options %q", path, got)
		}
		if got := header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors 'none'") {
			t.Errorf("%s has the policy %q", path, got)
		}
	}
}

// A logo's address begins with the base URL, so the policy must allow that origin
// when the page was opened at another one.
func TestTakeImages(t *testing.T) {
	for _, test := range []struct{ base, host, images string }{
		{"https://assay.test", "assay.test", "'self'"},
		{"https://assay.test", "ASSAY.test", "'self'"},
		{"https://assay.test/hiring", "assay.test", "'self'"},
		{"https://assay.test", "127.0.0.1:8080", "'self' https://assay.test"},
		{"http://127.0.0.1:8080", "localhost:8080", "'self' http://127.0.0.1:8080"},
		{"https://assay.test:8443/hiring", "assay.test", "'self' https://assay.test:8443"},
	} {
		ask := takeServer(t, func(opts *server.Options) { opts.BaseURL = test.base })
		want := strings.Replace(policyAlone(takePage(t), "assay"), "img-src 'self'", "img-src "+test.images, 1)
		if got := ask("GET", "/take", "Host", test.host).header.Get("Content-Security-Policy"); got != want {
			t.Errorf("base URL %s, host %s: the policy is %q, want %q", test.base, test.host, got, want)
		}
	}
}

func takePage(t *testing.T) *web.Page {
	t.Helper()
	page, err := web.Take()
	return complete(t, page, err)
}

func accountPage(t *testing.T) *web.Page {
	t.Helper()
	page, err := web.Account()
	return complete(t, page, err)
}

func complete(t *testing.T, page *web.Page, err error) *web.Page {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Files) < 4 {
		t.Fatalf("the page has %d files, want a script, an icon, languages, and the licenses", len(page.Files))
	}
	return page
}
