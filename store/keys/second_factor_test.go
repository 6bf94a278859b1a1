package keys

import (
	"errors"
	"testing"
)

// A secret of a second factor is for its row and its use, and survives a change of the master secret.
func TestSealSecondFactor(t *testing.T) {
	t.Parallel()
	ring, next := keysFrom(t, keysTestSecret), keysFrom(t, keysTestSecret+" 2", keysTestSecret)
	other := keysFrom(t, keysTestSecret+" 3")
	type (
		sealer   func(k *Ring, id, text string) ([]byte, error)
		opener   func(k *Ring, id string, sealed []byte) (string, error)
		resealer func(k *Ring, id string, sealed []byte) ([]byte, error)
	)
	for name, of := range map[string]struct {
		seal    sealer
		open    opener
		foreign opener // for the other use
		reseal  resealer
	}{
		"an authenticator app": {(*Ring).SealTOTP, (*Ring).OpenTOTP, (*Ring).OpenRecoveryCode, (*Ring).ResealTOTP},
		"a recovery code": {
			(*Ring).SealRecoveryCode, (*Ring).OpenRecoveryCode, (*Ring).OpenTOTP, (*Ring).ResealRecoveryCode,
		},
	} {
		sealed, err := of.seal(ring, "fct_1", "secret")
		if err != nil {
			t.Fatal(err)
		}
		for _, opening := range []*Ring{ring, next} {
			if got, err := of.open(opening, "fct_1", sealed); err != nil || got != "secret" {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
		if _, err := of.open(ring, "fct_2", sealed); !errors.Is(err, ErrSealed) {
			t.Errorf("%s in another row: %v", name, err)
		}
		if _, err := of.foreign(ring, "fct_1", sealed); !errors.Is(err, ErrSealed) {
			t.Errorf("%s for another use: %v", name, err)
		}
		if _, err := of.open(other, "fct_1", sealed); !errors.Is(err, ErrSealed) {
			t.Errorf("%s with another master secret: %v", name, err)
		}
		again, err := of.reseal(next, "fct_1", sealed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := of.open(ring, "fct_1", again); !errors.Is(err, ErrSealed) {
			t.Errorf("%s encrypted anew, the earlier secret: %v", name, err)
		}
	}
}
