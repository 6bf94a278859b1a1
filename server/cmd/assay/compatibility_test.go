package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// repository is the top of the tree, from the folder of this test.
const repository = "../../.."

// compatibility marks code that only data or binaries of earlier releases need. Once the named release is out, the code
// can go, because an upgrade from an earlier release than that one goes through it.
var compatibility = regexp.MustCompile(`Compatibility until v(\d+)\.(\d+)`)

// ofEarlierRelease finds comments about earlier releases.
var ofEarlierRelease = regexp.MustCompile(`(?i)\b(previous|earlier|older) (binary|binaries|release|releases)\b`)

// Compatibility code goes after the release that it names. Without a date it would stay forever.
func TestCompatibilityCodeGoes(t *testing.T) {
	t.Parallel()
	released := newestRelease(t)
	marks := 0
	for _, room := range []string{"store", "server", "webhooks"} {
		err := filepath.WalkDir(filepath.Join(repository, room), func(path string, entry fs.DirEntry, err error) error {
			isCode := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "lab" || entry.Name() == "storetest"):
				return fs.SkipDir
			case entry.IsDir() || !isCode:
				return nil
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, mark := range compatibility.FindAllStringSubmatch(string(content), -1) {
				marks++
				if isOut(t, mark[1], mark[2], released) {
					t.Errorf("%s: v%d.%d is out: remove what says %q", path, released[0], released[1], mark[0])
				}
			}
			// The runner of the migrations speaks of releases in general.
			if strings.Contains(path, filepath.Join("internal", "db")) {
				return nil
			}
			if found := ofEarlierRelease.Find(content); found != nil && !compatibility.Match(content) {
				t.Errorf(`%s speaks of %q: say "Compatibility until vX.Y" where the code is`, path, found)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if marks == 0 {
		t.Error("no compatibility code was found: does the expression still match it?")
	}
	if !isOut(t, "1", "0", [2]int{1, 0}) || !isOut(t, "1", "9", [2]int{2, 0}) || isOut(t, "1", "10", [2]int{1, 9}) {
		t.Error("versions are not compared by their numbers")
	}
}

func isOut(t *testing.T, major, minor string, released [2]int) bool {
	t.Helper()
	var named [2]int
	if _, err := fmt.Sscan(major, &named[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(minor, &named[1]); err != nil {
		t.Fatal(err)
	}
	return named[0] < released[0] || named[0] == released[0] && named[1] <= released[1]
}

// newestRelease reads the last line of .deploy/releases.txt.
func newestRelease(t *testing.T) (version [2]int) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(repository, ".deploy", "releases.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	if _, err := fmt.Sscanf(lines[len(lines)-1], "v%d.%d.", &version[0], &version[1]); err != nil {
		t.Fatalf("the last line of releases.txt is no release: %v", err)
	}
	return version
}
