package store_test

import (
	"testing"

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
