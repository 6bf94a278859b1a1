package store_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"assay/store/keys"

	"assay/store"
	"assay/store/storetest"
)

const (
	oldMaster   = "the master secret that is to be dropped"
	newMaster   = "the master secret that comes in its place"
	otherMaster = "a master secret of some other installation"
)

// vault is an organization's webhook endpoints and the secrets that they have
// to sign with.
type vault struct {
	t     *testing.T
	url   string
	clock *storetest.Clock
	scope store.Scope

	mu       sync.Mutex
	expected map[string]string // by endpoint id
}

func newVault(t *testing.T, database string) (*vault, *store.Store) {
	t.Helper()
	v := &vault{t: t, url: storetest.URL(t, database), clock: storetest.NewClock(), expected: map[string]string{}}
	s := v.open(oldMaster)
	in, err := s.Register(t.Context(), store.Scope{}, store.Registration{
		OrganizationName: "Vaults", Name: "Vera", Email: "vera@vaults.example", Password: "a long and good pass phrase",
	})
	v.must(err)
	v.scope, err = s.UnscopedLogin(t.Context(), in.Login.ID)
	v.must(err)
	return v, s
}

func (v *vault) must(err error) {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
}

// open opens one more store on the database, as a replica with these secrets.
func (v *vault) open(master string, previous ...string) *store.Store {
	v.t.Helper()
	keys, err := keys.New(master, previous...)
	v.must(err)
	s, err := store.Open(context.Background(), store.Options{
		DatabaseURL: v.url, Keys: keys, Now: v.clock.Now, Passwords: store.PasswordCost{MemoryKiB: 64, Passes: 1},
	})
	v.must(err)
	v.t.Cleanup(func() { v.must(s.Close()) })
	v.must(s.Migrate(context.Background()))
	return s
}

func (v *vault) create(s *store.Store) string {
	v.t.Helper()
	endpoint, err := s.CreateWebhook(v.t.Context(), v.scope, store.NewWebhook{
		URL: "https://receiver.example/hook", Events: []string{string(store.EventCandidateInvited)},
	})
	v.must(err)
	v.expect(endpoint.ID, endpoint.ShownSecret)
	return endpoint.ID
}

func (v *vault) expect(id, secret string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.expected[id] = secret
}

// rotate gives the endpoint a secret that signs from then on.
func (v *vault) rotate(s *store.Store, id string, delay time.Duration) string {
	v.t.Helper()
	rotated, err := s.RotateWebhookSecret(v.t.Context(), v.scope, id, nil, delay)
	v.must(err)
	return rotated.Secret
}

// check compares what every endpoint signs with.
func (v *vault) check(s *store.Store) {
	v.t.Helper()
	for id, want := range v.expected {
		target, err := s.TestWebhook(v.t.Context(), v.scope, id)
		if err != nil || target.SecretAt(v.clock.Now()) != want {
			v.t.Errorf("%s: another secret, or %v", id, err)
		}
	}
}

func (v *vault) reencrypt(s *store.Store, changed, secrets int) {
	v.t.Helper()
	got, err := s.UnscopedReencrypt(v.t.Context())
	v.must(err)
	if got.Changed != changed || got.Secrets != secrets || len(got.Lost) > 0 {
		v.t.Errorf("%d of %d re-encrypted, want %d of %d; lost: %v", got.Changed, got.Secrets, changed, secrets, got.Lost)
	}
}

func TestReencrypt(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		v, old := newVault(t, database)
		for range 205 { // more than a batch
			v.create(old)
		}
		turning, deleted := v.create(old), v.create(old)
		later := v.rotate(old, turning, time.Hour)
		v.must(old.DeleteWebhook(t.Context(), v.scope, deleted))
		delete(v.expected, deleted)

		turned := v.open(newMaster, oldMaster)
		v.create(turned)
		v.check(turned)
		v.check(v.open(oldMaster, newMaster)) // a replica that is a step behind
		// 205, the turning one's two, the deleted one's and the new one's.
		v.reencrypt(turned, 208, 209)
		v.check(turned)
		v.reencrypt(turned, 0, 209)

		dropped := v.open(newMaster)
		v.check(dropped)
		v.reencrypt(dropped, 0, 209)
		v.clock.Advance(time.Hour)
		v.expected[turning] = later
		v.check(dropped)
		if _, err := old.TestWebhook(t.Context(), v.scope, turning); err == nil {
			t.Error("the old master secret still opens it")
		}
	})
}

// A master secret that was dropped too early loses nothing that it does not
// open: it can be brought back, or the endpoint given another secret.
func TestReencryptNamesWhatIsLost(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		v, old := newVault(t, database)
		ids := []string{v.create(old), v.create(old), v.create(old)}
		v.must(old.DeleteWebhook(t.Context(), v.scope, ids[2]))
		delete(v.expected, ids[2])

		strange := v.open(otherMaster)
		got, err := strange.UnscopedReencrypt(t.Context())
		v.must(err)
		if got.Changed != 0 || !slices.Equal(got.Lost, ids[:2]) {
			t.Errorf("%d changed, lost %v, want %v", got.Changed, got.Lost, ids[:2])
		}
		if _, err := strange.TestWebhook(t.Context(), v.scope, ids[0]); err == nil {
			t.Error("a strange master secret opens it")
		}
		v.check(old)

		v.expected[ids[0]] = v.rotate(strange, ids[0], 0)
		target, err := strange.TestWebhook(t.Context(), v.scope, ids[0])
		if err != nil || target.SecretAt(v.clock.Now()) != v.expected[ids[0]] {
			t.Errorf("a new secret does not help: %v", err)
		}
		v.check(v.open(otherMaster, oldMaster))
	})
}

// Whoever rotates an endpoint's secret meanwhile neither loses theirs nor
// leaves anything that only the old master secret opens.
func TestReencryptBesideRotations(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		v, old := newVault(t, database)
		const each = 40
		ids := make([]string, 8*each)
		for i := range ids {
			ids[i] = v.create(old)
			v.expect(ids[i], v.rotate(old, ids[i], 0)) // now two secrets of the old one
		}
		turned := v.open(newMaster, oldMaster)
		var group sync.WaitGroup
		errs := make(chan error, len(ids))
		for part := range slices.Chunk(ids, each) {
			group.Go(func() {
				for _, id := range part {
					rotated, err := turned.RotateWebhookSecret(t.Context(), v.scope, id, nil, 0)
					if err != nil {
						errs <- fmt.Errorf("rotate %s: %w", id, err)
						return
					}
					v.expect(id, rotated.Secret)
				}
			})
		}
		if got, err := turned.UnscopedReencrypt(t.Context()); err != nil || len(got.Lost) > 0 {
			t.Errorf("lost %v, %v", got.Lost, err)
		}
		group.Wait()
		close(errs)
		for err := range errs {
			t.Error(err)
		}
		v.check(v.open(newMaster))
		v.reencrypt(turned, 0, 2*len(ids))
	})
}
