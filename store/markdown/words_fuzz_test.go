package markdown

import "testing"

// What isWords accepts becomes the same HTML as in the renderer.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{
		"Nine hours", "41 °C", "1. x", "1 x.", "a  b", "a ", " a", "Is this right?", "http://x.example/a", "www.x.example",
		"a: b; c, 50 % d/e", "ä é ج 東", "a\u00a0b", "1:", "=", "a\tb", "0", "a\xff",
	} {
		f.Add(seed)
	}
	renderer := New()
	f.Fuzz(func(t *testing.T, source string) {
		if isWords(source) && renderer.HTML(source) != renderer.render(source) {
			t.Errorf("%q becomes %q, want %q", source, renderer.HTML(source), renderer.render(source))
		}
	})
}
