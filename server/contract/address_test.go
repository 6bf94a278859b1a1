package contract

import (
	"crypto/rand"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The tests that call onAny or onAnyPair also judge a service at an address: `make contract-tests URL=https://…`.
// Anyone must be able to register there. The other tests are left out, and the run says how many they are.

var address = flag.String("url", "", "judge the service at this `address`")

// run makes the email addresses of a run unique at an address. It is empty in a run on databases of its own.
var run string

// judge runs the tests that any service can take. It returns the exit code.
func judge(m *testing.M) int {
	parsed, err := url.Parse(*address)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "" || parsed.Path != "" {
		fmt.Fprintf(os.Stderr, "the address %s is not like https://assay.example\n", *address)
		return 2
	}
	run = "." + newWord(10)
	needs, err := needsOfTests()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	runs, leftOut := 0, map[string][]string{}
	var skipped []string
	for name, need := range needs {
		if need == "" {
			runs++
			continue
		}
		leftOut[need] = append(leftOut[need], name)
		skipped = append(skipped, name)
	}
	slices.Sort(skipped)
	if err := flag.Set("test.skip", "^("+strings.Join(skipped, "|")+")$"); err != nil {
		panic(err)
	}
	code := m.Run()
	_, _ = fmt.Fprintf(os.Stdout, "%d of %d tests can judge the service at %s, and %d are left out:\n",
		runs, len(needs), *address, len(skipped))
	for need, names := range leftOut {
		slices.Sort(names)
		_, _ = fmt.Fprintf(os.Stdout, "  %d %s\n", len(names), need)
		if testing.Verbose() {
			_, _ = fmt.Fprintf(os.Stdout, "    %s\n", strings.Join(names, " "))
		}
	}
	return code
}

// forAny are the functions that a test calls if any service can take it.
var forAny = []string{"onAny", "onAnyPair", "everyBody"}

// needsOfTests returns what each test of this folder needs beside a service, from its code: nothing, if it calls one of
// forAny.
func needsOfTests() (map[string]string, error) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		return nil, err
	}
	needs := map[string]string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, declared := range parsed.Decls {
			function, ok := declared.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(function.Name.Name, "Test") || function.Name.Name == "TestMain" {
				continue
			}
			need := "control the clock, the database, or the process of a server, or read files of the project"
			ast.Inspect(function.Body, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if name, ok := call.Fun.(*ast.Ident); ok && slices.Contains(forAny, name.Name) {
						need = ""
					}
				}
				return true
			})
			needs[function.Name.Name] = need
		}
	}
	return needs, nil
}

// at returns the service at the address.
func at(t *testing.T) *api { return &api{t: t, url: *address, base: *address} }

// afterLimit sends a request again when a rate limit of the service permits it. No test that any service can take
// expects a 429.
func (a *api) afterLimit(r *http.Request, answer *http.Response) response {
	a.t.Helper()
	const longest = 70 // seconds
	body, _ := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	wait, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || wait > longest {
		// Not Fatalf: several tests send requests from goroutines of their own, and read the response afterwards.
		a.t.Errorf("%s %s: 429 with Retry-After %q: the tests need a service with higher rate limits\n%s",
			r.Method, r.URL.Path, answer.Header.Get("Retry-After"), body)
		return response{
			t: a.t, name: r.Method + " " + r.URL.Path, status: answer.StatusCode, header: answer.Header, body: body,
		}
	}
	time.Sleep(time.Duration(wait) * time.Second)
	if r.GetBody != nil {
		if r.Body, err = r.GetBody(); err != nil {
			a.t.Fatal(err)
		}
	}
	return a.exchange(r)
}

// now is the time of the service.
func (a *api) now() time.Time {
	if a.time != nil {
		return a.time.Now()
	}
	return time.Now()
}

// pass lets time pass.
func (a *api) pass(d time.Duration) {
	if a.time != nil {
		a.time.Advance(d)
		return
	}
	time.Sleep(d)
}

// newWord returns random letters and digits, as ids have them.
func newWord(length int) string {
	const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	random := make([]byte, length)
	_, _ = rand.Read(random) // it never fails
	for i, b := range random {
		random[i] = alphabet[b%32]
	}
	return string(random)
}

// onAny is onEach for a test that needs no control over the clock, the database, or the process. It also runs against
// a service at any address (address_test.go).
func onAny(t *testing.T, test func(t *testing.T, a *api)) {
	t.Helper()
	if *address != "" {
		t.Parallel()
		test(t, at(t))
		return
	}
	onEach(t, func(t *testing.T, a *api) {
		a.own = nil
		test(t, a)
	})
}

// onAnyPair is onAny with two servers that share a database. At an address, both are the service.
func onAnyPair(t *testing.T, test func(t *testing.T, a, b *api)) {
	t.Helper()
	if *address != "" {
		t.Parallel()
		test(t, at(t), at(t))
		return
	}
	onReplicas(t, func(t *testing.T, a, b *api) {
		a.own, b.own = nil, nil
		test(t, a, b)
	})
}
