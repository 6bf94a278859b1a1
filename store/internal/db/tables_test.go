package db

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"assay/store/migrations"
)

// The base names no table of the rooms above it. It names those in which it records migrations.
func TestNamesNoTable(t *testing.T) {
	t.Parallel()
	own := map[string]bool{"schema_support": true, "migration_progress": true}
	created := regexp.MustCompile(`CREATE TABLE (?:IF NOT EXISTS )?(\w+)`)
	var names []string
	files, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(migrations.Files, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range created.FindAllStringSubmatch(string(text), -1) {
			if !own[found[1]] {
				names = append(names, found[1])
			}
		}
	}
	if len(names) < 40 {
		t.Fatalf("only %d tables found in the migrations", len(names))
	}
	table := regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
	sources, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		if !strings.HasSuffix(source.Name(), ".go") || strings.HasSuffix(source.Name(), "_test.go") {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, source.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			if text, ok := node.(*ast.BasicLit); ok && text.Kind == token.STRING {
				for _, found := range table.FindAllString(text.Value, -1) {
					t.Errorf("%s names the table %s", set.Position(text.Pos()), found)
				}
			}
			return true
		})
	}
}
