package server

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/gen"
	"assay/store"
)

// openapi.yaml lists every error code of the store, because the server passes
// these codes on unchanged.
func TestStoreCodes(t *testing.T) {
	t.Parallel()
	found := storeCodes(t)
	for _, kind := range []struct {
		name, enumeration string
		codes             map[string]string
		least             int
	}{
		{"Error", "ErrorCode", found.errors, 15}, {"Fault", "FieldErrorCode", found.fields, 10},
	} {
		if len(kind.codes) < kind.least {
			t.Errorf("found only %d codes of %s: %v", len(kind.codes), kind.name, kind.codes)
		}
		listed := enumOf(t, kind.enumeration)
		for code, position := range kind.codes {
			if !slices.Contains(listed, code) {
				t.Errorf("%s: %s is not listed in %s", position, code, kind.enumeration)
			}
		}
	}
}

// codes has the source position of each code, for errors and for field errors.
type codes struct{ errors, fields map[string]string }

// storeCodes collects the codes from the source of the packages store and store/rules:
// from each literal of Error or Fault, from each field "refusal" of a status table, and
// from each call of a function that has a parameter "code".
func storeCodes(t *testing.T) codes {
	t.Helper()
	files := token.NewFileSet()
	var names []string
	for _, pattern := range []string{"../store/*.go", "../store/rules/*.go"} {
		matches, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, matches...)
	}

	found := codes{errors: map[string]string{}, fields: map[string]string{}}
	var parsed []*ast.File
	codeIndex := map[string]int{}    // the index of the parameter "code" of each function
	constants := map[string]string{} // the values of the string constants

	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)

		maps.Copy(constants, stringConstants(t, file))
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok {
				if i := slices.Index(parameters(function), "code"); i >= 0 {
					codeIndex[function.Name.Name] = i
				}
			}
		}
	}

	note := func(into map[string]string, value ast.Expr) {
		position := files.Position(value.Pos()).String()
		name := ""
		switch v := value.(type) {
		case *ast.BasicLit:
			into[unquote(t, v)] = position
			return
		case *ast.Ident:
			name = v.Name
		case *ast.SelectorExpr: // rules.SessionClosed
			name = v.Sel.Name
		}

		if code, ok := constants[name]; ok {
			into[code] = position
		} else if name != "code" { // the codes of a parameter are collected from the calls
			t.Errorf("%s: the code is neither a literal nor a constant, so this test cannot compare it with openapi.yaml",
				position)
		}
	}

	for _, file := range parsed {
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.CompositeLit:
				members := membersOf(n)
				if code := members["Code"]; code != nil && members["Pointer"] != nil {
					note(found.fields, code)
				} else if code != nil && members["Kind"] != nil {
					note(found.errors, code)
				} else if code != nil {
					t.Errorf("%s: a literal with a Code is neither an Error nor a Fault", files.Position(n.Pos()))
				}

				if refusal := members["refusal"]; refusal != nil {
					note(found.errors, refusal)
				}
			case *ast.AssignStmt: // move.refusal = "…"
				for i, left := range n.Lhs {
					if selector, ok := left.(*ast.SelectorExpr); ok && selector.Sel.Name == "refusal" {
						note(found.errors, n.Rhs[i])
					}
				}
			case *ast.CallExpr:
				name := calledName(n)
				i, ok := codeIndex[name]
				switch {
				case !ok || i >= len(n.Args):
				case name == "refused": // it maps the codes of the status tables, which the case above reads
				case name == "refusal":
					note(found.errors, n.Args[i])
				default:
					note(found.fields, n.Args[i])
				}
			}

			return true
		})
	}

	return found
}

// stringConstants returns the values of the string constants that a file declares.
func stringConstants(t *testing.T, file *ast.File) map[string]string {
	t.Helper()
	constants := map[string]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Names) != len(spec.Values) {
			return true
		}
		for i, value := range spec.Values {
			if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				constants[spec.Names[i].Name] = unquote(t, literal)
			}
		}
		return true
	})
	return constants
}

func unquote(t *testing.T, literal *ast.BasicLit) string {
	t.Helper()
	text, err := strconv.Unquote(literal.Value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// parameters returns the names of a function's parameters.
func parameters(function *ast.FuncDecl) []string {
	var names []string
	for _, field := range function.Type.Params.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}

	return names
}

// membersOf returns the named fields of a composite literal.
func membersOf(literal *ast.CompositeLit) map[string]ast.Expr {
	members := map[string]ast.Expr{}
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if name, ok := pair.Key.(*ast.Ident); ok {
				members[name.Name] = pair.Value
			}
		}
	}

	return members
}

// calledName returns the name of the called function, without its package or receiver.
func calledName(call *ast.CallExpr) string {
	switch called := call.Fun.(type) {
	case *ast.Ident:
		return called.Name
	case *ast.SelectorExpr:
		return called.Sel.Name
	}
	return ""
}

// openapi.yaml lists the field error codes of the server. Each kind of store error has
// a status of at least 400, other than 500.
func TestServerCodes(t *testing.T) {
	t.Parallel()
	listed := enumOf(t, "FieldErrorCode")
	for _, code := range []string{faultInvalidJSON, faultDuplicate, faultTooDeep, faultInvalidEncoding, faultTooLarge} {
		if !slices.Contains(listed, code) {
			t.Errorf("%s is not listed in FieldErrorCode", code)
		}
	}

	for kind := store.Invalid; kind <= store.Unavailable; kind++ {
		if statusOf[kind] < 400 || statusOf[kind] == http.StatusInternalServerError {
			t.Errorf("the error kind %d has the status %d", kind, statusOf[kind])
		}
	}

	if len(statusOf) != int(store.Unavailable) {
		t.Errorf("%d error kinds have a status, want %d", len(statusOf), store.Unavailable)
	}
}

// enumOf returns the values of an enumeration of openapi.yaml.
func enumOf(t *testing.T, schema string) (values []string) {
	t.Helper()
	document, err := gen.GetSpec()
	if err != nil {
		t.Fatal(err)
	}
	described := document.Components.Schemas[schema].Value
	open, _ := described.Extensions["x-extensible-enum"].([]any)
	for _, value := range slices.Concat(described.Enum, open) {
		values = append(values, value.(string))
	}
	if len(values) == 0 {
		t.Fatalf("openapi.yaml has no enumeration %s", schema)
	}
	return values
}
