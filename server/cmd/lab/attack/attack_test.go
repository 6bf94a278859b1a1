package attack

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/server/cmd/lab/rig"
)

// rounds makes rounds of 100 requests. In each round, the slowest two took one of these times.
func rounds(slowest ...time.Duration) (w work) {
	for _, slow := range slowest {
		round := slices.Repeat([]time.Duration{time.Millisecond}, 98)
		w.rounds = append(w.rounds, append(round, slow, slow))
	}
	return w
}

func TestSlowedDown(t *testing.T) {
	const ms = time.Millisecond
	alone := rounds(10*ms, 10*ms, 10*ms, 10*ms)
	for name, test := range map[string]struct {
		beside  work
		percent float64
		broken  bool
	}{
		"the same":          {rounds(10*ms, 10*ms, 10*ms, 10*ms), 0, false},
		"at the bound":      {rounds(12*ms, 12*ms, 12*ms, 12*ms), 20, false},
		"above it":          {rounds(13*ms, 13*ms, 13*ms, 13*ms), 30, true},
		"two rounds of it":  {rounds(10*ms, 10*ms, 90*ms, 90*ms), 0, false},
		"three rounds":      {rounds(10*ms, 90*ms, 90*ms, 90*ms), 800, true},
		"a request failed":  {work{rounds(10*ms, 10*ms, 10*ms, 10*ms).rounds, []string{"503"}}, 0, true},
		"faster than alone": {rounds(5*ms, 5*ms, 5*ms, 5*ms), -50, false},
	} {
		percent, _, broken := slowedDown(alone, test.beside)
		if broken != test.broken || percent < test.percent-0.1 || percent > test.percent+0.1 {
			t.Errorf("%s: %+.1f %%, broken %v", name, percent, broken)
		}
	}
}

func TestBearable(t *testing.T) {
	const ms = time.Millisecond
	failed := rounds(10 * ms)
	failed.failed = []string{"500"}
	for name, test := range map[string]struct {
		alone, beside work
		want          bool
	}{
		"fast":                      {rounds(10 * ms), rounds(240 * ms), true},
		"slow":                      {rounds(10 * ms), rounds(260 * ms), false},
		"slow on a slow machine":    {rounds(100 * ms), rounds(290 * ms), true},
		"too slow, slow machine":    {rounds(100 * ms), rounds(310 * ms), false},
		"fast, but a request fails": {rounds(10 * ms), failed, false},
		"one round of three":        {rounds(ms, ms, ms), rounds(ms, ms, 900*ms), true},
	} {
		if got := bearable(test.alone, test.beside); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func answered(status, count int, t *tally) *tally {
	for range count {
		t.add(rig.Answer{Status: status, Body: []byte(`{"code":"some_code"}`)}, time.Millisecond, nil)
	}
	return t
}

func TestLimited(t *testing.T) {
	l := limit{"a limit", 100, 36_000} // ten per second, one more for rounding
	for name, test := range map[string]struct {
		accepted, refused int
		took              time.Duration
		want              bool
	}{
		"no limit":             {6000, 0, time.Second, false},
		"all of a few":         {100, 0, time.Second, false},
		"at the bound":         {121, 1, time.Second, true},
		"above it":             {122, 1, time.Second, false},
		"a longer attack":      {191, 500, 8 * time.Second, true},
		"more than it permits": {192, 500, 8 * time.Second, false},
	} {
		answers := answered(429, test.refused, answered(200, test.accepted, newTally()))
		answers.took = test.took
		if got := l.limited(answers); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestGuessesIn(t *testing.T) {
	for took, want := range map[time.Duration]int{
		shortHour / 2: 20, shortHour: 20, shortHour + time.Second: 40, shortHour * 5 / 2: 60,
	} {
		if got := guessesIn(took); got != want {
			t.Errorf("%s: %d, want %d", took, got, want)
		}
	}
}

func TestWorstBodies(t *testing.T) {
	all := []bodyCost{
		{shape: "slow", cpu: 3, allocated: 1}, {shape: "large", cpu: 1, allocated: 3},
		{shape: "accepted", accepted: true, cpu: 9, allocated: 9},
	}
	if slowest, largest := worstBodies(all, false); slowest.shape != "slow" || largest.shape != "large" {
		t.Errorf("rejected: %s and %s", slowest.shape, largest.shape)
	}
	if slowest, largest := worstBodies(all, true); slowest.shape != "accepted" || largest.shape != "accepted" {
		t.Errorf("accepted: %s and %s", slowest.shape, largest.shape)
	}
	if slowest, _ := worstBodies(all[:2], true); slowest.shape != "" {
		t.Errorf("none was accepted, and %s is the worst", slowest.shape)
	}
}

func TestTally(t *testing.T) {
	answers := answered(409, 2, answered(201, 3, newTally()))
	answers.add(rig.Answer{}, 5*time.Millisecond, errors.New("refused"))
	if answers.sum() != 6 || answers.ok() != 3 || answers.not(201) != 3 || answers.outcomes["409 some_code"] != 2 {
		t.Errorf("%d answers, %d succeeded, %d did not, %v", answers.sum(), answers.ok(), answers.not(201), answers.outcomes)
	}
	if got, want := answers.String(), "3 × 201 some_code, 2 × 409 some_code, 1 × no answer; slowest 5.0 ms"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Bodies must be nearly as large as permitted, and not larger.
func TestShapes(t *testing.T) {
	for name, shapes := range map[string][]shape{
		"bulk": bulkShapes(largeBody), "assessment": assessmentShapes(largeBody), "answers": answerShapes(largeBody),
	} {
		for _, s := range shapes {
			small := strings.HasPrefix(s.name, "Markdown") || strings.HasPrefix(s.name, "87,000") ||
				strings.HasPrefix(s.name, "valid")
			if len(s.body) > 1<<20 || !small && len(s.body) < 1<<19 {
				t.Errorf("%s, %s: %d bytes", name, s.name, len(s.body))
			}
		}
	}
}

func TestReport(t *testing.T) {
	var out strings.Builder
	r := &report{out: &out}
	r.check(true, "a rule", "%d of %d", 1, 2)
	r.check(false, "another rule", "%d of %d", 3, 4)
	r.skip("a third", "no %s", "name")
	r.fault("it %s", "failed")
	if r.held != 1 || r.broken != 2 || r.untried != 1 || len(r.faults) != 2 {
		t.Errorf("%d held, %d broken, %d not tried, %d faults", r.held, r.broken, r.untried, len(r.faults))
	}
	for _, line := range []string{
		"HELD    a rule: 1 of 2", "BROKEN  another rule: 3 of 4", "NOT TRIED  a third: no name",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%q is missing in %s", line, out.String())
		}
	}
}

func TestParts(t *testing.T) {
	for _, p := range parts() {
		if found, err := chosen([]string{p.name}); err != nil || len(found) != 1 || p.promise == "" {
			t.Errorf("%s: %d found, %v", p.name, len(found), err)
		}
	}
	if all, err := chosen(nil); err != nil || len(all) != len(parts()) {
		t.Errorf("%d of %d parts, %v", len(all), len(parts()), err)
	}
	if err := (&Command{Part: []string{"nothing"}}).Run(t.Context(), io.Discard); err == nil {
		t.Error("an unknown part was accepted")
	}
}
