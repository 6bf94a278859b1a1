package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"assay/store/markdown"
)

const known = "med_01m8gzxadgce4j76f8q282nn1j"

func pictures(url string) markdown.Pictures {
	return markdown.Pictures{known: {URL: url, Width: 30, Height: 20}}
}

// Only a known picture is shown. Its alternative text cannot leave its attribute.
func TestPictures(t *testing.T) {
	t.Parallel()
	renderer := markdown.New()
	const url = "https://assay.test/media/00112233445566778899aabbccddeeff"
	img := func(alternative string) string {
		return `<img src="` + url + `" width="30" height="20" alt="` + alternative + `" loading="lazy">`
	}
	for source, want := range map[string]string{
		"![A *b* `c`](media:" + known + ")":                   "<p>" + img("A b c") + "</p>",
		"a ![b](media:" + known + " \"title\") c":             "<p>a " + img("b") + " c</p>",
		"![b][p]\n\n[p]: media:" + known:                      "<p>" + img("b") + "</p>",
		"![\"><script>](media:" + known + ")":                 "<p>" + img("&#34;&gt;&lt;script&gt;") + "</p>",
		"![x ![y](media:" + known + ")](media:" + known + ")": "<p>" + img("x y") + "</p>",
		"![b](media:med_other)":                               "<p>b</p>",
		"![b](MEDIA:" + known + ")":                           "<p>b</p>",
		"![b](https://evil.test/media/" + known + ")":         "<p>b</p>",
		"[b](media:" + known + ")":                            "<p>b</p>",
		"`![b](media:" + known + ")`":                         "<p><code>![b](media:" + known + ")</code></p>",
	} {
		if got := renderer.HTMLWith(source, pictures(url)); got != want {
			t.Errorf("%q becomes\n%s\nwant\n%s", source, got, want)
		}
		if got := renderer.HTML(source); strings.Contains(got, "<img") {
			t.Errorf("%q becomes %s without pictures", source, got)
		}
	}
	for _, wrong := range []string{"javascript:alert(1)", "https://assay.test/media/x", "data:image/png;base64,AA=="} {
		if got := renderer.HTMLWith("![b](media:"+known+")", pictures(wrong)); strings.Contains(got, "src=") {
			t.Errorf("the address %s is in %s", wrong, got)
		}
	}
}

// The pictures that a text names are found in their order, with their alternative text.
func TestNamedPictures(t *testing.T) {
	t.Parallel()
	renderer := markdown.New()
	source := "![One *more*](media:a) `![code](media:b)` ![](media:c) ![other](https://example.com/d) [link](media:e)"
	want := []markdown.PictureUse{{ID: "a", Alternative: "One more"}, {ID: "c"}}
	if got := renderer.Pictures(source); !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if got := renderer.Text("Look: ![One *more*](media:" + known + ")"); got != "Look: One more" {
		t.Errorf("the text is %q", got)
	}
	for name, text := range hostile {
		renderer.Pictures(text(10_000) + "![x](media:y)")
		shown := pictures("https://a.test/media/" + strings.Repeat("0", 32))
		html := renderer.HTMLWith(text(10_000)+"![x](media:"+known+")", shown)
		if len(html) > 16*11_000 {
			t.Errorf("%s: %d bytes", name, len(html))
		}
	}
}
