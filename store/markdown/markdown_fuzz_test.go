package markdown_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay/store/markdown"
)

// The HTML of any text has only known elements with known attributes, and links only
// to the web and to mailboxes. This also holds after a browser has parsed and written
// it again, which is how some sanitizers were defeated.
func FuzzHTML(f *testing.F) {
	for _, seed := range []string{
		"a *b* **c** `d`\n\n- e\n- f\n\n> g", "|a|b|\n|:-|-:|\n|1|2|", "```js\nx\n```", "1) a\n2) b", "# a\n\n---\n\na  \nb",
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", `<a href="javascript:x">`, "<svg/onload=x>", "<!--><x>",
		"[a](javascript:x)", "[a](JaVaScRiPt&colon;x)", "[a](vbscript:x)", "[a](data:text/html;base64,x)", "[a](//x.example)",
		"[a](https://x.example \"b\" onclick=c)", "[a](https://x.example/\"onmouseover=b)", "[a](<https://x.example/ b>)",
		"![a](https://x.example/y.png)", "[![a](b)](https://x.example)", "<https://x.example/\">", "<a@b.example>",
		"[a]: javascript:x\n\n[a]", "```\"><script>\nx\n```", "<math><mtext><style><img src onerror=x>", "<form><input>",
		"<iframe src=https://x.example>", "<style>@import 'https://x.example'</style>", "&lt;script&gt;", "\\<script>",
		"<noscript><p title=\"</noscript><img src=x onerror=x>\">", "a\x00b", "\xff\xfe", "[a](https://x.example\x00)",
	} {
		f.Add(seed)
	}
	renderer := markdown.New()
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 20_000 {
			return
		}
		rendered := renderer.HTML(source)
		if utf8.ValidString(source) && !utf8.ValidString(rendered) {
			t.Errorf("%q becomes invalid UTF-8: %q", source, rendered)
		}
		if len(rendered) > 16*len(source)+1024 {
			t.Errorf("%q becomes %d bytes", source, len(rendered))
		}
		for range 2 {
			nodes, err := html.ParseFragment(strings.NewReader(rendered), &html.Node{
				Type: html.ElementNode, Data: "div", DataAtom: atom.Div,
			})
			if err != nil {
				t.Fatal(err)
			}
			var again strings.Builder
			for _, node := range nodes {
				for inner := range node.Descendants() {
					checkNode(t, source, inner)
				}
				checkNode(t, source, node)
				if err := html.Render(&again, node); err != nil {
					t.Fatal(err)
				}
			}
			rendered = again.String()
		}
	})
}

// permitted are the elements and the attributes that each can have.
var permitted = map[string]map[string]*regexp.Regexp{
	"p": nil, "br": nil, "hr": nil, "em": nil, "strong": nil, "pre": nil, "blockquote": nil, "ul": nil, "li": nil,
	"h1": nil, "h2": nil, "h3": nil, "h4": nil, "h5": nil, "h6": nil,
	"table": nil, "thead": nil, "tbody": nil, "tr": nil,
	"ol":   {"start": regexp.MustCompile(`^\d+$`)},
	"th":   {"align": regexp.MustCompile(`^(left|right|center)$`)},
	"td":   {"align": regexp.MustCompile(`^(left|right|center)$`)},
	"code": {"class": regexp.MustCompile(`^language-[\w+#.-]+$`)},
	"a": {
		"href":   regexp.MustCompile(`^(?i)(https?://|mailto:)`),
		"rel":    regexp.MustCompile(`^noopener noreferrer nofollow$`),
		"target": regexp.MustCompile(`^_blank$`),
	},
}

func checkNode(t *testing.T, source string, node *html.Node) {
	t.Helper()
	switch node.Type {
	case html.TextNode:
		return
	case html.ElementNode:
	default:
		t.Fatalf("%q has a node of type %v: %q", source, node.Type, node.Data)
	}
	attributes, ok := permitted[node.Data]
	if !ok || node.Namespace != "" {
		t.Errorf("%q has the element %s:%s", source, node.Namespace, node.Data)
	}
	given := map[string]string{}
	for _, attribute := range node.Attr {
		given[attribute.Key] = attribute.Val
		if form := attributes[attribute.Key]; form == nil || !form.MatchString(attribute.Val) {
			t.Errorf("%q has <%s %s=%q>", source, node.Data, attribute.Key, attribute.Val)
		}
	}
	if node.Data != "a" {
		return
	}
	address, err := url.Parse(given["href"])
	if err != nil || address.Scheme != "mailto" && address.Host == "" {
		t.Errorf("%q has a link to %q", source, given["href"])
	}
	if given["rel"] == "" || (given["target"] == "") != (address.Scheme == "mailto") {
		t.Errorf("%q has a link with %v", source, given)
	}
}
