package webhooks_test

import (
	"strings"
	"testing"

	"assay/store"
)

// TestUncommittedEventIsNotSent checks that nothing is sent for a change that
// fails after its event is written.
func TestUncommittedEventIsNotSent(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(status(200))
		w.endpoint(r.URL)
		w.dispatch()
		db := w.raw()
		drop := `DROP TRIGGER refuse`
		if strings.HasPrefix(w.database, "sqlite:") {
			w.exec(db, `CREATE TRIGGER refuse AFTER INSERT ON webhook_queue BEGIN SELECT RAISE(ROLLBACK, 'refused'); END`)
		} else {
			// A deferred trigger makes the commit fail after every statement has succeeded.
			w.exec(db, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
				AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`)
			w.exec(db, `CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON webhook_queue
				DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`)
			drop += ` ON webhook_queue`
		}
		_, err := w.store.CreateCandidateSession(t.Context(), w.scope, store.Invite{
			AssessmentID: w.assessmentID, CandidateName: "Grace Hopper", CandidateEmail: "never@example.com",
		})
		if err == nil {
			t.Fatal("the change did not fail")
		}
		w.exec(db, drop)
		filter := store.EventFilter{Type: store.EventCandidateInvited}
		events, _, err := w.store.ListEvents(t.Context(), w.scope, filter, store.Page{Limit: 10})
		w.must(err)
		if len(events) != 0 || w.pending() != 0 {
			t.Errorf("%d events, %d pending", len(events), w.pending())
		}
		event := w.invite()
		if got := r.next(); got.header.Get("webhook-id") != event.ID {
			t.Errorf("sent %s", got.body)
		}
	})
}

// TestNoSubscriber checks that an event that no enabled endpoint subscribes to
// queues nothing.
func TestNoSubscriber(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		w.endpoint("http://127.0.0.1:1/") // subscribes to invites only
		disabled, _ := w.endpoint("http://127.0.0.1:1/")
		_, err := w.store.UpdateWebhook(t.Context(), w.scope, disabled.ID, store.WebhookChange{
			Events: []string{string(store.EventAssessmentPublished)}, Enabled: ptr(false),
		})
		w.must(err)
		deleted, _ := w.endpoint("http://127.0.0.1:1/")
		w.must(w.store.DeleteWebhook(t.Context(), w.scope, deleted.ID))
		w.publish()
		if w.pending() != 0 {
			t.Errorf("%d pending", w.pending())
		}
		w.invite()
		if w.pending() != 1 {
			t.Errorf("%d pending, want 1", w.pending())
		}
	})
}
