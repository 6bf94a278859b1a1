package server_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// syntax is a place at which text becomes a part of another language. The table "Text that becomes syntax" of README.md
// names the encoder of each.
type syntax struct {
	name    string
	found   *regexp.Regexp // in a piece of code or of a page
	reason  string         // what to use
	allowed map[string]string
}

var syntaxes = []syntax{
	{
		name: "mailto", found: regexp.MustCompile(`(?i)["'` + "`" + `]mailto:(["'` + "`" + `] ?\+|%[sqv]|\$?\{)`),
		reason:  "use encode.Mailto, or mailto.ts",
		allowed: map[string]string{"store/encode/encode.go": "the encoder", "server/web/src/shared/mailto.ts": "the encoder"},
	},
	{
		name:    "Content-Disposition",
		found:   regexp.MustCompile(`(?i)"content-disposition",\s*([^"e\s]|"[^"]*" *\+)|attachment; ?filename`),
		reason:  "use encode.Attachment",
		allowed: map[string]string{"store/encode/encode.go": "the encoder"},
	},
	{
		name: "LIKE", found: regexp.MustCompile(`(?i)\bI?LIKE (\?|'%|'_|\$\d|"|` + "`" + `)|\bGLOB \?|\bSIMILAR TO\b`),
		reason: "a pattern has no text of a person: use equality, or a range of the index of words",
		allowed: map[string]string{
			"store/candidate_sessions_erase.go": "the id of a session",
			"store/media.go":                    "the id of a picture",
			"store/queue/holders.go":            "the id of a replica",
			"store/queue/enqueue.go":            "a type of event",
			"store/webhooks_replay_status.go":   "a type of event",
			"store/internal/db/postgres.go":     "a constant",
			"store/internal/db/sqlite_file.go":  "a constant",
			"store/internal/db/conn.go":         "the rewriting of statements",
		},
	},
	{
		name: "safe HTML", found: regexp.MustCompile(`\btemplate\.(HTML|HTMLAttr|CSS|JS|JSStr|URL|Srcset)\(|"text/template"`),
		reason: "html/template escapes",
		allowed: map[string]string{
			"server/pages/error_pages.go":    "escaped in the line before",
			"server/pages/registration.go":   "HTML of store/markdown",
			"server/pages/results_page.go":   "HTML of store/markdown",
			"server/pages/candidate_data.go": "HTML of store/markdown",
			"server/mail/render_message.go":  "tokens that are escaped one by one",
		},
	},
	{
		name: "Set-Cookie", found: regexp.MustCompile(`(?i)\.(Set|Add)\("Set-Cookie"`),
		reason: "use http.Cookie",
	},
	{
		name: "regular expression", found: regexp.MustCompile(`regexp\.(Must)?Compile\([^\n]*\+ ?[a-z]\w*( ?\+|\))`),
		reason: "use regexp.QuoteMeta, or no expression",
		allowed: map[string]string{
			"store/markdown/markdown.go":      "constants",
			"server/exchange/text_lines.go":   "constants",
			"server/exchange/text_options.go": "constants",
		},
	},
	{
		name: "shell", found: regexp.MustCompile(`exec\.Command(Context)?\([^)]*"(sh|bash|-c)"`),
		reason: "run a program with its arguments",
	},
	{
		name:   "HTML in a page",
		found:  regexp.MustCompile(`\b(inner|outer)HTML *=|insertAdjacentHTML|document\.write\b|dangerouslySetInnerHTML`),
		reason: "use elements, or Html for the server's HTML",
		allowed: map[string]string{
			"server/web/src/shared/html.tsx": "the server's HTML",
		},
	},
}

// faultsIn returns the syntaxes that a file builds by hand.
func faultsIn(path, code string) (faults []string) {
	for _, one := range syntaxes {
		if one.found.MatchString(code) && one.allowed[path] == "" {
			faults = append(faults, path+" builds "+one.name+": "+one.reason)
		}
	}
	return faults
}

// isCode reports whether the file is a part of what runs in production.
func isCode(path string) bool {
	for _, part := range []string{"/node_modules/", "/dist/", "/testdata/", "/test/", "/cmd/lab/", "gen/clients/",
		"/docs/", "storetest/", "mailtest/"} {
		if strings.Contains("/"+path, part) {
			return false
		}
	}
	if strings.HasSuffix(path, "_test.go") || strings.Contains(path, ".gen.") {
		return false
	}
	return regexp.MustCompile(`\.(go|ts|tsx|html|js)$`).MatchString(path)
}

// No code builds another language from text by hand. For Go, comments do not count.
func TestTextBecomesSyntaxByOneEncoder(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	count := 0
	for _, room := range []string{"server", "store", "webhooks", "gen"} {
		err := filepath.WalkDir("../"+room, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "dist") {
				if entry != nil && entry.IsDir() && err == nil {
					return filepath.SkipDir
				}
				return err
			}
			name := strings.TrimPrefix(filepath.ToSlash(path), "../")
			if entry.IsDir() || !isCode(name) {
				return nil
			}
			count++
			code, err := codeOf(path)
			if err != nil {
				return err
			}
			for _, fault := range faultsIn(name, code) {
				t.Error(fault)
			}
			for _, one := range syntaxes {
				used[one.name+" "+name] = one.found.MatchString(code)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if count < 500 {
		t.Errorf("only %d files", count)
	}
	for _, one := range syntaxes {
		for name := range one.allowed {
			if !used[one.name+" "+name] {
				t.Errorf("%s no longer builds %s: remove it from the list", name, one.name)
			}
		}
	}
}

// codeOf returns a file without the comments of Go.
func codeOf(path string) (string, error) {
	code, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".go") {
		return string(code), err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, code, parser.ParseComments)
	if err != nil {
		return "", err
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			blank(code, comment, int(file.FileStart))
		}
	}
	return string(code), nil
}

func blank(code []byte, comment *ast.Comment, start int) {
	for i := int(comment.Pos()) - start; i < int(comment.End())-start; i++ {
		if code[i] != '\n' {
			code[i] = ' '
		}
	}
}

// The search finds each of these, in each language.
func TestSyntaxByHandIsFound(t *testing.T) {
	t.Parallel()
	for name, codes := range map[string][]string{
		"mailto": {`"mailto:" + address`, `fmt.Sprintf("mailto:%s", a)`,
			"href={`mailto:${a}`}", `<a href="mailto:{{.}}">`},
		"Content-Disposition": {`h.Set("Content-Disposition", "attachment; filename="+name)`,
			"`attachment; filename=\"` + n"},
		"LIKE":               {"WHERE a LIKE ?", "WHERE a LIKE '%' || ? || '%'", "a ILIKE $1"},
		"safe HTML":          {"template.HTML(text)", "template.URL(u)", `import "text/template"`},
		"Set-Cookie":         {`w.Header().Set("Set-Cookie", v)`},
		"regular expression": {"regexp.MustCompile(`^` + word)", `regexp.Compile(prefix + word)`},
		"shell":              {`exec.Command("sh", "-c", line)`},
		"HTML in a page":     {"element.innerHTML = text"},
	} {
		for _, code := range codes {
			if faults := faultsIn("server/x.go", code); len(faults) != 1 || !strings.Contains(faults[0], "builds "+name+":") {
				t.Errorf("%s finds %q", code, faults)
			}
		}
	}
}

// Each syntax of the table has an encoder and a place that exists.
func TestSyntaxTable(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(readme), "## Text that becomes syntax\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$`).FindAllStringSubmatch(section, -1)
	if !found || len(rows) < 15 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	for _, row := range rows[2:] {
		for _, path := range regexp.MustCompile("`([a-z_/]+\\.(?:go|ts|tsx|html|md))`").FindAllStringSubmatch(row[3], -1) {
			if _, err := os.Stat("../" + path[1]); err != nil {
				t.Errorf("%s: %v", row[1], err)
			}
		}
	}
}
