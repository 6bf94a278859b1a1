package contract

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// ask sends the well-formed request with the given query.
func (c *cast) ask(o described, query string) response {
	c.api.t.Helper()
	r := c.wellFormed(o, c.right(o))
	r.URL.RawQuery = query
	return c.probe(o.id+" ?"+query, r)
}

// The server rejects undeclared query parameters. If it ignored a misspelt parameter,
// the caller would not notice the mistake.
func TestEveryUndeclaredQueryParameter(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		c := a.cast()
		for _, o := range everyOperation(t) {
			c.ask(o, "unknownParameter=1").blames("query unknownParameter unknown_parameter")
			c.ask(o, "unknownParameter").blames("query unknownParameter unknown_parameter")
			c.ask(o, "Limit=1").blames("query Limit unknown_parameter")
			c.ask(o, "limit%5B%5D=1").blames("query limit[] unknown_parameter")
			c.ask(o, "=1").blames("query  unknown_parameter")
			c.ask(o, "x=%00").blames("query x invalid_encoding")
			c.ask(o, "x=%ff").blames("query x invalid_encoding")
			c.ask(o, "%00=x").blames("query  invalid_encoding")
			c.ask(o, "%ff=x").blames("query  invalid_encoding")
			c.ask(o, "x=%zz").blames("query x invalid_encoding")
			c.ask(o, "x=1;y=2").blames("query  invalid_encoding")
			c.ask(o, strings.Repeat("x", 5000)+"=1").blames("")
		}
	})
}

// wrongParameters returns values that the schema of the parameter does not allow.
func wrongParameters(p *openapi3.Parameter) []string {
	s := p.Schema.Value
	wrong := []string{"", "\x00", "x\x00", "\xff", "\xed\xa0\x80"}
	switch {
	case s.Type.Is("integer"):
		wrong = append(wrong, fmt.Sprint(*s.Min-1), fmt.Sprint(*s.Max+1), "abc", "1.0", "1e2", "1 ", "0x10", "1_0", "-1",
			"99999999999999999999", "null", "true", "[1]", "1,2")
	case len(s.Enum) > 0:
		first := s.Enum[0].(string)
		wrong = append(wrong, "NONE", first+" ", first+","+first, strings.ToLower(first)+"x", "null")
	case s.Format == "date-time":
		wrong = append(wrong, "yesterday", "0", "2026-11-20", "2026-11-20T10:00:00", "2026-11-20 10:00:00Z",
			"2026-02-30T00:00:00Z",
			"0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2026-11-20T25:00:00Z", "2026-11-20T10:00:00+99:99", "now()")
	case s.Format == "email":
		wrong = append(wrong, "ada", "ada@", "@example.com", "ada@example.com,eve@example.com", "<ada@example.com>",
			"a\r\nb@example.com")
	case s.MaxLength != nil:
		wrong = append(wrong, strings.Repeat("ä", int(*s.MaxLength)+1))
	}

	return wrong
}

// exampleText is an example as a client writes it in a query.
func exampleText(example any) string {
	items, isList := example.([]any)
	if !isList {
		return fmt.Sprint(example)
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = fmt.Sprint(item)
	}
	return strings.Join(texts, ",")
}

// The server rejects each query value that openapi.yaml does not allow, so that no
// such value reaches a database.
func TestEveryQueryParameter(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		c := a.estate() // a list within a resource needs an existing resource
		tested := 0
		for _, o := range everyOperation(t) {
			for _, p := range o.query {
				tested++
				right := p.Name + "=" + url.QueryEscape(exampleText(p.Schema.Value.Example))
				if o.id == "listEmailTexts" { // the words of an assessment, which must exist, and no filter
					right = p.Name + "=" + c.of("assessments")[0]
				}
				switch p.Name { // TestEveryCursor checks which values a list accepts
				case "segmentId", "with":
					right = p.Name + "=" + c.of("segments")[0]
				case "after":
					right = "after=" + c.ask(o, "limit=1").want(200).text("data.0.id")
				case "cursor":
					right = "cursor=" + c.ask(o, "limit=1").want(200).text("data.cursor")
				}
				dry := ""
				if strings.HasSuffix(o.path, "/import") && p.Name != "dryRun" {
					dry = "&dryRun=true" // it creates nothing, and so answers 200
				}
				c.ask(o, right+dry).want(200)
				c.ask(o, right+"&"+right).blames("query " + p.Name + " duplicate")
				c.ask(o, p.Name).blames("") // the same as an empty value
				for _, value := range wrongParameters(p) {
					answer := c.ask(o, p.Name+"="+url.QueryEscape(value))
					answer.is(400, "invalid_request")
					if faults := answer.faults(); len(faults) == 0 || !strings.HasPrefix(faults[0], "query "+p.Name+" ") {
						t.Errorf("%s: field errors %q, want one of %s", answer.name, faults, p.Name)
					}
				}

				for _, value := range p.Schema.Value.Enum {
					accepted := c.ask(o, p.Name+"="+value.(string)+dry)
					if dry == "" || accepted.status != 422 { // the file of the test has one of the formats
						accepted.want(200)
					}
				}
				if p.Schema.Value.Format == "date-time" { // the first and last times that both databases support
					c.ask(o, p.Name+"=0001-01-01T00:00:00Z").want(200)
					c.ask(o, p.Name+"=9999-12-31T23:59:59.999999999Z").want(200)
				}
			}
		}

		if tested < 20 {
			t.Fatalf("openapi.yaml has only %d query parameters, want at least 20", tested)
		}
	})
}

// visit sends a request without a body to any path, and does not normalise the path.
func (c *cast) visit(name, method, path string, who credential) response {
	c.api.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, c.api.url, nil)
	if err != nil {
		c.api.t.Fatal(err)
	}
	target, err := url.Parse(c.api.url + path)
	if err != nil {
		c.api.t.Fatal(err)
	}
	r.URL = target
	if who != anonymous {
		r.Header.Set(who.header, who.value)
	}
	return c.probe(name, r)
}

// An invalid id in a path results in 404, or in 400 if it is too long or badly
// encoded. The request has a valid body, because the server checks that too.
func TestEveryPathParameter(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		c := a.cast()
		tested := 0
		for _, o := range everyOperation(t) {
			if !o.hasPathParameter() {
				continue
			}
			tested++
			for value, want := range map[string]int{
				"%00": 400, "x%00": 400, "%ff": 400, "%C0%80": 400, "%ED%A0%80": 400,
				"%2F": 404, "a%2Fb": 404, "%2e%2e%2f": 404, "x%0D%0AX-Injected:%20x": 404, "%27%20OR%201=1--": 404, "%25": 404,
				"%2500": 404,
				"%25zz": 404, "%E2%82%AC": 404, "+": 404, "*": 404, "%7Bid%7D": 404, ";": 404, "x;y=z": 404, "null": 404,
				strings.Repeat("x", 255): 404, strings.Repeat("%E2%82%AC", 255): 404,
			} {
				c.checkPath(o, value, want)
			}
			tooLong := 256
			if strings.Contains(o.path, "{token}") {
				tooLong = 4097
			}
			c.checkPath(o, strings.Repeat("x", tooLong), 400)
			c.checkPath(o, strings.Repeat("%E2%82%AC", tooLong), 400)
		}

		if tested < 15 {
			t.Fatalf("only %d operations have a path parameter, want at least 15", tested)
		}
	})
}

// checkPath calls the operation with value in place of each path parameter.
func (c *cast) checkPath(o described, value string, want int) {
	c.api.t.Helper()
	r := c.wellFormed(o, c.right(o))
	target, err := url.Parse(c.api.url + o.address(func(string) string { return value }))
	if err != nil {
		c.api.t.Fatal(err)
	}
	r.URL = target
	answer := c.probe(o.id+" "+value[:min(len(value), 40)], r)
	if answer.status != want {
		c.api.t.Errorf("%s: %d, want %d\n%s", answer.name, answer.status, want, answer.body)
	}
	if answer.status == 400 {
		answer.blames("")
	}
	if answer.header.Get("X-Injected") != "" {
		c.api.t.Errorf("%s: a header was injected", answer.name)
	}
}

// If a path exists but not the method, the status is 405 and not 404, with and without
// a credential.
func TestEveryPathRejectsOtherMethods(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		c := a.cast()
		paths := contract().document.Paths
		for _, path := range paths.InMatchingOrder() {
			has := methodsOf(paths.Value(path))
			o := described{path: path}
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "get",
				"BREW"} {
				if slices.Contains(has, method) {
					continue
				}
				for _, who := range []credential{anonymous, c.owner, apiKeyOf(c.key)} {
					answer := c.visit(method+" "+path, method, o.address(a.unknownID), who)
					if method == "HEAD" { // the response has no body with a code
						answer.want(405)
					} else {
						answer.is(405, "method_not_allowed")
					}
					allowed := strings.Split(strings.ReplaceAll(answer.header.Get("Allow"), " ", ""), ",")
					allowed = slices.DeleteFunc(slices.Sorted(slices.Values(allowed)), func(m string) bool { return m == "OPTIONS" })
					if !slices.Equal(allowed, has) {
						t.Errorf("%s: Allow %q, want %q", answer.name, answer.header.Get("Allow"), has)
					}
				}
			}
		}
	})
}

// methodsOf returns the methods of a path, sorted. HEAD is possible where GET is.
func methodsOf(path *openapi3.PathItem) []string {
	methods := slices.Collect(maps.Keys(path.Operations()))
	if path.Get != nil {
		methods = append(methods, http.MethodHead)
	}
	slices.Sort(methods)
	return methods
}

// OPTIONS returns the methods that openapi.yaml declares for the path. This must also
// hold for a path that another path with a parameter would match.
func TestEveryPathOptions(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		paths := contract().document.Paths
		for _, path := range paths.InMatchingOrder() {
			answer := httptest.NewRecorder() // not a.do, because openapi.yaml does not declare OPTIONS
			a.server.ServeHTTP(answer, httptest.NewRequest("OPTIONS", described{path: path}.address(a.unknownID), nil))
			has := append(methodsOf(paths.Value(path)), "OPTIONS")
			slices.Sort(has)
			allowed := slices.Sorted(strings.SplitSeq(answer.Header().Get("Allow"), ", "))
			if answer.Code != 204 || !slices.Equal(allowed, has) {
				t.Errorf("OPTIONS %s: %d with Allow %q, want %q", path, answer.Code, allowed, has)
			}
		}
	})
}

// Unknown paths result in 404 with a problem body. The server does not correct paths:
// a path with another spelling is an unknown path.
func TestUnknownPaths(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		c := a.cast()
		paths := []string{
			"/v1", "/v1/", "/v2/me", "/v1/nothing", "/V1/me", "/v1//me", "//v1/me", "/v1/./me", "/v1/me/..",
			"/v1/../v1/me",
			"/v1/auth", "/v1/public", "/v1/candidate", "/v1/public/results",
			"/v1/assessments/x/nothing", "/v1/me/password/x", "/favicon.ico", "/errors/", "/metrics", "/debug/pprof/",
			"/v1/%6De/x", "/.git/config", "/v1/api-keys/x/y/z", "/take/x", "/openapi.json/", "/" + strings.Repeat("x/", 2000),
		}
		for _, o := range everyOperation(t) {
			paths = append(paths, o.address(a.unknownID)+"/", "/"+o.address(a.unknownID),
				strings.ToUpper(o.address(a.unknownID)))
		}
		for _, path := range paths {
			for _, method := range []string{"GET", "POST"} {
				c.visit(method+" "+path[:min(len(path), 60)], method, path, c.owner).is(404, "not_found")
			}
		}
	})
}
