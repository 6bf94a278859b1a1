package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

type workflow struct {
	Permissions map[string]string
	Jobs        map[string]struct {
		Permissions map[string]string
		Steps       []struct {
			Uses, Run string
			With      map[string]any
		}
	}
}

// The workflows run commands that exist, with the Go release of the image. Only the job that publishes can write, and
// it runs no code of the repository.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yaml"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%q, %v", files, err)
	}
	pinned := regexp.MustCompile(`^actions/[a-z-]+@[0-9a-f]{40}$`)
	targets := regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllString(readFile(t, "Makefile"), -1)
	var commands []string
	for _, file := range files {
		var flow workflow
		if err := yaml.Unmarshal([]byte(readFile(t, ".github/workflows/"+filepath.Base(file))), &flow); err != nil {
			t.Fatal(err)
		}
		if len(flow.Permissions) != 1 || flow.Permissions["contents"] != "read" {
			t.Errorf("%s: permissions %v", file, flow.Permissions)
		}
		for name, job := range flow.Jobs {
			for _, step := range job.Steps {
				if step.Uses != "" && !pinned.MatchString(step.Uses) {
					t.Errorf("%s: %s is not named by its commit", name, step.Uses)
				}
				if strings.Contains(step.Uses, "setup-go") && "go"+step.With["go-version"].(string) != dockerfile(t).builder {
					t.Errorf("%s builds with %v, the image with %s", name, step.With["go-version"], dockerfile(t).builder)
				}
				command, isMake := strings.CutPrefix(step.Run, "make ")
				switch {
				case step.Run == "":
				case job.Permissions != nil:
					if !strings.HasPrefix(step.Run, "gh release ") {
						t.Errorf("%s can write, and runs %s", name, step.Run)
					}
				case isMake && !slices.Contains(targets, command+":"):
					t.Errorf("%s: there is no make %s", name, command)
				case !isMake:
					if _, err := os.Stat(filepath.Join(root, step.Run)); err != nil {
						t.Error(err)
					}
				}
				commands = append(commands, step.Run)
			}
		}
	}
	for _, wanted := range []string{".ci/run", "make release", "make release-check"} {
		if !slices.Contains(commands, wanted) {
			t.Errorf("no workflow runs %s", wanted)
		}
	}
}

// Each release has a section with its date, newest first, and each tag of this repository has one.
func TestChangelog(t *testing.T) {
	t.Parallel()
	heading := regexp.MustCompile(`(?m)^## \[?(\d+\.\d+\.\d+|Unreleased)\]?(?: - (\d{4}-\d\d-\d\d))?$`)
	changelog := readFile(t, ".deploy/CHANGELOG.md")
	sections := heading.FindAllStringSubmatch(changelog, -1)
	if all := regexp.MustCompile(`(?m)^## `).FindAllString(changelog, -1); len(all) != len(sections) {
		t.Errorf("%d of %d sections have a release and a date", len(sections), len(all))
	}
	have := map[string]bool{}
	for i, section := range sections {
		have["v"+section[1]] = true
		switch {
		case section[1] == "Unreleased":
			if i != 0 {
				t.Error("Unreleased is not the first section")
			}
		case section[2] == "":
			t.Errorf("%s has no date", section[1])
		case i > 0 && sections[i-1][2] != "" && section[2] > sections[i-1][2]:
			t.Errorf("%s is newer than %s", section[1], sections[i-1][1])
		}
	}
	contract := regexp.MustCompile(`(?m)^  version: (\S+)$`).FindStringSubmatch(readFile(t, "openapi.yaml"))[1]
	if !have["v"+contract] {
		t.Errorf("no section for the version of the contract, %s", contract)
	}
	tags, err := exec.CommandContext(t.Context(), "git", "-C", root, "tag", "--list", "v*").Output()
	if err != nil { // the sources can be an archive without git
		t.Log(err)
	}
	for _, tag := range strings.Fields(string(tags)) {
		if !have[tag] {
			t.Errorf("no section for the tag %s", tag)
		}
	}
}
