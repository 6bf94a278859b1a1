package main

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/store/storetest"
	"assay/store/storetest/proxy"
)

// leakTest puts secrets into a running service, keeps all its output, and searches
// the output for the secrets.
type leakTest struct {
	*testing.T
	process     *process
	base, admin string
	database    string // URL, not through the proxy

	secrets map[string]string // by name
	cores   map[string]string // the random part, which no output may contain

	mu    sync.Mutex
	texts []text
}

// text is an output of the service. It may contain the secrets in shows.
type text struct {
	name, content string
	shows         []string
}

// random returns letters and digits that need no escaping.
func random(t *testing.T) string {
	t.Helper()
	b := make([]byte, 20)
	if _, err := rand.Read(b); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(b)
}

func (w *leakTest) plant(name, whole, core string) string {
	w.Helper()
	if len(core) < 20 || !strings.Contains(whole, core) {
		w.Fatalf("%s: %q is not a part of the secret", name, core)
	}
	w.secrets[name], w.cores[name] = whole, core
	return whole
}

func (w *leakTest) keep(name, content string, shows ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.texts = append(w.texts, text{name, content, shows})
}

// forms returns the forms of a secret to search for: twelve characters at each fourth
// place, and the whole secret in several encodings.
func forms(core string) []string {
	var all []string
	for at := 0; at+12 <= len(core); at += 4 {
		piece := core[at : at+12]
		all = append(all, piece, url.QueryEscape(piece), hex.EncodeToString([]byte(piece)))
	}
	for shift := range 3 {
		// The first and last encoded characters depend on the surrounding text.
		encoded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + core))
		all = append(all, encoded[4:len(encoded)-4],
			base64.RawURLEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + core))[4:len(encoded)-4])
	}
	return all
}

func holds(content, core string) bool {
	return slices.ContainsFunc(forms(core), func(form string) bool { return strings.Contains(content, form) })
}

// search reports each secret in a text that may not contain it.
func (w *leakTest) search() {
	w.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	size := 0
	for _, text := range w.texts {
		size += len(text.content)
		for _, name := range slices.Sorted(maps.Keys(w.cores)) {
			if !slices.Contains(text.shows, name) && holds(text.content, w.cores[name]) {
				w.Errorf("%s holds the %s:\n%.2000s", text.name, name, text.content)
			}
		}
	}
	found := storetest.Search(w, w.database, slices.Collect(maps.Values(w.cores))...)
	for name, core := range w.cores {
		if found.Texts[core] {
			w.Errorf("the database holds the %s", name)
		}
	}
	w.Logf("%d secrets, looked for in %d answers and outputs of %d KiB and in %d KiB of the database", len(w.cores),
		len(w.texts), size>>10, found.Searched>>10)
}

// ask sends a request, keeps the response, and returns the expression's last group.
func (w *leakTest) ask(method, path, body, expression string, headers []string, shows ...string) string {
	w.Helper()
	got, whole := w.exchange(method, path, body, headers)
	w.keep(method+" "+path, whole, shows...)
	match := regexp.MustCompile(expression).FindStringSubmatch(got.body)
	if got.status/100 != 2 || match == nil {
		w.Fatalf("%s %s: %d %s, want %s", method, path, got.status, got.body, expression)
	}
	return match[len(match)-1]
}

// exchange returns a response, and the whole of it with its headers.
func (w *leakTest) exchange(method, path, body string, headers []string) (got answer, whole string) {
	w.Helper()
	r, err := http.NewRequest(method, w.base+path, strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		w.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		w.Fatal(err)
	}
	var head bytes.Buffer
	_ = response.Header.Write(&head)
	return answer{status: response.StatusCode, body: string(content)}, fmt.Sprint(response.Status, "\n", &head, "\n",
		string(content))
}

// A secret occurs only in the one response that returns it. It does not occur in
// debug logs, other responses, metrics, or the database, in whatever place a
// client sent it, and whatever failed.
func TestSecretsStaySecret(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		w := &leakTest{T: t, database: storetest.URL(t, database), secrets: map[string]string{}, cores: map[string]string{}}
		between := w.start()
		receiver := w.receiver()
		needle := random(t)
		c := w.useSecrets(receiver, needle)
		w.misplaceSecrets(c)
		w.throughFailures(c, between)
		w.operational()
		w.control(needle, c)
		w.search()
	})
}

// start runs the service with new secrets.
func (w *leakTest) start() *proxy.Proxy {
	w.Helper()
	databaseURL := w.database
	var between *proxy.Proxy
	if strings.HasPrefix(databaseURL, "postgres") {
		var err error
		if between, err = proxy.New(w.Context(), databaseURL); err != nil {
			w.Fatal(err)
		}
		w.Cleanup(func() { _ = between.Close() })
		parsed, err := url.Parse(between.URL())
		if err != nil {
			w.Fatal(err)
		}
		core := random(w.T)
		parsed.User = url.UserPassword(parsed.User.Username(), w.plant("database password", "db-"+core, core))
		databaseURL = parsed.String()
	}
	master, previous, admin := random(w.T), random(w.T), freeAddr(w.T)
	w.process = start(w.T, []string{
		"ASSAY_DATABASE_URL=" + databaseURL,
		"ASSAY_SECRET=" + w.plant("master secret", "master-"+master, master),
		"ASSAY_SECRET_PREVIOUS=" + w.plant("previous secret", "earlier-"+previous, previous),
		"ASSAY_LOG_LEVEL=debug", "ASSAY_LOG_FORMAT=json", "ASSAY_RATE_LIMITS=off", "ASSAY_WEBHOOK_ALLOW_INSECURE=true",
		"ASSAY_WEBHOOK_BACKOFF=10ms,10ms", "ASSAY_WEBHOOK_TIMEOUT=1s", "ASSAY_TRUSTED_PROXIES=127.0.0.0/8",
		"ASSAY_CORS_ORIGINS=https://app.example", "ASSAY_REGISTRATION=open",
		"ASSAY_ADMIN_ADDR=" + admin, "ASSAY_PPROF=true",
	}, "serve", "--addr", "127.0.0.1:0")
	w.listen(admin)
	return between
}

// listen waits until both listeners answer.
func (w *leakTest) listen(admin string) {
	w.Helper()
	w.base, w.admin = w.process.printed(`listens on (\S+)`), "http://"+admin
	poll(w.T, "readiness", func() bool {
		return get(w.T, w.base+"/readyz").status == 200 && get(w.T, w.admin+"/metrics").status == 200
	})
}

// receiver responds to every webhook with an error.
func (w *leakTest) receiver() string {
	refusing := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		rw.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(rw, "refused")
	}))
	w.Cleanup(refusing.Close)
	return refusing.URL
}

// operational keeps the output that operators see.
func (w *leakTest) operational() {
	w.Helper()
	for _, path := range []string{
		"/metrics", "/debug/pprof/", "/debug/pprof/cmdline", "/debug/pprof/goroutine?debug=2", "/debug/pprof/heap?debug=1",
		"/debug/pprof/allocs?debug=1",
		"/debug/pprof/threadcreate?debug=1", "/debug/pprof/trace?seconds=0.1",
	} {
		got := get(w.T, w.admin+path)
		if got.status != 200 && path != "/debug/pprof/cmdline" { // it would contain the flags
			w.Errorf("%s: %d %s", path, got.status, got.body)
		}
		w.keep("admin "+path, got.body)
	}
	for _, path := range []string{"/openapi.yaml", "/errors/unauthenticated", "/healthz", "/readyz"} {
		w.keep("operational "+path, get(w.T, w.base+path).body)
	}
	w.process.signal()
	if status := w.process.wait(); status.ExitStatus() != 0 {
		w.Errorf("the service ends with %d", status.ExitStatus())
	}
	w.keep("standard output", w.process.stdout.String())
	w.keep("standard error", w.process.stderr.String())
}

// control checks that the search finds known texts.
func (w *leakTest) control(needle string, c *credentialSet) {
	w.Helper()
	if !storetest.Search(w, w.database, needle).Texts[needle] {
		w.Error("the search of the database does not find a candidate's name")
	}
	seen := map[string]string{}
	for _, text := range w.texts {
		seen[strings.SplitN(text.name, " ", 2)[0]] += text.content
	}
	for where, what := range map[string]string{
		"GET": needle, "standard": c.organization, "admin": `route="/v1/auth/login"`, "operational": "openapi: 3.0.3",
	} {
		if !holds(seen[where], what) {
			w.Errorf("the search of %s does not find %s", where, what)
		}
	}
	log := w.process.stderr.String()
	for _, level := range []string{"ERROR", "WARN", "INFO"} {
		if !strings.Contains(log, `"level":"`+level+`"`) {
			w.Errorf("nothing was logged as %s", level)
		}
	}
	for name, core := range w.cores {
		for _, disguise := range []string{
			core, core[3:17], hex.EncodeToString([]byte(core)),
			base64.StdEncoding.EncodeToString([]byte("me:" + w.secrets[name])),
			base64.URLEncoding.EncodeToString([]byte("m:" + w.secrets[name] + "?")), url.QueryEscape(w.secrets[name]),
			fmt.Sprintf("%q", w.secrets[name]),
		} {
			if !holds("x"+disguise+"y", core) {
				w.Errorf("the %s is not found in the form %s", name, disguise)
			}
		}
		for _, text := range w.texts {
			if slices.Contains(text.shows, name) && holds(text.content, core) {
				core = ""
				break
			}
		}
		if core != "" && c.shown[name] {
			w.Errorf("the %s is not found in the answer that shows it", name)
		}
	}
}

// Secrets in flags do not occur in the output.
func TestSecretsInFlags(t *testing.T) {
	t.Parallel()
	w := &leakTest{T: t, secrets: map[string]string{}, cores: map[string]string{}}
	master, previous, admin := random(t), random(t), freeAddr(t)
	w.process = start(t, []string{"ASSAY_LOG_LEVEL=debug"}, "serve", "--addr", "127.0.0.1:0", "--database-url",
		"sqlite::memory:", "--admin-addr", admin, "--pprof",
		"--secret", w.plant("master secret", "master-"+master, master), "--secret-previous",
		w.plant("previous secret", "earlier-"+previous, previous))
	w.listen(admin)
	w.operational()
	for _, text := range w.texts {
		for name, core := range w.cores {
			if holds(text.content, core) {
				t.Errorf("%s holds the %s: %.500s", text.name, name, text.content)
			}
		}
	}
}

// An error about an unreachable database does not contain its password.
func TestDatabasePasswordInStartFailures(t *testing.T) {
	t.Parallel()
	core := random(t)
	closed := freeAddr(t)
	for _, databaseURL := range []string{
		"postgres://assay:%s@" + closed + "/assay",
		"postgres://assay:%s@" + closed + "/assay?sslmode=disable",
		"postgres://assay:%s@" + closed + "/assay?sslmode=nonsense",
		"postgres://assay:%s@" + closed + "/assay?connect_timeout=nonsense",
		"postgres://assay:%s@" + closed + "/assay?sslrootcert=/nowhere&sslmode=verify-full",
		"postgres://assay:%s@127.0.0.1:99999/assay",
		"postgres://assay:%s@127.0.0.1:port/assay",
		"postgres://assay:%s@[::1/assay",
		"postgres://assay:%s%%zz@" + closed + "/assay",
		"postgres://assay:%s/x@" + closed + "/assay",
		"postgres://assay:%s#x@" + closed + "/assay",
		"postgres://" + closed + "/assay?user=assay&password=%s",
		"postgres://" + closed + "/assay?user=assay&password=%s&x=%%zz",
		"postgresql:assay:%s@" + closed,
		"postgres:%s",
		"mysql://assay:%s@" + closed + "/assay",
	} {
		for _, command := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"migrate", "status"}} {
			p := start(t, []string{"ASSAY_SECRET=" + testSecret, "ASSAY_ADMIN_ADDR=off", "ASSAY_LOG_LEVEL=debug",
				"ASSAY_DATABASE_URL=" + fmt.Sprintf(databaseURL, core)}, command...)
			status := p.wait()
			printed := p.stdout.String() + p.stderr.String()
			want := exitFailed
			if strings.Contains(printed, "ASSAY_DATABASE_URL: ") {
				want = exitUnusable
			}
			if status.ExitStatus() != want || !strings.Contains(printed, "assay: ") || holds(printed, core) {
				t.Errorf("%s of %s ends with %d: %s", command[0], databaseURL, status.ExitStatus(), printed)
			}
		}
	}
}
