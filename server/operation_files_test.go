package server

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/server/request"
)

// Each operation has a method with its name on Server and on Store. The name of
// the method's file begins with the operation's tag. There are no exceptions, so
// that a reader finds every operation by its tag and name.
func TestOperationFiles(t *testing.T) {
	document, err := request.Contract()
	if err != nil {
		t.Fatal(err)
	}
	handlers := methodFiles(t, ".", "Server")
	queries := methodFiles(t, filepath.Join("..", "store"), "Store")

	operations := 0
	for _, item := range document.Paths.Map() {
		for _, o := range item.Operations() {
			operations++
			if len(o.Tags) != 1 {
				t.Errorf("%s has %d tags, want one", o.OperationID, len(o.Tags))
				continue
			}
			prefix := strings.ReplaceAll(o.Tags[0], "-", "_")
			for _, room := range []struct {
				name  string
				files map[string][]string
			}{{"server", handlers}, {"store", queries}} {
				// The generator writes listApiKeys as ListAPIKeys.
				files := room.files[strings.ToLower(o.OperationID)]
				if !slices.ContainsFunc(files, func(file string) bool { return isFileOf(file, prefix) }) {
					t.Errorf("%s has the tag %s, so %s/%s*.go must contain its method; found it in %q",
						o.OperationID, o.Tags[0], room.name, prefix, files)
				}
			}
		}
	}

	if operations < 60 {
		t.Fatalf("found only %d operations in the contract", operations)
	}
}

// isFileOf reports whether a file is <prefix>.go or <prefix>_<part>.go. The
// file candidate_sessions.go does not belong to the tag candidate.
func isFileOf(file, prefix string) bool {
	part, begins := strings.CutPrefix(strings.TrimSuffix(file, ".go"), prefix)
	if prefix == "candidate" && strings.HasPrefix(part, "_sessions") {
		return false
	}
	return begins && (part == "" || part[0] == '_')
}

// methodFiles parses the Go files of a folder. It returns the files that declare
// each method of a type, keyed by the method's name in lower case.
func methodFiles(t *testing.T, folder, receiver string) map[string][]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]string{}

	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, entry.Name()), nil,
			parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range parsed.Decls {
			if method, isFunc := declaration.(*ast.FuncDecl); isFunc && receiverOf(method) == receiver {
				name := strings.ToLower(method.Name.Name)
				files[name] = append(files[name], entry.Name())
			}
		}
	}

	return files
}

// receiverOf returns the name of a method's type, or "" for a function.
func receiverOf(method *ast.FuncDecl) string {
	if method.Recv == nil {
		return ""
	}
	receiver := method.Recv.List[0].Type
	if pointer, isPointer := receiver.(*ast.StarExpr); isPointer {
		receiver = pointer.X
	}
	name, _ := receiver.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}
