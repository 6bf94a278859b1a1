// Package markdown renders the texts of organizations and assessments: CommonMark
// with tables and the pictures of the service, without raw HTML. It knows nothing else of the service.
package markdown

import (
	"bytes"
	"errors"
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"assay/store/markdown/formulas"
)

// Renderer renders texts. It is safe for concurrent use.
type Renderer struct {
	markdown     goldmark.Markdown
	withFormulas goldmark.Markdown
	formulas     *formulas.Renderer
	sanitizer    *bluemonday.Policy
}

// New returns a renderer.
func New() *Renderer {
	return &Renderer{
		markdown:     newMarkdown(newParser()),
		withFormulas: newMarkdown(newFormulaParser()),
		formulas:     formulas.New(),
		sanitizer:    newSanitizer(),
	}
}

func newMarkdown(p parser.Parser) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithParser(p),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(
			util.Prioritized(linkRenderer{}, 100),
			util.Prioritized(pictureRenderer{}, 100),
			util.Prioritized(formulaRenderer{}, 100),
			util.Prioritized(extension.NewTableHTMLRenderer(
				extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
		)),
	)
}

const (
	// maxGrowth bounds the HTML, in multiples of the source. References to one long
	// address would multiply it. A list of short links becomes nine times as long.
	maxGrowth = 16
	minBound  = 1024 // bytes

	// The time to find links grows with the product of brackets and text.
	maxBrackets     = 1000
	maxDestinations = 200
)

// HTML returns the text as sanitized HTML: without scripts, styles, forms, embedded
// content, and addresses that load by themselves. A text that exceeds the limits
// above is one paragraph without formatting.
func (r *Renderer) HTML(source string) string {
	if words, ok := r.Words(source); ok {
		return words
	}
	return r.render(source)
}

// Words returns the HTML of a text that needs no parser, because it is one line of words. It returns false for others.
func (r *Renderer) Words(source string) (html string, ok bool) {
	if !isWords(source) {
		return "", false
	}
	return "<p>" + source + "</p>", true
}

// isWords reports whether the text is one line of words and numbers, which Markdown
// does not change. Most options are, and an assessment can have 10,000 of them.
func isWords(source string) bool {
	marks := ""
	for i, r := range source {
		switch isLetter := unicode.IsLetter(r); {
		case i == 0 && isLetter:
			marks = " ,;:?%/°."
		case i == 0 && unicode.IsDigit(r):
			marks = " ,;:?%/°" // "1." begins a list
		case i == 0 || !isLetter && !unicode.IsDigit(r) && !strings.ContainsRune(marks, r):
			return false
		}
	}
	return source != "" && source[len(source)-1] != ' '
}

func (r *Renderer) render(source string, options ...parser.ParseOption) string {
	if isTooComplex(source) {
		return plain(source)
	}
	out := bounded{left: max(minBound, maxGrowth*len(source))}
	if err := r.markdown.Convert([]byte(source), &out, options...); err != nil {
		return plain(source)
	}
	return string(bytes.TrimSpace(r.sanitizer.SanitizeBytes(out.Bytes())))
}

// isTooComplex reports whether finding links in the text would take too long.
func isTooComplex(source string) bool {
	return strings.Count(source, "[") > maxBrackets || strings.Count(source, "](") > maxDestinations
}

// plain returns the text as a paragraph that keeps its lines.
func plain(source string) string {
	return "<p>" + strings.ReplaceAll(html.EscapeString(source), "\n", "<br>\n") + "</p>"
}

// bounded is a buffer that fails when it would exceed its bound.
type bounded struct {
	bytes.Buffer
	left int
}

var errTooLong = errors.New("the HTML is too long")

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errTooLong
	}
	return b.Buffer.Write(p)
}

// linkRel is the rel attribute of each link.
const linkRel = "noopener noreferrer nofollow"

// newSanitizer returns the policy for the renderer's output. The renderer writes
// nothing else; the policy holds also if goldmark has a fault.
func newSanitizer() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li",
		"h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|right|center)$`)).OnElements("th", "td")
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^[0-9]{1,9}$`)).OnElements("ol")
	codeClass := regexp.MustCompile(`^(language-[A-Za-z0-9+#.-]{1,40}|` + faultClass + `)$`)
	p.AllowAttrs("class").Matching(codeClass).OnElements("code")

	formulas.Allow(p)

	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`^` + linkRel + `$`)).OnElements("a")
	p.AllowAttrs("target").Matching(regexp.MustCompile(`^_blank$`)).OnElements("a")
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	p.RequireParseableURLs(true)
	p.AllowURLSchemeWithCustomPolicy("http", hasHost)
	p.AllowURLSchemeWithCustomPolicy("https", hasHost)
	p.AllowURLSchemes("mailto")
	allowPictures(p)
	return p
}
