package pages

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"assay/gen"
)

// Each public page has all its texts in all languages of candidates, with the same placeholders, and no text that
// nothing uses.
func TestPageTexts(t *testing.T) {
	t.Parallel()
	document, err := gen.GetSpec()
	if err != nil {
		t.Fatal(err)
	}
	locales := document.Components.Schemas["EmailTextLocaleInput"].Value.Enum
	for name, page := range map[string]struct {
		encoded   []byte
		languages int
	}{
		"registration": {registrationJSON, len(locales)}, "result": {resultJSON, len(locales)},
		"provider_sign_in": {providerSignInJSON, 2}, // for members, in the languages of the dashboard
	} {
		var languages []pageTexts
		if err := json.Unmarshal(page.encoded, &languages); err != nil {
			t.Fatal(err)
		}
		code := sourcesOf(t, name)
		english := languages[0]
		if len(languages) != page.languages || english["locale"] != "en" {
			t.Errorf("%s: %d languages, the first is %s", name, len(languages), english["locale"])
		}
		for _, texts := range languages {
			if got, want := slices.Sorted(maps.Keys(texts)), slices.Sorted(maps.Keys(english)); !slices.Equal(got, want) {
				t.Errorf("%s, %s: the texts %q, want %q", name, texts["locale"], got, want)
			}
			for key, text := range texts {
				if text == "" || strings.Count(text, "{") != strings.Count(english[key], "{") {
					t.Errorf("%s, %s, %s: %q, in English %q", name, texts["locale"], key, text, english[key])
				}
			}
		}
		for key := range english {
			if !strings.Contains(code, "."+key) && !strings.Contains(code, `"`+key+`"`) {
				t.Errorf("%s: nothing uses the text %s", name, key)
			}
		}
	}
}

// sourcesOf returns the templates, and the Go files of the public pages.
func sourcesOf(t *testing.T, name string) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{name + "*.go", "page_texts.go", name + ".html", "branded.html"} {
		files, err := fs.Glob(os.DirFS("."), pattern)
		if err != nil || len(files) == 0 && !strings.HasSuffix(pattern, "*.go") {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			content, err := os.ReadFile(path.Clean(file))
			if err != nil {
				t.Fatal(err)
			}
			all.Write(content)
		}
	}
	return all.String()
}
