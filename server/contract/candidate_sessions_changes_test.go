package contract

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// An invite that differs from the live session does not lose what it gives: RETURN names
// the fields, and UPDATE applies them while the session is INVITED.
func TestInviteThatDiffers(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		body := func(changes object) object {
			whole := object{"assessmentId": assessmentID, "candidateName": "Grace", "candidateEmail": "grace@example.com"}
			for name, value := range changes {
				whole[name] = value
			}
			return whole
		}
		given := object{
			"externalId": "A-1", "metadata": object{"source": "x"}, "expiresAt": wire(a.store.Now().Add(time.Hour)),
			"redirectUrl": "https://jobs.example/thanks", "extraTimePercent": 25,
		}
		first := a.do("POST", "/v1/candidate-sessions", o.owner, body(nil)).want(201)

		for prefix, who := range o.callers() {
			path := prefix + "/candidate-sessions"
			a.do("POST", path, who, body(nil)).want(200)
			a.do("POST", path, who, body(object{"externalId": nil, "expiresAt": nil, "metadata": object{}})).want(200)
			for name, value := range given {
				refused := a.do("POST", path, who, body(object{name: value})).want(409, "candidate_already_invited")
				if got := refused.faults(); !slices.Equal(got, []string{"body /" + name + " invalid_value"}) {
					t.Errorf("%s: %q", name, got)
				}
			}
			renamed := a.do("POST", path, who, body(object{"candidateName": "Grace Hopper"}))
			renamed.want(409, "candidate_already_invited")
			rows := a.do("POST", path+"/bulk", who, object{"rows": []any{body(given)}}).want(200)
			if got := rows.text("data.rows.0.error.code"); got != "candidate_already_invited" {
				t.Errorf("bulk: %s", rows.body)
			}
		}

		given["onExisting"], given["candidateName"] = "UPDATE", "Grace Hopper"
		updated := a.do("POST", "/v1/candidate-sessions", o.owner, body(given)).want(200)
		updated.wantFields(object{
			"data.id": first.text("data.id"), "data.candidateName": "Grace Hopper", "data.externalId": "A-1",
			"data.metadata": given["metadata"], "data.expiresAt": given["expiresAt"],
			"data.redirectUrl": given["redirectUrl"], "data.extraTimePercent": 25, "data.status": "INVITED",
		})
		found := a.do("GET", "/v1/candidate-sessions?q=hopp", o.owner, nil).want(200)
		if len(found.list("data")) != 1 {
			t.Errorf("the new name is not found: %s", found.body)
		}

		a.do("POST", "/v1/candidate/session/start", first.candidate(), nil).want(200)
		a.do("POST", "/v1/candidate-sessions", o.owner, body(given)).want(200) // nothing differs
		given["extraTimePercent"] = 50
		late := a.do("POST", "/v1/candidate-sessions", o.owner, body(given)).want(409, "candidate_already_invited")
		if got := late.faults(); !slices.Equal(got, []string{"body /extraTimePercent invalid_value"}) {
			t.Errorf("%q", got)
		}
	})
}

// A dry run has the outcomes of the bulk request, and changes nothing.
func TestBulkDryRun(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID, hook := o.publish(oneQuestion()), o.hookID("candidate.invited")
		live := o.invite(assessmentID)
		before := o.inviteCounts(hook)
		rows := []any{object{"assessmentId": "x"}}
		for i := range 60 { // more than one group, and every candidate twice
			email := fmt.Sprintf("dry%d@example.com", i%30)
			rows = append(rows, object{"assessmentId": assessmentID, "candidateName": "D", "candidateEmail": email})
		}
		rows = append(rows, object{
			"assessmentId": assessmentID, "candidateName": live.text("data.candidateName"),
			"candidateEmail": live.text("data.candidateEmail"),
		})
		for prefix, who := range o.callers() {
			path := prefix + "/candidate-sessions/bulk"
			dry := a.do("POST", path, who, object{"rows": rows, "dryRun": true}).want(200)
			dry.wantFields(object{
				"data.dryRun": true, "data.createdCount": 30, "data.existingCount": 31, "data.failedCount": 1,
				"data.rows.1.session": nil, "data.rows.31.session": nil, "data.rows.61.session.id": live.text("data.id"),
			})
			if after := o.inviteCounts(hook); after != before {
				t.Errorf("a dry run changed %v to %v", before, after)
			}
		}
		wet := a.do("POST", "/v1/candidate-sessions/bulk", o.owner, object{"rows": rows}).want(200)
		wet.wantFields(object{"data.dryRun": false, "data.createdCount": 30, "data.existingCount": 31, "data.failedCount": 1})
	})
}

// The expiry and the extra time change while the session is INVITED, the note always.
func TestUpdateSession(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		session := o.invite(o.publish(oneQuestion()))
		path := "/v1/candidate-sessions/" + session.text("data.id")
		expires := wire(a.store.Now().Add(time.Hour))
		changed := a.do("PATCH", path, o.owner, object{"expiresAt": expires, "extraTimePercent": 25, "note": "quiet room"})
		changed.want(200).wantFields(object{
			"data.expiresAt": expires, "data.extraTimePercent": 25, "data.note": "quiet room", "data.status": "INVITED",
		})
		a.do("PATCH", path, o.owner, object{}).want(400, "invalid_request")
		a.do("PATCH", path, o.owner, object{"expiresAt": "2020-01-01T00:00:00Z"}).blames("body /expiresAt too_small")
		a.do("POST", "/v1/candidate/session/start", session.candidate(), nil).want(200)
		a.do("PATCH", path, o.owner, object{"extraTimePercent": 50}).want(409, "session_not_invited")
		a.do("PATCH", path, o.owner, object{"note": nil}).want(200).wantFields(object{"data.note": nil})

		expiring := o.invite(o.publish(oneQuestion()))
		path = "/v1/candidate-sessions/" + expiring.text("data.id")
		a.do("PATCH", path, o.owner, object{"expiresAt": expires}).want(200)
		a.clock.Advance(2 * time.Hour)
		o.signIn()
		if a.sweep() == 0 {
			t.Error("the new expiry has no effect")
		}
	})
}

// A person gives a candidate more time; the timeline shows who did it and why, and an
// erasure removes the reason.
func TestExtendSession(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		unlimited := o.begin(o.publish(oneQuestion()))
		body := object{"minutes": 15, "reason": "a fire alarm"}
		a.do("POST", "/v1/candidate-sessions/"+unlimited.id+"/extend", o.owner, body).want(409, "session_without_deadline")
		invited := o.invite(o.publish(oneQuestion()))
		a.do("POST", "/v1/candidate-sessions/"+invited.text("data.id")+"/extend", o.owner, body).
			want(409, "session_not_in_progress")

		limited := o.begin(o.publish(timed(30, 0)))
		path := "/v1/candidate-sessions/" + limited.id
		before := a.do("GET", path, o.owner, nil).want(200).moment("data.deadlineAt")
		after := a.do("POST", path+"/extend", o.owner, body).want(200).moment("data.deadlineAt")
		if after.Sub(before) != 15*time.Minute {
			t.Errorf("the deadline moved by %s", after.Sub(before))
		}
		extended := func() object {
			entries := a.do("GET", path+"/timeline", o.owner, nil).want(200).list("data")
			i := slices.IndexFunc(entries, func(entry any) bool { return entry.(object)["type"] == "EXTENDED" })
			return entries[i].(object)
		}
		entry := extended()
		if actor := entry["actor"].(object); entry["reason"] != "a fire alarm" || entry["minutes"] != 15.0 ||
			actor["type"] != "USER" || actor["name"] != "Ada Lovelace" {
			t.Errorf("the timeline has %v", entry)
		}
		a.do("DELETE", path+"/candidate-data", o.owner, nil).want(204)
		if entry := extended(); entry["reason"] != "" {
			t.Errorf("after the erasure the timeline has %v", entry)
		}
	})
}

// The timeline is in the order of time and names who acted; the progress counts answers.
func TestTimelineAndProgress(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		session := o.invite(o.publish(timed(0, 0, 0)))
		path := "/v1/candidate-sessions/" + session.text("data.id")
		invited := a.do("GET", path+"/progress", o.owner, nil).want(200)
		invited.wantFields(object{
			"data.status": "INVITED", "data.questionCount": 2, "data.answeredCount": 0, "data.lastSavedAt": nil,
			"data.stages.0.status": "NOT_REACHED",
		})
		a.clock.Advance(time.Second)
		a.do("POST", path+"/resend", o.owner, nil).want(200)
		link := a.do("GET", path, o.owner, nil).want(200)
		a.clock.Advance(time.Second)
		a.do("POST", "/v1/candidate/session/start", link.candidate(), nil).want(200)
		a.clock.Advance(time.Second)
		stageID := a.answerStage(link.candidate(), true)
		saved := a.do("GET", path+"/progress", o.owner, nil).want(200)
		saved.wantFields(object{
			"data.status": "IN_PROGRESS", "data.answeredCount": 1, "data.lastSavedAt": wire(a.store.Now()),
			"data.stages.0.answeredCount": 1, "data.stages.1.answeredCount": 0, "data.currentStageId": stageID,
		})
		a.clock.Advance(time.Second)
		a.do("POST", "/v1/candidate/session/stage/submit", link.candidate(), object{"stageId": stageID}).want(200)
		a.do("POST", path+"/cancel", o.owner, nil).want(200)

		var got []string
		for _, entry := range a.do("GET", path+"/timeline", o.owner, nil).want(200).list("data") {
			entry := entry.(object)
			got = append(got, fmt.Sprint(entry["type"], " ", entry["actor"].(object)["type"]))
		}
		want := []string{"INVITED USER", "RESENT USER", "STARTED CANDIDATE", "STAGE_STARTED CANDIDATE",
			"STAGE_ENDED CANDIDATE", "STAGE_STARTED CANDIDATE", "CANCELLED USER"}
		slices.Sort(got[4:])
		slices.Sort(want[4:])
		if !slices.Equal(got, want) {
			t.Errorf("the timeline is %q, want %q", got, want)
		}
	})
}

// The export has a line for each session of the list, and no cell that a spreadsheet runs.
func TestExportSessions(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		o.invite(assessmentID, object{"candidateName": "=1+1", "externalId": "@x"})
		quoted := o.invite(assessmentID, object{"candidateName": "x", "externalId": "-2"})
		// An earlier version accepted line breaks in names.
		storetest.Change(t, a.database, "UPDATE candidate_sessions SET candidate_name = '\"Quoted\", \r\n name' WHERE id = '"+
			quoted.text("data.id")+"'")()
		a.do("PUT", "/v1/candidate-sessions/"+quoted.text("data.id")+"/review/state", o.owner, object{"stateId": "hired"}).
			want(200)
		a.do("PATCH", "/v1/candidate-sessions/"+quoted.text("data.id")+"/review/tags", o.owner,
			object{"add": []any{"night shift", "French"}}).want(200)
		a.do("PUT", "/v1/candidate-sessions/"+quoted.text("data.id")+"/review/rating", o.owner, object{"rating": 4}).want(200)
		other := o.invite(o.publish(oneQuestion()))
		file := a.do("GET", "/v1/candidate-sessions/export?assessmentId="+assessmentID, o.owner, nil).want(200)
		if got := file.header.Get("Content-Type") + file.header.Get("Content-Disposition"); got !=
			`text/csv; charset=utf-8attachment; filename="candidate-sessions.csv"` {
			t.Errorf("headers %s", got)
		}
		rows, err := csv.NewReader(strings.NewReader(string(file.body))).ReadAll()
		if err != nil || len(rows) != 3 {
			t.Fatalf("%d rows, error %v", len(rows), err)
		}
		last := len(rows[0]) - 3
		for i, want := range [][]string{
			{"stateId", "tags", "rating"}, {"hired", "French,night shift", "4"}, {"new", "", ""},
		} {
			if !slices.Equal(rows[i][last:], want) {
				t.Errorf("the last columns of row %d are %q, want %q", i, rows[i][last:], want)
			}
		}
		name, external := slices.Index(rows[0], "candidateName"), slices.Index(rows[0], "externalId")
		if rows[1][name] != "\"Quoted\", \n name" || rows[1][external] != "'-2" || rows[2][name] != "'=1+1" ||
			rows[2][external] != "'@x" {
			t.Errorf("rows %q", rows)
		}
		if strings.Contains(string(file.body), other.text("data.id")) || strings.Contains(string(file.body), "inv_") {
			t.Error("the export contains another session, or a link")
		}
		audited := a.do("GET", "/v1/audit-log?action=SESSIONS_EXPORTED", o.owner, nil).want(200)
		if len(audited.list("data")) != 1 {
			t.Errorf("the audit log has %s", audited.body)
		}
	})
}

// A batch has the results in the order asked for, and errors in the place of others.
func TestResultBatch(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o, theirs := a.register(), a.register()
		assessmentID := o.publish(twoStages())
		done, open := o.invite(assessmentID), o.invite(assessmentID)
		a.complete(done.candidate())
		foreign := theirs.invite(theirs.publish(oneQuestion()))
		a.complete(foreign.candidate())
		batch := a.do("POST", "/v1/results/batch", o.owner, object{"sessionIds": []any{
			open.text("data.id"), done.text("data.id"), foreign.text("data.id"),
		}}).want(200)
		batch.wantFields(object{
			"data.0.error.code": "result_not_ready", "data.0.result": nil, "data.1.error": nil,
			"data.1.result.sessionId": done.text("data.id"), "data.2.error.code": "not_found",
			"data.1.result.stages.0.questions.0.type": "SINGLE_CHOICE", "data.1.result.stages.0.questions.1.order": 2,
			"data.1.result.stages.0.questions.0.options.0.text":     "Nine hours",
			"data.1.result.stages.0.questions.0.options.0.textHtml": "<p>Nine hours</p>",
			"data.1.result.stages.1.questions.0.options":            nil,
		})
		single := a.do("GET", "/v1/candidate-sessions/"+done.text("data.id")+"/result", o.owner, nil).want(200)
		whole, _ := json.Marshal(single.at("data"))
		part, _ := json.Marshal(batch.at("data.1.result"))
		if string(whole) != string(part) {
			t.Errorf("the batch has %s\nthe result is %s", part, whole)
		}
		a.do("POST", "/v1/results/batch", o.owner, object{"sessionIds": []any{}}).blames("body /sessionIds too_few_items")
	})
}

// A question that the candidate did not reach is neither right nor wrong, and a key that
// reads the result can read its assessment after it was archived.
func TestResultExplainsItself(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		key, assessmentID := o.key(), o.publish(twoStages())
		session := o.begin(assessmentID)
		a.do("POST", "/v1/candidate/session/stage/submit", session.who, object{"stageId": session.stageID}).want(200)
		a.do("POST", "/v1/assessments/"+assessmentID+"/archive", o.owner, nil).want(200)
		o.result(key, session.id).wantFields(object{
			"data.status": "DISQUALIFIED", "data.stages.0.questions.0.correct": false,
			"data.stages.1.questions.0.correct": nil,
		})
		a.do("GET", "/v1/public/assessments/"+assessmentID, key, nil).want(200)
		list := a.do("GET", "/v1/public/assessments", key, nil).want(200)
		if len(list.list("data")) != 0 {
			t.Errorf("the archived assessment is in the list: %s", list.body)
		}
		draft := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201)
		a.do("GET", "/v1/public/assessments/"+draft.text("data.id"), key, nil).want(404)
	})
}
