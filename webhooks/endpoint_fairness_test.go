package webhooks_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"assay/store/storetest"
	"assay/webhooks"
)

// slowReceiver holds every request until a test releases it.
type slowReceiver struct {
	*countingReceiver
	arrived chan struct{}
	release chan struct{}
}

func newSlowReceiver(t testing.TB) *slowReceiver {
	t.Helper()
	r := &slowReceiver{arrived: make(chan struct{}, 1000), release: make(chan struct{})}
	r.countingReceiver = newCountingReceiver(t, func(request *http.Request) {
		r.arrived <- struct{}{}
		select {
		case <-r.release:
		case <-request.Context().Done():
		}
	})
	return r
}

// awaitRequests waits for n more requests.
func (r *slowReceiver) awaitRequests(t testing.TB, n int) {
	t.Helper()
	for range n {
		select {
		case <-r.arrived:
		case <-time.After(patience):
			t.Fatal("no request arrived")
		}
	}
}

// TestSlowEndpointDelaysNoOther measures how long one endpoint's 1,000 events
// take alone, beside a new endpoint that does not respond, and after that one has
// responded after 4 s. It is not parallel, because it measures time.
func TestSlowEndpointDelaysNoOther(t *testing.T) {
	const (
		events   = 250
		replays  = 4 // a replay is faster than making events
		rounds   = 4
		response = 4 * time.Second // on the dispatcher's clock
		limit    = 16
	)
	for _, database := range storetest.Databases {
		t.Run(database, func(t *testing.T) {
			var ahead atomic.Int64
			now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
			org := newOrganization(t, openStore(t, storetest.URL(t, database), now))
			fast, slow := newCountingReceiver(t, nil), newSlowReceiver(t)
			fastID := org.endpointID(fast.url)
			org.emit(events)
			run(t, webhooks.Options{Queue: org.store.Queue(), Now: now, Timeout: patience, AllowInsecure: true})
			t.Cleanup(func() { close(slow.release) }) // before the dispatcher waits for its attempts
			sent := events
			fast.wait(t, sent, patience)
			best := func() time.Duration {
				least := time.Hour
				for range rounds {
					started := time.Now()
					for range replays {
						org.replay(fastID)
						sent += events
					}
					fast.wait(t, sent, patience)
					least = min(least, time.Since(started))
				}
				return least
			}

			alone := best()
			slowID := org.endpointID(slow.url)
			for range replays {
				org.replay(slowID)
			}
			slow.awaitRequests(t, 1)
			beside := best()

			ahead.Add(int64(response))
			slow.release <- struct{}{}
			slow.wait(t, 1, patience)
			slow.awaitRequests(t, limit) // after a success it gets its full limit
			later := best()
			t.Logf("1,000 events: %v alone, %v beside a new endpoint, %v beside a slow one", alone, beside, later)
			// Other programs can slow the machine down meanwhile. Events that share their workers with the slow endpoint
			// would not arrive before its timeout.
			if most := max(alone*2, alone+2*time.Second); beside > most || later > most {
				t.Errorf("1,000 events took %v and %v beside a slow endpoint, %v alone", beside, later, alone)
			}
			if n, _ := slow.counts(); n != 1 {
				t.Errorf("the slow endpoint responded %d times, want 1", n)
			}
		})
	}
}

// TestManyDeadEndpoints has 2,000 endpoints that never respond, all new to the
// dispatcher, beside one that has responded before. It measures time and memory.
func TestManyDeadEndpoints(t *testing.T) {
	const dead, events = 2000, 200
	for _, database := range storetest.Databases {
		t.Run(database, func(t *testing.T) {
			s := openStore(t, storetest.URL(t, database), time.Now)
			unreachable, org := newOrganization(t, s), newOrganization(t, s)
			listener := listenLocal(t, nil)
			for i := range dead {
				unreachable.endpoint(fmt.Sprintf("%s/%d", listener.url(), i))
			}
			receiver := newCountingReceiver(t, nil)
			endpointID := org.endpointID(receiver.url)
			org.emit(events)
			growth, routines := watchMemory(), runtime.NumGoroutine()
			opts := webhooks.Options{Queue: s.Queue(), Timeout: 3 * time.Second, AllowInsecure: true}
			stop := run(t, opts)
			sent := events
			receiver.wait(t, sent, patience)
			replay := func() time.Duration {
				started := time.Now()
				org.replay(endpointID)
				sent += events
				receiver.wait(t, sent, patience)
				return time.Since(started)
			}
			alone := replay()

			unreachable.emit(3) // so that each has more to send after its first failure
			waitFor(t, "attempt at the dead endpoints", patience, func() bool { return listener.accepted.Load() > 100 })
			for range 3 {
				beside := replay()
				t.Logf("%d events took %v alone, %v beside dead endpoints", events, alone, beside)
				if beside > 3*alone+time.Second {
					t.Errorf("%d events took %v beside dead endpoints, %v alone", events, beside, alone)
				}
			}

			// After a restart the dispatcher knows only what the store has recorded.
			waitFor(t, "record of the success", patience, func() bool {
				return org.retrieve(endpointID).LastSuccessAt != nil
			})
			most := runtime.NumGoroutine() - routines
			stop()
			run(t, opts)
			restarted := replay()
			// An attempt has its own goroutine and two of the transport.
			if most = max(most, runtime.NumGoroutine()-routines); most > 4*512 {
				t.Errorf("%d goroutines more than before", most)
			}
			if restarted > 3*alone+time.Second {
				t.Errorf("%d events took %v after a restart, %v alone", events, restarted, alone)
			}
			grown := growth()
			if grown > maxGrowth {
				t.Errorf("memory grew by %d MiB", grown>>20)
			}
			t.Logf("after a restart %v; %d goroutines, memory grew by %d KiB, %d connections",
				restarted, most, grown>>10, listener.accepted.Load())
		})
	}
}

// maxGrowth is the memory that hostile endpoints may cost (design, "Safety").
const maxGrowth = 50 << 20

// memoryInUse returns the bytes of live heap and of stacks.
func memoryInUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc + stats.StackInuse)
}

// watchMemory samples the memory in use until growth is called, which returns
// the largest difference to the beginning.
func watchMemory() (growth func() int64) {
	before, largest := memoryInUse(), make(chan int64)
	watching, stop := context.WithCancel(context.Background())
	go func() {
		most := int64(0)
		for {
			select {
			case <-watching.Done():
				largest <- max(most, memoryInUse()-before)
				return
			case <-time.After(100 * time.Millisecond):
				most = max(most, memoryInUse()-before)
			}
		}
	}()
	return func() int64 {
		stop()
		return <-largest
	}
}
