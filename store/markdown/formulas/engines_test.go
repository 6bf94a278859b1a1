package formulas

import (
	"strings"
	"testing"
	"time"
)

// A formula that takes too long is given up, and the next formula gets another engine.
func TestTimeIsBounded(t *testing.T) {
	t.Parallel()
	es := newEngines()
	es.maxTime = 20 * time.Millisecond
	hostile := `\def\a{` + strings.Repeat("x", 400) + `}` + strings.Repeat(`\a`, 290)
	if markup, fault := es.render(hostile, true); fault == nil || !fault.TimedOut || fault.Reason != "it takes too long" {
		t.Errorf("becomes %d bytes, %v", len(markup), fault)
	}
	es.maxTime = maxTime
	if markup, fault := es.render("x", false); fault != nil || markup != "<math><mi>x</mi></math>" {
		t.Errorf("afterwards, a formula becomes %s, %v", markup, fault)
	}
}

// The number of macros and the depth of calls are bounded in the script, too.
func TestScriptIsBounded(t *testing.T) {
	t.Parallel()
	es := newEngines()
	for formula, reason := range map[string]string{
		`\def\a{\a\a}\a`:          "it has too many commands",
		strings.Repeat("{", 1000): "its parts are nested too deep",
	} {
		if markup, fault := es.render(formula, true); fault == nil || fault.Reason != reason {
			t.Errorf("%.20s becomes %d bytes, %v, want %s", formula, len(markup), fault, reason)
		}
	}
}

// Nothing is loaded before the first formula. An engine is used again, unless it failed or was used often.
func TestEngines(t *testing.T) {
	t.Parallel()
	es := newEngines()
	one := <-es.idle
	if one != nil {
		t.Fatal("an engine was made before the first formula")
	}
	for len(es.idle) > 0 {
		<-es.idle
	}
	es.idle <- one // all formulas use this one
	used := func(formula string) *engine {
		es.render(formula, false)
		e := <-es.idle
		es.idle <- e
		return e
	}
	first := used("x")
	if first == nil || used(`\foo`) != first {
		t.Error("an engine was not used again")
	}
	if used("{x^}") != nil {
		t.Error("an engine was used again after an error of the script")
	}
	second := used("x")
	second.uses = maxUses - 1
	if second == first || used("x") != nil {
		t.Error("an engine was used too often")
	}
}
