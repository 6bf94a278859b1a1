package webhooks_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

const (
	daily = 24 * time.Hour
	keep  = 30 * daily
)

// partitions returns the days for which the table has a partition.
func (w *world) partitions(table string) map[string]bool {
	w.t.Helper()
	rows, err := w.raw().QueryContext(w.t.Context(), `
		SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass($1)`, table)
	w.must(err)
	defer func() { _ = rows.Close() }()
	days := map[string]bool{}
	for rows.Next() {
		var name string
		w.must(rows.Scan(&name))
		days[strings.TrimPrefix(name, table+"_")] = true
	}
	w.must(rows.Err())
	return days
}

func dayName(at time.Time) string { return at.UTC().Format("20060102") }

var keptTables = []string{"events", "webhook_deliveries", "webhook_attempts"}

// TestRetention checks that a purge removes exactly what is older than the retention.
func TestRetention(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		w := newWorldAt(t, database, -40*daily)
		began := w.clock.Now()
		r := w.receiver(status(200))
		endpoint, _ := w.endpoint(r.URL)
		w.dispatch()
		var events []store.Event
		// On PostgreSQL the first day has a partition. The later days are beyond the week
		// for which partitions exist.
		for _, at := range []time.Duration{0, 9 * daily, 10*daily + time.Hour, 20 * daily, 40 * daily} {
			w.advanceTo(began.Add(at))
			events = append(events, w.invite())
			r.next()
			eventually(t, func() bool { return w.pending() == 0 })
		}
		before := w.deliveries(endpoint.ID, "")
		if len(before) != len(events) || (database == "postgres" && !w.partitions("events")[dayName(began)]) {
			t.Fatalf("%d deliveries, partitions %v", len(before), w.partitions("events"))
		}
		for range 2 { // the second purge must do nothing
			w.must(storetest.Purge(t.Context(), w.store, keep))
			w.expectKept(events, before, 2)
		}
		if database == "postgres" {
			for _, table := range keptTables {
				if w.partitions(table)[dayName(began)] {
					t.Errorf("the partition of %s for %s still exists", table, dayName(began))
				}
			}
		}
		w.clock.Advance(19 * daily)
		w.must(storetest.Purge(t.Context(), w.store, keep))
		w.expectKept(events, before, 4)
	})
}

// expectKept checks that exactly the first events and their deliveries are
// purged. deliveries are newest first.
func (w *world) expectKept(events []store.Event, deliveries []store.Delivery, gone int) {
	w.t.Helper()
	for i, event := range events {
		found, err := w.store.RetrieveEvent(w.t.Context(), w.scope, event.ID)
		purged := i < gone
		if purged != refused(err, "not_found") ||
			(!purged && (err != nil || found.Body != event.Body || len(found.Deliveries) != 1)) {
			w.t.Errorf("event %d of %d: %v", i, len(events), err)
		}
		delivery := deliveries[len(deliveries)-1-i]
		detail, err := w.store.RetrieveDelivery(w.t.Context(), w.scope, delivery.WebhookID, delivery.ID)
		if purged != refused(err, "not_found") || (!purged && (err != nil || len(detail.Attempts) != 1)) {
			w.t.Errorf("delivery %d of %d: %v", i, len(events), err)
		}
	}
	if got, want := w.count(w.raw(), `SELECT COUNT(*) FROM webhook_attempts`), len(events)-gone; got != want {
		w.t.Errorf("%d attempts, want %d", got, want)
	}
}

// TestPartitionsAhead checks that partitions exist for a week ahead and that
// creating them again does nothing.
func TestPartitionsAhead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "postgres")
	before := map[string]int{} // by Migrate, which can have run on the day before
	for _, table := range keptTables {
		before[table] = len(w.partitions(table))
	}
	w.clock.Advance(3 * daily)
	for range 2 {
		w.must(w.store.UnscopedCreatePartitions(t.Context()))
		for _, table := range keptTables {
			days, wanted := w.partitions(table), 0
			for ahead := -3; ahead < 8; ahead++ {
				if day := dayName(w.clock.Now().AddDate(0, 0, ahead)); days[day] {
					wanted++
				}
			}
			if wanted != 8+3 || len(days) > before[table]+4 || !days["rest"] {
				t.Errorf("%s: partitions %v", table, days)
			}
			for ahead := range 8 {
				if day := dayName(w.clock.Now().AddDate(0, 0, ahead)); !days[day] {
					t.Errorf("%s: no partition for %s", table, day)
				}
			}
		}
	}
	w.invite()
	if n := w.count(w.raw(), `SELECT COUNT(*) FROM events_`+dayName(w.clock.Now())); n != 1 {
		t.Errorf("%d events in the day's partition", n)
	}
	sqlite := newWorld(t, "sqlite")
	for range 2 {
		sqlite.must(sqlite.store.UnscopedCreatePartitions(t.Context()))
	}
}

// TestPurgeInBatches checks that a purge removes more than one batch of rows that
// are not in a partition of their own. A day that has such rows gets no
// partition, which is not an error.
func TestPurgeInBatches(t *testing.T) {
	const more = 2500 // in batches of 1000
	storetest.Each(t, func(t *testing.T, database string) {
		w := newWorldAt(t, database, -60*daily)
		w.clock.Advance(20 * daily) // beyond the existing partitions
		old := w.invite()
		db := w.raw()
		var ids []string
		for range more {
			ids = append(ids, fmt.Sprintf("('%s')", w.store.NewID("evt")))
		}
		w.exec(db, `INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
			SELECT v.column1, e.organization_id, e.type, e.subject_id, e.body, e.created_at
			FROM (VALUES `+strings.Join(ids, ", ")+`) AS v, events e WHERE e.id = '`+old.ID+`'`)
		if database == "postgres" {
			if n := w.count(db, `SELECT COUNT(*) FROM events_rest`); n != more+1 {
				t.Fatalf("%d events in the rest partition", n)
			}
		}
		w.must(w.store.UnscopedCreatePartitions(t.Context()))
		w.clock.Advance(40 * daily)
		fresh := w.invite()
		w.must(storetest.Purge(t.Context(), w.store, keep))
		if n := w.count(db, `SELECT COUNT(*) FROM events`); n != 1 {
			t.Errorf("%d events after the purge, want 1", n)
		}
		_, err := w.store.RetrieveEvent(t.Context(), w.scope, fresh.ID)
		w.must(err)
	})
}

// TestPurgedEventIsNotSent checks that a purge cancels the deliveries of an event
// and that the event cannot be redelivered afterwards.
func TestPurgedEventIsNotSent(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		w := newWorldAt(t, database, -40*daily)
		endpoint, _ := w.endpoint("http://127.0.0.1:1/")
		w.invite()
		w.clock.Advance(20 * daily)
		again, err := w.store.RedeliverDelivery(t.Context(), w.scope, endpoint.ID, w.deliveries(endpoint.ID, "")[0].ID)
		w.must(err)
		w.clock.Advance(20 * daily)
		w.invite()
		w.must(storetest.Purge(t.Context(), w.store, keep))
		if w.pending() != 1 {
			t.Errorf("%d pending, want only the delivery of the newer event", w.pending())
		}
		if detail := w.detail(again); detail.Delivery.Status != store.DeliveryCancelled {
			t.Errorf("the delivery without its event is %s", detail.Delivery.Status)
		}
		if _, err := w.store.RedeliverDelivery(t.Context(), w.scope, endpoint.ID, again.ID); !refused(err, "not_found") {
			t.Errorf("redelivery: %v", err)
		}
	})
}

// A purge can take long. Meanwhile an endpoint that is gone is disabled as quickly as always.
func TestPurgeDelaysNoDisabling(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "postgres")
	endpoint, _ := w.endpoint(w.receiver(func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusGone)
	}).URL)
	release := storetest.Hold(t, w.database)
	dispatcher, err := webhooks.New(webhooks.Options{
		Queue: w.store.Queue(), Now: w.clock.Now, Registry: prometheus.NewRegistry(), Version: "1.2.3", AllowInsecure: true,
	})
	w.must(err)
	dispatcher.SetIntervals(20 * time.Millisecond)
	runDispatcher(t, dispatcher)
	purged := make(chan error, 1)
	go func() { purged <- storetest.Purge(t.Context(), w.store, keep) }()
	storetest.AwaitLocks(t, w.database, 1)
	w.invite()
	eventually(t, func() bool { return !w.retrieve(endpoint.ID).Enabled })
	if waiting := w.lockWaits(); waiting == 0 {
		t.Error("the purge has not waited")
	}
	release()
	w.must(<-purged)
}
