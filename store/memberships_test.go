package store_test

import (
	"strings"
	"testing"

	"assay/store"
	"assay/store/storetest"
)

// people is a database with a person in two organizations.
type people struct {
	*store.Store

	address       string
	first, second store.User
}

const passPhrase = "a long and good pass phrase"

func newPeople(t *testing.T, database string) people {
	t.Helper()
	p := people{address: freshURL(t, database)}
	p.Store = open(t, p.address)
	if err := p.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.first = p.register(t, "ana@quay.example").User
	p.second = p.joins(t, "ben@quay.example")
	return p
}

func (p people) register(t *testing.T, email string) store.SignedIn {
	t.Helper()
	made, err := p.Register(t.Context(), store.Scope{}, store.Registration{
		OrganizationName: "Quay", Name: "Ana", Email: email, Password: passPhrase,
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// joins adds a membership of the person in the organization of a new OWNER.
func (p people) joins(t *testing.T, owner string) store.User {
	t.Helper()
	other := p.register(t, owner).User
	invited, err := p.CreateMember(t.Context(),
		store.Scope{OrganizationID: other.OrganizationID, UserID: other.ID, Role: store.Owner},
		store.NewMember{Name: "Ana", Email: "Ana@quay.example", Role: store.Admin})
	if err != nil {
		t.Fatal(err)
	}
	_, token, _ := strings.Cut(invited.InvitationURL, "#")
	joined, err := p.AcceptInvitation(t.Context(), store.Scope{}, token, passPhrase)
	if err != nil {
		t.Fatal(err)
	}
	return joined.User
}

// entered returns the member that signs in with an address.
func (p people) entered(t *testing.T, email string) store.User {
	t.Helper()
	in, err := p.Login(t.Context(), store.Scope{}, store.Credentials{Email: email, Password: passPhrase})
	if err != nil {
		t.Fatalf("%s: %v", email, err)
	}
	return in.User
}

// The previous binary adds and removes members without knowing people.
func TestPeopleBesideThePreviousBinary(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		p := newPeople(t, database)
		if p.first.PersonID == "" || p.second.PersonID != p.first.PersonID {
			t.Errorf("people %q and %q, want the same", p.first.PersonID, p.second.PersonID)
		}
		id := p.NewID("usr")
		storetest.AddUser(t, p.address, p.first.ID, id, "carl@quay.example")
		if got := p.entered(t, "carl@quay.example"); got.ID != id || got.PersonID != "per_"+id[4:] {
			t.Errorf("the new member is %+v", got)
		}

		storetest.RemoveUser(t, p.address, p.first.ID) // the row with the address
		if got := p.entered(t, "ana@quay.example"); got.ID != p.second.ID {
			t.Errorf("signs in as %s, want %s", got.ID, p.second.ID)
		}
		storetest.RemoveUser(t, p.address, p.second.ID)
		if _, err := p.Login(t.Context(), store.Scope{},
			store.Credentials{Email: "ana@quay.example", Password: passPhrase}); err == nil {
			t.Error("a removed person signs in")
		}
		if _, err := p.Register(t.Context(), store.Scope{}, store.Registration{
			OrganizationName: "Quay", Name: "Ana", Email: "ana@quay.example", Password: passPhrase,
		}); err != nil {
			t.Errorf("the address is not free: %v", err)
		}
	})
}

// Two organizations remove a person at the same time. The address goes to the membership that stays.
func TestAddressWhenMembershipsEndAtOnce(t *testing.T) {
	t.Parallel()
	p := newPeople(t, "postgres")
	third := p.joins(t, "carl@quay.example")
	commit := storetest.Change(t, p.address,
		`UPDATE users SET removed_at = created_at, email_key = id WHERE id = '`+p.second.ID+`'`)
	removed := make(chan struct{})
	go func() {
		defer close(removed)
		storetest.RemoveUser(t, p.address, p.first.ID) // the row with the address
	}()
	storetest.AwaitLocks(t, p.address, 1)
	commit()
	<-removed
	if got := p.entered(t, "ana@quay.example"); got.ID != third.ID {
		t.Errorf("signs in as %s, want %s", got.ID, third.ID)
	}
}

// Changes of an account lock the row with the address before other memberships and before the sign-in. Otherwise two
// requests could wait for each other.
func TestAccountsAreLockedInOneOrder(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]func(p people, scope store.Scope) error{
		"name": func(p people, scope store.Scope) error {
			_, err := p.UpdateMe(t.Context(), scope, new("Anna"))
			return err
		},
		"switch": func(p people, scope store.Scope) error {
			_, err := p.SwitchOrganization(t.Context(), scope, p.second.OrganizationID, store.TokenUse{Generation: 1})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeople(t, "postgres")
			in, err := p.Login(t.Context(), store.Scope{}, store.Credentials{
				Email: "ana@quay.example", Password: passPhrase, OrganizationID: p.first.OrganizationID,
			})
			if err != nil {
				t.Fatal(err)
			}
			scope := store.Scope{
				OrganizationID: in.User.OrganizationID, UserID: in.User.ID, PersonID: in.User.PersonID, LoginID: in.Login.ID,
			}
			storetest.MoveAddress(t, p.address, p.first.ID, p.second.ID)
			pool := openPool(t, p.address)
			release := hold(t, p.address, `SELECT 1 FROM users WHERE id = '`+p.second.ID+`' FOR UPDATE`)
			done := make(chan error, 1)
			go func() { done <- request(p, scope) }()
			storetest.AwaitLocks(t, p.address, 1)
			for _, later := range []string{
				`users WHERE id = '` + p.first.ID + `'`, `logins WHERE id = '` + in.Login.ID + `'`,
			} {
				if _, err := pool.ExecContext(t.Context(), `SELECT 1 FROM `+later+` FOR UPDATE NOWAIT`); err != nil {
					t.Errorf("the request has locked a row of %s: %v", later, err)
				}
			}
			release()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// The migration makes each account a person. A removed member becomes a person without a sign-in.
func TestAccountsBecomePeople(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		p := newPeople(t, database)
		storetest.RemoveUser(t, p.address, p.second.ID)
		storetest.UnmovePeople(t, p.address)
		if err := p.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := p.entered(t, "ana@quay.example")
		if got.ID != p.first.ID || got.PersonID != p.first.PersonID {
			t.Errorf("signs in as %+v, want %+v", got, p.first)
		}
		found, _, err := p.ListMemberships(t.Context(),
			store.Scope{OrganizationID: got.OrganizationID, PersonID: got.PersonID}, store.Page{Limit: 10})
		if err != nil || len(found) != 1 {
			t.Errorf("memberships %+v, want one: %v", found, err)
		}
	})
}
