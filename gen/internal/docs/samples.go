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

// language is one that every operation has a sample in.
type language struct{ folder, name, label string }

// languages are in the order in which they are shown. The name is what
// highlighters know it by.
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

// built are folders that building a client leaves behind.
var built = []string{"node_modules", "generated", "target", ".venv", "bin", "__pycache__"}

// readSamples returns the samples of each operation, by operationId and folder
// of the language. A language whose folder is not there has none.
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
			found, err := samplesOf(path)
			if err != nil {
				return err
			}
			for name, sample := range found {
				if samples[name] == nil {
					samples[name] = map[string]string{}
				}
				if samples[name][language.folder] != "" {
					return fmt.Errorf("%s: %s has a sample in another file, too", path, name)
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

// samplesOf returns what stands in a file between "sample: NAME" and "end
// sample", by name, without the indentation that all its lines share.
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
			return nil, fmt.Errorf("%s:%d: a sample within the sample of %s", path, i+1, name)
		case begin != nil && samples[begin[1]] != "":
			return nil, fmt.Errorf("%s:%d: a second sample of %s", path, i+1, begin[1])
		case begin != nil:
			name, lines = begin[1], nil
		case ends && name == "":
			return nil, fmt.Errorf("%s:%d: the end of no sample", path, i+1)
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

// dedent takes the indentation that all lines share, and empty lines around them.
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
