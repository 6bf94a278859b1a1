package contract

import (
	"context"
	"testing"
	"time"

	"assay/store"
)

// Overdue sessions are in the overview, and in an email once a day to each member who sees their assessment.
func TestGradingOverdue(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		outbox := a.outbox()
		id := o.publish(oneEssay(object{"promisedHours": 24}))
		other := o.publish(oneQuestion())
		member, blind := o.member("MEMBER"), o.member("MEMBER")
		a.do("PATCH", "/v1/members/"+blind.id, o.owner, object{"role": "MEMBER", "assessmentIds": []any{other}}).want(200)
		a.do("GET", "/v1/overview", o.owner, nil).want(200).wantFields(object{"data.waiting": object{"count": 0,
			"hasMore": false, "overdueCount": 0, "oldestSince": nil, "items": []any{}}})
		since := a.clock.Now()
		session := o.write(id, "one")
		outbox.send()
		queue := func() {
			t.Helper()
			for range 2 { // a second process does the same
				if err := a.store.UnscopedQueueDigests(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
		}
		queue()
		outbox.sendNone()
		a.do("GET", "/v1/overview", o.owner, nil).want(200).wantFields(object{"data.waiting.count": 1,
			"data.waiting.overdueCount": 0, "data.waiting.oldestSince": wire(since), "data.waiting.items.0.id": session})

		a.clock.Advance(25 * time.Hour)
		o.signIn()
		a.do("GET", "/v1/overview", o.owner, nil).want(200).wantFields(object{"data.waiting.overdueCount": 1})
		a.do("GET", "/v1/overview", a.signedIn(blind), nil).want(200).wantFields(object{"data.waiting.count": 0})
		oldest, err := a.store.UnscopedOldestReview(context.Background())
		if err != nil || oldest == nil || wire(*oldest) != wire(since) {
			t.Errorf("the oldest session in review waits since %v (%v), want %s", oldest, err, wire(since))
		}
		queue()
		addressed := map[string]bool{}
		for _, email := range outbox.send() {
			if email.Email.Kind != store.EmailWaiting {
				t.Errorf("an email of the kind %s", email.Email.Kind)
				continue
			}
			addressed[email.ToAddress] = true
			if w := email.Waiting; len(w.Assessments) != 1 || w.Count() != 1 || w.Assessments[0].Title != "Essay" {
				t.Errorf("the email says %+v", w)
			}
		}
		if len(addressed) != 2 || !addressed[o.email] || !addressed[member.email] {
			t.Errorf("the email went to %v, want the owner and one member", addressed)
		}
		a.clock.Advance(23 * time.Hour)
		queue()
		outbox.sendNone()
		a.clock.Advance(2 * time.Hour)
		queue()
		o.signIn()
		claim := a.claim(o.owner, id)
		a.gradeAs(o.owner, claim.claimed(), 5).want(200) // before the email is sent
		a.countGrades()
		outbox.sendNone()
		if oldest, err = a.store.UnscopedOldestReview(context.Background()); err != nil || oldest != nil {
			t.Errorf("a session waits since %v (%v), want none", oldest, err)
		}
	}, sendsEmail)
}
