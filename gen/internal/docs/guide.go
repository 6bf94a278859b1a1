package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// directive matches lines of the guide that are replaced: "{{errors}}" by the table
// of error codes, "{{file PATH}}" by a file, and "{{sample PATH NAME}}" by a sample
// from a program. A * in the path matches a folder or a part of a name.
var directive = regexp.MustCompile(`(?m)^\{\{(\w+)(?: (\S+))?(?: (\S+))?\}\}$`)

// fences maps a file's extension to the highlighter's name of its language.
var fences = map[string]string{
	".go": "go", ".ts": "typescript", ".py": "python", ".java": "java", ".rs": "rust", ".rb": "ruby",
	".toml": "toml", ".yaml": "yaml",
}

// assembleGuide joins the sections in the folder guide, sorted by file name. Paths
// in directives are relative to the given folder.
func assembleGuide(folder string, explained explanations) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(folder, "guide", "*.md"))
	if err != nil {
		return nil, err
	}
	var sections []string
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var failures []error
		section := directive.ReplaceAllStringFunc(string(text), func(line string) string {
			parts := directive.FindStringSubmatch(line)
			included, err := include(folder, parts[1], parts[2], parts[3], explained)
			if err != nil {
				failures = append(failures, fmt.Errorf("%s: %s: %w", path, line, err))
			}
			return included
		})
		if len(failures) > 0 {
			return nil, errors.Join(failures...)
		}
		sections = append(sections, strings.TrimSpace(section)+"\n")
	}
	return []byte(strings.Join(sections, "\n")), nil
}

func include(folder, what, pattern, name string, explained explanations) (string, error) {
	if what == "errors" && pattern == "" {
		return strings.TrimSpace(explained.table()), nil
	}
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("the path matches %d files", len(found))
	}
	var text string
	switch what {
	case "file":
		content, err := os.ReadFile(found[0])
		if err != nil {
			return "", err
		}
		text = strings.TrimSpace(string(content))
	case "sample":
		samples, err := samplesOf(found[0])
		if err != nil {
			return "", err
		}
		text = samples[name]
	}
	if text == "" {
		return "", errors.New("the sample or file is empty or missing")
	}
	return "```" + fences[filepath.Ext(found[0])] + "\n" + text + "\n```", nil
}
