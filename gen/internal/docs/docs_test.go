package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSamples(t *testing.T) {
	t.Parallel()
	clients := t.TempDir()
	write(t, filepath.Join(clients, "curl/samples/all.sh"), "set -e\n  # sample: login\n\n  curl a \\\n    b\n\n  c\n\n"+
		"  # end sample\n# sample: logout\nx\n# end sample\n")
	write(t, filepath.Join(clients, "go/samples/deep/main.go"),
		"\t\t// sample: login\n\t\tif a {\n\t\t\tb()\n\t\t}\n\t\t// end sample\n")
	write(t, filepath.Join(clients, "typescript/samples/node_modules/x.ts"), "// sample: login\n")
	write(t, filepath.Join(clients, "python/samples/x.pyc"), "\x00# sample: login\n")
	samples, err := readSamples(clients)
	if err != nil {
		t.Fatal(err)
	}
	if got := samples["login"]["curl"]; got != "curl a \\\n  b\n\nc" {
		t.Errorf("curl: %q", got)
	}
	if got := samples["login"]["go"]; got != "if a {\n\tb()\n}" {
		t.Errorf("go: %q", got)
	}
	if len(samples["login"]) != 2 || len(samples["logout"]) != 1 {
		t.Errorf("samples %v", samples)
	}
}

func TestWrongSamples(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"# sample: a\n# sample: b\n":                                   "inside the sample",
		"# sample: a\nx\n# end sample\n# sample: a\ny\n# end sample\n": "second",
		"# end sample\n":                "end without a sample",
		"# sample: a\nx\n":              "does not end",
		"# sample: a\n\n# end sample\n": "empty",
	} {
		path := filepath.Join(t.TempDir(), "x.sh")
		write(t, path, content)
		if _, err := samplesOf(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
	clients := t.TempDir()
	for _, name := range []string{"a", "b"} {
		write(t, filepath.Join(clients, "go/samples", name, "main.go"), "// sample: login\nx\n// end sample\n")
	}
	if _, err := readSamples(clients); err == nil || !strings.Contains(err.Error(), "another file") {
		t.Errorf("the same sample in two files: %v", err)
	}
}

const small = `openapi: 3.0.3 # a comment
info: {title: A, version: 1.0.0}
paths:
  /a:
    post:
      operationId: login
      description: >-
        One
        two.
      x-number: 1.5
      x-time: 2026-11-20T10:00:00.000Z
      x-quoted: '01'
      # another
      responses:
        '200': {description: "a <b>", x-empty: {}, x-list: [], x-null: null}
`

func TestContract(t *testing.T) {
	t.Parallel()
	samples := map[string]map[string]string{"login": {"curl": "a: #\n\n  b", "python": "c"}}
	document, err := withSamples([]byte(small), samples)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(small, "      responses:\n", `      x-codeSamples:
        - lang: bash
          label: curl
          source: |-
            a: #

              b
        - lang: python
          label: Python
          source: |-
            c
      responses:
`, 1)
	if string(document) != want {
		t.Errorf("\n%s\nwant\n%s", document, want)
	}
	asJSON, err := toJSON(document)
	if err != nil {
		t.Fatal(err)
	}
	wantJSON := `{"openapi":"3.0.3",` + "\n" + `"info":{"title":"A",` + "\n" + `"version":"1.0.0"},` + "\n" +
		`"paths":{"/a":{"post":{"operationId":"login","description":"One two.",` +
		`"x-number":1.5,"x-time":"2026-11-20T10:00:00.000Z","x-quoted":"01","x-codeSamples":[` +
		`{"lang":"bash","label":"curl","source":"a: #\n\n  b"},{"lang":"python","label":"Python","source":"c"}],` +
		`"responses":{"200":{"description":"a <b>","x-empty":{},"x-list":[],"x-null":null}}}}}}` + "\n"
	if string(asJSON) != wantJSON {
		t.Errorf("\n%s\nwant\n%s", asJSON, wantJSON)
	}
	for name, samples := range map[string]map[string]map[string]string{
		"not an operation": {"signIn": {"curl": "x"}},
		"more indentation": {"login": {"go": "  x\ny"}},
	} {
		if _, err := withSamples([]byte(small), samples); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: %v", samples, err)
		}
	}
	if _, err := toJSON([]byte("a: &x 1\nb: *x\n")); err == nil {
		t.Error("an alias is accepted")
	}
}

// The description of an operation ends with its scopes or roles, as a paragraph of its own.
func TestNeeds(t *testing.T) {
	t.Parallel()
	for extension, want := range map[string]string{
		"x-number: 1.5":                                 "",
		"x-required-scopes: ['results:read']":           "Requires an API key with the scope `results:read`.",
		"x-required-scopes: ['a:read', 'b:write']":      "Requires an API key with the scopes `a:read` and `b:write`.",
		"x-required-scopes: []":                         "Requires an API key with any scopes.",
		"x-one-of-scopes: ['a:read', 'b:read']":         "Requires an API key with the scope `a:read` or `b:read`.",
		"x-required-roles: [OWNER]":                     "Requires a person with the role OWNER.",
		"x-required-roles: [OWNER, ADMIN]":              "Requires a person with the role OWNER or ADMIN.",
		"x-required-roles: [OWNER, ADMIN, MEMBER, BOT]": "Requires a person with the role OWNER, ADMIN, MEMBER, or BOT.",
	} {
		contract := strings.Replace(small, "x-number: 1.5", extension, 1)
		document, err := withNeeds([]byte(contract))
		if err != nil {
			t.Fatal(err)
		}
		text, wantText := contract, "One two."
		if want != "" {
			text = strings.Replace(contract, "        two.\n", "        two.\n\n\n        "+want+"\n", 1)
			wantText += "\n\n" + want
		}
		if string(document) != text {
			t.Errorf("\n%s\nwant\n%s", document, text)
		}
		var read struct {
			Paths map[string]map[string]struct{ Description string }
		}
		if err := yaml.Unmarshal(document, &read); err != nil || read.Paths["/a"]["post"].Description != wantText {
			t.Errorf("the description is %q, want %q (%v)", read.Paths["/a"]["post"].Description, wantText, err)
		}
	}
	plain := strings.Replace(strings.Replace(small, ">-\n        One\n        two.", "One two.", 1), "x-number: 1.5",
		"x-required-roles: [OWNER]", 1)
	if _, err := withNeeds([]byte(plain)); err == nil {
		t.Error("a description that is not a block is accepted")
	}
}

func TestGuide(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	guide, clients := filepath.Join(folder, "guide"), filepath.Join(folder, "clients")
	write(t, filepath.Join(guide, "20-b.md"), "# B\n\n{{errors}}\n")
	write(t, filepath.Join(guide, "10-a.md"),
		"\n# A\n\n{{sample clients/*/verify.ts verify}}\n\n{{file a.toml}}\n\nText {{errors}}.\n\n\n")
	write(t, filepath.Join(clients, "typescript/verify.ts"), "// sample: verify\nconst a = `$1`\n// end sample\n")
	write(t, filepath.Join(folder, "a.toml"), "a = 1\n")
	explained := explanations{
		{Code: "b", Status: 500, Meaning: "M.", Remedy: "R."}, {Code: "a", Status: 400, Meaning: "M.", Remedy: "R."},
	}
	got, err := assembleGuide(folder, explained)
	if err != nil {
		t.Fatal(err)
	}
	want := "# A\n\n```typescript\nconst a = `$1`\n```\n\n```toml\na = 1\n```\n\nText {{errors}}.\n\n# B\n\n" +
		strings.TrimSpace(explained.table()) + "\n"
	if string(got) != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	if strings.Index(want, "errors/a") > strings.Index(want, "errors/b") {
		t.Error("the table is not sorted by status")
	}
	for _, wrong := range []string{
		"{{nothing}}", "{{nothing a.toml}}", "{{sample clients/typescript/verify.ts other}}",
		"{{sample nothing.ts verify}}", "{{file clients/*}}", "{{file *}}",
	} {
		write(t, filepath.Join(guide, "30-c.md"), wrong+"\n")
		if _, err := assembleGuide(folder, explained); err == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
}

func TestExplanations(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "errors.yaml")
	const right = "- {code: a, status: 400, meaning: M, remedy: R, detail: D, errors: '[]'}\n"
	write(t, path, right)
	if _, err := readExplanations(path); err != nil {
		t.Fatal(err)
	}
	for old, replacement := range map[string]string{"status: 400": "status: 0", "meaning": "reason", "'[]'": "'['"} {
		write(t, path, strings.Replace(right, old, replacement, 1))
		if _, err := readExplanations(path); err == nil {
			t.Errorf("%q for %q is accepted", replacement, old)
		}
	}
}

// Each link within the guide leads to a chapter. A section has no address that the documentation page keeps.
func TestGuideLinks(t *testing.T) {
	t.Parallel()
	guide, err := assembleGuide("../..", nil)
	if err != nil {
		t.Fatal(err)
	}
	chapters := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^# (.+)$`).FindAllStringSubmatch(string(guide), -1) {
		words := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		chapters[strings.ReplaceAll(words, " ", "-")] = true
	}
	links := regexp.MustCompile(`\(/docs#description/([^)]+)\)`).FindAllStringSubmatch(string(guide), -1)
	for _, link := range links {
		if !chapters[link[1]] {
			t.Errorf("there is no chapter %s", link[1])
		}
	}
	if section := regexp.MustCompile(`\]\(#[^)]+\)`).Find(guide); section != nil {
		t.Errorf("%s leads to a section", section)
	}
	if len(links) < 10 {
		t.Errorf("found only %d links", len(links))
	}
}
