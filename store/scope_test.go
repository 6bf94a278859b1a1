package store

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A credential that was revoked is not let in by a request that begins
// afterwards, whatever other requests read at that moment.
func TestRevocationAgainstRemembering(t *testing.T) {
	var ticks, asked atomic.Int64
	cache, err := newCredentialCache()
	if err != nil {
		t.Fatal(err)
	}
	s := &Store{credentials: cache, opts: Options{
		Now: func() time.Time { return time.Unix(0, ticks.Add(int64(credentialLifetime/3))) },
		// so that it is read anew all the time
	}}
	for range 300 {
		var revoked, over atomic.Bool
		read := func(context.Context) (Scope, error) {
			if revoked.Load() {
				return Scope{}, errUnauthenticated
			}
			return Scope{}, nil
		}
		var group sync.WaitGroup
		for range 6 {
			group.Go(func() {
				for {
					afterwards := over.Load()
					asked.Add(1)
					_, err := s.scope(context.Background(), "key", read)
					if afterwards {
						if err == nil {
							t.Error("let in")
						}
						return
					}
				}
			})
		}
		for from := asked.Load(); asked.Load() < from+50; {
			runtime.Gosched()
		}
		revoked.Store(true)
		cache.forget("key")
		over.Store(true)
		group.Wait()
		cache.forget()
	}
}
