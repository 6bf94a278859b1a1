package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"assay/store"
	"assay/store/storetest"
)

// Codes of apps and recovery codes survive a change of the master secret, once they are encrypted again. Without the
// secret they are only wrong.
func TestSecondFactorsSurviveRotation(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		x, old := newSecretsTest(t, database)
		begun, err := old.CreateSecondFactor(t.Context(), x.scope, store.FactorInput{
			Type: store.TOTP, Name: "Phone", Password: "a long and good pass phrase",
		})
		x.must(err)
		code := func() string {
			x.clock.Advance(30 * time.Second)
			shown, err := totp.GenerateCode(begun.Secret, x.clock.Now())
			x.must(err)
			return shown
		}
		confirmed, err := old.ConfirmSecondFactor(t.Context(), x.scope, begun.ID, store.Proof{Typed: code()})
		x.must(err)
		signIn := func(s *store.Store, code string) error {
			_, err := s.Login(t.Context(), store.Scope{}, store.Credentials{
				Email: "ada@example.com", Password: "a long and good pass phrase", Code: code,
			})
			return err
		}
		recovery := confirmed.RecoveryCodes
		current, withoutOld := x.open(newMaster, oldMaster), x.open(newMaster)
		x.must(signIn(current, code()))
		x.must(signIn(current, recovery[0]))
		for _, lost := range []string{code(), recovery[1]} {
			var refusal *store.Error
			if err := signIn(withoutOld, lost); !errors.As(err, &refusal) || refusal.Code != "invalid_code" {
				t.Errorf("without the secret: %v", err)
			}
		}
		if got, err := withoutOld.UnscopedReencrypt(t.Context()); err != nil || len(got.Lost) != 11 {
			t.Errorf("%d secrets are lost, want those of the app and of ten codes: %v", len(got.Lost), err)
		}
		x.reencrypt(current, 11, 11)
		x.must(signIn(withoutOld, code()))
		x.must(signIn(withoutOld, recovery[1]))
		if err := signIn(old, recovery[2]); err == nil {
			t.Error("the previous master secret decrypts a recovery code")
		}
	})
}
