package mail

import (
	"slices"
	"strings"
	"testing"

	"assay/store"
)

// The line about a result follows the decision of the server, and has the score's two
// decimals: a score just below a passing score never looks like it.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	all, err := catalogs()
	if err != nil {
		t.Fatal(err)
	}
	outcome := func(lang string, s store.FinishedSession) string {
		return (&letter{texts: textsFor(all.members, lang)}).outcome(s)
	}
	for _, test := range []struct {
		score  float64
		passed *bool
		want   []string // en, de
	}{
		{66.67, new(false), []string{"Score: 66.67%, not passed", "Punktzahl: 66,67 %, nicht bestanden"}},
		{66.7, new(true), []string{"Score: 66.7%, passed", "Punktzahl: 66,7 %, bestanden"}},
		{69.96, new(false), []string{"Score: 69.96%, not passed", "Punktzahl: 69,96 %, nicht bestanden"}},
		{69.99, new(false), []string{"Score: 69.99%, not passed", "Punktzahl: 69,99 %, nicht bestanden"}},
		{70, new(true), []string{"Score: 70%, passed", "Punktzahl: 70 %, bestanden"}},
		{99.99, nil, []string{"Score: 99.99%", "Punktzahl: 99,99 %"}},
		{0.01, nil, []string{"Score: 0.01%", "Punktzahl: 0,01 %"}},
	} {
		s := store.FinishedSession{Score: &test.score, Passed: test.passed}
		got := []string{outcome("en", s), outcome("de", s)}
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], "\u00a0", " ")
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v, passed %v: %q, want %q", test.score, test.passed, got, test.want)
		}
	}
	if got := outcome("en", store.FinishedSession{Disqualified: true, Score: new(80.0), Passed: new(false)}); got !=
		"Disqualified by a rule of the assessment" {
		t.Errorf("disqualified: %q", got)
	}
}
