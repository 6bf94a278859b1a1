package rules_test

import (
	"testing"

	"assay/store/rules"
)

func TestGreeted(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Lang, Ben":              "Ben Lang",
		"Lang,Ben":               "Ben Lang",
		"von der Heide, Ina-Mia": "Ina-Mia von der Heide",
		"Ångström, José María":   "José María Ångström",
		"Łukasik, Ge\u0301rard":  "Ge\u0301rard Łukasik",

		"Ben Lang":           "Ben Lang",
		"Ada Byron, PhD":     "Ada Byron, PhD",
		"Ada Byron, MD":      "Ada Byron, MD",
		"Louis Armand, Jr.":  "Louis Armand, Jr.",
		"Henry Tudor, VIII":  "Henry Tudor, VIII",
		"Lang, Ben, Berlin":  "Lang, Ben, Berlin",
		"Lang,":              "Lang,",
		", Ben":              ", Ben",
		"Lang, B.":           "Lang, B.",
		"Team 4, Hamburg 22": "Team 4, Hamburg 22",
		"":                   "",
	} {
		if got := rules.Greeted(name); got != want {
			t.Errorf("%q is greeted as %q, want %q", name, got, want)
		}
	}
}
