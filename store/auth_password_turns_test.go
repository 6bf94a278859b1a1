package store

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// 100 strangers who guess without a pause delay each of 20 known people by at most two hashes, and no known person is
// refused.
func TestFloodOfGuessesDelaysKnownPeopleByTwoHashes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const oneHash = 30 * time.Millisecond
		turns := hashTurns{free: 1}
		hash := func(share hashShare) (waited time.Duration, err error) {
			ctx, cancel := context.WithTimeout(t.Context(), passwordWait)
			defer cancel()
			began := time.Now()
			if err := turns.acquire(ctx, share); err != nil {
				return passwordWait, err
			}
			waited = time.Since(began)
			time.Sleep(oneHash)
			turns.release()
			return waited, nil
		}
		var all sync.WaitGroup
		ends := time.Now().Add(time.Minute)
		refused, computed := 0, 0
		var mu sync.Mutex
		for range 100 {
			all.Go(func() {
				for time.Now().Before(ends) {
					_, err := hash(ofStrangers)
					mu.Lock()
					if computed++; err != nil {
						refused++
					}
					mu.Unlock()
				}
			})
		}
		for person := range 20 {
			all.Go(func() {
				time.Sleep(time.Duration(person) * 2500 * time.Millisecond)
				if waited, err := hash(ofKnown); err != nil || waited > 2*oneHash {
					t.Errorf("person %d waited %s: %v", person, waited, err)
				}
			})
		}
		all.Wait()
		if refused == 0 || refused == computed {
			t.Errorf("%d of %d guesses were refused: want a flood", refused, computed)
		}
		if turns.free != 1 || turns.waiting[ofKnown].Len()+turns.waiting[ofStrangers].Len() != 0 {
			t.Errorf("%d turns are free", turns.free)
		}
	})
}

// When known people wait all the time, strangers have each second turn.
func TestSharesTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := hashTurns{free: 2}
		var hashes [hashShares]int
		var mu sync.Mutex
		var all sync.WaitGroup
		ends := time.Now().Add(10 * time.Second)
		for share, clients := range [hashShares]int{ofStrangers: 4, ofKnown: 40} {
			for range clients {
				all.Go(func() {
					for time.Now().Before(ends) {
						if turns.acquire(t.Context(), hashShare(share)) != nil {
							t.Error("no turn")
						}
						time.Sleep(10 * time.Millisecond)
						mu.Lock()
						hashes[share]++
						mu.Unlock()
						turns.release()
					}
				})
			}
		}
		all.Wait()
		if difference := hashes[ofKnown] - hashes[ofStrangers]; difference < -50 || difference > 50 {
			t.Errorf("%d hashes of known people, %d of strangers", hashes[ofKnown], hashes[ofStrangers])
		}
	})
}
