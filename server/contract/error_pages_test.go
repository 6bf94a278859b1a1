package contract

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/gen"
)

// wrongProblem compares an error response with the explanation of its code in
// errors.yaml. It returns the difference, or "". send checks every response with it.
func (r response) wrongProblem() string {
	if r.header.Get("Content-Type") != "application/problem+json" || len(r.body) == 0 {
		return ""
	}
	var problem gen.Problem
	if err := json.Unmarshal(r.body, &problem); err != nil {
		return err.Error()
	}
	for _, explained := range gen.ErrorExplanations {
		if explained.Code != problem.Code {
			continue
		}
		if explained.Status != r.status {
			return "errors.yaml gives it the status " + strconv.Itoa(explained.Status)
		}
		return ""
	}

	return "errors.yaml does not explain its code"
}

// Each error code has a page that explains it. The type of a problem is its address.
func TestErrorPages(t *testing.T) {
	listed := enumOf(t, "ErrorCode")
	for _, explained := range gen.ErrorExplanations {
		if !slices.Contains(listed, explained.Code) {
			t.Errorf("errors.yaml explains %s, which is not an ErrorCode", explained.Code)
		}
	}

	onAny(t, func(t *testing.T, a *api) {
		index := string(a.do("GET", "/errors", anonymous, nil).want(200).body)
		for _, code := range listed {
			page := a.do("GET", "/errors/"+code, anonymous, nil).want(200)
			if kind := page.header.Get("Content-Type"); kind != "text/html; charset=UTF-8" {
				t.Errorf("%s: Content-Type %q", page.name, kind)
			}
			for _, part := range []string{
				"<h1><code>" + code + "</code></h1>", `&#34;type&#34;: &#34;` + a.base + `/errors/` + code + "&#34;",
				`href="../docs"`, `href="../errors"`,
			} {
				if !strings.Contains(string(page.body), part) {
					t.Errorf("%s: does not contain %s\n%s", page.name, part, page.body)
				}
			}
			if strings.Contains(string(page.body), "`") {
				t.Errorf("%s: contains a backtick:\n%s", page.name, page.body)
			}
			if !strings.Contains(index, `href="errors/`+code+`"`) {
				t.Errorf("/errors does not list %s", code)
			}
		}

		for _, code := range []string{"nothing", "Not_found", "not_found%20", "%3Cscript%3E", "%00", "%ff", "..",
			strings.Repeat("x", 5000)} {
			a.do("GET", "/errors/"+code, anonymous, nil).want(404, "not_found")
		}
		for _, path := range []string{"/errors", "/errors/not_found"} {
			a.do("POST", path, anonymous, nil).want(405, "method_not_allowed")
		}
	})
}
