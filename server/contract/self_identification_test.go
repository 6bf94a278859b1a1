package contract

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

const ownAnswersPath = "/v1/candidate/session/self-identification"

// asked are voluntary questions with options that occur nowhere else.
func asked() object {
	return object{"questions": []any{
		object{"id": "sex", "text": "What is your sex?", "options": []any{
			object{"id": "opt-fem", "text": "Female"}, object{"id": "opt-mal", "text": "Male"},
			object{"id": "opt-div", "text": "Diverse"},
		}},
		object{"id": "age", "text": "How old are you?", "options": []any{
			object{"id": "under", "text": "Under 40"}, object{"id": "over", "text": "40 or older"},
		}},
	}}
}

// chosen is the body with the options, by pairs of a question and an option.
func chosen(pairs ...string) object {
	answers := []any{}
	for pair := range slices.Chunk(pairs, 2) {
		answers = append(answers, object{"questionId": pair[0], "optionId": pair[1]})
	}
	return object{"answers": answers}
}

// asking publishes an assessment of one question with voluntary questions.
func (o *tenant) asking(extra ...object) (id, path string) {
	o.api.t.Helper()
	id = o.publish(oneQuestion(append([]object{{"passingScore": 50}}, extra...)...))
	path = "/v1/assessments/" + id + "/self-identification"
	o.api.do("PUT", path, o.owner, asked()).want(200)
	return id, path
}

// end takes an assessment of one question.
func (a *api) end(who credential, right bool) {
	a.t.Helper()
	a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, right)}).want(200)
}

// The questions belong to an assessment in any status. A copy has them, and a draft that is deleted takes them with it.
func TestSelfIdentification(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		draft := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		path := "/v1/assessments/" + draft + "/self-identification"
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.questions": []any{}, "data.updatedAt": nil})
		at := wire(a.store.Now())
		want := object{"data.questions": asked()["questions"], "data.updatedAt": at}
		a.do("PUT", path, o.member("ADMIN").who, asked()).want(200).wantFields(want)
		a.clock.Advance(time.Minute)
		a.do("PUT", path, o.owner, asked()).want(200).wantFields(want) // a repetition changes nothing
		a.do("GET", path, o.owner, nil).want(200).wantFields(want)
		entries := a.do("GET", "/v1/audit-log?resourceId="+draft+"&action=ASSESSMENT_UPDATED", o.owner, nil).want(200)
		if got := entries.list("data"); len(got) != 1 || entries.at("data.0.changes.0.field") != "selfIdentification" {
			t.Errorf("the audit log has %s", entries.body)
		}

		copied := a.do("POST", "/v1/assessments/"+draft+"/duplicate", o.owner, nil).want(201).text("data.id")
		copiedPath := "/v1/assessments/" + copied + "/self-identification"
		a.do("GET", copiedPath, o.owner, nil).want(200).wantFields(object{"data.questions": asked()["questions"]})
		a.do("DELETE", "/v1/assessments/"+draft, o.owner, nil).want(204)
		a.do("GET", path, o.owner, nil).want(404, "not_found")
		if got := storetest.Count(t, a.database, "self_identifications"); got != 1 {
			t.Errorf("%d rows remain, want that of the copy", got)
		}
		for _, verb := range []string{"publish", "archive"} {
			a.do("POST", "/v1/assessments/"+copied+"/"+verb, o.owner, nil).want(200)
			a.do("PUT", copiedPath, o.owner, object{"questions": []any{}}).want(200).
				wantFields(object{"data.questions": []any{}})
			a.do("PUT", copiedPath, o.owner, asked()).want(200)
		}
	})
}

// Each fault of the questions is named.
func TestSelfIdentificationFaults(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		_, path := o.asking()
		option := func(id, text string) object { return object{"id": id, "text": text} }
		question := func(id string, options ...any) object { return object{"id": id, "text": "T", "options": options} }
		two := []any{option("a", "A"), option("b", "B")}
		for name, test := range map[string]struct {
			questions []any
			fault     string
		}{
			"two questions with an id": {[]any{question("q", two...), question("q", two...)},
				"body /questions/1/id duplicate"},
			"two options with an id": {[]any{question("q", option("a", "A"), option("a", "B"))},
				"body /questions/0/options/1/id duplicate"},
			"one option":            {[]any{question("q", option("a", "A"))}, "body /questions/0/options too_few_items"},
			"a blank text":          {[]any{question("q", option("a", " "), two[1])}, "body /questions/0/options/0/text"},
			"six":                   {slices.Repeat([]any{question("q", two...)}, 6), "body /questions too_many_items"},
			"an id with upper case": {[]any{question("Q", two...)}, "body /questions/0/id"},
		} {
			refused := a.do("PUT", path, o.owner, object{"questions": test.questions}).want(400, "invalid_request")
			if got := refused.faults(); !slices.ContainsFunc(got, func(fault string) bool {
				return strings.HasPrefix(fault, test.fault)
			}) {
				t.Errorf("%s: %v, want %s", name, got, test.fault)
			}
		}
		// Two questions can have options with the same ids.
		a.do("PUT", path, o.owner, object{"questions": []any{question("q", two...), question("r", two...)}}).want(200)
	})
}

// Only owners and admins see the questions and the groups. Another organization's assessment does not exist.
func TestSelfIdentificationRoles(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		id, path := o.asking()
		groups := "/v1/assessments/" + id + "/statistics/groups"
		for _, role := range []string{"ADMIN", "EDITOR", "REVIEWER", "MEMBER"} {
			who, status := o.member(role).who, 403
			if role == "ADMIN" {
				status = 200
			}
			a.do("GET", path, who, nil).want(status)
			a.do("PUT", path, who, asked()).want(status)
			a.do("GET", groups, who, nil).want(status)
		}
		for _, unknown := range []struct {
			method, path string
			body         any
		}{{"GET", path, nil}, {"PUT", path, asked()}, {"GET", groups, nil}} {
			missing := strings.Replace(unknown.path, id, a.store.NewID("asm"), 1)
			wantSame(t, a.do(unknown.method, unknown.path, other.owner, unknown.body).want(404, "not_found"),
				a.do(unknown.method, missing, other.owner, unknown.body).want(404, "not_found"))
		}
	})
}

// Candidates answer after the end, can change their answers, and withdraw them.
func TestOwnSelfIdentification(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id, path := o.asking()
		invite := o.invite(id)
		who := invite.candidate()
		open := func(want bool) {
			t.Helper()
			a.do("GET", "/v1/candidate/session", who, nil).want(200).wantFields(object{"data.selfIdentification": want})
		}
		refused := func() {
			t.Helper()
			open(false)
			a.do("GET", ownAnswersPath, who, nil).want(409, "session_not_finished")
			a.do("PUT", ownAnswersPath, who, chosen("sex", "opt-fem")).want(409, "session_not_finished")
		}
		refused()
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
		refused()
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, true)}).want(200)
		open(true)

		a.do("GET", ownAnswersPath, who, nil).want(200).wantFields(object{
			"data.questions": asked()["questions"], "data.answers": []any{},
		})
		both := chosen("sex", "opt-fem", "age", "over")
		a.do("PUT", ownAnswersPath, who, both).want(200).wantFields(object{"data.answers": both["answers"]})
		a.do("GET", ownAnswersPath, who, nil).want(200).wantFields(object{"data.answers": both["answers"]})
		changed := chosen("sex", "opt-mal")
		a.do("PUT", ownAnswersPath, who, changed).want(200).wantFields(object{"data.answers": changed["answers"]})
		for fault, body := range map[string]object{
			"body /answers/1/questionId unknown_id": chosen("sex", "opt-fem", "height", "tall"),
			"body /answers/0/optionId unknown_id":   chosen("sex", "over"),
			"body /answers/1/questionId duplicate":  chosen("sex", "opt-fem", "sex", "opt-mal"),
		} {
			if got := a.do("PUT", ownAnswersPath, who, body).want(400, "invalid_request").faults(); got[0] != fault {
				t.Errorf("%v, want %s", got, fault)
			}
		}
		a.do("GET", ownAnswersPath, who, nil).want(200).wantFields(object{"data.answers": changed["answers"]})

		// An answer to a removed option is not shown, and is there again with the option.
		fewer := asked()["questions"].([]any)[1:]
		a.do("PUT", path, o.owner, object{"questions": fewer}).want(200)
		a.do("GET", ownAnswersPath, who, nil).want(200).wantFields(object{"data.questions": fewer, "data.answers": []any{}})
		a.do("PUT", path, o.owner, object{"questions": []any{}}).want(200)
		open(false)
		a.do("PUT", path, o.owner, asked()).want(200)
		a.do("GET", ownAnswersPath, who, nil).want(200).wantFields(object{"data.answers": changed["answers"]})

		a.do("PUT", ownAnswersPath, who, chosen()).want(200).wantFields(object{"data.answers": []any{}})
		if got := storetest.Count(t, a.database, "group_answers"); got != 0 {
			t.Errorf("%d rows remain", got)
		}
		late := o.invite(id, object{"expiresAt": wire(a.store.Now().Add(time.Hour))}).candidate()
		a.clock.Advance(2 * time.Hour)
		a.do("GET", ownAnswersPath, late, nil).want(410, "invite_expired")
		a.do("PUT", ownAnswersPath, late, chosen()).want(410, "invite_expired")
	})
}

// A candidate whose last stage waits for a decision has nothing left to do, and can answer. A candidate who may go on
// after the decision cannot.
func TestOwnSelfIdentificationInReview(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for status, definition := range map[int]object{200: timed(0, 0), 409: timed(0, 0, 0)} {
			definition["stages"].([]any)[0].(object)["gate"] = object{"required": true, "minScore": 50, "onFail": "REVIEW"}
			id := o.publish(definition)
			a.do("PUT", "/v1/assessments/"+id+"/self-identification", o.owner, asked()).want(200)
			b := o.begin(id)
			a.save(b, 1).want(200)
			a.submit(b).want(200).wantFields(object{"data.status": "IN_REVIEW"})
			a.do("GET", "/v1/candidate/session", b.who, nil).want(200).
				wantFields(object{"data.selfIdentification": status == 200})
			a.do("PUT", ownAnswersPath, b.who, chosen("sex", "opt-fem")).want(status)
		}
	})
}

// Answers to a preview are checked and not stored.
func TestOwnSelfIdentificationOfPreviews(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id, _ := o.asking()
		who := o.preview(id).candidate()
		a.end(who, true)
		a.do("PUT", ownAnswersPath, who, chosen("sex", "over")).want(400, "invalid_request")
		a.do("PUT", ownAnswersPath, who, chosen("sex", "opt-fem")).want(200).
			wantFields(object{"data.answers": chosen("sex", "opt-fem")["answers"]})
		a.do("GET", ownAnswersPath, who, nil).want(200).wantFields(object{"data.answers": []any{}})
		if storetest.Count(t, a.database, "group_answers")+storetest.Count(t, a.database, "group_changes") > 0 {
			t.Error("answers to a preview are stored")
		}
	})
}

// No table, no file, and no response to the organization has the answer of a candidate, except an access request. An
// erasure removes it.
func TestAnswersStaySecret(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		o.hook()
		id, path := o.asking()
		email := newEmail()
		invite := o.invite(id, object{"candidateEmail": email})
		who, session := invite.candidate(), invite.text("data.id")
		a.end(who, true)
		a.do("PUT", ownAnswersPath, who, chosen("sex", "opt-fem", "age", "over")).want(200)
		a.publishGroups()
		a.do("PUT", path, o.owner, object{"questions": []any{}}).want(200) // the options are in no other table
		if stored := storetest.Contents(t, a.database, "group_answers", "group_changes", "group_statistics", "audit_log",
			"events", "candidate_sessions", "assessment_statistics", "idempotency_keys"); strings.Contains(stored, "opt-fem") {
			t.Error("the option is stored as plain text")
		}
		read := o.readEverywhere(o.key(), session, "")
		for name, response := range read {
			if strings.Contains(string(response.body), "opt-fem") || strings.Contains(string(response.body), "Female") {
				t.Errorf("%s has the answer: %s", name, response.body)
			}
		}
		// Removed texts are shown by their ids.
		answers := func() any { return a.known(o.owner, email).at("data.sessions.0.selfIdentification") }
		pairs := func(pairs ...string) (list []any) {
			for pair := range slices.Chunk(pairs, 2) {
				list = append(list, map[string]any{"question": pair[0], "answer": pair[1]})
			}
			return list
		}
		want := func(list []any) {
			t.Helper()
			if got := answers(); !reflect.DeepEqual(asJSON(t, got), asJSON(t, list)) {
				t.Errorf("the access has %v, want %v", got, list)
			}
		}
		want(pairs("age", "over", "sex", "opt-fem"))
		a.do("PUT", path, o.owner, asked()).want(200)
		want(pairs("What is your sex?", "Female", "How old are you?", "40 or older"))
		page := a.do("POST", dataPath+"/page", o.owner, object{"email": email}).want(200)
		if !strings.Contains(string(page.body), "What is your sex? · Female") {
			t.Errorf("the page has no answer: %s", page.body)
		}

		a.erase(o.owner, session).want(204)
		if got := storetest.Count(t, a.database, "group_answers"); got != 0 {
			t.Errorf("%d rows remain after the erasure", got)
		}
		a.do("GET", ownAnswersPath, who, nil).want(401)
	})
}

// The answers move with an organization to another database with another master secret, and can be encrypted anew.
func TestMovedAnswers(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id, _ := o.asking()
		o.answering(id, "opt-fem", 12, 6)
		o.groups(id)
		last := o.answering(id, "opt-mal", 1, 1)[0]
		var content strings.Builder
		opts := store.ArchiveOptions{Passphrase: "a passphrase for archives", WorkFactor: 4}
		if _, err := a.store.UnscopedExport(t.Context(), &content, opts); err != nil {
			t.Fatal(err)
		}
		for _, to := range storetest.Databases {
			address := storetest.URL(t, to)
			moved := storetest.OpenURL(t, address, a.clock.Now, storetest.Secrets(t, anotherSecret, storetest.Secret))
			if _, err := moved.UnscopedImport(t.Context(), strings.NewReader(content.String()), opts); err != nil {
				t.Fatal(err)
			}
			b := serve(t, moved, a.clock)
			b.do("GET", ownAnswersPath, last.who, nil).want(200).
				wantFields(object{"data.answers": chosen("sex", "opt-mal")["answers"]})
			b.do("GET", "/v1/assessments/"+id+"/statistics/groups", o.owner, nil).want(200).
				wantFields(object{"data.questions.0.groups.0.count": 12.0})
			if got := storetest.Count(t, address, "group_changes"); got != 1 {
				t.Errorf("%d changes wait after the move, want 1", got)
			}
		}

		next := storetest.OpenSecret(t, a.database, a.clock.Now, anotherSecret, storetest.Secret)
		done, err := next.UnscopedReencrypt(t.Context())
		if err != nil || done.Changed != 13 || len(done.Lost) > 0 {
			t.Errorf("%+v: %v", done, err)
		}
		again, err := storetest.OpenSecret(t, a.database, a.clock.Now, anotherSecret).UnscopedReencrypt(t.Context())
		if err != nil || again.Changed != 0 || len(again.Lost) > 0 {
			t.Errorf("without the previous secret: %+v: %v", again, err)
		}
		lost, err := storetest.OpenSecret(t, a.database, a.clock.Now, strings.Repeat("lost secret ", 5)).
			UnscopedReencrypt(t.Context())
		if err != nil || !slices.Equal(lost.Lost, []string{id}) {
			t.Errorf("%+v: %v", lost, err)
		}
	})
}
