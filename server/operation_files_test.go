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
)

// Each operation has a method of its name on Server, in a file of this folder
// whose name begins with the operation's tag, and likewise on Store in store.
// There are no exceptions: a reader finds an operation by its tag and its name.
func TestOperationFiles(t *testing.T) {
	document, err := readContract()
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
					t.Errorf("%s has the tag %s, so %s/%s*.go must have its method; it is in %q",
						o.OperationID, o.Tags[0], room.name, prefix, files)
				}
			}
		}
	}
	if operations < 60 {
		t.Fatalf("the contract has %d operations only", operations)
	}
}

// isFileOf reports whether a file is <prefix>.go or <prefix>_<part>.go. The
// file candidate_sessions.go is not one of the tag candidate.
func isFileOf(file, prefix string) bool {
	part, begins := strings.CutPrefix(strings.TrimSuffix(file, ".go"), prefix)
	if prefix == "candidate" && strings.HasPrefix(part, "_sessions") {
		return false
	}
	return begins && (part == "" || part[0] == '_')
}

// methodFiles parses the files of a folder and returns, for each method of a
// type, in lower case, the files that declare it.
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
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, entry.Name()), nil, parser.SkipObjectResolution)
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
