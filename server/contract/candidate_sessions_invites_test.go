package contract

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

// onExisting decides what an invite does when the candidate has a live session for the
// assessment. The comparison of emails ignores case. An expired session is not live, even if
// no request has recorded the expiry.
func TestInviteOnExisting(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		first, second := o.publish(oneQuestion()), o.publish(oneQuestion())
		var last response
		created := 0

		for i, test := range []struct {
			before     func() // what happens to the last session
			assessment string
			email      string
			onExisting any // nil: omitted
			status     int
			attempt    int
		}{
			{nil, first, "Grace@Example.com", nil, 201, 1},
			{nil, first, "grace@example.com", nil, 200, 1},
			{nil, first, "GRACE@EXAMPLE.COM", "RETURN", 200, 1},
			{nil, first, "gRACE@example.com", "ERROR", 409, 0},
			{nil, second, "grace@example.com", "ERROR", 201, 1}, // another assessment
			{nil, first, "grace@example.com", "NEW_ATTEMPT", 201, 2},
			{nil, first, "grace@example.com", nil, 200, 2}, // the newest session
			{func() { a.do("POST", "/v1/candidate/session/start", last.candidate(), nil).want(200) }, first,
				"grace@example.com", nil, 200, 2},
			{func() { a.do("POST", "/v1/candidate-sessions/"+last.text("data.id")+"/cancel", o.owner, nil).want(200) }, first,
				"grace@example.com", nil, 200, 1},
			{func() { a.complete(last.candidate()) }, first, "grace@example.com", "ERROR", 201, 3}, // no live session remains
			{nil, first, "grace@example.com", "ERROR", 409, 0},
			// expired, but not recorded
			{func() { a.clock.Advance(14 * 24 * time.Hour); o.signIn() }, first, "grace@example.com", "ERROR", 201, 4},
			{nil, first, "hopper@example.com", "NEW_ATTEMPT", 201, 1},
		} {
			if test.before != nil {
				test.before()
			}
			body := object{"assessmentId": test.assessment, "candidateName": "Grace", "candidateEmail": test.email}
			if test.onExisting != nil {
				body["onExisting"] = test.onExisting
			}
			answer := a.do("POST", "/v1/candidate-sessions", o.owner, body).want(test.status)
			switch test.status {
			case 409:
				answer.want(409, "candidate_already_invited")
				continue
			case 201:
				created++
				answer.wantFields(object{"data.status": "INVITED", "data.candidateEmail": test.email})
			}
			if last = answer; answer.number("data.attempt") != float64(test.attempt) {
				t.Errorf("row %d: attempt %v, want %d", i, answer.number("data.attempt"), test.attempt)
			}
		}

		if got := len(o.events("candidate.invited", 100)); got != created {
			t.Errorf("%d events, want %d", got, created)
		}
	})
}

// An invite accepts values at the bounds of each field and rejects values beyond them.
func TestInviteBounds(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion(object{"inviteExpiryDays": 10}))
		labels := func(count int) object {
			metadata := object{}
			for i := range count {
				metadata[fmt.Sprint("label ", i)] = strings.Repeat("é", 500)
			}
			return metadata
		}

		now := a.store.Now()
		inAnHour, west := now.Add(time.Hour), time.FixedZone("", -9*60*60)
		const year = 366 * 24 * time.Hour // the longest year
		for name, test := range map[string]struct {
			extra object
			fault string // "" when accepted
			want  object
		}{
			"nothing given": {object{}, "", object{"expiresAt": wire(now.Add(10 * 24 * time.Hour)), "metadata": object{},
				"externalId": nil, "extraTimePercent": 0}},
			"nulls": {object{"expiresAt": nil, "externalId": nil, "redirectUrl": nil}, "",
				object{"expiresAt": wire(now.Add(10 * 24 * time.Hour))}},
			"expires now": {object{"expiresAt": wire(now)}, "body /expiresAt too_small", nil},
			"expired":     {object{"expiresAt": "2020-02-29T10:00:00Z"}, "body /expiresAt too_small", nil},
			"expires in a moment": {object{"expiresAt": wire(now.Add(time.Millisecond))}, "",
				object{"expiresAt": wire(now.Add(time.Millisecond))}},
			"another offset": {object{"expiresAt": inAnHour.In(west).Format(time.RFC3339Nano)}, "",
				object{"expiresAt": wire(inAnHour)}},
			"expires in a year": {object{"expiresAt": wire(now.Add(year))}, "", object{"expiresAt": wire(now.Add(year))}},
			"in more than a year": {object{"expiresAt": wire(now.Add(year + time.Millisecond))},
				"body /expiresAt too_large", nil},
			"a key of 40": {object{"metadata": object{strings.Repeat("ü", 40): ""}}, "",
				object{"metadata": object{strings.Repeat("ü", 40): ""}}},
			"a key of 41": {object{"metadata": object{strings.Repeat("k", 41): "v"}},
				"body /metadata invalid_value", nil},
			"an empty key":         {object{"metadata": object{"": "v"}}, "body /metadata invalid_value", nil},
			"50 keys":              {object{"metadata": labels(50)}, "", object{"metadata": labels(50)}},
			"51 keys":              {object{"metadata": labels(51)}, "body /metadata too_many_items", nil},
			"400 percent":          {object{"extraTimePercent": 400}, "", object{"extraTimePercent": 400}},
			"401 percent":          {object{"extraTimePercent": 401}, "body /extraTimePercent too_large", nil},
			"an external id":       {object{"externalId": " x/ü 😀 "}, "", object{"externalId": " x/ü 😀 "}},
			"an empty external id": {object{"externalId": ""}, "body /externalId too_short", nil},
		} {
			body := object{"assessmentId": assessmentID, "candidateName": "Grace", "candidateEmail": "grace@example.com",
				"onExisting": "NEW_ATTEMPT"}
			maps.Copy(body, test.extra)

			if test.fault != "" {
				refused := a.do("POST", "/v1/candidate-sessions", o.owner, body).want(400, "invalid_request")
				if got := strings.Join(refused.faults(), "; "); got != test.fault {
					t.Errorf("%s: %s, want %s", name, got, test.fault)
				}
				continue
			}

			invite := a.do("POST", "/v1/candidate-sessions", o.owner, body).want(201)
			want := object{}
			for field, value := range test.want {
				want["data."+field] = value
			}
			a.do("GET", "/v1/candidate-sessions/"+invite.text("data.id"), o.owner, nil).want(200).wantFields(want)
		}
	})
}

// extraTimePercent extends the time limit of the session and of each stage. A session
// without a time limit has no deadline.
func TestInviteExtraTime(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(object{"title": "T", "timeLimitMinutes": 10, "stages": []any{
			object{"title": "Limited", "timeLimitMinutes": 4,
				"questions": oneQuestion()["stages"].([]any)[0].(object)["questions"]},
			object{"title": "As long as the whole", "questions": oneQuestion()["stages"].([]any)[0].(object)["questions"]},
		}})

		for percent, test := range map[int]struct{ stage, session time.Duration }{
			0:   {4 * time.Minute, 10 * time.Minute},
			1:   {4*time.Minute + 2400*time.Millisecond, 10*time.Minute + 6*time.Second},
			25:  {5 * time.Minute, 12*time.Minute + 30*time.Second},
			400: {20 * time.Minute, 50 * time.Minute},
		} {
			invite := o.invite(assessmentID, object{"extraTimePercent": percent})
			who, now := invite.candidate(), a.store.Now()
			a.do("POST", "/v1/candidate/session/start", who, nil).want(200).wantFields(object{
				"data.deadlineAt": wire(now.Add(test.session)), "data.extraTimePercent": percent, "data.timeLimitMinutes": 10,
				"data.serverTime": wire(now),
			})
			a.do("GET", "/v1/candidate-sessions/"+invite.text("data.id"), o.owner, nil).want(200).wantFields(object{
				"data.deadlineAt": wire(now.Add(test.session)), "data.extraTimePercent": percent,
			})
			stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200).
				wantFields(object{"data.deadlineAt": wire(now.Add(test.stage))})
			a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")}).want(200)
			a.do("GET", "/v1/candidate/session/stage", who, nil).want(200).
				wantFields(object{"data.deadlineAt": wire(now.Add(test.session))})
		}

		unlimited := o.invite(o.publish(oneQuestion()), object{"extraTimePercent": 400}).candidate()
		a.do("POST", "/v1/candidate/session/start", unlimited, nil).want(200).
			wantFields(object{"data.deadlineAt": nil, "data.timeLimitMinutes": nil})
		a.do("GET", "/v1/candidate/session/stage", unlimited, nil).want(200).wantFields(object{"data.deadlineAt": nil})
	})
}

// A resend creates a new link with a new expiry and invalidates the old link. It also
// reopens an expired session, whether or not the expiry is recorded.
func TestInviteResend(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion(object{"inviteExpiryDays": 2}))
		for _, expired := range []string{"not expired", "expired, recorded", "expired, not recorded"} {
			for _, prefix := range []string{"/v1", "/v1/public"} {
				o.signIn()
				invite := o.invite(assessmentID, object{"expiresAt": wire(a.store.Now().Add(time.Hour)), "externalId": "x"})
				path := prefix + "/candidate-sessions/" + invite.text("data.id")
				a.clock.Advance(10 * time.Minute)
				if expired != "not expired" {
					a.clock.Advance(50 * time.Minute)
					o.signIn()
				}
				who := o.callers()[prefix]
				if expired == "expired, recorded" {
					a.sweep()
					a.do("GET", path, who,
						nil).want(200).wantFields(object{"data.status": "EXPIRED", "data.closeReason": "INVITE_EXPIRED",
						"data.inviteUrl": nil})
				}

				resent := a.do("POST", path+"/resend", who, nil).want(200)
				now := a.store.Now()
				resent.wantFields(object{
					"data.id": invite.text("data.id"), "data.status": "INVITED", "data.closeReason": nil, "data.attempt": 1,
					"data.externalId": "x", "data.invitedAt": wire(now), "data.expiresAt": wire(now.Add(48 * time.Hour)),
					"data.createdAt": invite.text("data.createdAt"),
				})
				if resent.text("data.inviteUrl") == invite.text("data.inviteUrl") {
					t.Errorf("%s, %s: the link is unchanged", expired, prefix)
				}
				a.do("GET", "/v1/candidate/session", invite.candidate(), nil).want(401, "unauthenticated")
				a.do("POST", "/v1/candidate/session/start", invite.candidate(), nil).want(401, "unauthenticated")
				a.do("GET", "/v1/candidate/session", resent.candidate(), nil).want(200).wantFields(object{"data.status": "INVITED"})
				events := o.eventsOf("candidate.invited", invite.text("data.id"))
				if len(events) != 2 || events[0]["data"].(object)["inviteUrl"] != resent.text("data.inviteUrl") ||
					events[0]["data"].(object)["expiresAt"] != resent.text("data.expiresAt") {
					t.Errorf("%s, %s: candidate.invited events %v, want 2, the newer with the new link", expired, prefix, events)
				}
				a.complete(resent.candidate()).wantFields(object{"data.status": "COMPLETED"})
			}
		}

		// In an archived assessment, a waiting session can be resent and an expired one cannot.
		waiting, expiring := o.invite(assessmentID),
			o.invite(assessmentID, object{"expiresAt": wire(a.store.Now().Add(time.Second))})
		a.do("POST", "/v1/assessments/"+assessmentID+"/archive", o.owner, nil).want(200)
		a.clock.Advance(time.Second)
		a.do("POST", "/v1/candidate-sessions/"+waiting.text("data.id")+"/resend", o.owner, nil).want(200)
		a.do("POST", "/v1/candidate-sessions/"+expiring.text("data.id")+"/resend", o.owner, nil).
			want(409, "assessment_not_published")
		a.do("POST", "/v1/public/candidate-sessions/"+expiring.text("data.id")+"/resend", o.key("candidates:write"), nil).
			want(409, "assessment_not_published")
	})
}

// The link is the candidate's credential. Only a caller that may invite can read it, and
// only while the session is live.
func TestInviteURLVisibility(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessment := a.do("GET", "/v1/assessments/"+o.publish(twoStages()), o.owner, nil).want(200)
		sessions := map[string]sessionSubject{}
		for state := range sessionMatrix {
			if state != "EXPIRED" {
				sessions[state] = o.reach(assessment, state, true)
			}
		}

		// reach advances the clock, which would expire an INVITED session
		sessions["EXPIRED"] = o.reach(assessment, "EXPIRED", true)
		sessions["INVITED"] = o.reach(assessment, "INVITED", true)
		for name, reader := range map[string]struct {
			prefix string
			who    credential
			sees   bool
		}{
			"owner":           {"/v1", o.owner, true},
			"full key":        {"/v1/public", o.key(), true},
			"write key":       {"/v1/public", o.key("candidates:read", "candidates:write"), true},
			"read key":        {"/v1/public", o.key("candidates:read"), false},
			"all read scopes": {"/v1/public", o.key("candidates:read", "results:read", "assessments:read"), false},
		} {
			for state, s := range sessions {
				var want any
				if reader.sees && (state == "INVITED" || state == "IN_PROGRESS") {
					want = "https://assay.test/take#" + strings.TrimPrefix(s.who.value, "Bearer ")
				}
				read := a.do("GET", reader.prefix+"/candidate-sessions/"+s.id, reader.who, nil).want(200)
				read.wantFields(object{"data.status": state, "data.inviteUrl": want})
				listed := a.do("GET", reader.prefix+"/candidate-sessions?status="+state+"&limit=1", reader.who, nil).want(200)
				listed.wantFields(object{"data.0.id": s.id, "data.0.inviteUrl": want})
				if !reader.sees && (strings.Contains(string(read.body), "inv_") || strings.Contains(string(listed.body), "inv_")) {
					t.Errorf("%s can read the link: %s", name, read.body)
				}
			}
		}
	})
}
