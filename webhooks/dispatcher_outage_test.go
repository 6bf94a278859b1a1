package webhooks_test

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

// TestDatabaseOutage ends every database connection several times under load. All
// events must arrive without a restart, and wake-ups of other processes must
// work again afterwards.
func TestDatabaseOutage(t *testing.T) {
	t.Parallel()
	databaseURL := storetest.URL(t, "postgres")
	parsed, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(parsed.Path, "/")
	admin, err := sql.Open("postgres", os.Getenv("TEST_DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()

	// With a store of its own the dispatcher is woken by NOTIFY only, as in another process.
	publisher, worker := openStore(t, databaseURL, time.Now), openStore(t, databaseURL, time.Now)
	org := newOrganization(t, publisher)
	receiver := newCountingReceiver(t, nil)
	endpoint := org.endpointID(receiver.url)
	// The lease is 9 s. Deliveries of a claim whose answer was lost wait for its end.
	run(t, webhooks.Options{Queue: worker.Queue(), Timeout: 2 * time.Second, AllowInsecure: true})

	accepted, failed, ended := 0, 0, make(chan struct{})
	go func() {
		defer close(ended)
		for accepted < 1500 {
			if err := org.tryEmit(); err != nil {
				failed++
				continue
			}
			accepted++
		}
	}()
	killed := 0
	for open := true; open; {
		select {
		case <-ended:
			open = false
		case <-time.After(150 * time.Millisecond):
		}
		var backends int
		err := admin.QueryRowContext(context.Background(), `
			SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = $1`, name).Scan(&backends)
		if err != nil {
			t.Fatal(err)
		}
		killed += backends
	}
	started := time.Now()
	waitFor(t, "end of the queue", patience, func() bool {
		filter := store.DeliveryFilter{Status: store.DeliveryPending}
		pending, _, err := publisher.ListDeliveries(t.Context(), org.scope, endpoint, filter, store.Page{Limit: 1})
		return err == nil && len(pending) == 0
	})
	distinct, duplicated := receiver.counts()
	t.Logf("%d connections ended, %d events accepted, %d failed; %d arrived, %d twice; the last %v after the end",
		killed, accepted, failed, distinct, duplicated, time.Since(started))
	// An event that failed may have been committed, if only the answer was lost.
	succeeded := len(org.deliveries(endpoint, store.DeliverySucceeded))
	if succeeded < accepted || distinct != succeeded {
		t.Errorf("%d accepted, %d arrived, %d recorded", accepted, distinct, succeeded)
	}
	if killed < 10 {
		t.Errorf("only %d connections ended", killed)
	}

	waitFor(t, "listener", patience, func() bool {
		var listening bool
		err := admin.QueryRowContext(context.Background(), `
			SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND query ILIKE 'LISTEN%')`, name).Scan(&listening)
		return err == nil && listening
	})

	// Each event is made just after the last one arrived, so that polling alone would take a second.
	var took []time.Duration
	for range 7 {
		before, _ := receiver.counts()
		started := time.Now()
		for org.tryEmit() != nil { // a dead connection in the pool causes one error
			started = time.Now()
		}
		receiver.wait(t, before+1, patience)
		took = append(took, time.Since(started))
	}
	slices.Sort(took)
	if median := took[len(took)/2]; median > 400*time.Millisecond {
		t.Errorf("after the outage a delivery takes %v: %v", median, took)
	}
	t.Logf("after the outage a delivery takes %v", took)
}
