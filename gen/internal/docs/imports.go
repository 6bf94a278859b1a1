package main

import (
	"path/filepath"
	"regexp"
	"strings"
)

// A sample is a part of a program. withImports puts the imports of the program that the sample uses above it, so that
// the names in it are explained where it is shown alone.

var (
	goImports     = regexp.MustCompile(`(?ms)^import \(\n(.*?)^\)\n`)
	goImport      = regexp.MustCompile(`^(?:(\w+) )?"([^"]+)"$`)
	pythonImport  = regexp.MustCompile(`(?m)^from (\S+) import (?:\(([^)]*)\)|(.+))$`)
	pythonModule  = regexp.MustCompile(`(?m)^import (\w+)$`)
	typeScript    = regexp.MustCompile(`(?m)^import (type )?(?:(\w+)|\{([^}]*)\}) from "([^"]+)";$`)
	quotedOrField = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\.\w+`)
)

func withImports(path, program, sample string) string {
	var imports []string
	switch filepath.Ext(path) {
	case ".go":
		imports = goImportsOf(program, sample)
	case ".py":
		imports = pythonImportsOf(program, sample)
	case ".ts":
		imports = typeScriptImportsOf(program, sample)
	}
	if len(imports) == 0 {
		return sample
	}
	return strings.Join(imports, "\n") + "\n\n" + sample
}

// uses returns the names of a comma-separated list that occur in the sample, and not only in texts or as fields.
func uses(sample, list string) (used []string) {
	code := quotedOrField.ReplaceAllString(sample, "")
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		bare := strings.TrimPrefix(name, "type ")
		if bare != "" && regexp.MustCompile(`\b`+regexp.QuoteMeta(bare)+`\b`).MatchString(code) {
			used = append(used, name)
		}
	}
	return used
}

func goImportsOf(program, sample string) (imports []string) {
	block := goImports.FindStringSubmatch(program)
	if block == nil {
		return nil
	}
	for line := range strings.SplitSeq(block[1], "\n") {
		found := goImport.FindStringSubmatch(strings.TrimSpace(line))
		if found == nil { // between the standard library and other packages
			imports = append(imports, "")
			continue
		}
		name := found[1]
		if name == "" {
			name = found[2][strings.LastIndex(found[2], "/")+1:]
		}
		if regexp.MustCompile(`\b` + name + `\.\w`).MatchString(sample) {
			imports = append(imports, "\t"+strings.TrimSpace(line))
		}
	}
	names := strings.Trim(strings.Join(imports, "\n"), "\n")
	if names == "" {
		return nil
	}
	return []string{"import (", strings.ReplaceAll(names, "\n\n\n", "\n\n"), ")"}
}

func pythonImportsOf(program, sample string) (imports []string) {
	for _, found := range pythonModule.FindAllStringSubmatch(program, -1) {
		if len(uses(sample, found[1])) > 0 {
			imports = append(imports, found[0])
		}
	}
	for _, found := range pythonImport.FindAllStringSubmatch(program, -1) {
		if used := uses(sample, found[2]+found[3]); len(used) > 0 {
			imports = append(imports, "from "+found[1]+" import "+strings.Join(used, ", "))
		}
	}
	return imports
}

// typeScriptImportsOf replaces the folder of the programs by that of the guide's first program.
func typeScriptImportsOf(program, sample string) (imports []string) {
	for _, found := range typeScript.FindAllStringSubmatch(program, -1) {
		names := strings.Join(uses(sample, found[2]+found[3]), ", ")
		if names == "" {
			continue
		}
		if found[2] == "" {
			names = "{ " + names + " }"
		}
		from := strings.Replace(found[4], "../", "./", 1)
		imports = append(imports, "import "+found[1]+names+` from "`+from+`";`)
	}
	return imports
}
