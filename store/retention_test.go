package store_test

import (
	"crypto/sha256"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// A request can reuse an expired Idempotency-Key while the purge waits for the
// key's row. The purge must then keep the row.
func TestPurgeKeepsReusedIdempotencyKeys(t *testing.T) {
	t.Parallel()
	clock, address := storetest.NewClock(), storetest.URL(t, "postgres")
	s := storetest.OpenURL(t, address, clock.Now)
	scope := store.Scope{Once: &store.Once{Operation: "register", Key: "one", Fingerprint: sha256.Sum256(nil)}}
	if _, err := s.Register(t.Context(), scope, store.Registration{
		OrganizationName: "Analytical Engines", Name: "Ada Lovelace", Email: "ada@example.com",
		Password: "a long and good pass phrase",
	}); err != nil {
		t.Fatal(err)
	}

	clock.Advance(25 * time.Hour)
	commit := storetest.Change(t, address, `UPDATE idempotency_keys SET created_at = '`+store.WireTime(s.Now())+`'`)
	purged := make(chan error)
	go func() { purged <- s.UnscopedPurge(t.Context(), time.Hour) }()
	storetest.AwaitLocks(t, address, 1)
	commit()
	if err := <-purged; err != nil {
		t.Fatal(err)
	}

	if kept := storetest.Count(t, address, "idempotency_keys"); kept != 1 {
		t.Errorf("the purge keeps %d keys, want the reused one", kept)
	}
}
