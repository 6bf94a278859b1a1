package webhooks_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/queue"
	"assay/store/storetest"
	"assay/webhooks"
)

// lockHolder registers a holder, as a dispatcher does at its start.
func lockHolder(t *testing.T, s *store.Store) (id string, lock *queue.HolderLock) {
	t.Helper()
	id = queue.NewHolder()
	lock, err := s.Queue().LockHolder(t.Context(), id, webhookLease)
	if err != nil {
		t.Fatal(err)
	}
	return id, lock
}

// The deliveries that a killed process has claimed are sent when its lock is free. The
// clock stands still, so that no lease ends by itself. On PostgreSQL, the other dispatcher
// runs already; on SQLite, it starts after the kill, as the only one.
func TestLeasesOfAKilledProcess(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		killed := openStore(t, w.database, w.clock.Now)
		receiver := newCountingReceiver(t, nil)
		endpoint := w.endpointID(receiver.url)
		id, lock := lockHolder(t, killed)
		w.emit(3)
		if jobs := claimAll(t, killed, endpoint, id+"-1"); len(jobs) != 3 {
			t.Fatalf("claimed %d", len(jobs))
		}

		if !storetest.IsSQLite(w.database) {
			w.dispatch()
			w.emit(1)
			receiver.wait(t, 1, patience)
			eventually(t, func() bool { return len(w.deliveries(endpoint, store.DeliverySucceeded)) == 1 })
			if n := w.leased(endpoint); n != 3 {
				t.Fatalf("%d deliveries are leased while their holder lives, want 3", n)
			}
		}
		began := time.Now()
		if err := lock.Close(t.Context(), false); err != nil { // as the system does
			t.Fatal(err)
		}
		if storetest.IsSQLite(w.database) {
			w.emit(1)
			w.dispatch()
		}
		receiver.wait(t, 4, patience)
		t.Logf("all arrived %v after the end of the lock", time.Since(began))
		eventually(t, func() bool { return len(w.deliveries(endpoint, store.DeliverySucceeded)) == 4 })
		if distinct, duplicated := receiver.counts(); distinct != 4 || duplicated != 0 {
			t.Errorf("%d arrived, %d twice", distinct, duplicated)
		}
	})
}

// On SQLite, a dispatcher that starts beside another one must not end its leases.
func TestLeasesBesideASecondProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sqlite")
	first := openStore(t, w.database, w.clock.Now)
	receiver := newCountingReceiver(t, nil)
	endpoint := w.endpointID(receiver.url)
	id, lock := lockHolder(t, first)
	t.Cleanup(func() { _ = lock.Close(context.Background(), false) })
	w.emit(1)
	jobs := claimAll(t, first, endpoint, id+"-1")
	if len(jobs) != 1 {
		t.Fatalf("claimed %d", len(jobs))
	}
	w.dispatch()
	w.emit(1)
	receiver.wait(t, 1, patience)
	if !settleWith(t, first, jobs[0], 200) {
		t.Error("the second process has ended the first one's lease")
	}
}

// A dispatcher whose lock is lost starts no attempt, also not of deliveries that it has
// claimed. When others have ended its leases, it continues as another holder.
func TestLostLockStartsNoAttempt(t *testing.T) {
	t.Parallel()
	ctx, w := t.Context(), newWorld(t, "postgres")
	admin := w.raw()
	taker, err := admin.Conn(ctx)
	w.must(err)
	t.Cleanup(func() { _ = taker.Close() })
	receiver := newSlowReceiver(t)
	endpoint := w.endpointID(receiver.url)
	lost := make(chan struct{}, 100)
	registry, _ := w.dispatch(patiently, func(o *webhooks.Options) {
		o.PerEndpoint = 1
		o.Log = slog.New(warnings{func(text string) {
			if strings.Contains(text, "lock") && strings.Contains(text, "lost") {
				lost <- struct{}{}
			}
		}})
	})
	settled := func(n float64) {
		t.Helper()
		eventually(t, func() bool { return metric(t, registry, "assay_webhook_deliveries_total") == n })
	}
	w.emit(1) // after a success, more than one delivery is claimed at once
	receiver.awaitRequests(t, 1)
	receiver.release <- struct{}{}
	settled(1)
	w.emit(3)
	receiver.awaitRequests(t, 1)
	eventually(t, func() bool { return w.leased(endpoint) > 1 })

	// End the lock's connection, and take the lock before the dispatcher has it back.
	var id string
	w.must(taker.QueryRowContext(ctx, `SELECT id FROM replicas`).Scan(&id))
	_, err = taker.ExecContext(ctx, `
		SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
			AND lpad(to_hex(classid::bigint), 8, '0') || lpad(to_hex(objid::bigint), 8, '0') = $1`, id)
	w.must(err)
	_, err = taker.ExecContext(ctx, `SELECT pg_advisory_lock(('x' || $1)::bit(64)::bigint)`, id)
	w.must(err)
	select {
	case <-lost:
	case <-time.After(patience):
		t.Fatal("the dispatcher has not noticed that its lock is lost")
	}
	receiver.release <- struct{}{} // the attempt in flight ends, and its slot is free
	settled(2)
	select {
	case <-receiver.arrived:
		t.Fatal("an attempt started without the lock")
	case <-time.After(time.Second): // many times what the dispatcher needs for a next attempt
	}

	_, err = taker.ExecContext(ctx, `DELETE FROM replicas WHERE id = $1`, id)
	w.must(err)
	_, err = taker.ExecContext(ctx, `SELECT pg_advisory_unlock(('x' || $1)::bit(64)::bigint)`, id)
	w.must(err)
	for range 2 {
		receiver.awaitRequests(t, 1)
		receiver.release <- struct{}{}
	}
	settled(4)
	if distinct, duplicated := receiver.counts(); distinct != 4 || duplicated != 0 {
		t.Errorf("%d arrived, %d twice", distinct, duplicated)
	}
	eventually(t, func() bool { // a new holder is registered
		return w.count(admin, `SELECT COUNT(*) FROM replicas WHERE id <> '`+id+`'`) == 1
	})
}

// warnings is a slog.Handler that passes on the texts of warnings.
type warnings struct{ receive func(text string) }

func (w warnings) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }
func (w warnings) WithAttrs([]slog.Attr) slog.Handler               { return w }
func (w warnings) WithGroup(string) slog.Handler                    { return w }
func (w warnings) Handle(_ context.Context, r slog.Record) error {
	w.receive(r.Message)
	return nil
}
