package markdown

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// Emphasis, links, and code are found exactly where goldmark's own parsers find them.
func TestEmphasisAgreesWithGoldmark(t *testing.T) {
	t.Parallel()
	compare := comparison(t)
	for _, source := range []string{
		"*a*", "**a**", "***a***", "_a_ __b__ ___c___", "*a **b** c*", "**a *b* c**", "*a _b* c_", "_a *b_ c*",
		"snake_case_name",
		"2*3*4", "*a**b*", "**a*b**", "*a***b**", "***a** b*", "***a* b**", "****a****", "*a [b* c](d)", "[*a](b)*",
		"*[a*](b)",
		"![*a* _b_](c)", "![a [*b*](c) *d*](e) *f*", "[a][*b*] *c*\n\n[*b*]: d", "`*`a*b*", "\\*a*", "*a\\*",
		"*a\nb*", "*a\n\nb*",
		"# *a* _b", "- *a*\n- _b", "> *a\n> b*", "\u201c*a*\u201d", "*\u00a0a*", "a*\"b\"*c", "«*a*» _«b»_", "用*户*名_字_",
	} {
		compare(source)
	}
	pieces := []string{"*", "_", "**", "__", "***", "a", "b ", " ", ".", "[", "](c)", "]", "![", "`", "\n", "\n\n", "\\",
		"é", "(", "- ", "|"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var source strings.Builder
		for range 1 + random.IntN(24) {
			source.WriteString(pieces[random.IntN(len(pieces))])
		}
		compare(source.String())
	}
}

// FuzzEmphasis is TestEmphasisAgreesWithGoldmark with arbitrary texts.
func FuzzEmphasis(f *testing.F) {
	f.Add("*a **b** c* _d [*e*](f)_ ![g](h)")
	f.Add("_*a_*a***b**_c`*`")
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) <= 2000 {
			comparison(t)(source)
		}
	})
}

// comparison returns a function that compares the HTML of a text with goldmark's.
func comparison(t *testing.T) func(source string) {
	t.Helper()
	with := func(inline ...util.PrioritizedValue) goldmark.Markdown {
		return goldmark.New(goldmark.WithParser(parser.NewParser(
			parser.WithBlockParsers(parser.DefaultBlockParsers()...),
			parser.WithInlineParsers(append(inline, util.Prioritized(parser.NewCodeSpanParser(), 100))...),
			parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))))
	}
	own := with(util.Prioritized(links{parser.NewLinkParser()}, 200), util.Prioritized(emphasis{}, 500))
	theirs := with(util.Prioritized(parser.NewLinkParser(), 200), util.Prioritized(parser.NewEmphasisParser(), 500))
	return func(source string) {
		t.Helper()
		var got, want bytes.Buffer
		if err := own.Convert([]byte(source), &got); err != nil {
			t.Fatal(err)
		}
		if err := theirs.Convert([]byte(source), &want); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%q becomes\n%s\nwant\n%s", source, got.String(), want.String())
		}
	}
}
