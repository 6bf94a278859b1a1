package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/gen"
	"assay/store/storetest"
)

const bulkPath = "/v1/public/candidate-sessions/bulk"

// row returns a row of a bulk request, with the extra fields.
func row(assessmentID, email string, extra ...object) object {
	made := object{"assessmentId": assessmentID, "candidateName": "Grace Hopper", "candidateEmail": email}
	for _, e := range extra {
		maps.Copy(made, e)
	}
	return made
}

// bulkOf returns the body of a bulk request with a row for each email, each with
// the extra fields.
func bulkOf(assessmentID string, emails []string, extra ...object) object {
	rows := make([]any, len(emails))
	for i, email := range emails {
		rows[i] = row(assessmentID, email, extra...)
	}
	return object{"rows": rows}
}

// newEmails returns email addresses that no other test uses.
func newEmails(n int) []string {
	emails := make([]string, n)
	for i := range emails {
		emails[i] = newEmail()
	}
	return emails
}

// bulkRow is a row of a bulk response.
type bulkRow struct {
	Index   int
	Outcome string
	Session *struct{ ID, CandidateEmail, InviteURL string }
	Error   *gen.BulkError
}

// bulk decodes a bulk response. It fails the test unless the rows are in order, the
// counts match the rows, and each row has a session or an error as its outcome demands.
func (r response) bulk() (rows []bulkRow, outcomes []string) {
	r.t.Helper()
	var answer struct {
		Data struct {
			CreatedCount, ExistingCount, FailedCount int
			Rows                                     []bulkRow
		}
	}
	if err := json.Unmarshal(r.want(200).body, &answer); err != nil {
		r.t.Fatal(err)
	}
	counts := map[string]int{}
	for i, row := range answer.Data.Rows {
		outcomes = append(outcomes, row.Outcome)
		counts[row.Outcome]++
		failed := row.Outcome == "FAILED"
		if row.Index != i || (row.Session == nil) != failed || (row.Error == nil) == failed {
			r.t.Errorf("%s: row %d is %+v", r.name, i, row)
		}
	}

	reported := map[string]int{"CREATED": answer.Data.CreatedCount, "EXISTING": answer.Data.ExistingCount,
		"FAILED": answer.Data.FailedCount}
	maps.DeleteFunc(reported, func(_ string, count int) bool { return count == 0 })
	if !maps.Equal(reported, counts) {
		r.t.Errorf("%s: counts %v, want %v", r.name, reported, counts)
	}
	return answer.Data.Rows, outcomes
}

// wantOutcomes fails the test unless every row has the outcome.
func (r response) wantOutcomes(outcome string, count int) []bulkRow {
	r.t.Helper()
	rows, outcomes := r.bulk()
	if !slices.Equal(outcomes, slices.Repeat([]string{outcome}, count)) {
		r.t.Errorf("%s: outcomes %v, want %d rows with %s", r.name, outcomes, count, outcome)
	}
	return rows
}

// inviteCounts returns the number of sessions and candidate.invited events of the
// organization, and the number of deliveries to a webhook.
func (o *tenant) inviteCounts(hook string) [3]int {
	o.api.t.Helper()
	var counts [3]int
	for i, path := range []string{"/v1/candidate-sessions?limit=100", "/v1/events?limit=100&type=candidate.invited",
		"/v1/webhooks/" + hook + "/deliveries?limit=100"} {
		ids, _ := o.api.pages(path, o.owner, "id")
		counts[i] = len(ids)
	}
	return counts
}

// A bulk request has 1 to 500 rows and at most 1 MiB. A repetition invites nobody again.
func TestBulkSizes(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		key, assessmentID, hook := o.key(), o.publish(oneQuestion()), o.hookID("candidate.invited")
		a.do("POST", bulkPath, key, object{"rows": []any{}}).blames("body /rows too_few_items")
		a.do("POST", bulkPath, key, bulkOf(assessmentID, newEmails(501))).blames("body /rows too_many_items")
		a.do("POST", bulkPath, key, object{}).blames("body /rows required")
		a.do("POST", bulkPath, key, object{"rows": object{}}).blames("body /rows invalid_type")
		emails := newEmails(500)
		text, err := json.Marshal(bulkOf(assessmentID, emails))
		if err != nil {
			t.Fatal(err)
		}
		a.do("POST", bulkPath, key, padded(string(text), 1<<20+1)).want(413)
		if got := o.inviteCounts(hook); got != [3]int{} {
			t.Errorf("rejected requests created sessions, events and deliveries %v", got)
		}
		rows := a.do("POST", bulkPath, key, padded(string(text), 1<<20)).wantOutcomes("CREATED", 500)
		made := map[string]bool{}
		for i, row := range rows {
			made[row.Session.ID] = true
			if row.Session.CandidateEmail != emails[i] {
				t.Errorf("row %d returned the session of %s", i, row.Session.CandidateEmail)
			}
		}

		if got := o.inviteCounts(hook); got != [3]int{500, 500, 500} || len(made) != 500 {
			t.Errorf("sessions, events and deliveries %v, ids %d, want 500 of each", got, len(made))
		}
		for i, row := range a.do("POST", bulkPath, key, string(text)).wantOutcomes("EXISTING", 500) {
			if row.Session.ID != rows[i].Session.ID {
				t.Errorf("row %d returned the session %s, then %s", i, rows[i].Session.ID, row.Session.ID)
			}
		}

		if got := o.inviteCounts(hook); got != [3]int{500, 500, 500} {
			t.Errorf("after the repetition, sessions, events and deliveries are %v", got)
		}
	})
}

// Each row must have the same outcome as the single invite with the same fields. Its
// field errors point into the row.
func TestBulkOutcomes(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		e, theirs := a.estate(), a.register()
		draft, published, archived := e.of("assessments")[0], e.of("assessments")[1], e.of("assessments")[2]
		invited := newEmail()
		before := row(published, invited)
		a.do("POST", "/v1/public/candidate-sessions", apiKeyOf(e.key), before).want(201)
		twice, whole := newEmail(), object{
			"externalId": "application-1", "metadata": object{"größe": "<&>"}, "expiresAt": wire(a.store.Now().Add(time.Hour)),
			"redirectUrl": "https://jobs.example/", "extraTimePercent": 25,
		}
		tests := []struct {
			row     any
			outcome string
			code    string // of a failed row
			faults  string // pointer within the row, and code, of each field error
		}{
			{row(published, twice), "CREATED", "", ""},
			{row(published, "no address"), "FAILED", "invalid_request", "/candidateEmail invalid_format"},
			{"text", "FAILED", "invalid_request", " invalid_type"},
			{nil, "FAILED", "invalid_request", " invalid_type"},
			{[]any{}, "FAILED", "invalid_request", " invalid_type"},
			{object{}, "FAILED", "invalid_request",
				"/assessmentId required, /candidateEmail required, /candidateName required"},
			{row(published, strings.ToUpper(twice)), "EXISTING", "", ""},
			{row(published, twice, object{"onExisting": "NEW_ATTEMPT"}), "CREATED", "", ""},
			{row(published, twice, object{"onExisting": "RETURN"}), "EXISTING", "", ""},
			{row(published, twice, object{"onExisting": "ERROR"}), "FAILED", "candidate_already_invited", ""},
			{row(published, twice, object{"onExisting": "NEVER"}), "FAILED", "invalid_request", "/onExisting invalid_value"},
			{row(a.unknownID("assessments"), newEmail()), "FAILED", "not_found", ""},
			{row(theirs.publish(oneQuestion()), newEmail()), "FAILED", "not_found", ""},
			{row(draft, newEmail()), "FAILED", "assessment_not_published", ""},
			{row(archived, newEmail()), "FAILED", "assessment_not_published", ""},
			{row(published, newEmail(), object{"expiresAt": wire(a.store.Now())}), "FAILED", "invalid_request",
				"/expiresAt too_small"},
			{row(published, newEmail(), object{"expiresAt": "2099-01-01T00:00:00Z"}), "FAILED", "invalid_request",
				"/expiresAt too_large"},
			{row(published, newEmail(), object{"metadata": object{strings.Repeat("k", 41): ""}}), "FAILED", "invalid_request",
				"/metadata invalid_value"},
			{row(published, newEmail(), object{"a/b~c": 1, "extraTimePercent": 401}), "FAILED", "invalid_request",
				"/a~1b~0c unknown_field, /extraTimePercent too_large"},
			{row(published, newEmail(), whole), "CREATED", "", ""},
			{before, "EXISTING", "", ""},
			{row(published, newEmail()), "CREATED", "", ""},
			{row(published, invited, object{"onExisting": "NEW_ATTEMPT"}), "CREATED", "", ""},
		}
		body := object{"rows": []any{}}
		for _, test := range tests {
			body["rows"] = append(body["rows"].([]any), test.row)
		}
		answer := a.do("POST", bulkPath, apiKeyOf(e.key), body)
		rows, _ := answer.bulk()
		ids := map[string]int{}

		for i, test := range tests {
			row := rows[i]
			if row.Outcome != test.outcome {
				t.Errorf("row %d has the outcome %s, want %s: %v", i, row.Outcome, test.outcome, row.Error)
				continue
			}
			if row.Error != nil {
				e.checkFailed(i, *row.Error, test.row, test.code, test.faults)
				continue
			}
			ids[row.Session.ID]++
			read := a.do("GET", "/v1/public/candidate-sessions/"+row.Session.ID, apiKeyOf(e.key), nil).want(200)
			if shown := answer.at(fmt.Sprintf("data.rows.%d.session", i)); !reflect.DeepEqual(shown, read.at("data")) {
				t.Errorf("row %d returned %v, but GET returns %v", i, shown, read.at("data"))
			}
			a.do("GET", "/v1/candidate/session", read.candidate(), nil).want(200)
			if events := e.eventsOf("candidate.invited", row.Session.ID); len(events) != 1 {
				t.Errorf("row %d has %d events", i, len(events))
			}
		}

		first, second := rows[0].Session.ID, rows[7].Session.ID
		if ids[first] != 2 || ids[second] != 2 || rows[6].Session.ID != first || rows[8].Session.ID != second {
			t.Errorf("the sessions of the candidate with several rows are %v", ids)
		}
		answer.wantFields(object{"data.rows.7.session.attempt": 2, "data.rows.19.session.metadata": whole["metadata"],
			"data.rows.19.session.extraTimePercent": 25, "data.rows.20.session.attempt": 1, "data.rows.22.session.attempt": 2})
	})
}

// checkFailed checks the error of a failed row, and that the single invite with the
// same fields fails with the same error.
func (e estate) checkFailed(i int, failed gen.BulkError, invite any, code, faults string) {
	t := e.api.t
	t.Helper()
	var got []string
	for _, f := range failed.Errors {
		pointer, found := strings.CutPrefix(f.Pointer, "/rows/"+strconv.Itoa(i))
		if !found || f.In != gen.FieldErrorInBody {
			t.Errorf("row %d: a field error in %s at %s, outside of the row", i, f.In, f.Pointer)
		}
		got = append(got, pointer+" "+f.Code)
	}

	slices.Sort(got)
	if joined := strings.Join(got, ", "); failed.Code != code || joined != faults {
		t.Errorf("row %d failed with %s [%s], want %s [%s]", i, failed.Code, joined, code, faults)
	}
	text, err := json.Marshal(invite)
	if err != nil {
		t.Fatal(err)
	}
	alone := e.api.do("POST", "/v1/public/candidate-sessions", apiKeyOf(e.key), text)
	var problem gen.Problem
	if err := json.Unmarshal(alone.body, &problem); err != nil {
		t.Fatal(err)
	}
	if len(problem.Errors) != len(failed.Errors) || problem.Code != failed.Code || problem.Detail != failed.Detail {
		t.Errorf("row %d: %+v\nsingle invite: %s", i, failed, alone.body)
	}
}

// The schema accepts 2.5e1 as an integer. Such a number in one row must not fail the
// request, alone or beside an invalid row.
func TestBulkNumbers(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		key, assessmentID := o.key(), o.publish(oneQuestion())
		for _, others := range []string{"", ",{}"} {
			text := fmt.Sprintf(
				`{"rows":[{"assessmentId":%q,"candidateName":"x","candidateEmail":%q,"extraTimePercent":2.5e1}%s]}`,
				assessmentID, newEmail(), others)
			a.do("POST", bulkPath, key, text).want(200).
				wantFields(object{"data.rows.0.outcome": "CREATED", "data.rows.0.session.extraTimePercent": 25})
		}
	})
}

// The server stores bulk rows in groups. If the second group fails, the first group
// stays stored. The same request with the same Idempotency-Key then continues with
// the second group, on any replica.
func TestBulkResumesAfterFailure(t *testing.T) {
	onPostgresReplicas(t, func(t *testing.T, a, b *api) {
		e := a.estate()
		o := described{id: "bulkCreatePublicCandidateSessions", method: "POST", path: bulkPath, scheme: "apiKeyAuth"}
		for _, onExisting := range []string{"RETURN", "NEW_ATTEMPT"} {
			emails, assessmentID := newEmails(120), e.publish(oneQuestion())
			body := bulkOf(assessmentID, emails, object{"onExisting": onExisting})
			body["rows"].([]any)[7] = object{} // breaks the schema
			request, other := call{o, bulkPath, body},
				call{o, bulkPath, bulkOf(assessmentID, emails[:50], object{"onExisting": onExisting})}
			hook, key := e.webhook(), "goes on "+onExisting
			allow := storetest.RefuseCandidate(t, a.database, emails[60])
			from := e.inviteCounts(hook)
			wantNew := func(when string, want int) {
				t.Helper()
				got := e.inviteCounts(hook)
				for i := range got {
					if got[i]-from[i] != want {
						t.Errorf("%s, %s: sessions, events and deliveries went from %v to %v, want %d more", onExisting, when, from,
							got, want)
						return
					}
				}
			}
			for _, server := range []*api{a, b, a} {
				e.sendFailing(server, request, key)
			}
			wantNew("after the failure", 49)
			e.sendWithKey(b, other, key).isRefused(422, "idempotency_key_reused")
			allow()
			first := e.sendWithKey(b, request, key).done()
			rows, outcomes := first.bulk()
			want := slices.Repeat([]string{"CREATED"}, 120)
			want[7] = "FAILED"
			if !slices.Equal(outcomes, want) {
				t.Errorf("%s: outcomes %v", onExisting, outcomes)
			}
			for i, row := range rows {
				if row.Session != nil && row.Session.CandidateEmail != emails[i] {
					t.Errorf("%s: row %d returned the session of %s", onExisting, i, row.Session.CandidateEmail)
				}
			}

			wantNew("after the second request", 119)
			for _, server := range []*api{a, b} {
				e.sendWithKey(server, request, key).replays(first)
			}
			e.sendWithKey(b, other, key).isRefused(422, "idempotency_key_reused")
			wantNew("after the replays", 119)
		}
	})
}

// sendFailing sends a call that must fail with an internal error. It uses a server
// with its own log, because a cast fails the test if its log contains such errors.
func (e estate) sendFailing(to *api, c call, key string) {
	e.api.t.Helper()
	other := serve(e.api.t, to.store, to.clock)
	e.sendWithKey(other, c, key).isRefused(500, "internal")
}
