package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// language is a programming language with a sample of every operation.
type language struct{ folder, name, label string }

// languages are in display order. The name is the highlighters' name of the language.
var languages = []language{
	{"curl", "bash", "curl"},
	{"go", "go", "Go"},
	{"typescript", "typescript", "TypeScript"},
	{"python", "python", "Python"},
}

var (
	sampleBegin = regexp.MustCompile(`^\s*(?:#|//)\s*sample: (\S+)\s*$`)
	sampleEnd   = regexp.MustCompile(`^\s*(?:#|//)\s*end sample\s*$`)
)

// built are folders that a client's build creates.
var built = []string{"node_modules", "generated", "target", ".venv", "bin", "__pycache__"}

// readSamples returns the samples of each operation with their imports, by operationId and folder
// of the language. A language without a folder has no samples.
func readSamples(clients string) (map[string]map[string]string, error) {
	samples := map[string]map[string]string{}
	for _, language := range languages {
		root := filepath.Join(clients, language.folder, "samples")
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil && path == root && errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case entry.IsDir() && slices.Contains(built, entry.Name()):
				return fs.SkipDir
			case entry.IsDir():
				return nil
			}
			found, err := completeSamplesOf(path)
			if err != nil {
				return err
			}
			for name, sample := range found {
				if samples[name] == nil {
					samples[name] = map[string]string{}
				}
				if samples[name][language.folder] != "" {
					return fmt.Errorf("%s: %s also has a sample in another file", path, name)
				}
				samples[name][language.folder] = sample
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return samples, nil
}

// completeSamplesOf returns the samples of a file, by name, with their imports.
func completeSamplesOf(path string) (map[string]string, error) {
	samples, err := samplesOf(path)
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(path)
	for name, sample := range samples {
		samples[name] = withImports(path, string(program), sample)
	}
	return samples, err
}

// samplesOf returns the lines of a file between "sample: NAME" and "end sample", by
// name, without their common indentation.
func samplesOf(path string) (map[string]string, error) {
	content, err := os.ReadFile(path)
	if err != nil || bytes.IndexByte(content, 0) >= 0 {
		return nil, err
	}
	samples, name, lines := map[string]string{}, "", []string(nil)
	for i, line := range strings.Split(string(content), "\n") {
		begin := sampleBegin.FindStringSubmatch(line)
		ends := sampleEnd.MatchString(line)
		switch {
		case begin != nil && name != "":
			return nil, fmt.Errorf("%s:%d: a sample inside the sample of %s", path, i+1, name)
		case begin != nil && samples[begin[1]] != "":
			return nil, fmt.Errorf("%s:%d: a second sample of %s", path, i+1, begin[1])
		case begin != nil:
			name, lines = begin[1], nil
		case ends && name == "":
			return nil, fmt.Errorf("%s:%d: an end without a sample", path, i+1)
		case ends:
			samples[name] = dedent(lines)
			if samples[name] == "" {
				return nil, fmt.Errorf("%s:%d: the sample of %s is empty", path, i+1, name)
			}
			name = ""
		case name != "":
			lines = append(lines, strings.TrimRight(line, " \t\r"))
		}
	}
	if name != "" {
		return nil, fmt.Errorf("%s: the sample of %s does not end", path, name)
	}
	return samples, nil
}

// dedent removes the common indentation of all lines, and empty lines at both ends.
func dedent(lines []string) string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return ""
	}
	shared := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " \t"))]
	for _, line := range lines {
		for line != "" && !strings.HasPrefix(line, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, shared)
	}
	return strings.Join(lines, "\n")
}
