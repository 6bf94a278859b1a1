package webhooks_test

import (
	"testing"

	"assay/store"
	"assay/store/storetest"
)

// Deliveries arrive behind PgBouncer in both modes. In transaction mode there is no lock of
// a holder, no LISTEN, and no setting that outlasts a transaction.
func TestDeliveriesBehindPgBouncer(t *testing.T) {
	for _, mode := range storetest.Poolings {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			databaseURL, pooling := storetest.PgBouncer(t, mode, storetest.URL(t, "postgres"))
			clock := storetest.NewClock()
			s := storetest.OpenURL(t, databaseURL, clock.Now, pooling,
				func(o *store.Options) { o.AllowInsecureWebhooks = true })
			w := &world{organization: newOrganization(t, s), clock: clock, database: databaseURL}
			receiver := newCountingReceiver(t, nil)
			w.endpoint(receiver.url)
			for range 2 {
				w.dispatch()
			}
			w.emit(50)
			receiver.wait(t, 50, patience)
			eventually(t, func() bool { return w.pending() == 0 })
			if distinct, duplicated := receiver.counts(); distinct != 50 || duplicated != 0 {
				t.Errorf("%d events arrived, %d of them more than once", distinct, duplicated)
			}
			if want := mode == "session"; s.Queue().LocksHolders() != want || s.Queue().HearsOthers() != want {
				t.Errorf("locks %t, hears others %t", s.Queue().LocksHolders(), s.Queue().HearsOthers())
			}
		})
	}
}
