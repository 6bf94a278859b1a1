package markdown_test

import (
	"testing"

	"assay/store/markdown"
)

func TestHTML(t *testing.T) {
	t.Parallel()
	const link = `rel="noopener noreferrer nofollow"`
	tests := []struct{ name, source, want string }{
		{"empty", "", ""},
		{"a paragraph", "Nine hours", "<p>Nine hours</p>"},
		{"emphasis and code", "*a* **b** `c<d`", "<p><em>a</em> <strong>b</strong> <code>c&lt;d</code></p>"},
		{"fenced code", "```go\nx := <-c\n```", "<pre><code class=\"language-go\">x := &lt;-c\n</code></pre>"},
		{"a language that is no name", "```a\"b\nx\n```", "<pre><code>x\n</code></pre>"},
		{"a list", "3. x\n4. y", "<ol start=\"3\">\n<li>x</li>\n<li>y</li>\n</ol>"},
		{"a heading has no id", "# x {#y}", "<h1>x {#y}</h1>"},
		{"a table", "|a|b|\n|-|-:|\n|1|2|", "<table>\n<thead>\n<tr>\n<th>a</th>\n" +
			"<th align=\"right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n" +
			"<td>1</td>\n<td align=\"right\">2</td>\n</tr>\n</tbody>\n</table>"},
		{"HTML is text", `<b onclick="x">`, "<p>&lt;b onclick=&#34;x&#34;&gt;</p>"},
		{"a block of HTML is text", "<script>\nx\n</script>", "<p>&lt;script&gt;\nx\n&lt;/script&gt;</p>"},
		{"a comment is text", "<!-- x -->", "<p>&lt;!-- x --&gt;</p>"},
		{"an image is its text", "![*a* b](https://x.example/y.png)", "<p><em>a</em> b</p>"},
		{"a link", "[a](https://x.example/?b=c&d)",
			`<p><a href="https://x.example/?b=c&amp;d" ` + link + ` target="_blank">a</a></p>`},
		{"a link with a title", `[a](http://x.example "b")`,
			`<p><a href="http://x.example" ` + link + ` target="_blank">a</a></p>`},
		{"a link by reference", "[a]\n\n[a]: https://x.example",
			`<p><a href="https://x.example" ` + link + ` target="_blank">a</a></p>`},
		{"an address", "<HTTPS://x.example>",
			`<p><a href="https://x.example" ` + link + ` target="_blank">HTTPS://x.example</a></p>`},
		{"an email address", "<ada@x.example>", `<p><a href="mailto:ada@x.example" ` + link + `>ada@x.example</a></p>`},
		{"mailto", "[a](mailto:ada@x.example)", `<p><a href="mailto:ada@x.example" ` + link + `>a</a></p>`},
		{"a script's address", "[a](javascript:alert(1))", "<p>a</p>"},
		{"a hidden script's address", "[a](java&#10;script:alert%281%29) <javascript:x>", "<p>a javascript:x</p>"},
		{"a data address", "[a](data:text/html,x)", "<p>a</p>"},
		{"a relative address", "[a](/take) [b](//x.example) [c](#d) [e](?f)", "<p>a b c e</p>"},
		{"an address without a host", "[a](https:x) [b](https:///x)", "<p>a b</p>"},
	}
	renderer := markdown.New()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := renderer.HTML(tt.source); got != tt.want {
				t.Errorf("%q becomes\n%s\nwant\n%s", tt.source, got, tt.want)
			}
		})
	}
}
