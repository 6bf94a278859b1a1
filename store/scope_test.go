package store

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A request that begins after a revocation must be refused, even if other
// requests read the credential before the revocation and cache it afterwards.
func TestRevocationAgainstCaching(t *testing.T) {
	var ticks, requests atomic.Int64
	cache := newCredentialCache()
	s := &Store{credentials: cache, opts: Options{
		// The clock advances with each call, so that cached credentials expire all the time.
		Now: func() time.Time { return time.Unix(0, ticks.Add(int64(credentialLifetime/3))) },
	}}
	for range 300 {
		var revoked, forgotten atomic.Bool
		load := func(context.Context) (Scope, error) {
			if revoked.Load() {
				return Scope{}, errUnauthenticated
			}
			return Scope{}, nil
		}
		var group sync.WaitGroup
		for range 6 {
			group.Go(func() {
				for {
					mustFail := forgotten.Load()
					requests.Add(1)
					_, err := s.scope(context.Background(), "key", credentialLifetime, load)
					if mustFail {
						if err == nil {
							t.Error("a revoked credential is accepted")
						}
						return
					}
				}
			})
		}

		for from := requests.Load(); requests.Load() < from+50; {
			runtime.Gosched()
		}

		revoked.Store(true)
		cache.forget("key")
		forgotten.Store(true)
		group.Wait()
		cache.forget()
	}
}
