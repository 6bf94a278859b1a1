package clients

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/gen"
	"assay/store/storetest"
)

// released is a server's organization in which everything has happened that the last release of the contract
// does not know: corrections, grades, reopened sessions, reviews, sessions that wait for a person,
// and what follows from them.
type released struct {
	*server
	databaseURL, owner, key string
	assessmentID, question  string
	invites                 map[string]string // the token of a session's link, by its id

	mu       sync.Mutex
	webhooks []string
}

// startReleased fills the organization, and returns the variables of the program "reading".
func startReleased(t *testing.T, s *server, databaseURL, email, password string) []string {
	t.Helper()
	r := &released{server: s, databaseURL: databaseURL, invites: map[string]string{}}
	r.owner = s.post(t, "/v1/auth/login", "", `{"email": "`+email+`", "password": "`+password+`"}`)["accessToken"].(string)
	s.call(t, http.MethodPatch, "/v1/organization", r.owner, `{"notifyReopened": true, "notifyCorrected": true}`)
	r.receive(t)
	r.publish(t)
	r.confirm(t)
	goesOn := r.decide(t)
	r.review(t, goesOn)
	moved := r.outage(t)
	r.once(t)
	r.judge(t, email, password)
	r.end(t)

	webhooks := filepath.Join(t.TempDir(), "webhooks")
	if err := os.WriteFile(webhooks, []byte(strings.Join(r.delivered(t), "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{
		"ASSAY_API_KEY=" + r.key, "ASSAY_WEBHOOKS=" + webhooks,
		"ASSAY_INVITES=" + r.invites[goesOn] + " " + r.invites[moved],
	}
}

// confirm lets a member join with the link of the response, and confirm the address with that of the email.
func (r *released) confirm(t *testing.T) {
	t.Helper()
	invited := r.post(t, "/v1/members", r.owner,
		`{"name": "Mary Somerville", "email": "member@example.com", "role": "MEMBER"}`)
	_, token, _ := strings.Cut(invited["invitationUrl"].(string), "#")
	member := r.post(t, "/v1/auth/accept-invitation", "",
		`{"token": "`+token+`", "password": "correct horse battery staple"}`)["accessToken"].(string)
	r.post(t, "/v1/me/email-confirmation", member, "")
	link := regexp.MustCompile(`/confirm-email#(prf_\S+)`)
	eventually(t, "the email with the link arrives", func() bool {
		messages, err := r.mail.Wait(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, message := range messages {
			read, err := message.Parse()
			if err != nil {
				t.Fatal(err)
			}
			if found := link.FindStringSubmatch(read.Text); found != nil {
				r.call(t, http.MethodPut, "/v1/me/email-confirmation", member, `{"token": "`+found[1]+`"}`)
				return true
			}
		}
		return false
	})
}

// receive registers an endpoint that receives each event that the service has.
func (r *released) receive(t *testing.T) {
	t.Helper()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.webhooks = append(r.webhooks, string(body))
	}))
	t.Cleanup(receiver.Close)
	r.post(t, "/v1/webhooks", r.owner, string(encode(map[string]any{
		"url": receiver.URL, "events": values(t, gen.Document, "EventTypeInput", ""),
	})))
	// The scope for provisioning must be the only one of a key.
	scopes := slices.DeleteFunc(values(t, gen.Document, "ApiKeyScopeInput", ""), func(scope any) bool {
		return scope == "members:provision"
	})
	r.key = r.post(t, "/v1/api-keys", r.owner, string(encode(map[string]any{
		"name": "Everything", "scopes": scopes,
	})))["key"].(string)
	r.post(t, "/v1/api-keys", r.owner, `{"name": "Provisioning", "scopes": ["members:provision"]}`)
}

// bank adds a question to the bank, and does all that can be done with it.
func (r *released) bank(t *testing.T) {
	t.Helper()
	question := r.post(t, "/v1/questions", r.owner,
		`{"tags": ["night"], "question": {"type": "NUMERIC", "prompt": "How cold?", "points": 1, "answer": 8}}`)
	at := "/v1/questions/" + question["id"].(string)
	for _, change := range []string{`{"tags": []}`, `{"archived": true}`, `{"archived": false}`} {
		r.call(t, http.MethodPatch, at, r.owner, change)
	}
	r.call(t, http.MethodDelete, at, r.owner, "")
	r.post(t, "/v1/questions", r.owner,
		`{"tags": ["pool"], "question": {"type": "NUMERIC", "prompt": "How warm?", "points": 1, "answer": 3}}`)
}

func (r *released) publish(t *testing.T) {
	t.Helper()
	r.bank(t)
	draft := r.post(t, "/v1/assessments", r.owner, `{"title": "Storage", "passingScore": 60, "timeLimitMinutes": 10,
		"redirectUrl": "https://jobs.example/thanks", "stages": [
			{"title": "Gate", "gate": {"required": true, "minScore": 50}, "questions": [{
				"type": "SINGLE_CHOICE", "prompt": "How long?", "points": 2, "correctOptionId": "b",
				"options": [{"id": "a", "text": "Nine hours"}, {"id": "b", "text": "Two days"}]}]},
			{"title": "Rest", "questions": [
				{"type": "NUMERIC", "prompt": "How many?", "points": 1, "answer": 3, "tolerance": 0}],
				"pools": [{"count": 1, "points": 1, "tags": ["pool"]}]}]}`)
	r.assessmentID = draft["id"].(string)
	stage := draft["stages"].([]any)[0].(map[string]any)
	r.question = stage["questions"].([]any)[0].(map[string]any)["id"].(string)
	r.post(t, "/v1/assessments/"+r.assessmentID+"/publish", r.owner, "")
}

func (r *released) invite(t *testing.T, name string) (id string) {
	t.Helper()
	session := r.post(t, "/v1/candidate-sessions", r.owner, string(encode(map[string]any{
		"assessmentId": r.assessmentID, "candidateName": name,
		"candidateEmail": strings.ToLower(name) + "@candidates.example",
	})))
	id = session["id"].(string)
	_, r.invites[id], _ = strings.Cut(session["inviteUrl"].(string), "#")
	return id
}

// take chooses the option, and submits the first stage. The page reports that the answer did not arrive.
func (r *released) take(t *testing.T, id, option string) {
	t.Helper()
	candidate := r.invites[id]
	r.post(t, "/v1/candidate/session/start", candidate, "")
	stage := r.call(t, http.MethodGet, "/v1/candidate/session/stage", candidate, "")
	r.call(t, http.MethodPut, "/v1/candidate/session/answers/"+r.question, candidate, `{"optionId": "`+option+`"}`)
	r.post(t, "/v1/candidate/session/stage/submit", candidate,
		`{"stageId": "`+stage["id"].(string)+`", "undelivered": ["`+r.question+`"]}`)
}

// decide corrects a key, changes points, and lets a candidate go on.
func (r *released) decide(t *testing.T) (goesOn string) {
	t.Helper()
	goesOn = r.invite(t, "Ada")
	r.take(t, goesOn, "a")
	graded, again := r.invite(t, "Grace"), r.invite(t, "Barbara")
	r.take(t, graded, "a")
	r.take(t, again, "a")

	corrections := "/v1/assessments/" + r.assessmentID + "/corrections"
	made := r.post(t, corrections, r.owner, `{"questionId": "`+r.question+`", "action": "REPLACE_KEY",
		"key": {"correctOptionId": "a"}, "policy": "EXACT", "reason": "The key was that of the old edition"}`)
	eventually(t, "the correction is applied", func() bool {
		return r.call(t, http.MethodGet, corrections+"/"+made["id"].(string), r.owner, "")["appliedAt"] != nil
	})
	r.call(t, http.MethodPut, "/v1/candidate-sessions/"+graded+"/grades/"+r.question, r.owner,
		`{"points": 1.5, "reason": "Right by the old edition", "version": 0}`)
	r.share(t, graded)
	r.post(t, "/v1/candidate-sessions/"+goesOn+"/reopen", r.owner, `{"minutes": 30, "reason": "The gate is passed"}`)

	// One candidate completes a session that a gate had ended.
	r.post(t, "/v1/candidate-sessions/"+again+"/reopen", r.owner, `{"minutes": 30, "reason": "The gate is passed"}`)
	stage := r.call(t, http.MethodGet, "/v1/candidate/session/stage", r.invites[again], "")
	r.post(t, "/v1/candidate/session/stage/submit", r.invites[again], `{"stageId": "`+stage["id"].(string)+`"}`)

	// The other one continues in another browser.
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/v1/candidate/session/stage", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+r.invites[goesOn])
	request.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("the candidate continues: %s, %v", response.Status, err)
	}
	return goesOn
}

// share opens one link to a result, and revokes another one.
func (r *released) share(t *testing.T, session string) {
	t.Helper()
	links := "/v1/candidate-sessions/" + session + "/result-links"
	link := r.post(t, links, r.owner, `{"label": "Ana Ruiz"}`)
	_, token, _ := strings.Cut(link["url"].(string), "?")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/result?"+token, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("the page of a link: %s, %v", response.Status, err)
	}
	other := r.post(t, links, r.owner, `{}`)["id"].(string)
	r.call(t, http.MethodDelete, links+"/"+other, r.owner, "")
}

func (r *released) review(t *testing.T, session string) {
	t.Helper()
	states := r.call(t, http.MethodGet, "/v1/review-states", r.owner, "")
	r.call(t, http.MethodPut, "/v1/review-states", r.owner, string(encode(map[string]any{
		"version": states["version"], "states": []any{
			map[string]any{"id": "new", "name": "New"}, map[string]any{"id": "shortlisted", "name": "Interview"},
		},
	})))
	connected := r.call(t, http.MethodPut, "/v1/integrations", r.owner, `{"partner": "ashby", "callbackKey": "a-key"}`)
	r.call(t, http.MethodDelete, "/v1/integrations/"+connected["id"].(string), r.owner, "")
	export := "/v1/assessments/" + r.assessmentID + "/export?format=GIFT"
	if status, said := r.send(t, http.MethodGet, export, r.owner, ""); status != http.StatusOK {
		t.Fatalf("the export: %d %s", status, said)
	}
	responses := "/v1/assessments/" + r.assessmentID + "/responses/export"
	if status, said := r.send(t, http.MethodGet, responses, r.owner, ""); status != http.StatusOK {
		t.Fatalf("the export of responses: %d %s", status, said)
	}
	registration := "/v1/assessments/" + r.assessmentID + "/registration"
	r.call(t, http.MethodPut, registration, r.owner, `{"limit": 20}`)
	r.call(t, http.MethodDelete, registration, r.owner, "")
	r.call(t, http.MethodDelete, "/v1/media/"+r.upload(t, r.owner), r.owner, "")
	r.call(t, http.MethodPut, "/v1/retention", r.owner, `{"months": 120}`)
	hold := r.post(t, "/v1/legal-holds", r.owner, `{"sessionId": "`+session+`", "reason": "A claim"}`)["id"].(string)
	r.call(t, http.MethodDelete, "/v1/legal-holds/"+hold, r.owner, "")
	review := "/v1/candidate-sessions/" + session + "/review"
	r.call(t, http.MethodPut, review+"/state", r.owner, `{"stateId": "shortlisted", "from": "new", "reason": "Strong",
		"email": {"subject": "Your application", "text": "Please come on Thursday."}}`)
	r.post(t, review+"/email/cancel", r.owner, "")
	r.call(t, http.MethodPatch, review+"/tags", r.owner, `{"add": ["night shift"]}`)
	r.call(t, http.MethodPatch, review+"/tags", r.owner, `{"remove": ["night shift"]}`)
	r.call(t, http.MethodPut, review+"/rating", r.owner, `{"rating": 4}`)
	r.call(t, http.MethodDelete, review+"/rating", r.owner, "")
	comment := r.post(t, review+"/comments", r.owner, `{"text": "Asked good questions"}`)["id"].(string)
	r.call(t, http.MethodPatch, review+"/comments/"+comment, r.owner, `{"text": "Asked very good questions"}`)
	r.call(t, http.MethodDelete, review+"/comments/"+comment, r.owner, "")
}

// outage returns a session whose deadline fell into a time in which no replica was ready.
func (r *released) outage(t *testing.T) (moved string) {
	t.Helper()
	moved = r.invite(t, "Edsger")
	r.post(t, "/v1/candidate/session/start", r.invites[moved], "")
	now := time.Now()
	storetest.AddOutage(t, r.databaseURL, now.Add(-14*time.Minute), now.Add(-time.Second))
	storetest.MoveSession(t, r.databaseURL, moved, -15*time.Minute)
	taking := r.call(t, http.MethodGet, "/v1/candidate/session", r.invites[moved], "")
	if taking["status"] != "IN_PROGRESS" {
		t.Fatalf("the session is %v", taking["status"])
	}
	return moved
}

// once publishes an assessment at which nobody has a second attempt, with an attempt of Mary.
func (r *released) once(t *testing.T) {
	t.Helper()
	first := r.assessmentID
	draft := r.post(t, "/v1/assessments", r.owner, `{"title": "Once", "repeatRule": "NEVER", "stages": [{"title": "Once",
		"questions": [{"type": "NUMERIC", "prompt": "How many?", "points": 1, "answer": 3, "tolerance": 0}]}]}`)
	r.assessmentID = draft["id"].(string)
	r.post(t, "/v1/assessments/"+r.assessmentID+"/publish", r.owner, "")
	mary := r.invite(t, "Mary")
	r.post(t, "/v1/candidate/session/start", r.invites[mary], "")
	r.call(t, http.MethodGet, "/v1/candidate/session/stage", r.invites[mary], "")
	r.post(t, "/v1/candidate-sessions/"+mary+"/cancel", r.owner, "")
	r.assessmentID = first
}

// judge lets answers wait for grades, and decides about two gates.
func (r *released) judge(t *testing.T, email, password string) {
	t.Helper()
	r.essays(t, email, password)
	for _, decision := range []string{"PASS", "STOP"} {
		session := "/v1/candidate-sessions/" + r.reviewSession(t, email, password)
		stage := r.call(t, http.MethodGet, session+"/open-decision", r.owner, "")["stageId"].(string)
		r.post(t, session+"/rulings", r.owner,
			`{"stageId": "`+stage+`", "decision": "`+decision+`", "reason": "The question was about other equipment"}`)
	}
}

// end reads the data of a person, erases a candidate, archives an assessment, and cancels the deletion of the
// organization.
func (r *released) end(t *testing.T) {
	t.Helper()
	r.call(t, http.MethodDelete, "/v1/candidate-sessions/"+r.invite(t, "Joan")+"/candidate-data", r.owner, "")
	draft := r.post(t, "/v1/assessments", r.owner, `{"title": "Last year", "stages": [{"title": "All", "questions": [
		{"type": "NUMERIC", "prompt": "How many?", "points": 1, "answer": 3, "tolerance": 0}]}]}`)["id"].(string)
	r.post(t, "/v1/assessments/"+draft+"/publish", r.owner, "")
	r.post(t, "/v1/assessments/"+draft+"/archive", r.owner, "")
	r.post(t, "/v1/candidate-data", r.owner, `{"email": "joan@candidates.example"}`)
	organization := r.call(t, http.MethodGet, "/v1/organization", r.owner, "")
	r.audited(t, organization["id"].(string))
	name := encode(organization["name"])
	r.post(t, "/v1/organization/deletion", r.owner, `{"name": `+string(name)+`}`)
	r.call(t, http.MethodDelete, "/v1/organization/deletion", r.owner, "")
}

// audited adds entries to the audit log for actions that need a provider, DNS, or an authenticator app.
func (r *released) audited(t *testing.T, organizationID string) {
	t.Helper()
	for i, action := range []string{
		"SECOND_FACTOR_ADDED", "SECOND_FACTOR_REMOVED", "SECOND_FACTOR_FAILED", "SECOND_FACTOR_RESET", "RECOVERY_CODE_USED",
		"RECOVERY_CODES_CREATED", "MEMBER_CHANGED", "MEMBER_DEACTIVATED", "MEMBER_REACTIVATED", "SIGN_IN_PROVIDER_CHANGED",
		"SIGN_IN_PROVIDER_DELETED", "SIGN_IN_DOMAIN_ADDED", "SIGN_IN_DOMAIN_VERIFIED", "SIGN_IN_DOMAIN_REMOVED",
		"SIGN_IN_RECOVERY_CODES_CREATED", "SIGN_IN_RECOVERY_CODE_USED", "PROVIDER_SIGNED_IN", "PROVIDER_SIGN_IN_FAILED",
	} {
		id := fmt.Sprintf("aud_%026d", i+1)
		storetest.AddAuditEntry(t, r.databaseURL, organizationID, id, action)
	}
}

// delivered returns the bodies of the webhooks, when each type of event that is new since the last release has arrived.
func (r *released) delivered(t *testing.T) (bodies []string) {
	t.Helper()
	eventually(t, "the webhooks arrive", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		bodies = slices.Clone(r.webhooks)
		all := strings.Join(bodies, "\n")
		for _, kind := range []string{"candidate.completed", "candidate.result_corrected", "candidate.reopened",
			"candidate.submitted", "candidate.review_requested", "candidate.erased", "assessment.archived"} {
			if !strings.Contains(all, `"`+kind+`"`) {
				return false
			}
		}
		return true
	})
	return bodies
}

func eventually(t *testing.T, what string, isSo func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !isSo(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("30 s have passed before %s", what)
		}
	}
}
