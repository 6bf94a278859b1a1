package markdown_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"assay/store/markdown"
)

func TestText(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, source, want string }{
		{"empty", "", ""},
		{"words", "Nine hours", "Nine hours"},
		{"marks", "*a* **b** `c<d` _e_", "a b c<d e"},
		{"paragraphs", "a\nb\n\n\nc", "a\nb\n\nc"},
		{"line breaks of Windows", "a\r\nb\r\n\r\nc", "a\nb\n\nc"},
		{"a hard line break", "a  \nb", "a\nb"},
		{"a heading", "# A\n\nb", "A\n\nb"},
		{"a list", "- a\n- b\n  - c", "- a\n- b\n  - c"},
		{"a loose list", "3. a\n\n   b\n\n4. c", "3. a\n\n   b\n\n4. c"},
		{"a quotation", "> a\n> b\n>\n> c", "> a\n> b\n>\n> c"},
		{"code", "```go\nx := <-c\n\ny\n```", "    x := <-c\n\n    y"},
		{"a table", "|a|b|\n|-|-:|\n|1|2|", "a | b\n1 | 2"},
		{"a rule", "a\n\n---\n\nb", "a\n\n---\n\nb"},
		{"HTML is text", "<b>x</b> <script>", "<b>x</b> <script>"},
		{"entities and escapes", "a &amp; b &lt; \\*c\\* \\&amp; &#8364;", "a & b < *c* &amp; €"},
		{"a link", "[a](https://x.example/?b=c&d) e", "a (https://x.example/?b=c&d) e"},
		{"a link by reference", "[a]\n\n[a]: https://x.example", "a (https://x.example)"},
		{"a link to itself", "[https://x.example](https://x.example)", "https://x.example"},
		{"an address", "<https://x.example> <ada@x.example>", "https://x.example ada@x.example"},
		{"a mailbox", "[ask us](mailto:ada@x.example)", "ask us (ada@x.example)"},
		{"an address that is not permitted", "[a](javascript:alert(1)) [b](/take)", "a b"},
		{"an image is its text", "![*a* b](https://x.example/y.png)", "a b"},
		{"an image in a link", "[![a](b)](https://x.example)", "a (https://x.example)"},
	}
	renderer := markdown.New()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := renderer.Text(tt.source); got != tt.want {
				t.Errorf("%q becomes\n%s\nwant\n%s", tt.source, got, tt.want)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"a *b* `c`\n\n- d\n\n> e", "|a|b|\n|-|-|\n|1|2|", "1) a\n2) b", "[a]: https://x.example\n\n[a]", "a\x00b", "\xff",
		"![a](b)", "- ```\n  x", "> - 1. a\n\n***",
	} {
		f.Add(seed)
	}
	renderer := markdown.New()
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 20_000 {
			return
		}
		text := renderer.Text(source)
		if utf8.ValidString(source) && !utf8.ValidString(text) {
			t.Errorf("%q becomes invalid UTF-8: %q", source, text)
		}
		if len(text) > 16*len(source)+1024 {
			t.Errorf("%q becomes %d bytes", source, len(text))
		}
		if strings.HasPrefix(text, "\n") || strings.HasSuffix(text, "\n") {
			t.Errorf("%q has empty lines at its ends: %q", source, text)
		}
	})
}
