package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/gen"
)

// runDemo starts the demo and returns its address and its API key.
func runDemo(t *testing.T) (base, key string) {
	t.Helper()
	p := start(t, []string{"ASSAY_ADDR=127.0.0.1:0"}, "demo")
	p.printed(`the contract at (\S+)\n`) // the last line
	base = p.printed(`^  address +(http://127\.0\.0\.1:\d+)\n`)
	poll(t, "readiness", func() bool { return get(t, base+"/readyz").status == 200 })
	return base, p.printed(`^  API key +(\S+)\n`)
}

// blocks returns the code blocks of a language in a part of the guide.
func blocks(t *testing.T, from, to, language string) []string {
	t.Helper()
	_, part, began := strings.Cut(string(gen.Guide), from)
	part, _, ended := strings.Cut(part, to)
	var found []string
	for _, match := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(part, -1) {
		found = append(found, match[1])
	}
	if !began || !ended || len(found) == 0 {
		t.Fatalf("the guide has no %s between %q and %q", language, from, to)
	}
	return found
}

// The lines of the guide, pasted in order, lead from nothing to a verified event.
func TestGuide(t *testing.T) {
	t.Parallel()
	node, err := exec.CommandContext(t.Context(), "../../../.ci/node").Output()
	if err != nil {
		t.Fatalf(".ci/node: %v", err)
	}
	for _, receiver := range []struct{ language, file, command string }{
		{"python", "receiver.py", "python3 receiver.py"},
		{"typescript", "receiver.ts", strings.TrimSpace(string(node)) + "/node receiver.ts"},
	} {
		t.Run(receiver.language, func(t *testing.T) {
			t.Parallel()
			walkGuide(t, receiver.language, receiver.file, receiver.command)
		})
	}
}

func walkGuide(t *testing.T, language, file, start string) {
	t.Helper()
	base, key := runDemo(t)
	first := blocks(t, "# First call in a minute", "# Authentication", "bash")
	const webhooks = "## A verified event in five minutes"
	lines := blocks(t, webhooks, "## What is sent", "bash")
	if len(first) != 4 || len(lines) != 3 || !strings.Contains(lines[1], file+" &") {
		t.Fatalf("the guide has other steps: %q %q", first, lines)
	}
	dir, receiver := t.TempDir(), strings.TrimPrefix(freeAddr(t), "127.0.0.1:")
	program := strings.Join(blocks(t, webhooks, "## What is sent", language), "\n")
	if err := os.WriteFile(filepath.Join(dir, file), []byte(strings.ReplaceAll(program, "4567", receiver)),
		0o600); err != nil {
		t.Fatal(err)
	}
	settings := strings.NewReplacer("http://127.0.0.1:8080", base, "pk_live_…", key).Replace(first[1])
	script := strings.Join([]string{
		"set -euo pipefail", settings, first[2], first[3], strings.ReplaceAll(lines[0], ":4567/", ":"+receiver+"/"),
		start + " >received & trap 'kill %1' EXIT",
		"until curl -s -o nothing http://127.0.0.1:" + receiver + "/; do sleep 0.1; done", lines[2],
		"until grep 'verified candidate.invited evt_' received; do sleep 0.1; done; cat received",
	}, "\n")
	command := exec.CommandContext(t.Context(), "timeout", "60", "bash", "-c", script)
	command.Dir, command.WaitDelay = dir, time.Second
	output, err := command.CombinedOutput()
	if err != nil || strings.Count(string(output), "verified ping evt_") != 1 {
		t.Errorf("%v\n%s\n%s", err, script, output)
	}
}

var (
	fileVariable = regexp.MustCompile(`^@(\w+) = ?(.*)$`)
	mention      = regexp.MustCompile(`\{\{([^{}]+)\}\}`)
)

// The requests of assay.http succeed in order.
func TestHTTPFile(t *testing.T) {
	t.Parallel()
	base, _ := runDemo(t)
	file, err := os.ReadFile("../../../gen/collection/assay.http")
	if err != nil {
		t.Fatal(err)
	}
	variables, answers, sent := map[string]string{}, map[string]any{}, 0
	value := func(name string) string {
		if name == "$guid" {
			sent++
			return "guid-" + strconv.Itoa(sent)
		}
		request, path, stored := strings.Cut(name, ".response.body.")
		if !stored {
			return variables[name]
		}
		found := answers[request]
		for _, step := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
			if position, err := strconv.Atoi(step); err == nil {
				list, _ := found.([]any)
				found = list[position]
				continue
			}
			members, _ := found.(map[string]any)
			found = members[step]
		}
		text, _ := found.(string)
		return text
	}
	filled := func(text string) string {
		return mention.ReplaceAllStringFunc(text, func(m string) string { return value(m[2 : len(m)-2]) })
	}
	count := 0
	for i, block := range strings.Split(string(file), "\n### ") {
		name, first, header, lines := "", "", []string{}, strings.Split(block, "\n")
		if i > 0 {
			lines = lines[1:] // the title
		}
		var body []string
		for at, line := range lines {
			match := fileVariable.FindStringSubmatch(line)
			called, names := strings.CutPrefix(line, "# @name ")
			switch {
			case match != nil:
				variables[match[1]] = filled(match[2])
			case names:
				name = called
			case first == "" && (line == "" || line[0] == '#'):
			case first == "":
				first = line
			case line == "" && body == nil:
				body = lines[at+1:]
			case body == nil:
				field, content, _ := strings.Cut(filled(line), ": ")
				header = append(header, field, content)
			}
		}
		if first == "" {
			variables["baseUrl"] = base
			continue
		}
		method, address, _ := strings.Cut(filled(first), " ")
		answer := send(t, method, address, filled(strings.Join(body, "\n")), header...)
		if answer.status < http.StatusOK || answer.status > http.StatusNoContent {
			t.Fatalf("%s: %d %s", name, answer.status, answer.body)
		}
		count++
		if answer.body != "" {
			var decoded any
			if err := json.Unmarshal([]byte(answer.body), &decoded); err != nil {
				t.Fatal(err)
			}
			answers[name] = decoded
		}
		if name == "createPublicCandidateSession" { // a user pastes it
			_, variables["inviteToken"], _ = strings.Cut(value(name+".response.body.data.inviteUrl"), "#")
		}
	}
	if count < 20 || value("retrievePublicCandidateSessionResult.response.body.data.status") != "COMPLETED" {
		t.Errorf("%d requests, the result is %v", count, answers["retrievePublicCandidateSessionResult"])
	}
}
