package scale

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"assay/server/cmd/lab/rig"
)

// operation is what is measured: the requests number 0, 1, 2 and so on.
type operation struct {
	name    string
	request func(i int) []byte
	prepare func(ctx context.Context) error // may be nil
	use     func(answered []byte) error     // may be nil

	times        int  // at most; 0 for as many as the command says
	perCandidate bool // as many requests as candidates were invited
	admin        bool // to the admin listener
	// mayBeEmpty marks a list without rows in a small database, or in any. The test
	// requires rows in all others: a filter that finds nothing by mistake would be
	// measured as something else.
	mayBeEmpty bool
}

// operations are in an order in which the reads come before the writes, and
// what leaves deliveries behind comes last.
func (w *world) operations() []operation {
	all := append(w.reads(), w.sessionReads()...)
	all = append(all, w.readsInTurn()...)
	all = append(all, w.candidateWrites()...)
	return append(all, w.ownerWrites()...)
}

// of is the element of a list for request i. In a small database the list is
// shorter than the requests are many.
func of[T any](all []T, i int) T { return all[i%len(all)] }

// finished are the samples that are read, and erased the samples that are erased.
func (w *world) finished(i int) sample { return of(w.samples[:(len(w.samples)+1)/2], i) }
func (w *world) erased(i int) sample   { return of(w.samples[len(w.samples)/2:], i) }

const (
	sessions  = "/v1/candidate-sessions"
	candidate = "/v1/candidate/session"
)

// reads are GETs of the same address each time.
func (w *world) reads() []operation {
	const orEmpty = true
	const assessments, events, audit = "/v1/assessments", "/v1/events", "/v1/audit-log"
	deliveries, ofMain := "/v1/webhooks/"+w.WebhookID+"/deliveries", sessions+"?assessmentId="+w.plan.AssessmentID
	old, recent := w.at(0.02), w.at(0.999)
	const all = "/v1/deliveries"
	var listed []operation
	for _, read := range []struct {
		name, path string
		mayBeEmpty bool
	}{
		{"sessions", sessions, false},
		{"sessions, a late page", sessions + "?after=" + w.finished(0).ID, false},
		{"sessions, 100 of them", sessions + "?limit=100", false},
		{"sessions, status common", sessions + "?status=COMPLETED", false},
		{"sessions, status rare", sessions + "?status=CANCELLED", false},
		{"sessions, assessment", ofMain, false},
		{"sessions, assessment, status rare", ofMain + "&status=CANCELLED", false},
		{"sessions, updatedSince old", sessions + "?updatedSince=" + old, false},
		{"sessions, updatedSince recent", sessions + "?updatedSince=" + recent, orEmpty},
		{"sessions, updatedSince recent, status rare", sessions + "?status=CANCELLED&updatedSince=" + recent, orEmpty},
		{"assessments", assessments, false},
		{"assessments, status rare", assessments + "?status=ARCHIVED", orEmpty},
		{"assessments, title rare", assessments + "?q=pharmacist", false},
		{"assessments, updatedSince recent", assessments + "?updatedSince=" + recent, false},
		{"assessment", assessments + "/" + w.plan.AssessmentID, false},
		{"events", events, false},
		{"events, type common", events + "?type=candidate.invited", false},
		{"events, type rare", events + "?type=assessment.published", false},
		{"events, since old", events + "?since=" + old, false},
		{"events, since recent", events + "?since=" + recent, false},
		{"events, until old", events + "?until=" + old, false},
		{"events, type absent", events + "?type=candidate.expired", orEmpty},
		{"events, oldest first", events + "?order=asc", false},
		{"deliveries", deliveries, false},
		{"deliveries, status common", deliveries + "?status=FAILED", false},
		{"deliveries, status rare", deliveries + "?status=CANCELLED", false},
		{"deliveries, status PENDING", deliveries + "?status=PENDING", orEmpty},
		{"deliveries, event type absent", deliveries + "?eventType=assessment.published", orEmpty},
		{"deliveries of all endpoints", all, false},
		{"deliveries of all endpoints, status common", all + "?status=SUCCEEDED", false},
		{"deliveries of all endpoints, status rare", all + "?status=CANCELLED", false},
		{"deliveries of all endpoints, status PENDING", all + "?status=PENDING", orEmpty},
		{"deliveries of all endpoints, event type absent", all + "?eventType=assessment.published", orEmpty},
		{"deliveries of all endpoints, endpoint", all + "?webhookId=" + w.WebhookID, false},
		{"deliveries of all endpoints, until old", all + "?until=" + old, false},
		{"deliveries of all endpoints, since recent", all + "?since=" + recent, orEmpty},
		{"deliveries of an endpoint, status and event type", all +
			"?status=SUCCEEDED&eventType=candidate.completed&webhookId=" +
			w.BacklogID, orEmpty},
		{"deliveries of the backlog", "/v1/webhooks/" + w.BacklogID + "/deliveries", false},
		{"audit log", audit, false},
		{"audit log, action common", audit + "?action=SIGNED_IN", false},
		{"audit log, action rare", audit + "?action=MEMBER_REMOVED", false},
		{"audit log, actor rare", audit + "?actorId=" + rareActor, false},
		{"audit log, resource", audit + "?resourceId=" + w.resource, false},
		{"audit log, since old", audit + "?since=" + old, false},
		{"audit log, since recent", audit + "?since=" + recent, false},
		{"audit log, action common, actor rare", audit + "?action=SIGNED_IN&actorId=" + rareActor, orEmpty},
		{"statistics of an endpoint", "/v1/webhooks/" + w.WebhookID + "/statistics", false},
		{"own sign-ins", "/v1/me/sign-ins", false},
		{"members", "/v1/members", false},
		{"API keys", "/v1/api-keys", false},
		{"webhooks", "/v1/webhooks", false},
	} {
		o := w.owns(read.name, http.MethodGet, func(int) string { return read.path }, nil)
		o.mayBeEmpty = read.mayBeEmpty
		listed = append(listed, o)
	}
	return listed
}

// owns is a request with the owner's access token, which signIn renews.
func (w *world) owns(name, method string, path func(i int) string, body rig.Object) operation {
	return operation{name: name, request: func(i int) []byte { return rig.Request(method, path(i), w.Owner, body) }}
}

// readsInTurn are GETs of an address that differs each time, or with another credential.
func (w *world) readsInTurn() []operation {
	get := func(name string, path func(i int) string) operation { return w.owns(name, http.MethodGet, path, nil) }
	return []operation{
		get("sessions, candidateEmail", func(i int) string {
			return sessions + "?candidateEmail=" + url.QueryEscape(w.finished(i).Email)
		}),
		get("sessions, externalId", func(i int) string { return sessions + "?externalId=" + w.finished(i).ExternalID }),
		{name: "sessions of a small organization, status rare", mayBeEmpty: true, request: func(int) []byte {
			return rig.Request(http.MethodGet, sessions+"?status=CANCELLED", w.smallOwner, nil)
		}},
		get("session", func(i int) string { return sessions + "/" + w.finished(i).ID }),
		get("result", func(i int) string { return sessions + "/" + w.finished(i).ID + "/result" }),
		{name: "result by token", prepare: w.mintResultTokens, request: func(i int) []byte {
			return rig.Request(http.MethodGet, "/v1/public/results/"+of(w.resultTokens, i), w.Key, nil)
		}},
		get("deliveries of all endpoints, event", func(i int) string {
			return "/v1/deliveries?eventId=" + of(w.events, i)
		}),
		get("event", func(i int) string { return "/v1/events/" + of(w.events, i) }),
		get("delivery", func(i int) string { return "/v1/webhooks/" + w.WebhookID + "/deliveries/" + of(w.sent, i) }),
		{name: "metrics", admin: true, request: func(int) []byte {
			return rig.Request(http.MethodGet, "/metrics", nil, nil)
		}},
	}
}

// candidateWrites send email, and then invite candidates, who take both stages.
func (w *world) candidateWrites() []operation {
	run := time.Now().UnixNano() // a database that was kept has the candidates of earlier runs
	take := func(name, method, path string, body rig.Object) operation {
		return operation{name: name, perCandidate: true, request: func(i int) []byte {
			return rig.Request(method, candidate+path, rig.Bearer(w.candidates[i].Token), body)
		}}
	}
	submit := func(name string, stage rig.Stage) operation {
		o := take(name, http.MethodPost, "/stage/submit", rig.Object{"stageId": stage.ID})
		o.prepare = func(ctx context.Context) error { return w.answer(ctx, stage) }
		return o
	}
	question := w.Stages[0].Questions[0]
	return append(w.emailWrites(run), []operation{
		{name: "sign in", request: func(int) []byte {
			return rig.Request(http.MethodPost, "/v1/auth/login", nil, rig.Credentials(rig.Email(organization)))
		}},
		{name: "invite", use: w.addCandidate, request: func(i int) []byte {
			body := w.Invite(fmt.Sprintf("%d-%d", run, i))
			return rig.Request(http.MethodPost, "/v1/public/candidate-sessions", w.Key, body)
		}},
		{name: "invite 100", times: 10, request: func(i int) []byte {
			rows := make([]rig.Object, 100)
			for j := range rows {
				rows[j] = w.Invite(fmt.Sprintf("%d-%d-%d", run, i, j))
			}
			return rig.Request(http.MethodPost, "/v1/public/candidate-sessions/bulk", w.Key, rig.Object{"rows": rows})
		}},
		take("start", http.MethodPost, "/start", nil),
		take("current stage", http.MethodGet, "/stage", nil),
		take("save an answer", http.MethodPut, "/answers/"+question.ID, rig.RightAnswers[question.Type]),
		submit("submit the first stage", w.Stages[0]),
		submit("submit the last stage", w.Stages[1]),
	}...)
}

func (w *world) ownerWrites() []operation {
	webhook := "/v1/webhooks/" + w.WebhookID
	post := func(name string, path func(i int) string, body rig.Object) operation {
		return w.owns(name, http.MethodPost, path, body)
	}
	replay := func(int) string { return webhook + "/replay" }
	disable := w.owns("disable an endpoint with a backlog", http.MethodPatch,
		func(int) string { return "/v1/webhooks/" + w.BacklogID }, rig.Object{"enabled": false})
	replayAll := post("replay 30 days", replay, rig.Object{"since": w.at(0), "until": w.at(1)})
	failures := post("count what failed in 30 days", replay, rig.Object{
		"since": w.at(0), "until": w.at(1), "status": "FAILED", "dryRun": true,
	})
	disable.times, replayAll.times, failures.times = 1, 1, 3
	return []operation{
		w.owns("erase a candidate", http.MethodDelete, func(i int) string {
			return sessions + "/" + w.erased(i).ID + "/candidate-data"
		}, nil),
		post("redeliver", func(i int) string {
			return webhook + "/deliveries/" + of(w.sent, i) + "/redeliver"
		}, nil),
		post("replay 2 minutes", replay, rig.Object{"since": w.at(0.5), "until": w.after(0.5, 2*time.Minute)}),
		failures,
		disable,
		replayAll,
	}
}
