package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"assay/gen"
	"assay/server"
	"assay/store"
	"assay/store/queue"
	"assay/store/storetest"
)

// The tests send HTTP requests to a real server with a real database. The harness
// checks every response against openapi.yaml and checks its security headers. A full
// run also fails if a documented status below 500, or a documented error code, never
// occurred.

// TestMain runs the tests. After a full run it checks that every documented response occurred.
func TestMain(m *testing.M) {
	flag.Parse()
	debug.SetGCPercent(400) // otherwise the collector takes a fifth of the time
	if *address != "" {
		os.Exit(judge(m))
	}
	code := m.Run()
	if code == 0 && fullRun() {
		if missing := contract.unseen(); len(missing) > 0 {
			_, _ = fmt.Fprintf(os.Stdout, "FAIL: documented in openapi.yaml, but never received by a test:\n  %s\n",
				strings.Join(missing, "\n  "))
			code = 1
		}
	}

	os.Exit(code)
}

// fullRun reports whether the run includes all tests.
func fullRun() bool {
	for _, name := range []string{"test.run", "test.skip", "test.fuzz", "test.bench", "test.list"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return false
		}
	}

	return !testing.Short()
}

var contract specFunc = sync.OnceValue(loadContract)

// specification is openapi.yaml, changed so that it rejects undeclared response fields.
// It records the responses that the tests received.
type specification struct {
	document *openapi3.T
	router   routers.Router
	mu       sync.Mutex
	seen     map[string]bool // "operationId status" and "operationId code"
}

func loadContract() *specification {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document)
	if err != nil {
		panic(err)
	}
	// The library only reads files that are separated by commas. The contract says no more than that they are texts.
	for _, mediaType := range []string{"text/csv", "text/html", "application/xml", "application/zip",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"} {
		openapi3filter.RegisterBodyDecoder(mediaType, openapi3filter.FileBodyDecoder)
	}
	document.Servers = nil // so that the router ignores the address
	closed := false
	for _, ref := range document.Components.Schemas {
		if len(ref.Value.AllOf) > 1 {
			*ref.Value = *merged(ref.Value) // in place, because other schemas refer to it
		}
	}

	for _, ref := range document.Components.Schemas {
		if s := ref.Value; s.Type.Is("object") && s.AdditionalProperties.Schema == nil && s.AdditionalProperties.Has == nil {
			s.AdditionalProperties.Has = &closed
		}
	}

	router, err := legacy.NewRouter(document)
	if err != nil {
		panic(err)
	}
	return &specification{document: document, router: router, seen: map[string]bool{}}
}

// merged returns an allOf of objects as one object. Undeclared fields cannot be rejected
// in an allOf.
func merged(s *openapi3.Schema) *openapi3.Schema {
	whole := openapi3.NewObjectSchema()
	for _, part := range s.AllOf {
		maps.Copy(whole.Properties, part.Value.Properties)
		whole.Required = append(whole.Required, part.Value.Required...)
	}
	return whole
}

// check compares a response with openapi.yaml, and records it.
func (s *specification) check(r *http.Request, status int, header http.Header, body []byte) error {
	route, params, err := s.router.FindRoute(r)

	// The library's router accepts a trailing slash and an empty path parameter. The server does not.
	if err != nil || strings.Count(route.Path, "/") != strings.Count(r.URL.EscapedPath(), "/") {
		refused := []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusTooManyRequests}
		if strings.HasPrefix(r.URL.Path, "/v1/") && !slices.Contains(refused, status) {
			return fmt.Errorf("no operation for %s %s, but the status is %d", r.Method, r.URL.Path, status)
		}
		return nil
	}

	// If a literal path lacks the method, the library's router tries paths with a parameter. The server does not.
	written := s.document.Paths.Value(r.URL.Path)
	noMethod := status == http.StatusMethodNotAllowed || status == http.StatusTooManyRequests
	if written != nil && written.GetOperation(r.Method) == nil && noMethod {
		return nil
	}
	s.mu.Lock()
	s.seen[route.Operation.OperationID+" "+strconv.Itoa(status)] = true
	s.mu.Unlock()
	if err := s.checkCode(route.Operation, status, body); err != nil {
		return err
	}
	if secret := secretForm.Find(body); secret != nil && status < 300 && !returnsSecret(route.Operation) {
		return fmt.Errorf("the response contains the secret %s: mark its field with x-secret", secret)
	}
	if err := declared(route.Operation, status, header); err != nil {
		return err
	}
	return openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 status, Header: header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true,
			SchemaValidationOptions: []openapi3.SchemaValidationOption{
				openapi3.MultiErrors(), openapi3.WithStringFormatValidators(formats),
			},
		},
	})
}

// declared returns an error if a response has one of headersForClients that openapi.yaml does not
// declare for it.
func declared(o *openapi3.Operation, status int, header http.Header) error {
	described := o.Responses.Status(status)
	if described == nil {
		return nil // ValidateResponse reports it
	}
	for _, name := range headersForClients {
		if header.Get(name) != "" && described.Value.Headers[name] == nil {
			return fmt.Errorf("%s %d does not declare the header %s", o.OperationID, status, name)
		}
	}
	return nil
}

// headersForClients are headers that a client of the API can use. Others concern browsers and caches.
var headersForClients = []string{
	"Content-Disposition", "Deprecation", "ETag", "Idempotency-Replayed", "Link", "Location", "RateLimit",
	"RateLimit-Policy", "Retry-After", "Sunset", "WWW-Authenticate", "X-Request-Id",
}

// secretForm matches the credentials that responses can contain: JWTs, invite and
// invitation tokens, API keys, and generated webhook secrets.
var secretForm = regexp.MustCompile(
	`eyJ[\w-]+\.[\w-]+\.[\w-]{43}|inv_\w{26}_\d+_[\w-]{20,}|mbr_\w{26}|pk_live_\w{64}|whsec_[\w+/=]{32,}`)

// generalCodes are the error codes that any operation may return. All others must be in
// the x-error-codes of the operation.
var generalCodes = []gen.ErrorCode{
	gen.ErrorCodeInvalidRequest, gen.ErrorCodeCursorInvalid, gen.ErrorCodeUnauthenticated, gen.ErrorCodeTokenExpired,
	gen.ErrorCodeInsufficientScope, gen.ErrorCodeInsufficientRole, gen.ErrorCodeNotFound,
	gen.ErrorCodeMethodNotAllowed, gen.ErrorCodePayloadTooLarge,
	gen.ErrorCodeUnexpectedBody, gen.ErrorCodeUnsupportedMediaType, gen.ErrorCodeRateLimited,
	gen.ErrorCodeInternal, gen.ErrorCodeUnavailable,
	gen.ErrorCodeSecondFactorSetupRequired, gen.ErrorCodeReauthenticationRequired,
	gen.ErrorCodeMemberDeactivated,
}

// checkCode compares the code of an error response with x-error-codes.
func (s *specification) checkCode(o *openapi3.Operation, status int, body []byte) error {
	if status < 400 {
		return nil
	}
	var problem gen.Problem
	if err := json.Unmarshal(body, &problem); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[o.OperationID+" "+problem.Code] = true
	if slices.Contains(generalCodes, problem.Code) {
		return nil
	}
	if named, _ := o.Extensions["x-error-codes"].([]any); !slices.Contains(named, any(problem.Code)) {
		return fmt.Errorf("x-error-codes of %s does not name %s", o.OperationID, problem.Code)
	}
	return nil
}

// unseen returns what is in openapi.yaml and was never received.
func (s *specification) unseen() []string {
	var missing []string
	for _, item := range s.document.Paths.Map() {
		for _, o := range item.Operations() {
			codes, _ := o.Extensions["x-error-codes"].([]any)
			for _, code := range codes {
				if !s.seen[fmt.Sprint(o.OperationID, " ", code)] {
					missing = append(missing, fmt.Sprint(o.OperationID, " ", code))
				}
			}

			for status := range o.Responses.Map() {
				if code, err := strconv.Atoi(status); err == nil && code < 500 && !s.seen[o.OperationID+" "+status] {
					missing = append(missing, o.OperationID+" "+status)
				}
			}
		}
	}

	slices.Sort(missing)
	return missing
}

func (f specFunc) unseen() []string { return f().unseen() }

type specFunc func() *specification

// api is a running service.
type api struct {
	t    testing.TB
	url  string
	base string           // what the service's own links begin with
	log  *lockedBuffer    // everything that the server logged; nil for a service at an address
	time *storetest.Clock // that of the server; nil for a service at an address, whose time passes by itself
	*own                  // nil in a test that any service can take
}

// own is what a test controls only if it has started the server itself.
type own struct {
	server   *server.Server
	store    *store.Store
	clock    *storetest.Clock
	database string // URL; set by onEach and onReplicas, for direct access with storetest
}

// sendsEmail is the option of a store for a service with a mail server. The test plays the worker.
func sendsEmail(opts *store.Options) { opts.SendsEmail = true }

// onEach runs test against a server on each kind of database, beside other tests. changes modify
// the options of the store.
func onEach(t *testing.T, test func(t *testing.T, a *api), changes ...func(*store.Options)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		databaseURL := storetest.URL(t, database)
		a := serve(t, storetest.OpenURL(t, databaseURL, clock.Now, changes...), clock)
		a.database = databaseURL
		test(t, a)
	})
}

// serve starts a server with a store and changed options. Servers on the same database
// are replicas.
func serve(t testing.TB, s *store.Store, clock *storetest.Clock, changes ...func(*server.Options)) *api {
	t.Helper()
	log := &lockedBuffer{}
	opts := server.Options{
		Store: s, BaseURL: "https://assay.test", Now: clock.Now,
		Log:  slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Ping: ping,
	}
	for _, change := range changes {
		change(&opts)
	}
	server, err := server.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	listener := httptest.NewServer(server)
	t.Cleanup(listener.Close)
	return &api{
		t: t, url: listener.URL, base: opts.BaseURL, log: log, time: clock,
		own: &own{server: server, store: s, clock: clock},
	}
}

// pinged is the attempt that ping returns. The package webhooks tests the real sending.
var pinged = store.Attempt{
	Number: 1, StartedAt: queue.Time{Time: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}, DurationMS: 143,
	ResponseBody: "to ",
}

func ping(_ context.Context, organizationID string, target store.Target) (store.Attempt, error) {
	attempt := pinged
	attempt.ResponseBody += organizationID + " " + target.WebhookID + " " + target.URL
	return attempt, nil
}

// credential is a request header with a token or key.
type credential struct{ header, value string }

func bearer(token string) credential { return credential{"Authorization", "Bearer " + token} }
func apiKeyOf(key string) credential { return credential{"X-API-Key", key} }

var anonymous = credential{}

// do sends a request. It sends a string or []byte body unchanged and encodes any other
// body as JSON. The test fails if the response does not conform to openapi.yaml.
func (a *api) do(method, path string, who credential, body any) response {
	a.t.Helper()
	var content []byte
	switch b := body.(type) {
	case nil:
	case string:
		content = []byte(b)
	case []byte:
		content = b
	default:
		var err error
		if content, err = json.Marshal(b); err != nil {
			a.t.Fatal(err)
		}
	}

	r, err := http.NewRequestWithContext(context.Background(), method, a.url+path, bytes.NewReader(content))
	if err != nil {
		a.t.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if who.header != "" {
		r.Header.Set(who.header, who.value)
	}
	return a.send(r)
}

// send is do for a complete request.
func (a *api) send(r *http.Request) response {
	a.t.Helper()
	answer := a.exchange(r)
	if err := contract().check(r, answer.status, answer.header, answer.body); err != nil {
		a.t.Errorf("%s: %d does not conform to openapi.yaml: %v\n%s", answer.name, answer.status, err, answer.body)
	}
	if wrong := wrongHeaders(answer.header, true); a.log != nil && len(wrong) > 0 { // they are not in the contract
		a.t.Errorf("%s: %d with wrong headers %q", answer.name, answer.status, wrong)
	}
	if wrong := answer.wrongProblem(); wrong != "" {
		a.t.Errorf("%s: %d %s: %s", answer.name, answer.status, answer.body, wrong)
	}
	return answer
}

// exchange is send without the checks.
func (a *api) exchange(r *http.Request) response {
	a.t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		a.t.Fatal(err)
	}
	if a.log == nil && answer.StatusCode == http.StatusTooManyRequests {
		return a.afterLimit(r, answer)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	return response{
		t: a.t, name: r.Method + " " + r.URL.Path, status: answer.StatusCode, header: answer.Header, body: body,
	}
}
