package bench

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// TestRatiosAreCompared writes a file, reads it in a second run, and expects a
// difference to count only beyond the spread of both.
func TestRatiosAreCompared(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ratios.json")
	first := Ratios{Out: file}
	if err := first.begin("same"); err != nil {
		t.Fatal(err)
	}
	first.add("sqlite", "list", []float64{0.9, 0.8, 1.0})
	first.add("sqlite", "answer", []float64{0.9, 0.8, 1.0})
	first.add("sqlite", "invite", []float64{0.9, 0.8, 1.0})
	first.add("sqlite", "gone", []float64{0.9})
	var out strings.Builder
	if err := first.finish(&out, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "0.80-1.00") {
		t.Errorf("no spread in\n%s", &out)
	}

	second := Ratios{Compare: file, Out: filepath.Join(t.TempDir(), "unwritten", "ratios.json")}
	if err := second.begin("other"); err != nil {
		t.Fatal(err)
	}
	second.add("sqlite", "list", []float64{1.1, 1.2})
	second.add("sqlite", "answer", []float64{0.7, 0.6})
	second.add("sqlite", "invite", []float64{1.1, 0.99})
	out.Reset()
	failure := errors.New("a scenario failed")
	if err := second.finish(&out, failure); !errors.Is(err, failure) || strings.Contains(err.Error(), "unwritten") {
		t.Errorf("the failed run returned %v", err)
	}
	for name, expected := range map[string]string{
		"sqlite list": "higher", "sqlite answer": "LOWER", "sqlite invite": "within the spread",
		"sqlite gone": "in one run only", "before:": "same", "after:": "other",
	} {
		found := false
		for line := range strings.Lines(out.String()) {
			found = found || strings.Contains(line, name) && strings.Contains(line, expected)
		}
		if !found {
			t.Errorf("%s is not %q in\n%s", name, expected, &out)
		}
	}
	if err := second.finish(&out, nil); err == nil {
		t.Error("the file in a missing folder was written")
	}
}
