package scale

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"assay/server/cmd/lab/rig"
)

// operation is what is measured: the requests number 0, 1, 2 and so on.
type operation struct {
	name    string
	times   int                                // at most; 0 for as many as the command says
	prepare func(ctx context.Context) error    // may be nil
	request func(i int) request                //
	use     func(i int, answered []byte) error // may be nil

	perCandidate bool // as many requests as candidates were invited
	mayBeEmpty   bool // the list has no rows in a small database, or in none
}

// operations are in an order in which the reads come before the writes, and
// what leaves deliveries behind comes last.
func (w *world) operations() []operation {
	all := w.sessionReads()
	all = append(all, w.otherReads()...)
	all = append(all, w.candidateWrites()...)
	return append(all, w.ownerWrites()...)
}

// read is a GET with the owner's access token, of the same address each time.
func (w *world) read(name, path string) operation {
	return w.readEach(name, func(int) string { return path })
}

// orEmpty marks a list that may be empty. The test requires rows in all others,
// because a filter that finds nothing by mistake would be measured as something else.
func orEmpty(o operation) operation {
	o.mayBeEmpty = true
	return o
}

// readEach is a GET of an address that differs each time.
func (w *world) readEach(name string, path func(i int) string) operation {
	return w.write(name, http.MethodGet, path, nil)
}

// write is any request with the owner's access token.
func (w *world) write(name, method string, path func(i int) string, body any) operation {
	return operation{name: name, request: func(i int) request {
		return request{method: method, path: path(i), credential: w.owner, body: body}
	}}
}

// sampleOf is an element of a list that is shorter than the requests are many
// in a small database.
func sampleOf[T any](all []T, i int) T { return all[i%len(all)] }

// finished are the samples that are read, erased those that are erased.
func (w *world) finished(i int) sample { return sampleOf(w.samples[:(len(w.samples)+1)/2], i) }
func (w *world) erased(i int) sample   { return sampleOf(w.samples[len(w.samples)/2:], i) }

func (w *world) sessionReads() []operation {
	const list = "/v1/candidate-sessions"
	old, recent := w.at(0.02).Format(time.RFC3339), w.at(0.999).Format(time.RFC3339)
	return []operation{
		w.read("sessions", list),
		w.read("sessions, a late page", list+"?after="+w.finished(0).ID),
		w.read("sessions, 100 of them", list+"?limit=100"),
		w.read("sessions, status common", list+"?status=COMPLETED"),
		w.read("sessions, status rare", list+"?status=CANCELLED"),
		w.read("sessions, assessment", list+"?assessmentId="+w.AssessmentID),
		w.read("sessions, assessment, status rare", list+"?assessmentId="+w.AssessmentID+"&status=CANCELLED"),
		w.readEach("sessions, candidateEmail", func(i int) string {
			return list + "?candidateEmail=" + url.QueryEscape(w.finished(i).Email)
		}),
		w.readEach("sessions, externalId", func(i int) string { return list + "?externalId=" + w.finished(i).ExternalID }),
		w.read("sessions, updatedSince old", list+"?updatedSince="+old),
		orEmpty(w.read("sessions, updatedSince recent", list+"?updatedSince="+recent)),
		orEmpty(w.read("sessions, updatedSince recent, status rare", list+"?updatedSince="+recent+"&status=CANCELLED")),
		{name: "sessions of a small organization, status rare", mayBeEmpty: true, request: func(int) request {
			return request{method: http.MethodGet, path: list + "?status=CANCELLED", credential: w.smallOwner}
		}},
		w.readEach("session", func(i int) string { return list + "/" + w.finished(i).ID }),
		w.readEach("result", func(i int) string { return list + "/" + w.finished(i).ID + "/result" }),
		{name: "result by token", prepare: w.mintResultTokens, request: func(i int) request {
			return request{method: http.MethodGet, path: "/v1/public/results/" + sampleOf(w.resultTokens, i), credential: w.key}
		}},
	}
}

func (w *world) otherReads() []operation {
	const audit, assessments, events = "/v1/audit-log", "/v1/assessments", "/v1/events"
	deliveries := "/v1/webhooks/" + w.WebhookID + "/deliveries"
	old, recent := w.at(0.02).Format(time.RFC3339), w.at(0.999).Format(time.RFC3339)
	return []operation{
		w.read("assessments", assessments),
		orEmpty(w.read("assessments, status rare", assessments+"?status=ARCHIVED")),
		w.read("assessments, title rare", assessments+"?q=pharmacist"),
		w.read("assessments, updatedSince recent", assessments+"?updatedSince="+recent),
		w.read("assessment", assessments+"/"+w.AssessmentID),
		w.read("events", events),
		w.read("events, type common", events+"?type=candidate.invited"),
		w.read("events, type rare", events+"?type=assessment.published"),
		w.read("events, since old", events+"?since="+old),
		w.read("events, since recent", events+"?since="+recent),
		w.readEach("event", func(i int) string { return events + "/" + sampleOf(w.events, i) }),
		w.read("deliveries", deliveries),
		w.read("deliveries, status common", deliveries+"?status=FAILED"),
		w.read("deliveries, status rare", deliveries+"?status=CANCELLED"),
		orEmpty(w.read("deliveries, status PENDING", deliveries+"?status=PENDING")),
		orEmpty(w.read("deliveries, event type absent", deliveries+"?eventType=assessment.published")),
		w.read("deliveries of the backlog", "/v1/webhooks/"+w.BacklogID+"/deliveries"),
		w.readEach("delivery", func(i int) string { return deliveries + "/" + sampleOf(w.sent, i) }),
		w.read("audit log", audit),
		w.read("audit log, action common", audit+"?action=SIGNED_IN"),
		w.read("audit log, action rare", audit+"?action=MEMBER_REMOVED"),
		w.read("audit log, actor rare", audit+"?actorId="+rareActor),
		w.read("audit log, resource", audit+"?resourceId="+w.resource),
		w.read("audit log, since old", audit+"?since="+old),
		w.read("audit log, since recent", audit+"?since="+recent),
		w.read("members", "/v1/members"),
		w.read("API keys", "/v1/api-keys"),
		w.read("webhooks", "/v1/webhooks"),
		{name: "metrics", request: func(int) request {
			return request{method: http.MethodGet, path: "/metrics", admin: true}
		}},
	}
}

// candidateWrites invite candidates, who take both stages.
func (w *world) candidateWrites() []operation {
	const session = "/v1/candidate/session"
	run := time.Now().UnixNano() // a database that was kept has the candidates of earlier runs
	// take is a request of each candidate, after they have given so many answers of their stage.
	take := func(name string, answers int, of func(*candidate) request) operation {
		return operation{
			name: name, perCandidate: true,
			prepare: func(ctx context.Context) error { return w.answer(ctx, answers) },
			request: func(i int) request { return of(w.candidates[i]) },
		}
	}
	submit := func(c *candidate) request {
		body := rig.Object{"stageId": c.stage.ID}
		return request{method: http.MethodPost, path: session + "/stage/submit", credential: c.credential, body: body}
	}
	credentials := rig.Object{"email": largeOwner, "password": password}
	return []operation{
		{name: "sign in", request: func(int) request {
			return request{method: http.MethodPost, path: "/v1/auth/login", body: credentials}
		}},
		{name: "invite", request: func(i int) request {
			return request{
				method: http.MethodPost, path: "/v1/public/candidate-sessions", credential: w.key,
				body: invite(w.AssessmentID, fmt.Sprintf("%d-%d@invited.example", run, i)),
			}
		}, use: w.addCandidate},
		{name: "invite 100", times: 10, request: func(i int) request {
			rows := make([]rig.Object, 100)
			for j := range rows {
				rows[j] = invite(w.AssessmentID, fmt.Sprintf("%d-%d-%d@bulk.example", run, i, j))
			}
			body := rig.Object{"rows": rows}
			return request{
				method: http.MethodPost, path: "/v1/public/candidate-sessions/bulk", credential: w.key, body: body,
			}
		}},
		{name: "start", perCandidate: true, request: func(i int) request {
			return request{method: http.MethodPost, path: session + "/start", credential: w.candidates[i].credential}
		}},
		take("current stage", 0, func(c *candidate) request {
			return request{method: http.MethodGet, path: session + "/stage", credential: c.credential}
		}),
		take("save an answer", 0, func(c *candidate) request {
			path := session + "/answers/" + c.stage.Questions[0].ID
			return request{method: http.MethodPut, path: path, credential: c.credential, body: rightAnswer}
		}),
		take("submit the first stage", 3, submit),
		take("submit the last stage", 3, submit),
	}
}

// addCandidate notes who was invited.
func (w *world) addCandidate(_ int, answered []byte) error {
	var invited struct{ Data invitation }
	err := json.Unmarshal(answered, &invited)
	w.candidates = append(w.candidates, &candidate{
		client: w.client, id: invited.Data.ID, credential: invited.Data.credential(),
	})
	return err
}

func (w *world) ownerWrites() []operation {
	webhook, middle := "/v1/webhooks/"+w.WebhookID, w.at(0.5)
	same := func(path string) func(int) string { return func(int) string { return path } }
	span := func(from, to time.Time) rig.Object {
		return rig.Object{"since": from.Format(time.RFC3339), "until": to.Format(time.RFC3339)}
	}
	disable := w.write("disable an endpoint with a backlog", http.MethodPatch,
		same("/v1/webhooks/"+w.BacklogID), rig.Object{"enabled": false})
	replayAll := w.write("replay 30 days", http.MethodPost, same(webhook+"/replay"), span(w.at(0), w.at(1)))
	disable.times, replayAll.times = 1, 1
	return []operation{
		w.write("erase a candidate", http.MethodDelete, func(i int) string {
			return "/v1/candidate-sessions/" + w.erased(i).ID + "/candidate-data"
		}, nil),
		w.write("redeliver", http.MethodPost, func(i int) string {
			return webhook + "/deliveries/" + sampleOf(w.sent, i) + "/redeliver"
		}, nil),
		w.write("replay 2 minutes", http.MethodPost, same(webhook+"/replay"), span(middle, middle.Add(2*time.Minute))),
		disable,
		replayAll,
	}
}
