package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func (es explanations) byStatus() explanations {
	sorted := slices.Clone(es)
	slices.SortStableFunc(sorted, func(a, b explanation) int { return cmp.Compare(a.Status, b.Status) })
	return sorted
}

// A line of the guide of this form is replaced: "{{errors}}" by the table of
// error codes, "{{sample FILE NAME}}" by a sample of a program in clients.
var directive = regexp.MustCompile(`(?m)^\{\{(\w+)(?: (\S+) (\S+))?\}\}$`)

// fences are how a highlighter calls the language of a file.
var fences = map[string]string{
	".go": "go", ".ts": "typescript", ".py": "python", ".java": "java", ".rs": "rust", ".rb": "ruby", ".sh": "shell",
}

// assembleGuide joins the guide's sections, in the order of their files' names.
func assembleGuide(folder, clients string, explained explanations) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var sections []string
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var failure error
		section := directive.ReplaceAllStringFunc(string(text), func(line string) string {
			parts := directive.FindStringSubmatch(line)
			switch parts[1] {
			case "errors":
				return strings.TrimSpace(explained.table())
			case "sample":
				block, err := fenced(filepath.Join(clients, parts[2]), parts[3])
				if err != nil && failure == nil {
					failure = fmt.Errorf("%s: %w", path, err)
				}
				return block
			default:
				failure = fmt.Errorf("%s: %s means nothing", path, line)
				return ""
			}
		})
		if failure != nil {
			return nil, failure
		}
		sections = append(sections, strings.TrimSpace(section)+"\n")
	}
	return []byte(strings.Join(sections, "\n")), nil
}

// fenced is a sample as a block of code.
func fenced(path, name string) (string, error) {
	samples, err := samplesOf(path)
	if err != nil {
		return "", err
	}
	if samples[name] == "" {
		return "", fmt.Errorf("%s has no sample %s", path, name)
	}
	return "```" + fences[filepath.Ext(path)] + "\n" + samples[name] + "\n```", nil
}
