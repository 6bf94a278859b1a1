package contract

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// pooled returns an assessment with one fixed question, which gives 2 points, and a pool of 2 questions with the tag.
func pooled(tag string, points float64, extra ...object) object {
	definition := object{"title": "Drawn", "passingScore": 50, "stages": []any{object{
		"title": "Only", "gate": object{"required": true, "minScore": 10}, "questions": []any{
			object{"type": "NUMERIC", "prompt": "Fixed?", "points": 2, "answer": 7},
		}, "pools": []any{object{"title": "Two of them", "count": 2, "points": points, "tags": []any{tag}}},
	}}}
	for _, e := range extra {
		maps.Copy(definition, e)
	}
	return definition
}

// drawnBy starts a session, and returns the ids of its questions in the order of the candidate.
func (a *api) drawnBy(who credential) (ids []string, stageID string) {
	a.t.Helper()
	a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	return a.drawnNow(who)
}

func (a *api) drawnNow(who credential) (ids []string, stageID string) {
	a.t.Helper()
	stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
	for i := range stage.list("data.questions") {
		ids = append(ids, stage.text(fmt.Sprintf("data.questions.%d.id", i)))
	}
	if n := stage.number("data.questionCount"); n != float64(len(ids)) {
		a.t.Errorf("%v questions are announced, and %d shown", n, len(ids))
	}
	return ids, stage.text("data.id")
}

// Each candidate gets questions of their own, which never change, on every replica. No other question of the pool
// exists for them: they cannot answer it, and their result does not have it.
func TestPool(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		bank := map[string]bool{}
		for i := range 6 {
			bank[o.bank(fmt.Sprint("Pool ", i, "?"), 4, "Pool")] = true
		}
		o.bank("Not of the pool?", 4, "other")
		draft := a.do("POST", "/v1/assessments", o.owner, pooled("pool", 4)).want(201)
		at := "/v1/assessments/" + draft.text("data.id")
		a.do("POST", at+"/check", o.owner, nil).want(200).wantFields(object{"data.publishable": true})
		published := a.do("POST", at+"/publish", o.owner, nil).want(200)
		published.wantFields(object{"data.questionCount": 3.0, "data.maxPoints": 10.0,
			"data.stages.0.pools.0.questionCount": 6.0, "data.stages.0.questions.0.poolId": nil})
		pool, all := published.text("data.stages.0.pools.0.id"), []string{}
		for i := range published.list("data.stages.0.questions") {
			question := fmt.Sprintf("data.stages.0.questions.%d.", i)
			all = append(all, published.text(question+"id"))
			if i > 0 {
				published.wantFields(object{question + "poolId": pool, question + "bankVersion": 1.0})
				delete(bank, published.text(question+"bankQuestionId"))
			}
		}
		if len(all) != 7 || len(bank) != 0 {
			t.Fatalf("%d questions, without %v", len(all), bank)
		}
		a.do("GET", "/v1/public/assessments/"+draft.text("data.id"), o.key(), nil).want(200).wantFields(object{
			"data.questionCount": 3.0, "data.stages.0.pools.0.count": 2.0, "data.stages.0.questions.1.poolId": pool})

		sets := map[string]bool{}
		for range 6 {
			session := o.invite(draft.text("data.id"))
			who, id := session.candidate(), session.text("data.id")
			given, stageID := a.drawnBy(who)
			if again, _ := b.drawnNow(who); !slices.Equal(again, given) || len(given) != 3 || given[0] != all[0] {
				t.Fatalf("drawn %v, and then %v", given, again)
			}
			slices.Sort(given[1:])
			sets[fmt.Sprint(given)] = true
			other := all[slices.IndexFunc(all, func(id string) bool { return !slices.Contains(given, id) })]
			a.do("PUT", "/v1/candidate/session/answers/"+other, who, object{"number": 7}).want(404, "not_found")
			b.do("GET", "/v1/candidate-sessions/"+id+"/progress", o.owner, nil).want(200).wantFields(object{
				"data.questionCount": 3.0})
			for _, question := range given[:2] { // not the last
				b.do("PUT", "/v1/candidate/session/answers/"+question, who, object{"number": 7}).want(200)
			}
			a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stageID, "clientId": "page",
				"answers": []any{object{"questionId": other, "answer": object{"number": 7}, "revision": 1}}}).want(200)
			result := o.result(o.key(), id)
			result.wantFields(object{"data.maxPoints": 10.0, "data.points": 6.0, "data.score": 60.0, "data.passed": true})
			a.do("PUT", "/v1/candidate-sessions/"+id+"/grades/"+other, o.owner,
				object{"points": 1, "reason": "Not theirs", "version": 0}).want(404, "not_found")
			for i := range result.list("data.stages.0.questions") {
				question := fmt.Sprintf("data.stages.0.questions.%d.", i)
				if !slices.Contains(given, result.text(question+"id")) {
					t.Errorf("the result has %s: %v", result.text(question+"id"), given)
				}
				if i > 0 {
					result.wantFields(object{question + "poolId": pool, question + "bankVersion": 1.0})
				}
			}
		}
		if len(sets) < 2 {
			t.Error("all candidates got the same questions")
		}
	})
}

// The statistics of a question of a pool are about those who were given it, and so are those of the bank. A correction
// reaches the sessions that have the question, and no other.
func TestPoolStatisticsAndCorrections(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		var bank []string
		for i := range 4 {
			bank = append(bank, o.bank(fmt.Sprint("Pool ", i, "?"), 4, "pool"))
		}
		assessment := o.publish(pooled("pool", 4))
		read := a.do("GET", "/v1/assessments/"+assessment, o.owner, nil).want(200)
		given := map[string]float64{}
		sessions := map[string][]string{}
		const candidates = 12
		for range candidates {
			session := o.invite(assessment)
			ids, stageID := a.drawnBy(session.candidate())
			for i, id := range ids {
				given[id]++
				a.do("PUT", "/v1/candidate/session/answers/"+id, session.candidate(),
					object{"number": []int{7, 7, 8}[i]}).want(200) // the last is wrong
			}
			a.do("POST", "/v1/candidate/session/stage/submit", session.candidate(), object{"stageId": stageID}).want(200)
			sessions[session.text("data.id")] = ids
		}
		o.preview(assessment) // never counts
		a.fold()

		questions := a.do("GET", "/v1/assessments/"+assessment+"/statistics/questions", o.owner, nil).want(200)
		byBank := map[string]string{}
		for i := range questions.list("data.questions") {
			at := fmt.Sprintf("data.questions.%d.", i)
			id := questions.text(at + "id")
			questions.wantFields(object{at + "reached": given[id], at + "answered": given[id]})
			if i > 0 {
				byBank[read.text(fmt.Sprintf("data.stages.0.questions.%d.bankQuestionId", i))] = id
			}
		}
		total := 0.0
		for _, id := range bank {
			statistics := a.do("GET", "/v1/questions/"+id+"/statistics", o.owner, nil).want(200)
			exposed := given[byBank[id]]
			statistics.wantFields(object{"data.exposures": exposed, "data.answers": exposed})
			total += exposed
			if exposed == 0 {
				statistics.wantFields(object{"data.correctShare": nil, "data.assessments": []any{}})
				continue
			}
			if statistics.number("data.correctShare") != statistics.number("data.pointsShare") {
				t.Errorf("shares of points and of correct answers differ: %s", statistics.body)
			}
			statistics.wantFields(object{"data.assessments.0.assessmentId": assessment, "data.assessments.0.exposures": exposed,
				"data.assessments.0.assessmentTitle": "Drawn"})
		}
		if total != 2*candidates {
			t.Errorf("%v exposures, want %d", total, 2*candidates)
		}

		target := slices.MaxFunc(slices.Collect(maps.Values(byBank)),
			func(a, b string) int { return int(given[a] - given[b]) })
		key := object{"questionId": target, "action": "REPLACE_KEY", "key": object{"answer": 8}, "policy": "EXACT",
			"reason": "Wrong key"}
		effect := a.do("POST", "/v1/assessments/"+assessment+"/correction-preview", o.owner, key).want(200)
		effect.wantFields(object{"data.examined": float64(candidates), "data.changed": given[target]})
		a.do("POST", "/v1/assessments/"+assessment+"/corrections", o.owner, key).want(201)
		a.correct()
		a.fold()
		for id, ids := range sessions {
			result := a.do("GET", "/v1/candidate-sessions/"+id+"/result", o.owner, nil).want(200)
			want, revision := 0, 1.0
			if slices.Contains(ids, target) {
				want, revision = 1, 2
			}
			result.wantFields(object{"data.revision": revision, "data.maxPoints": 10.0})
			if n := len(result.list("data.corrections")); n != want {
				t.Errorf("session %s with %v has %d corrections, want %d", id, ids, n, want)
			}
		}
		for bankID, id := range byBank {
			a.do("GET", "/v1/questions/"+bankID+"/statistics", o.owner, nil).want(200).wantFields(object{
				"data.exposures": given[id]})
		}

		for id := range sessions {
			a.do("DELETE", "/v1/candidate-sessions/"+id+"/candidate-data", o.owner, nil).want(204)
		}
		a.fold()
		for bankID, id := range byBank {
			a.do("GET", "/v1/questions/"+bankID+"/statistics", o.owner, nil).want(200).wantFields(object{
				"data.exposures": given[id], "data.answers": given[id]})
		}
	})
}

// Questions that a candidate might be the only ones to get cannot be excluded: their maximum would be 0.
func TestExcludedQuestionsOfAPool(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		for i := range 3 {
			o.bank(fmt.Sprint("Pool ", i, "?"), 4, "pool")
		}
		definition := pooled("pool", 4)
		definition["stages"].([]any)[0].(object)["questions"] = []any{}
		id := o.publish(definition)
		read := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200)
		exclude := func(i int) response {
			return a.do("POST", "/v1/assessments/"+id+"/corrections", o.owner, object{
				"questionId": read.text(fmt.Sprintf("data.stages.0.questions.%d.id", i)), "action": "EXCLUDE", "reason": "None",
			})
		}
		exclude(0).want(201)
		exclude(1).want(400, "invalid_request")
	})
}

// A preview of a draft draws from the bank as it is, and stays as it was.
func TestPoolPreview(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		ids := []string{o.bank("One?", 4, "pool"), o.bank("Two?", 4, "pool"), o.bank("Three?", 4, "pool")}
		draft := a.do("POST", "/v1/assessments", o.owner, pooled("pool", 4)).want(201)
		session := o.preview(draft.text("data.id"))
		given, stageID := a.drawnBy(session.candidate())
		for _, id := range ids {
			a.do("PATCH", "/v1/questions/"+id, o.owner, object{"archived": true}).want(200)
		}
		if again, _ := a.drawnNow(session.candidate()); !slices.Equal(given, again) || len(given) != 3 {
			t.Errorf("drawn %v, and then %v", given, again)
		}
		a.do("POST", "/v1/candidate/session/stage/submit", session.candidate(), object{"stageId": stageID}).want(200)
		a.do("GET", "/v1/candidate-sessions/"+session.text("data.id")+"/result", o.owner, nil).want(200).wantFields(object{
			"data.maxPoints": 10.0})
		a.do("GET", "/v1/questions/"+ids[0], o.owner, nil).want(200).wantFields(object{"data.usedIn": 0.0})
		a.do("GET", "/v1/assessments/"+draft.text("data.id"), o.owner, nil).want(200).wantFields(object{
			"data.stages.0.pools.0.questionCount": nil})
	})
}
