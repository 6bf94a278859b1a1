package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/queue"
)

// sorted returns a JSON text with the members of each object sorted.
func sorted(t *testing.T, text []byte) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	ordered, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(ordered)
}

var (
	took200 = store.Attempt{Number: 1, DurationMS: 143, StatusCode: ptrTo(200), ResponseBody: "thanks"}
	took503 = store.Attempt{Number: 1, DurationMS: 7, StatusCode: ptrTo(503), FailureReason: ptrTo(store.FailedStatus),
		ResponseBody: "later"}
)

func ptrTo[T any](v T) *T { return &v }

// settleAll does what a dispatcher does: it claims all due deliveries of the endpoint and
// stores this outcome for each.
func (a *api) settleAll(webhookID string, status store.DeliveryStatus, attempt store.Attempt) {
	a.t.Helper()
	if a.settle(webhookID, 1000, status, attempt) == 0 {
		a.t.Fatal("no delivery was due")
	}
}

// settle is settleAll for at most so many deliveries, and returns how many there were.
func (a *api) settle(webhookID string, atMost int, status store.DeliveryStatus, attempt store.Attempt) int {
	a.t.Helper()
	ctx, now := a.t.Context(), a.clock.Now()
	jobs, err := a.store.Queue().Claim(ctx, []queue.Capacity{{WebhookID: webhookID, Free: atMost}}, now,
		now.Add(time.Minute), a.store.NewID("lease"))
	if err != nil {
		a.t.Fatal(err)
	}
	outcomes := make([]queue.Outcome, len(jobs))
	for i, job := range jobs {
		attempt.Number, attempt.StartedAt = job.Attempt+1, queue.Time{Time: now}
		outcomes[i] = queue.Outcome{Job: job, Attempt: attempt, Status: status, RetryAt: now.Add(30 * time.Second)}
	}
	written, err := a.store.Queue().Settle(ctx, outcomes)
	if err != nil || slices.Contains(written, false) {
		a.t.Fatalf("settled of %d deliveries: %v, %v", len(jobs), written, err)
	}
	return len(jobs)
}

// A delivery shows its status and all its attempts. The delivery list and the event
// show the same delivery without the attempts.
func TestDeliveryDetail(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.hookID()
		path := "/v1/webhooks/" + id + "/deliveries"
		o.publish(twoStages())
		began := a.clock.Now()
		event := a.do("GET", "/v1/events", o.owner, nil).want(200).text("data.0.id")
		delivery := a.do("GET", path, o.owner, nil).want(200).text("data.0.id")
		expect := func(members string) {
			t.Helper()
			want := fmt.Sprintf(`{"data":{%s,"createdAt":"%s","eventId":"%s","eventType":"assessment.published",`+
				`"id":"%s","webhookId":"%s"}}`,
				members, store.WireTime(began), event, delivery, id)
			got := a.do("GET", path+"/"+delivery, o.owner, nil).want(200)
			if sorted(t, got.body) != sorted(t, []byte(want)) {
				t.Errorf("%s\nwant %s", sorted(t, got.body), sorted(t, []byte(want)))
			}
			listed := a.do("GET", path, o.owner, nil).want(200)
			inEvent := a.do("GET", "/v1/events/"+event, o.owner, nil).want(200)
			detail := got.at("data").(object)
			delete(detail, "attempts")
			if fmt.Sprint(listed.at("data.0")) != fmt.Sprint(detail) ||
				fmt.Sprint(inEvent.at("data.deliveries.0")) != fmt.Sprint(detail) {
				t.Errorf("listed %v\nin the event %v\nwant %v", listed.at("data.0"), inEvent.at("data.deliveries.0"), detail)
			}
		}

		expect(fmt.Sprintf(`"status":"PENDING","attemptCount":0,"attempts":[],"completedAt":null,"nextAttemptAt":"%s"`,
			store.WireTime(began)))

		a.clock.Advance(time.Second)
		first := a.clock.Now()
		a.settleAll(id, store.DeliveryPending, took503)
		attempts := fmt.Sprintf(`{"number":1,"startedAt":"%s","durationMs":7,"statusCode":503,`+
			`"failureReason":"HTTP_STATUS","responseBody":"later"}`,
			store.WireTime(first))
		expect(fmt.Sprintf(`"status":"PENDING","attemptCount":1,"attempts":[%s],"completedAt":null,"nextAttemptAt":"%s"`,
			attempts, store.WireTime(first.Add(30*time.Second))))

		a.clock.Advance(30 * time.Second)
		a.settleAll(id, store.DeliverySucceeded, took200)
		second := fmt.Sprintf(`{"number":2,"startedAt":"%s","durationMs":143,"statusCode":200,`+
			`"failureReason":null,"responseBody":"thanks"}`, store.WireTime(a.clock.Now()))
		expect(fmt.Sprintf(`"status":"SUCCEEDED","attemptCount":2,"attempts":[%s,%s],`+
			`"completedAt":"%s","nextAttemptAt":null`, attempts, second, store.WireTime(a.clock.Now())))
	})
}

// The delivery list is newest first. Filters combine, and pages are complete, whether or
// not they mix pending and finished deliveries.
func TestDeliveryFilters(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.hookID()
		path := "/v1/webhooks/" + id + "/deliveries"
		assessment := o.publish(twoStages())
		a.settleAll(id, store.DeliverySucceeded, took200)
		o.invite(assessment)
		a.settleAll(id, store.DeliveryFailed, took503)
		o.invite(assessment)
		a.do("PATCH", "/v1/webhooks/"+id, o.owner, object{"enabled": false}).want(200) // this cancels the pending delivery
		a.do("PATCH", "/v1/webhooks/"+id, o.owner, object{"enabled": true}).want(200)
		o.publish(twoStages())
		o.invite(assessment)
		all, _ := a.pages(path, o.owner, "id")
		if len(all) != 5 || !slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b, a) }) {
			t.Fatalf("deliveries %v, want 5, newest first", all)
		}
		for query, want := range map[string][]string{
			"status=PENDING": all[:2], "status=CANCELLED": {all[2]}, "status=FAILED": {all[3]}, "status=SUCCEEDED": {all[4]},
			"eventType=assessment.published": {all[1], all[4]}, "eventType=candidate.completed": nil,
			"eventType=candidate.invited&status=PENDING": {all[0]}, "eventType=assessment.published&status=FAILED": nil,
			"after=" + all[1]: all[2:], "after=" + all[0] + "&status=PENDING": {all[1]},
		} {
			if got, _ := a.pages(path+"?"+query, o.owner, "id"); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}

		// Pages end among the pending deliveries, among the finished ones, and exactly between them.
		for limit := 1; limit <= 6; limit++ {
			got, pages := a.pages(fmt.Sprintf("%s?limit=%d", path, limit), o.owner, "id")
			if !slices.Equal(got, all) || pages != (len(all)+limit-1)/limit {
				t.Errorf("limit %d: %v on %d pages", limit, got, pages)
			}
		}

		for _, query := range []string{
			"status=pending", "status=DONE", "status=", "eventType=ping", "eventType=", "limit=0", "limit=101", "after=",
			"order=asc",
		} {
			a.do("GET", path+"?"+query, o.owner, nil).want(400, "invalid_request")
		}
	})
}

// A redelivery creates a new pending delivery of the same event. The status of the old
// delivery does not matter. A disabled endpoint rejects redeliveries.
func TestRedeliver(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.hookID()
		path := "/v1/webhooks/" + id
		o.publish(twoStages())
		first := a.do("GET", path+"/deliveries", o.owner, nil).want(200).text("data.0.id")
		redeliver := func(delivery string) response {
			t.Helper()
			a.clock.Advance(time.Millisecond) // ids of one millisecond can be in any order
			r := a.do("POST", path+"/deliveries/"+delivery+"/redeliver", o.owner, nil).want(201)
			if r.header.Get("Location") != path+"/deliveries/"+r.text("data.id") || r.text("data.status") != "PENDING" ||
				r.number("data.attemptCount") != 0 {
				t.Errorf("the redelivery at %s is not new and pending: %s", r.header.Get("Location"), r.body)
			}
			return r
		}

		second := redeliver(first) // while it is pending
		a.settleAll(id, store.DeliveryFailed, took503)
		third := redeliver(second.text("data.id")) // after it has failed
		event := a.do("GET", "/v1/events", o.owner, nil).want(200)
		var ids []string
		for i := range event.list("data.0.deliveries") {
			ids = append(ids, event.text(fmt.Sprintf("data.0.deliveries.%d.id", i)))
		}
		if !slices.Equal(ids, []string{third.text("data.id"), second.text("data.id"), first}) ||
			third.text("data.eventId") != event.text("data.0.id") {
			t.Errorf("the event's deliveries are %v", ids)
		}

		a.do("PATCH", path, o.owner, object{"enabled": false}).want(200)
		a.do("POST", path+"/deliveries/"+first+"/redeliver", o.owner, nil).want(409, "webhook_disabled")
		a.do("POST", path+"/deliveries/"+a.store.NewID("dlv")+"/redeliver", o.owner, nil).want(409, "webhook_disabled")
		a.do("PATCH", path, o.owner, object{"enabled": true}).want(200)
		a.do("POST", path+"/deliveries/"+a.store.NewID("dlv")+"/redeliver", o.owner, nil).want(404, "not_found")

		other := o.hookID()
		a.do("POST", "/v1/webhooks/"+other+"/deliveries/"+first+"/redeliver", o.owner, nil).want(404, "not_found")
		a.do("GET", "/v1/webhooks/"+other+"/deliveries/"+first, o.owner, nil).want(404, "not_found")
	})
}

// A replay queues a new delivery for each matching event. since is inclusive and until is
// exclusive. The filter status compares the deliveries of the event to this endpoint.
func TestReplay(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.hookID("candidate.invited", "assessment.published")
		path := "/v1/webhooks/" + id
		began := store.WireTime(a.clock.Now())
		assessment := o.publish(twoStages())
		a.settleAll(id, store.DeliverySucceeded, took200)
		a.clock.Advance(time.Minute)
		middle := store.WireTime(a.clock.Now())
		candidate := o.invite(assessment).candidate()
		a.settleAll(id, store.DeliveryFailed, took503)
		a.clock.Advance(time.Minute)
		a.finish(candidate, true) // the endpoint does not subscribe to candidate.completed
		ended := store.WireTime(a.clock.Now())
		late := store.WireTime(a.clock.Now().Add(time.Hour))
		for _, replay := range []struct {
			since, until string
			extra        object
			want         float64
		}{
			{began, ended, nil, 2}, {began, middle, nil, 1}, {middle, ended, nil, 1}, // since is inclusive, until is exclusive
			{ended, late, nil, 0}, {"2020-01-01T00:00:00Z", "2020-01-02T00:00:00+01:00", nil, 0},
			{began, late, object{"eventType": "candidate.invited"}, 1},
			{began, late, object{"eventType": "candidate.completed"}, 0},
			{began, late, object{"status": "CANCELLED"}, 0},
			{began, late, object{"status": "FAILED", "eventType": "assessment.published"}, 0},
			{began, late, object{"status": "FAILED", "eventType": "candidate.invited"}, 1},
			{began, late, object{"status": "SUCCEEDED"}, 1},
		} {
			before, _ := a.pages(path+"/deliveries?limit=100", o.owner, "id")
			body := object{"since": replay.since, "until": replay.until}
			for name, value := range replay.extra {
				body[name] = value
			}
			got := a.do("POST", path+"/replay", o.owner, body).want(200).number("data.count")
			after, _ := a.pages(path+"/deliveries?limit=100", o.owner, "id")
			if got != replay.want || len(after) != len(before)+int(got) {
				t.Errorf("%v: %v replayed, want %v, and %d deliveries after %d", body, got, replay.want, len(after), len(before))
			}
		}

		for _, refusal := range []struct {
			body  object
			fault string
		}{
			{object{"since": began, "until": began}, "body /until too_small"},
			{object{"since": ended, "until": began}, "body /until too_small"},
			{object{"since": began}, "body /until required"},
			{object{"since": "2026-13-45T00:00:00.000Z", "until": ended}, "body /since invalid_format"},
			{object{"since": began, "until": ended, "status": "DONE"}, "body /status invalid_value"},
			{object{"since": began, "until": ended, "status": "PENDING"}, "body /status invalid_value"},
			{object{"since": began, "until": ended, "eventType": "ping"}, "body /eventType invalid_value"},
		} {
			r := a.do("POST", path+"/replay", o.owner, refusal.body).want(400, "invalid_request")
			if !slices.Equal(r.faults(), []string{refusal.fault}) {
				t.Errorf("%v: %v, want %s", refusal.body, r.faults(), refusal.fault)
			}
		}

		a.do("PATCH", path, o.owner, object{"enabled": false}).want(200)
		a.do("POST", path+"/replay", o.owner, object{"since": began, "until": ended}).want(409, "webhook_disabled")
	})
}

// An endpoint or a delivery of another organization gets the same response as one that
// does not exist.
func TestWebhooksOfOtherOrganizations(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		id, theirs := o.hookID(), stranger.hookID()
		o.publish(twoStages())
		stranger.publish(twoStages())
		delivery := a.do("GET", "/v1/webhooks/"+id+"/deliveries", o.owner, nil).want(200).text("data.0.id")
		foreign, unknown := a.everyUse(stranger.owner, id, delivery),
			a.everyUse(stranger.owner, a.store.NewID("whk"), a.store.NewID("dlv"))

		for i := range foreign {
			if foreign[i].status != 404 {
				t.Errorf("%s: %d, want 404", foreign[i].name, foreign[i].status)
			}
			wantSame(t, foreign[i], unknown[i])
		}

		// A delivery of another organization under an endpoint of the caller's own.
		wantSame(t, a.do("GET", "/v1/webhooks/"+theirs+"/deliveries/"+delivery, stranger.owner, nil),
			a.do("GET", "/v1/webhooks/"+theirs+"/deliveries/"+a.store.NewID("dlv"), stranger.owner, nil))
		a.do("POST", "/v1/webhooks/"+theirs+"/deliveries/"+delivery+"/redeliver", stranger.owner, nil).want(404)
		if listed, _ := a.pages("/v1/webhooks", stranger.owner, "id"); !slices.Equal(listed, []string{theirs}) {
			t.Errorf("the other organization lists %v, want %s", listed, theirs)
		}
		if got := a.do("GET", "/v1/webhooks/"+id, o.owner, nil).want(200); got.at("data.enabled") != true {
			t.Errorf("another organization changed the endpoint: %s", got.body)
		}
	})
}
