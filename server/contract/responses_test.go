package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// everyType returns an assessment with each type of question, in two stages. The first question is a required gate.
func everyType() object {
	return object{"title": "Every type", "passingScore": 50, "stages": []any{
		object{"title": "Gate", "gate": object{"required": true, "minScore": 50}, "questions": []any{object{
			"type": "SINGLE_CHOICE", "prompt": "=First?", "points": 2, "correctOptionId": "a",
			"options": []any{object{"id": "a", "text": "+A"}, object{"id": "-b", "text": "B"}},
		}}},
		object{"title": "Rest", "questions": []any{
			object{"type": "MULTIPLE_CHOICE", "prompt": "Second?", "points": 3, "partialCredit": true,
				"correctOptionIds": []any{"x", "y"}, "options": []any{object{"id": "x", "text": "X"},
					object{"id": "y", "text": "Y"}, object{"id": "-z", "text": "Z"}}},
			object{"type": "NUMERIC", "prompt": "Third?", "points": 1, "answer": -2.5},
			object{"type": "SHORT_TEXT", "prompt": "Fourth?", "points": 1, "acceptedAnswers": []any{"laminar"}},
			object{"type": "FREE_TEXT", "prompt": "Fifth?", "points": 1},
		}},
	}}
}

// takeWith answers the questions of an assessment stage by stage, and returns the id of the session. A nil answer is
// not given.
func (o *tenant) takeWith(session response, answers ...[]object) string {
	a, who := o.api, session.candidate()
	a.t.Helper()
	a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	for _, given := range answers {
		stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
		for i, answer := range given {
			if answer != nil {
				a.do("PUT", "/v1/candidate/session/answers/"+stage.text(fmt.Sprintf("data.questions.%d.id", i)), who, answer).
					want(200)
			}
		}
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")}).want(200)
	}
	return session.text("data.id")
}

// matrix is the response matrix by session and column. order has the sessions.
func (o *tenant) matrix(assessmentID, query string) (cells map[string]map[string]string, order []string) {
	o.api.t.Helper()
	rows := o.api.do("GET", "/v1/assessments/"+assessmentID+"/responses/export"+query, o.owner, nil).want(200).csv()
	cells = map[string]map[string]string{}
	for _, row := range rows[1:] {
		cells[row[0]] = map[string]string{}
		for i, column := range rows[0] {
			cells[row[0]][column] = row[i]
		}
		order = append(order, row[0])
	}
	return cells, order
}

// wantCells compares cells of one row.
func wantCells(t *testing.T, got, want map[string]string) {
	t.Helper()
	for column, cell := range want {
		if present, known := got[column]; !known || present != cell {
			t.Errorf("%s is %q, want %q", column, present, cell)
		}
	}
}

// The matrix has a line for each finished session with the points and the choices, and nothing that names a candidate.
func TestResponseMatrix(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key, id := o.key("results:read"), o.publish(everyType())
		right, nothing := []object{{"optionId": "a"}}, []object{}
		completed := o.takeWith(o.invite(id, object{
			"candidateName": "Grace Hopper", "externalId": "external-7", "metadata": object{"source": "careers-page"},
		}), right, []object{
			{"optionIds": []any{"-z", "x"}}, {"number": -2.5}, {"text": "=1+1"}, nil,
		})
		a.clock.Advance(90 * time.Second)
		stopped := o.takeWith(o.invite(id), []object{{"optionId": "-b"}})
		silent := o.takeWith(o.invite(id), right, nothing)
		o.invite(id)                                                                         // INVITED
		a.do("POST", "/v1/candidate/session/start", o.invite(id).candidate(), nil).want(200) // IN_PROGRESS
		waiting := o.takeWith(o.invite(id), right, []object{nil, nil, {"text": "Laminar"}, {"text": "I am Grace"}})
		o.takeWith(o.preview(id), right, nothing)
		o.takeWith(o.invite(o.publish(everyType())), right, nothing)

		cells, order := o.matrix(id, "")
		if want := []string{completed, stopped, silent}; !slices.Equal(order, want) {
			t.Fatalf("the sessions are %q, want %q", order, want)
		}
		ended := a.do("GET", "/v1/candidate-sessions/"+completed, o.owner, nil).want(200).text("data.completedAt")
		wantCells(t, cells[completed], map[string]string{
			"attempt": "1", "status": "COMPLETED", "endedAt": ended, "language": "", "score": "37.5", "passed": "FALSE",
			"durationSeconds": "0", "s1q1_points": "2", "s1q1_choice": "a", "s2q1_points": "0", "s2q1_choice": "'-z;x",
			"s2q2_points": "1", "s2q2_choice": "-2.5", "s2q3_points": "0", "s2q3_choice": "'=1+1", "s2q4_points": "0",
			"s2q4_choice": "",
		})
		wantCells(t, cells[stopped], map[string]string{
			"status": "DISQUALIFIED", "score": "0", "passed": "", "s1q1_points": "0", "s1q1_choice": "'-b",
			"s2q1_points": "", "s2q1_choice": "", "s2q4_points": "", "s2q4_choice": "",
		})
		wantCells(t, cells[silent], map[string]string{
			"status": "COMPLETED", "s2q1_points": "0", "s2q1_choice": "", "s2q3_points": "0", "s2q3_choice": "",
		})

		questionID := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).text("data.stages.1.questions.3.id")
		a.do("PUT", "/v1/candidate-sessions/"+waiting+"/grades/"+questionID, o.owner,
			object{"points": 0.5, "reason": "Half", "version": 0}).want(200)
		cells, order = o.matrix(id, "")
		if len(order) != 4 {
			t.Fatalf("the sessions are %q", order)
		}
		wantCells(t, cells[waiting], map[string]string{
			"s2q1_points": "0", "s2q3_points": "1", "s2q3_choice": "Laminar", "s2q4_points": "0.5", "s2q4_choice": "",
		})

		file := a.do("GET", "/v1/assessments/"+id+"/responses/export", o.owner, nil).want(200)
		if got := file.header.Get("Content-Type") + file.header.Get("Content-Disposition"); got !=
			`text/csv; charset=utf-8attachment; filename="responses.csv"` {
			t.Errorf("headers %s", got)
		}
		for _, private := range []string{"Grace", "candidate", "external-7", "careers-page", "@"} {
			if strings.Contains(string(file.body), private) {
				t.Errorf("the matrix contains %q", private)
			}
		}
		public := a.do("GET", "/v1/public/assessments/"+id+"/responses/export", key, nil).want(200)
		if string(public.body) != string(file.body) {
			t.Errorf("the API key gets\n%s\nthe person\n%s", public.body, file.body)
		}
	})
}

// A period selects sessions by their end, also those that a gate has ended.
func TestResponsesOfAPeriod(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(everyType())
		var ends []string
		var sessions []string
		for i := range 4 {
			answers := [][]object{{{"optionId": "-b"}}}
			if i%2 == 0 {
				answers = [][]object{{{"optionId": "a"}}, {}}
			}
			sessions, ends = append(sessions, o.takeWith(o.invite(id), answers...)), append(ends, wire(a.clock.Now()))
			a.clock.Advance(time.Minute)
		}
		for query, want := range map[string][]string{
			"?completedSince=" + ends[1]:                                sessions[1:],
			"?completedUntil=" + ends[1]:                                sessions[:1],
			"?completedSince=" + ends[1] + "&completedUntil=" + ends[3]: sessions[1:3],
			"?completedSince=" + wire(a.clock.Now()):                    nil,
		} {
			if _, got := o.matrix(id, query); !slices.Equal(got, want) {
				t.Errorf("%s: the sessions are %q, want %q", query, got, want)
			}
		}
	})
}

// An erasure leaves the points and removes the choices. Points follow corrections. So does the code book.
func TestResponsesAfterErasuresAndCorrections(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(wrongKey())
		first, second := o.invite(id), o.invite(id)
		a.answerKeys(first.candidate(), "a", "b", "sesame")
		a.answerKeys(second.candidate(), "a", "a", "wrong")
		question := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).text("data.stages.1.questions.0.id")
		a.do("DELETE", "/v1/candidate-sessions/"+first.text("data.id")+"/candidate-data", o.owner, nil).want(204)
		before, _ := o.matrix(id, "")
		wantCells(t, before[first.text("data.id")], map[string]string{
			"score": "66.67", "s1q1_points": "5", "s1q1_choice": "", "s2q1_points": "0", "s2q2_points": "5", "s2q2_choice": "",
		})
		book := "/v1/assessments/" + id + "/responses/code-book"
		option := func(of string) []string {
			t.Helper()
			rows := a.do("GET", book, o.owner, nil).want(200).csv()
			i := slices.IndexFunc(rows, func(row []string) bool { return row[4] == question && row[7] == of })
			return rows[i][9:]
		}
		if got := option("b"); !slices.Equal(got, []string{"FALSE", "0"}) {
			t.Errorf("the option is %q before the correction", got)
		}
		a.do("POST", "/v1/assessments/"+id+"/corrections", o.owner, object{"questionId": question, "action": "ACCEPT_ALSO",
			"key": object{"correctOptionId": "b"}, "policy": "EXACT", "reason": "Both are right"}).want(201)
		a.correct()
		if got := option("b"); !slices.Equal(got, []string{"TRUE", "5"}) {
			t.Errorf("the option is %q after the correction", got)
		}
		a.do("POST", "/v1/assessments/"+id+"/corrections", o.owner, object{"questionId": question, "action": "EXCLUDE",
			"policy": "EXACT", "reason": "Ambiguous"}).want(201)
		a.correct()
		after, _ := o.matrix(id, "")
		wantCells(t, after[second.text("data.id")], map[string]string{
			"score": "50", "s1q1_points": "5", "s1q1_choice": "a", "s2q1_points": "0", "s2q1_choice": "a",
		})
		rows := a.do("GET", book, o.owner, nil).want(200).csv()
		i := slices.IndexFunc(rows, func(row []string) bool { return row[0] == "s2q1_points" })
		if rows[i][6] != "0" {
			t.Errorf("an excluded question has at most %s points", rows[i][6])
		}
	})
}

// A question of a pool that a candidate did not get is empty, and one without an answer has 0 points.
func TestResponsesOfAPool(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for i := range 4 {
			o.bank(fmt.Sprint("Pool ", i, "?"), 4, "Pool")
		}
		id := o.publish(pooled("pool", 4))
		session := o.takeWith(o.invite(id), []object{{"number": 7}})
		row, _ := o.matrix(id, "")
		given := 0
		for i := range 4 {
			switch points := row[session][fmt.Sprintf("s1q%d_points", i+2)]; points {
			case "":
			case "0":
				given++
			default:
				t.Errorf("a question of the pool has %s points", points)
			}
		}
		if given != 2 || row[session]["s1q1_points"] != "2" || row[session]["s1q1_choice"] != "7" {
			t.Errorf("the row is %v", row[session])
		}
	})
}

// Each finished session is in the file once, in the order of the ids, over several batches, however the sessions are
// mixed with others.
func TestResponseMatrixInBatches(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneQuestion())
		session := o.takeWith(o.invite(id), []object{{"number": 175}})
		last := o.takeWith(o.invite(id), []object{{"number": 3}})
		const copies = 700
		storetest.Change(t, a.database, fmt.Sprintf(`
			WITH RECURSIVE numbers(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < %d)
			INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name,
				candidate_email, candidate_email_key, metadata, status, attempt, invite_generation, extra_time_percent,
				invited_at, expires_at, started_at, completed_at, close_reason, score, progress, result, created_at, updated_at)
			SELECT id || '_' || n, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
				'copy ' || n, metadata, CASE WHEN n %% 7 = 0 OR n >= 1300 AND n < 1350 THEN 'INVITED' ELSE 'COMPLETED' END,
				attempt, invite_generation, extra_time_percent, invited_at, expires_at, started_at, completed_at,
				close_reason, score, progress, result, created_at, updated_at
			FROM candidate_sessions, numbers WHERE id = '%s'`, 1000+copies-1, session))()
		want := []string{session}
		for n := 1000; n < 1000+copies; n++ { // runs of each status, shorter and longer than a batch
			if n%7 != 0 && (n < 1300 || n >= 1350) {
				want = append(want, fmt.Sprint(session, "_", n))
			}
		}
		_, order := o.matrix(id, "")
		if !slices.Equal(order, append(want, last)) {
			t.Errorf("%d sessions, want %d", len(order), len(want)+1)
		}
	})
}
