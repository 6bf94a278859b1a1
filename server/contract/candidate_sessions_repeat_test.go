package contract

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const historyPath = "/v1/candidate-sessions/history"

// copyOf duplicates an assessment and publishes the copy.
func (o *tenant) copyOf(id string) string {
	o.api.t.Helper()
	duplicate := o.api.do("POST", "/v1/assessments/"+id+"/duplicate", o.owner, nil).want(201).text("data.id")
	o.api.do("POST", "/v1/assessments/"+duplicate+"/publish", o.owner, nil).want(200)
	return duplicate
}

func (o *tenant) setRule(id string, rule object) {
	o.api.t.Helper()
	changed := o.api.do("PATCH", "/v1/assessments/"+id, o.owner, rule).want(200)
	for field, value := range rule {
		changed.wantFields(object{"data." + field: value})
	}
}

// history returns what the operation says about one address.
func (o *tenant) history(assessmentID, email string) object {
	o.api.t.Helper()
	body := object{"assessmentId": assessmentID, "candidateEmails": []any{email}}
	return o.api.do("POST", historyPath, o.owner, body).want(200).at("data.0").(object)
}

// Each way to invite a person follows the rule of the assessment, also after an attempt at a copy.
func TestRepeatRule(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		key, email := o.key(), newEmail()
		original := o.publish(oneQuestion())
		duplicate := o.copyOf(original)
		first := o.invite(original, object{"candidateEmail": email})
		a.complete(first.candidate())
		ended := a.do("GET", "/v1/candidate-sessions/"+first.text("data.id"), o.owner, nil).moment("data.completedAt")

		invite := func(id string, extra ...object) map[string]response {
			one, many := row(id, email, extra...), bulkOf(id, []string{email}, extra...)
			return map[string]response{
				"person":      a.do("POST", "/v1/candidate-sessions", o.owner, one),
				"key":         a.do("POST", "/v1/public/candidate-sessions", key, one),
				"person bulk": a.do("POST", "/v1/candidate-sessions/bulk", o.owner, many),
				"key bulk":    a.do("POST", bulkPath, key, many),
			}
		}
		refused := func(id string, repeat string, possibleAt any, extra ...object) {
			t.Helper()
			want := object{
				"sessionId": first.text("data.id"), "assessmentId": original, "status": "COMPLETED", "repeat": repeat,
				"repeatPossibleAt": possibleAt, "endedAt": wire(ended),
			}
			for name, r := range invite(id, extra...) {
				problem := "data.rows.0.error."
				if r.status != 200 {
					problem = ""
					r.is(409, "candidate_attempted_before")
				}
				if r.text(problem+"code") != "candidate_attempted_before" {
					t.Fatalf("%s: %s", name, r.body)
				}
				earlier := r.at(problem + "earlierAttempt").(object)
				for field, value := range want {
					if earlier[field] != value {
						t.Errorf("%s: %s is %v, want %v", name, field, earlier[field], value)
					}
				}
			}
		}

		for _, id := range []string{original, duplicate} {
			o.setRule(id, object{"repeatRule": "NEVER"})
			refused(id, "NEVER", nil)
			refused(id, "NEVER", nil, object{"allowRepeat": true, "onExisting": "NEW_ATTEMPT"})
			o.setRule(id, object{"repeatRule": "AFTER_DAYS", "repeatAfterDays": 30})
			refused(id, "LATER", wire(ended.Add(30*24*time.Hour)))
			o.setRule(id, object{"repeatRule": "ASK"})
			refused(id, "ASK", nil)
		}

		// With consent, each request finds a session, the first one a new one.
		for name, r := range invite(duplicate, object{"allowRepeat": true}) {
			hasFailed := r.at("data.rows") != nil && r.at("data.failedCount") != 0.0
			if r.status != 200 && r.status != 201 || r.status == 200 && hasFailed {
				t.Errorf("%s: %s", name, r.body)
			}
		}
		// The open invite of the copy is an attempt, too.
		a.do("POST", "/v1/candidate-sessions", o.owner, row(original, email)).is(409, "candidate_attempted_before")
		// A rule of none is today's behavior.
		o.setRule(original, object{"repeatRule": "ALLOWED"})
		a.do("POST", "/v1/candidate-sessions", o.owner, row(original, email)).want(201)
	})
}

// After the days of the rule, another attempt is possible. An invite that was never started is no attempt.
func TestRepeatAfterDays(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneQuestion(object{"repeatRule": "AFTER_DAYS", "repeatAfterDays": 10, "inviteExpiryDays": 1}))
		started, never := newEmail(), newEmail()
		a.complete(o.invite(id, object{"candidateEmail": started}).candidate())
		unstarted := o.invite(id, object{"candidateEmail": never})
		a.setClock(a.clock.Now().Add(10*24*time.Hour - time.Minute))
		o.signIn()
		a.sweep()
		a.do("POST", "/v1/candidate-sessions", o.owner, row(id, started)).is(409, "candidate_attempted_before")
		a.do("POST", "/v1/candidate-sessions", o.owner, row(id, never)).want(201)
		// The expired invite cannot be renewed beside the new one.
		for prefix, caller := range o.callers() {
			a.do("POST", prefix+"/candidate-sessions/"+unstarted.text("data.id")+"/resend", caller, nil).
				is(409, "candidate_attempted_before")
		}
		a.setClock(a.clock.Now().Add(2 * time.Minute))
		a.do("POST", "/v1/candidate-sessions", o.owner, row(id, started)).want(201)
	})
}

// A bulk request has an outcome for each row: the same list again invites nobody whom the rule forbids, also not a
// person who is in the list twice.
func TestRepeatInBulk(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		original := o.publish(oneQuestion(object{"repeatRule": "ASK"}))
		duplicate := o.copyOf(original)
		emails := newEmails(60) // more than one group
		a.do("POST", bulkPath, key, bulkOf(original, emails)).wantOutcomes("CREATED", 60)
		a.do("POST", bulkPath, key, bulkOf(original, emails)).wantOutcomes("EXISTING", 60)
		dry := bulkOf(duplicate, emails)
		dry["dryRun"] = true
		for _, body := range []object{dry, bulkOf(duplicate, emails)} {
			for _, row := range a.do("POST", bulkPath, key, body).wantOutcomes("FAILED", 60) {
				if row.Error.Code != "candidate_attempted_before" || row.Error.EarlierAttempt.Status != "INVITED" {
					t.Fatalf("%+v", row.Error)
				}
			}
		}
		twice := newEmail()
		rows := bulkOf(original, []string{twice})
		rows["rows"] = append(rows["rows"].([]any), row(duplicate, twice), row(original, newEmail()))
		_, outcomes := a.do("POST", bulkPath, key, rows).bulk()
		slices.Sort(outcomes)
		if !slices.Equal(outcomes, []string{"CREATED", "CREATED", "FAILED"}) {
			t.Errorf("a person in two rows: %v", outcomes)
		}
		a.do("POST", bulkPath, key, bulkOf(duplicate, emails, object{"allowRepeat": true})).wantOutcomes("CREATED", 60)
	})
}

// Of concurrent invites of one person to an assessment and its copy, on two replicas, one passes.
func TestConcurrentRepeats(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		key := o.key()
		original := o.publish(oneQuestion(object{"repeatRule": "NEVER"}))
		ids := []string{original, o.copyOf(original)}
		for range 4 {
			email := newEmail()
			answers := atOnce(16, func(i int) response {
				server, id := []*api{a, b}[i%2], ids[i/2%2]
				if i%8 > 3 {
					return server.do("POST", bulkPath, key, bulkOf(id, []string{email}, object{"onExisting": "NEW_ATTEMPT"}))
				}
				return server.do("POST", "/v1/public/candidate-sessions", key,
					row(id, email, object{"onExisting": "NEW_ATTEMPT"}))
			})
			created := 0
			for _, answer := range answers {
				if answer.status == 201 || answer.status == 200 && answer.number("data.createdCount") == 1 {
					created++
				}
			}
			if created != 1 {
				t.Errorf("%d of %v passed", created, statuses(answers))
			}
		}
	})
}

// A rule that another replica has set a moment ago counts.
func TestRepeatRuleOfAnotherReplica(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		key, email := o.key(), newEmail()
		id := o.publish(oneQuestion())
		a.complete(o.invite(id, object{"candidateEmail": email}).candidate())
		b.do("POST", "/v1/public/candidate-sessions", key, row(id, newEmail())).want(201) // b now knows the assessment
		o.setRule(id, object{"repeatRule": "NEVER"})
		b.do("POST", "/v1/public/candidate-sessions", key, row(id, email)).is(409, "candidate_attempted_before")
		b.do("POST", bulkPath, key, bulkOf(id, []string{email})).wantOutcomes("FAILED", 1)
	})
}

// The history says what a person has done: the latest attempt, also at a copy, and how many.
func TestCandidateHistory(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		original := o.publish(gated(twoStages(), 0))
		duplicate := o.copyOf(original)
		email := newEmail()
		if got := o.history(original, email); got["latest"] != nil || got["attemptCount"] != 0.0 ||
			got["repeat"] != "ALLOWED" {
			t.Errorf("without an attempt: %v", got)
		}
		stopped := o.invite(original, object{"candidateEmail": email})
		a.finish(stopped.candidate(), false)
		invited := o.invite(duplicate, object{"candidateEmail": newEmail()})
		o.setRule(original, object{"repeatRule": "ASK"})
		review := "/v1/candidate-sessions/" + stopped.text("data.id") + "/review/state"
		a.do("PUT", review, o.owner, object{"stateId": "rejected"}).want(200)

		got := a.do("POST", historyPath, o.owner, object{"assessmentId": original, "candidateEmails": []any{
			"X" + email, "x" + email, email, "nothing", invited.text("data.candidateEmail"),
		}}).want(200)
		if got.at("data.0.latest") != nil || got.at("data.1.latest") != nil || got.at("data.3.latest") != nil {
			t.Errorf("people without an attempt: %s", got.body)
		}
		for path, want := range map[string]any{
			"2.candidateEmail": email, "2.attemptCount": 1.0, "2.repeat": "ASK", "2.latest.status": "DISQUALIFIED",
			"2.latest.sessionId": stopped.text("data.id"), "2.latest.stageNumber": 1.0, "2.latest.assessmentId": original,
			"2.latest.stateId": "rejected",
			"4.attemptCount":   0.0, "4.repeat": "ASK", "4.latest.status": "INVITED", "4.latest.assessmentId": duplicate,
			"4.latest.startedAt": nil, "4.latest.score": nil, "4.latest.stageNumber": nil, "4.latest.stateId": "new",
		} {
			if got.at("data."+path) != want {
				t.Errorf("%s is %v, want %v", path, got.at("data."+path), want)
			}
		}

		// A refused invite says nothing about the state, because a key without reviews:read can receive it.
		refused := a.do("POST", "/v1/public/candidate-sessions", o.key(), row(original, email)).
			want(409, "candidate_attempted_before")
		if strings.Contains(string(refused.body), "rejected") {
			t.Errorf("the refusal says the state: %s", refused.body)
		}

		// An unrelated assessment and another organization know nothing of it.
		if got := o.history(o.publish(oneQuestion()), email); got["latest"] != nil {
			t.Errorf("of another assessment: %v", got)
		}
		body := object{"assessmentId": original, "candidateEmails": []any{email}}
		a.do("POST", historyPath, other.owner, body).is(404, "not_found")
		emails := make([]any, 1001)
		for i := range emails {
			emails[i] = "a@b.example"
		}
		body["candidateEmails"] = emails
		a.do("POST", historyPath, o.owner, body).blames("body /candidateEmails too_many_items")
		body["candidateEmails"] = emails[1:]
		a.do("POST", historyPath, o.owner, body).want(200)

		// The state is that of the latest attempt. The earlier one does not decide about it.
		again := o.invite(duplicate, object{"candidateEmail": email, "allowRepeat": true})
		latest, _ := o.history(original, email)["latest"].(object)
		if latest["sessionId"] != again.text("data.id") || latest["stateId"] != "new" {
			t.Errorf("after another invite: %v", latest)
		}
		a.do("POST", "/v1/candidate-sessions/"+again.text("data.id")+"/cancel", o.owner, nil).want(200)

		// After an erasure, the person is unknown.
		for _, session := range []response{stopped, again} {
			a.do("DELETE", "/v1/candidate-sessions/"+session.text("data.id")+"/candidate-data", o.owner, nil).want(204)
		}
		if got := o.history(original, email); got["latest"] != nil {
			t.Errorf("after the erasure: %v", got)
		}
	})
}
