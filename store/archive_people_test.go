package store_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"assay/store"
	"assay/store/storetest"
)

// A person whose address has an account in the importing database gets one more membership of that account, with the
// password there. A repeated import changes nothing.
func TestImportJoinsAccounts(t *testing.T) {
	t.Parallel()
	eachMove(t, func(t *testing.T, from, to string) {
		clock := storetest.NewClock()
		old := storetest.Open(t, from, clock.Now)
		scope, _ := published(t, old)
		if err := old.ChangePassword(t.Context(), signIn(t, old, scope.OrganizationID, "a long and good pass phrase"),
			"a long and good pass phrase", "another long pass phrase"); err != nil {
			t.Fatal(err)
		}
		one := exported(t, old, scope.OrganizationID)
		moved := storetest.Open(t, to, clock.Now)
		other, _ := published(t, moved) // its OWNER has the same address
		for _, already := range []bool{false, true} {
			if done, err := importArchive(t.Context(), moved, one); err != nil || done.Already != already {
				t.Fatalf("%+v, want %t: %v", done, already, err)
			}
		}

		for _, organizationID := range []string{scope.OrganizationID, other.OrganizationID} {
			me := signIn(t, moved, organizationID, "a long and good pass phrase")
			if found, _, err := moved.ListMemberships(t.Context(), me, store.Page{Limit: 10}); err != nil || len(found) != 2 {
				t.Errorf("memberships %+v, want two: %v", found, err)
			}
		}
		if _, err := moved.Login(t.Context(), store.Scope{}, store.Credentials{
			Email: "ana@quay.example", Password: "another long pass phrase",
		}); err == nil {
			t.Error("the password of the archive signs in")
		}
	})
}

// withApp gives a person an app as the second factor. It returns a function that makes the next code.
func withApp(t *testing.T, s *store.Store, clock *storetest.Clock, user store.User) (code func() string) {
	t.Helper()
	me := signIn(t, s, user.OrganizationID, passPhrase)
	begun, err := s.CreateSecondFactor(t.Context(), me, store.FactorInput{
		Type: store.TOTP, Name: "Phone", Password: passPhrase,
	})
	if err != nil {
		t.Fatal(err)
	}
	code = func() string {
		clock.Advance(30 * time.Second)
		shown, err := totp.GenerateCode(begun.Secret, clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		return shown
	}
	if _, err := s.ConfirmSecondFactor(t.Context(), me, begun.ID, store.Proof{Typed: code()}); err != nil {
		t.Fatal(err)
	}
	return code
}

// enters returns the code of the refusal of a sign-in, or "".
func enters(t *testing.T, s *store.Store, organizationID, code string) string {
	t.Helper()
	_, err := s.Login(t.Context(), store.Scope{}, store.Credentials{
		Email: "ana@quay.example", Password: passPhrase, OrganizationID: organizationID, Code: code,
	})
	var refusal *store.Error
	switch {
	case errors.As(err, &refusal):
		return refusal.Code
	case err != nil:
		t.Fatal(err)
	}
	return ""
}

// A second factor moves with a member, also if the organization is not the first one of the person. The archive of the
// other organization then adds a membership, and changes nothing about the account.
func TestImportMovesSecondFactors(t *testing.T) {
	t.Parallel()
	eachMove(t, func(t *testing.T, from, to string) {
		clock := storetest.NewClock()
		old := people{Store: storetest.Open(t, from, clock.Now)}
		old.first = old.register(t, "ana@quay.example").User
		old.second = old.joins(t, "ben@quay.example")
		code := withApp(t, old.Store, clock, old.first)
		address := storetest.URL(t, to)
		moved := storetest.OpenURL(t, address, clock.Now)
		var before string
		for _, organization := range []string{old.second.OrganizationID, old.first.OrganizationID} {
			content := exported(t, old.Store, organization)
			for _, already := range []bool{false, true} {
				if done, err := importArchive(t.Context(), moved, content); err != nil || done.Already != already {
					t.Fatalf("%+v, want %t: %v", done, already, err)
				}
				after := storetest.Contents(t, address, "recovery_codes")
				if before != "" && after != before {
					t.Errorf("the recovery codes have changed:\n%s\n%s", before, after)
				}
				before = after
			}
			if refusal := enters(t, moved, organization, ""); refusal != "second_factor_required" {
				t.Errorf("without a code: %q", refusal)
			}
			if refusal := enters(t, moved, organization, code()); refusal != "" {
				t.Errorf("with a code: %q", refusal)
			}
		}
	})
}

// The second factors of an account that is here decide, also if there are none. A discarded import leaves them, and
// takes those that it has brought.
func TestImportKeepsSecondFactors(t *testing.T) {
	t.Parallel()
	eachMove(t, func(t *testing.T, from, to string) {
		clock := storetest.NewClock()
		old := people{Store: storetest.Open(t, from, clock.Now)}
		old.first = old.register(t, "ana@quay.example").User
		archivedCode := withApp(t, old.Store, clock, old.first)
		content := exported(t, old.Store, old.first.OrganizationID)
		discard := func(t *testing.T, moved *store.Store) {
			t.Helper()
			ctx, cancel := context.WithCancel(t.Context())
			opts := cheapArchive("")
			opts.Report = func(p store.ArchiveProgress) {
				if p.Step == "verified" {
					cancel()
				}
			}
			if _, err := moved.UnscopedImport(ctx, bytes.NewReader(content), opts); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if err := moved.UnscopedDiscardImport(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		imports := func(t *testing.T, moved *store.Store) {
			t.Helper()
			if _, err := importArchive(t.Context(), moved, content); err != nil {
				t.Fatal(err)
			}
		}

		t.Run("a new account", func(t *testing.T) {
			address := storetest.URL(t, to)
			moved := storetest.OpenURL(t, address, clock.Now)
			discard(t, moved)
			if left := storetest.Contents(t, address, "second_factors", "recovery_codes"); left != storetest.Contents(
				t, storetest.URL(t, to), "second_factors", "recovery_codes") {
				t.Errorf("what is left:\n%s", left)
			}
		})
		t.Run("an account with a second factor", func(t *testing.T) {
			moved := people{Store: storetest.Open(t, to, clock.Now)}
			here := moved.register(t, "ana@quay.example").User
			code := withApp(t, moved.Store, clock, here)
			discard(t, moved.Store)
			if refusal := enters(t, moved.Store, here.OrganizationID, code()); refusal != "" {
				t.Errorf("after a discarded import: %q", refusal)
			}
			imports(t, moved.Store)
			for _, organization := range []string{here.OrganizationID, old.first.OrganizationID} {
				if refusal := enters(t, moved.Store, organization, archivedCode()); refusal != "invalid_code" {
					t.Errorf("with a code of the archive: %q", refusal)
				}
				if refusal := enters(t, moved.Store, organization, code()); refusal != "" {
					t.Errorf("with a code: %q", refusal)
				}
			}
		})
		t.Run("an account without one", func(t *testing.T) {
			moved := people{Store: storetest.Open(t, to, clock.Now)}
			moved.register(t, "ana@quay.example")
			imports(t, moved.Store)
			if refusal := enters(t, moved.Store, old.first.OrganizationID, ""); refusal != "" {
				t.Errorf("the account here has no second factor: %q", refusal)
			}
		})
	})
}

// An account whose address is not proved can be a stranger's. It gets no membership of an imported organization.
func TestImportJoinsNoUnprovedAccount(t *testing.T) {
	t.Parallel()
	eachMove(t, func(t *testing.T, from, to string) {
		clock := storetest.NewClock()
		old := storetest.Open(t, from, clock.Now)
		scope, _ := published(t, old)
		moved := people{Store: storetest.OpenURL(t, storetest.URL(t, to), clock.Now, func(o *store.Options) {
			o.Registration = store.RegistrationOpen
		})}
		moved.register(t, "first@quay.example") // is proved
		if _, err := moved.Register(t.Context(), store.Scope{}, store.Registration{
			OrganizationName: "Stranger", Name: "Stranger", Email: "ana@quay.example", Password: "the stranger's pass phrase",
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := importArchive(t.Context(), moved.Store, exported(t, old, scope.OrganizationID)); err != nil {
			t.Fatal(err)
		}
		if _, err := moved.Login(t.Context(), store.Scope{}, store.Credentials{
			Email: "ana@quay.example", Password: "the stranger's pass phrase",
		}); err == nil {
			t.Error("the stranger signs in")
		}
		if entered := moved.entered(t, "ana@quay.example"); entered.OrganizationID != scope.OrganizationID {
			t.Errorf("the member enters %s", entered.OrganizationID)
		}
	})
}

// signIn returns the scope of a new sign-in of the person that published has made.
func signIn(t *testing.T, s *store.Store, organizationID, password string) store.Scope {
	t.Helper()
	signedIn, err := s.Login(t.Context(), store.Scope{}, store.Credentials{
		Email: "ana@quay.example", Password: password, OrganizationID: organizationID,
	})
	if err != nil {
		t.Fatal(err)
	}
	scope, err := s.UnscopedLogin(t.Context(), store.Origin{}, signedIn.Login.ID)
	if err != nil {
		t.Fatal(err)
	}
	return scope
}
