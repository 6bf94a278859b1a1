package pages

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"regexp"
	"slices"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/server/request"
	"assay/store/encode"
)

// pagePolicy is the Content-Security-Policy of pages that are text and style only.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

//go:embed *.html
var pageFiles embed.FS

var pages = template.Must(
	template.New("").Funcs(template.FuncMap{"code": codeSpans, "mailto": encode.Mailto}).
		ParseFS(pageFiles, "*.html"))

var codeSpan = regexp.MustCompile("`([^`]+)`")

// codeSpans converts Markdown's code spans to HTML and escapes all other text.
func codeSpans(text string) template.HTML {
	escaped := template.HTMLEscapeString(text)
	return template.HTML(codeSpan.ReplaceAllString(escaped, "<code>$1</code>")) //nolint:gosec // escaped
}

// errorPage is the data of the page of one error code.
type errorPage struct {
	gen.ErrorExplanation
	Title, Example string
}

// registerErrorPages adds the pages that the type of a problem document links to.
func (s *site) registerErrorPages() {
	s.path.Page("/errors", func(c echo.Context) error {
		return showPage(c, pagePolicy, "errors.html", gen.ErrorExplanations)
	})
	s.path.Page("/errors/:code", s.explainError)
}

func (s *site) explainError(c echo.Context) error {
	i := slices.IndexFunc(gen.ErrorExplanations, func(e gen.ErrorExplanation) bool {
		return e.Code == c.Param("code")
	})
	if i < 0 {
		return request.ErrNothingHere
	}

	explained := gen.ErrorExplanations[i]
	problem := gen.Problem{
		Type:  s.opts.BaseURL + "/errors/" + explained.Code,
		Title: http.StatusText(explained.Status), Status: explained.Status,
		Detail: explained.Detail, Code: explained.Code, RequestID: "req_01kae3v5zg8r6w2c4n7q9t1x3y",
	}
	if err := json.Unmarshal([]byte(explained.Errors), &problem.Errors); err != nil {
		return err
	}

	example, err := json.MarshalIndent(problem, "", "  ")
	if err != nil {
		return err
	}
	return showPage(c, pagePolicy, "error.html", errorPage{explained, problem.Title, string(example)})
}

// showPage renders a template of the folder pages.
func showPage(c echo.Context, policy, name string, data any) error {
	var body bytes.Buffer
	if err := pages.ExecuteTemplate(&body, name, data); err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentSecurityPolicy, policy)
	return c.HTMLBlob(http.StatusOK, body.Bytes())
}
