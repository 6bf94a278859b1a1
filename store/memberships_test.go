package store_test

import (
	"strings"
	"testing"

	"assay/store"
	"assay/store/storetest"
)

// people is a database with a person who is in two organizations.
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
	register := func(email string) store.User {
		made, err := p.Register(t.Context(), store.Scope{}, store.Registration{
			OrganizationName: "Quay", Name: "Ana", Email: email, Password: passPhrase,
		})
		if err != nil {
			t.Fatal(err)
		}
		return made.User
	}
	p.first = register("ana@quay.example")
	other := register("ben@quay.example")
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
	p.second = joined.User
	return p
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

		storetest.RemoveUser(t, p.address, p.first.ID) // who has the address of the person
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

// The migration makes each account a person. A removed member becomes a person who cannot sign in.
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
