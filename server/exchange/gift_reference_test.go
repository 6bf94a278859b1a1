package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/store/rules"
)

// referenceRow is a GIFT text with what is read of it: the types of its questions and their keys, in the form of
// summaryOf. reference is what gift-pegjs reads, if it reads something else, with the reason for the difference.
type referenceRow struct {
	name, text, want  string
	reference, reason string
}

func TestGIFTAgainstTheTable(t *testing.T) {
	for _, row := range referenceRows {
		if got := giftSummary(t, row.text); got != row.want {
			t.Errorf("%s: read %q, want %q", row.name, got, row.want)
		}
		if (row.reference == "") != (row.reason == "") || row.reference == row.want {
			t.Errorf("%s: a difference has a reference and a reason", row.name)
		}
	}
}

// The reference parser reads what the table says. It runs under Node, because it is a package of npm.
func TestGIFTAgainstTheReferenceParser(t *testing.T) {
	texts := make([]string, len(referenceRows))
	for i, row := range referenceRows {
		texts[i] = row.text
	}
	input, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	var summaries []string
	if err := json.Unmarshal(runNode(t, input), &summaries); err != nil {
		t.Fatal(err)
	}
	for i, row := range referenceRows {
		want := row.want
		if row.reason != "" {
			want = row.reference
		}
		if summaries[i] != want {
			t.Errorf("%s: gift-pegjs reads %q, the table says %q", row.name, summaries[i], want)
		}
	}
}

// runNode runs the reference parser, with its package in a folder of the test.
func runNode(t *testing.T, input []byte) []byte {
	t.Helper()
	node, err := exec.CommandContext(t.Context(), "../../.ci/node").Output()
	if err != nil {
		t.Fatalf(".ci/node: %v", err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join("testdata", "gift-pegjs"))); err != nil {
		t.Fatal(err)
	}
	run := func(input []byte, name string, args ...string) []byte {
		bin := filepath.Join(strings.TrimSpace(string(node)), name)
		command := exec.CommandContext(t.Context(), bin, args...)
		command.Dir, command.Stdin = folder, bytes.NewReader(input)
		command.Env = append(os.Environ(), "PATH="+strings.TrimSpace(string(node))+":"+os.Getenv("PATH"))
		output, err := command.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, output)
		}
		return output
	}
	run(nil, "npm", "ci", "--no-audit", "--no-fund", "--prefer-offline")
	return run(input, "node", "summary.mjs")
}

// giftSummary returns what is read of a text in a short form.
func giftSummary(t *testing.T, text string) string {
	t.Helper()
	imported := read(t, GIFT, textCase{text: text})
	var summaries []string
	for _, item := range imported.Report.Questions {
		if item.Stage >= 0 {
			summaries = append(summaries, summaryOf(imported.Draft.Stages[item.Stage].Questions[item.Question]))
			continue
		}
		if !slices.ContainsFunc(item.Notes, func(n Note) bool { return n.Code == TypeUnsupported }) {
			return "error"
		}
		summaries = append(summaries, "unsupported")
	}
	return strings.Join(summaries, "; ")
}

func summaryOf(q rules.Question) string {
	switch q.Type {
	case rules.SingleChoice, rules.MultipleChoice:
		var key []string
		for i, option := range q.Options {
			if q.CorrectOptionID != nil && *q.CorrectOptionID == option.ID || slices.Contains(q.CorrectOptionIDs, option.ID) {
				key = append(key, itoa(i))
			}
		}
		if len(q.Options) == 2 && q.Options[0].Text == "True" && q.Options[1].Text == "False" {
			return fmt.Sprintf("TF %t", key[0] == "0")
		}
		return fmt.Sprintf("MC %d key %s", len(q.Options), strings.Join(key, ","))
	case rules.Numeric:
		if q.Answer == nil {
			return "Numerical null"
		}
		return fmt.Sprintf("Numerical %s ± %s", formatNumber(*q.Answer), formatNumber(q.Tolerance))
	case rules.ShortText:
		return "Short " + strings.Join(q.AcceptedAnswers, "|")
	case rules.FreeText:
	}
	return "Essay"
}
