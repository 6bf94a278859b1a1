// Command pointers makes each required nullable field of the generated Go types a pointer.
// oapi-codegen makes it a map, which is needed to distinguish an absent field from null.
// A required field is always present, and responses with lists have hundreds of them:
// their maps take most of the time of such a response. `make generate` runs it in gen.
package main

import (
	"fmt"
	"go/format"
	"os"
	"regexp"
)

// required finds a nullable field whose tag has no omitempty.
var required = regexp.MustCompile("(?m)^(\t+\\w+ +)nullable\\.Nullable\\[(.+)\\]( +`json:\"[^\",]+\"`)$")

func main() {
	if err := rewrite("api.gen.go"); err != nil {
		fmt.Fprintln(os.Stderr, "pointers:", err)
		os.Exit(1)
	}
}

func rewrite(path string) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed := required.ReplaceAll(source, []byte("$1*$2$3"))
	if string(changed) == string(source) {
		return fmt.Errorf("%s has no required nullable field", path)
	}
	formatted, err := format.Source(changed)
	if err != nil {
		return err
	}
	return os.WriteFile(path, formatted, 0o644) //nolint:gosec // as oapi-codegen writes it
}
