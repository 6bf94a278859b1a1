package store_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"assay/store"
	"assay/store/keys"
	"assay/store/storetest"
)

const (
	oldMaster   = "the previous master secret of this installation"
	newMaster   = "the current master secret of this installation"
	otherMaster = "a master secret of another installation"
)

// secretsTest is an organization with webhook endpoints and their expected
// signing secrets.
type secretsTest struct {
	t     *testing.T
	url   string
	clock *storetest.Clock
	scope store.Scope

	mu       sync.Mutex
	expected map[string]string // by endpoint id
}

// newSecretsTest also returns a store that uses the old master secret.
func newSecretsTest(t *testing.T, database string) (*secretsTest, *store.Store) {
	t.Helper()
	x := &secretsTest{t: t, url: storetest.URL(t, database), clock: storetest.NewClock(), expected: map[string]string{}}
	s := x.open(oldMaster)
	in, err := s.Register(t.Context(), store.Scope{}, store.Registration{
		OrganizationName: "Analytical Engines", Name: "Ada Lovelace", Email: "ada@example.com",
		Password: "a long and good pass phrase",
	})
	x.must(err)
	x.scope, err = s.UnscopedLogin(t.Context(), store.Origin{}, in.Login.ID)
	x.must(err)
	return x, s
}

func (x *secretsTest) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

// open opens a replica with these master secrets on the database.
func (x *secretsTest) open(master string, previous ...string) *store.Store {
	x.t.Helper()
	keys, err := keys.New(master, previous...)
	x.must(err)
	s, err := store.Open(context.Background(), store.Options{
		DatabaseURL: x.url, Keys: keys, Now: x.clock.Now, Passwords: store.PasswordCost{MemoryKiB: 64, Passes: 1},
	})
	x.must(err)
	x.t.Cleanup(func() { x.must(s.Close()) })
	x.must(s.Migrate(context.Background()))
	return s
}

// create creates an endpoint and returns its id.
func (x *secretsTest) create(s *store.Store) string {
	x.t.Helper()
	endpoint, err := s.CreateWebhook(x.t.Context(), x.scope, store.NewWebhook{
		URL: "https://receiver.example/hook", Events: []string{string(store.EventCandidateInvited)},
	})
	x.must(err)
	x.expect(endpoint.ID, endpoint.ShownSecret)
	return endpoint.ID
}

func (x *secretsTest) expect(id, secret string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.expected[id] = secret
}

// rotate gives the endpoint a new secret, which it uses after delay, and returns the secret.
func (x *secretsTest) rotate(s *store.Store, id string, delay time.Duration) string {
	x.t.Helper()
	rotated, err := s.RotateWebhookSecret(x.t.Context(), x.scope, id, nil, delay)
	x.must(err)
	return rotated.Secret
}

// check compares the signing secret of each endpoint with the expected one.
func (x *secretsTest) check(s *store.Store) {
	x.t.Helper()
	for id, want := range x.expected {
		target, err := s.TestWebhook(x.t.Context(), x.scope, id)
		if secret, _ := target.SecretAt(x.clock.Now()); err != nil || secret != want {
			x.t.Errorf("%s: the secret is not the expected one, or cannot be read: %v", id, err)
		}
	}
}

// reencrypt runs a re-encryption and checks how many secrets there are, and how many it changes.
func (x *secretsTest) reencrypt(s *store.Store, changed, secrets int) {
	x.t.Helper()
	got, err := s.UnscopedReencrypt(x.t.Context())
	x.must(err)
	if got.Changed != changed || got.Secrets != secrets || len(got.Lost) > 0 {
		x.t.Errorf("%d of %d re-encrypted, want %d of %d; lost: %v", got.Changed, got.Secrets, changed, secrets, got.Lost)
	}
}

// The re-encryption must encrypt every secret with the current master secret,
// including those of deleted endpoints. The previous one can then be removed.
func TestReencrypt(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		x, old := newSecretsTest(t, database)
		for range 205 { // more than one batch
			x.create(old)
		}
		rotating, deleted := x.create(old), x.create(old)
		later := x.rotate(old, rotating, time.Hour)
		x.must(old.DeleteWebhook(t.Context(), x.scope, deleted))
		delete(x.expected, deleted)

		current := x.open(newMaster, oldMaster)
		x.create(current)
		x.check(current)
		x.check(x.open(oldMaster, newMaster)) // a replica that has not been restarted

		// 205 endpoints, two secrets of the rotating one, the deleted one, and the new one.
		x.reencrypt(current, 208, 209)
		x.check(current)
		x.reencrypt(current, 0, 209)

		withoutOld := x.open(newMaster)
		x.check(withoutOld)
		x.reencrypt(withoutOld, 0, 209)
		x.clock.Advance(time.Hour)
		x.expected[rotating] = later
		x.check(withoutOld)
		if _, err := old.TestWebhook(t.Context(), x.scope, rotating); err == nil {
			t.Error("the old master secret decrypts a secret that was re-encrypted")
		}
	})
}

// If an operator removes the previous master secret too early, the re-encryption
// must list the endpoints whose secrets it cannot decrypt, and must not change
// these secrets. The operator can configure the previous master secret again, or
// rotate the endpoints' secrets.
func TestReencryptListsLostSecrets(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		x, old := newSecretsTest(t, database)
		ids := []string{x.create(old), x.create(old), x.create(old)}
		x.must(old.DeleteWebhook(t.Context(), x.scope, ids[2]))
		delete(x.expected, ids[2])

		other := x.open(otherMaster)
		got, err := other.UnscopedReencrypt(t.Context())
		x.must(err)
		if got.Changed != 0 || !slices.Equal(got.Lost, ids[:2]) {
			t.Errorf("%d changed and %v lost, want 0 changed and %v lost", got.Changed, got.Lost, ids[:2])
		}
		if _, err := other.TestWebhook(t.Context(), x.scope, ids[0]); err == nil {
			t.Error("the master secret of another installation decrypts a secret")
		}
		x.check(old)

		x.expected[ids[0]] = x.rotate(other, ids[0], 0)
		target, err := other.TestWebhook(t.Context(), x.scope, ids[0])
		if secret, _ := target.SecretAt(x.clock.Now()); err != nil || secret != x.expected[ids[0]] {
			t.Errorf("the rotated secret cannot be used: %v", err)
		}
		x.check(x.open(otherMaster, oldMaster))
	})
}

// A rotation that runs at the same time as the re-encryption must keep its new
// secret. Afterwards, no secret may depend on the old master secret.
func TestReencryptBesideRotations(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		x, old := newSecretsTest(t, database)
		const each = 40
		ids := make([]string, 8*each)
		for i := range ids {
			ids[i] = x.create(old)
			x.expect(ids[i], x.rotate(old, ids[i], 0)) // leaves two secrets that the old master secret encrypts
		}

		current := x.open(newMaster, oldMaster)
		var group sync.WaitGroup
		errs := make(chan error, len(ids))
		for part := range slices.Chunk(ids, each) {
			group.Go(func() {
				for _, id := range part {
					rotated, err := current.RotateWebhookSecret(t.Context(), x.scope, id, nil, 0)
					if err != nil {
						errs <- fmt.Errorf("rotate %s: %w", id, err)
						return
					}
					x.expect(id, rotated.Secret)
				}
			})
		}
		if got, err := current.UnscopedReencrypt(t.Context()); err != nil || len(got.Lost) > 0 {
			t.Errorf("%v lost, error %v", got.Lost, err)
		}
		group.Wait()
		close(errs)
		for err := range errs {
			t.Error(err)
		}
		x.check(x.open(newMaster))
		x.reencrypt(current, 0, 2*len(ids))
	})
}
