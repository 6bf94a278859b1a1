package queue_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Only this package writes the tables of deliveries. The purge of old rows and that of an organization know them by the
// constants of this package. Package storetest and migrations make rows of the past.
func TestOnlyTheQueueWritesItsTables(t *testing.T) {
	t.Parallel()
	writes := regexp.MustCompile(
		`(INSERT INTO|UPDATE|DELETE FROM)\s+(webhook_queue|webhook_deliveries|webhook_attempts|webhook_replays|replicas)\b`)
	here := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == "storetest" {
			return errOrSkip(err)
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			text, ok := node.(*ast.BasicLit)
			if !ok || text.Kind != token.STRING || !writes.MatchString(text.Value) {
				return true
			}
			if filepath.Dir(path) == filepath.Join("..", "queue") {
				here++
			} else {
				t.Errorf("%s writes a table of the queue: %s", set.Position(text.Pos()), writes.FindString(text.Value))
			}
			return true
		})
		return nil
	})
	if err != nil || here < 10 {
		t.Errorf("%d statements of the queue found, %v", here, err)
	}
}

func errOrSkip(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}
