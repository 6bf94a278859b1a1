package keys

import (
	"errors"
	"testing"
)

// All answers have the same encrypted length, so that it does not show which option was chosen.
func TestSealAnswers(t *testing.T) {
	t.Parallel()
	ring := keysFrom(t, keysTestSecret)
	next := keysFrom(t, keysTestSecret+" 2", keysTestSecret)
	other := keysFrom(t, keysTestSecret+" 3")
	lengths := map[int]bool{}
	for _, answers := range []string{"{}", `{"sex":"male"}`, `{"sex":"female","age":"over-forty"}`} {
		sealed, err := ring.SealAnswers("ses_1", answers)
		if err != nil {
			t.Fatal(err)
		}
		lengths[len(sealed)] = true
		for name, opening := range map[string]*Ring{"current": ring, "previous": next} {
			if got, err := opening.OpenAnswers("ses_1", sealed); err != nil || got != answers {
				t.Errorf("%s secret: %q, %v", name, got, err)
			}
		}
		if _, err := ring.OpenAnswers("ses_2", sealed); !errors.Is(err, ErrSealed) {
			t.Errorf("in another row: %v", err)
		}
		if _, err := other.OpenAnswers("ses_1", sealed); !errors.Is(err, ErrSealed) {
			t.Errorf("with another master secret: %v", err)
		}
		if _, err := ring.OpenSecret("ses_1", sealed); !errors.Is(err, ErrSealed) {
			t.Errorf("as the secret of an endpoint: %v", err)
		}
		again, err := next.ResealAnswers("ses_1", sealed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ring.OpenAnswers("ses_1", again); !errors.Is(err, ErrSealed) {
			t.Errorf("encrypted anew, the earlier secret: %v", err)
		}
	}
	if len(lengths) != 1 {
		t.Errorf("the lengths are %v", lengths)
	}
}
