package contract

import (
	"math"
	"slices"
	"strings"
	"testing"

	"assay/store/storetest"
)

// rateable returns an assessment with questions of 1, 3, and 0 points, which the answer 1 solves.
func rateable() object {
	question := func(points float64) object {
		return object{"type": "NUMERIC", "prompt": "One?", "points": points, "answer": 1}
	}
	return object{"title": "Rated", "passingScore": 25, "stages": []any{
		object{"title": "First", "questions": []any{question(1)}},
		object{"title": "Second", "questions": []any{question(3), question(0)}},
	}}
}

// questionsOf returns the ids of the questions of an assessment.
func (o *tenant) questionsOf(assessmentID string) (ids []string) {
	o.api.t.Helper()
	for _, stage := range o.api.do("GET", "/v1/assessments/"+assessmentID, o.owner, nil).want(200).list("data.stages") {
		for _, question := range stage.(object)["questions"].([]any) {
			ids = append(ids, question.(object)["id"].(string))
		}
	}
	return ids
}

func cutScorePath(assessmentID string) string {
	return "/v1/assessments/" + assessmentID + "/cut-score"
}

// rate rates the first questions.
func (a *api) rate(who credential, assessmentID string, questions []string, percent ...float64) response {
	a.t.Helper()
	ratings := []any{}
	for i, p := range percent {
		ratings = append(ratings, object{"questionId": questions[i], "percent": p})
	}
	return a.do("PUT", cutScorePath(assessmentID)+"/ratings", who, object{"ratings": ratings})
}

// The figures of three judges and eight candidates, which a person can compute by hand. Those of the consistency are
// from mvtnorm::pmvnorm of R.
func TestCutScore(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(rateable())
		questions := o.questionsOf(id)
		empty := a.do("GET", cutScorePath(id), o.owner, nil).want(200)
		empty.wantFields(object{"data.cutScore": nil, "data.standardError": nil, "data.judges": []any{},
			"data.passingScore": 25, "data.atCutScore": nil, "data.atPassingScore": nil,
			"data.questions.2": object{"questionId": questions[2], "count": 0, "mean": nil, "standardDeviation": nil,
				"difficulty": nil}})

		for _, points := range [][]float64{{1, 1}, {1, 1}, {0, 1}, {1, 0}, {0, 0}, {0, 0}, {1, 1}, {1, 0}} {
			o.takeWith(o.invite(id), []object{{"number": points[0]}}, []object{{"number": points[1]}})
		}
		a.fold()
		a.do("GET", cutScorePath(id), o.owner, nil).want(200).wantFields(object{"data.cutScore": nil, "data.atCutScore": nil,
			"data.atPassingScore.score": 25, "data.atPassingScore.passRate": 75,
			"data.atPassingScore.agreement": 0.6686, "data.atPassingScore.kappa": 0.1531})

		admin, member := o.member("ADMIN"), o.member("MEMBER")
		a.rate(o.owner, id, questions, 80, 40).want(200).wantFields(object{"data.cutScore": 50,
			"data.updatedAt": wire(a.clock.Now()), "data.ratings": []object{
				{"questionId": questions[0], "percent": 80}, {"questionId": questions[1], "percent": 40}}})
		a.rate(admin.who, id, questions, 60, 60, 10).want(200).wantFields(object{"data.cutScore": 60})
		a.rate(member.who, id, questions, 100).want(200).wantFields(object{"data.cutScore": nil})
		got := a.do("GET", cutScorePath(id), member.who, nil).want(200)
		got.wantFields(object{"data.cutScore": 55, "data.standardError": 5,
			"data.questions.0": object{"questionId": questions[0], "count": 3, "mean": 80, "standardDeviation": 20,
				"difficulty": 62.5},
			"data.questions.1": object{"questionId": questions[1], "count": 2, "mean": 50, "standardDeviation": 14.14,
				"difficulty": 50},
			"data.questions.2": object{"questionId": questions[2], "count": 1, "mean": 10, "standardDeviation": nil,
				"difficulty": nil},
			"data.atCutScore": object{"score": 55, "agreement": 0.5849, "kappa": 0.1689, "passRate": 50}})
		if judges := got.list("data.judges"); len(judges) != 3 {
			t.Fatalf("the judges are %v", judges)
		}
		wantJudge(t, got, admin.id, object{"name": "Katherine Johnson", "ratedCount": 3.0, "cutScore": 60.0})
		wantJudge(t, got, member.id, object{"name": "Katherine Johnson", "ratedCount": 1.0, "cutScore": nil})

		// A judge who leaves counts.
		a.do("DELETE", "/v1/members/"+admin.id, o.owner, nil).want(204)
		got = a.do("GET", cutScorePath(id), o.owner, nil).want(200)
		got.wantFields(object{"data.cutScore": 55, "data.standardError": 5})
		wantJudge(t, got, admin.id, object{"name": nil, "ratedCount": 3.0, "cutScore": 60.0})
	})
}

// wantJudge compares fields of one judge.
func wantJudge(t *testing.T, r response, userID string, want object) {
	t.Helper()
	judges := r.list("data.judges")
	i := slices.IndexFunc(judges, func(judge any) bool { return judge.(object)["userId"] == userID })
	if i < 0 {
		t.Fatalf("no judge %s in %s", userID, r.body)
	}
	for field, value := range want {
		if got := judges[i].(object)[field]; got != value {
			t.Errorf("%s of %s is %v, want %v", field, userID, got, value)
		}
	}
}

// Ratings replace earlier ones of the same person, and can be withdrawn. Nobody sees or changes those of others.
func TestCutScoreRatings(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id, member := o.publish(rateable()), o.member("MEMBER")
		questions, path := o.questionsOf(id), cutScorePath(id)+"/ratings"
		none := object{"data.ratings": []any{}, "data.cutScore": nil, "data.updatedAt": nil}
		a.do("GET", path, o.owner, nil).want(200).wantFields(none)
		a.do("DELETE", path, o.owner, nil).want(204)
		a.rate(member.who, id, questions, 10, 20).want(200)
		a.rate(o.owner, id, questions, 50, 0).want(200)
		a.do("PUT", path, o.owner, object{"ratings": []any{object{"questionId": questions[1], "percent": 100}}}).want(200).
			wantFields(object{"data.cutScore": nil, "data.ratings": []object{{"questionId": questions[1], "percent": 100}}})
		own := a.do("GET", path, member.who, nil).want(200)
		own.wantFields(object{"data.cutScore": 17.5, "data.ratings.0.percent": 10, "data.ratings.1.percent": 20})
		for range 2 {
			a.do("DELETE", path, o.owner, nil).want(204)
		}
		a.do("GET", path, o.owner, nil).want(200).wantFields(none)
		a.do("GET", cutScorePath(id), o.owner, nil).want(200).wantFields(object{"data.cutScore": 17.5,
			"data.standardError": nil, "data.judges.0.userId": member.id})
		if tag := own.header.Get("ETag"); tag == "" {
			t.Error("the ratings have no ETag")
		}
	})
}

func TestCutScoreFaults(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(rateable())
		questions, others := o.questionsOf(id), o.questionsOf(o.publish(rateable()))
		rating := func(questionID string, percent any) object {
			return object{"questionId": questionID, "percent": percent}
		}
		for name, test := range map[string]struct {
			ratings       []any
			pointer, code string
		}{
			"another assessment": {[]any{rating(questions[0], 1), rating(others[0], 1)}, "/ratings/1/questionId", "unknown_id"},
			"a duplicate": {[]any{rating(questions[0], 1), rating(questions[1], 1), rating(questions[0], 2)},
				"/ratings/2/questionId", "duplicate"},
			"no id":        {[]any{rating("", 1)}, "/ratings/0/questionId", "too_short"},
			"above 100":    {[]any{rating(questions[0], 100.01)}, "/ratings/0/percent", "too_large"},
			"below 0":      {[]any{rating(questions[0], -0.01)}, "/ratings/0/percent", "too_small"},
			"null":         {[]any{rating(questions[0], nil)}, "/ratings/0/percent", "invalid_type"},
			"none at all":  {[]any{}, "/ratings", "too_few_items"},
			"a NUL in ids": {[]any{rating("qst_\u0000", 1)}, "/ratings/0/questionId", ""},
		} {
			refused := a.do("PUT", cutScorePath(id)+"/ratings", o.owner, object{"ratings": test.ratings}).
				want(400, "invalid_request")
			if got := refused.at("errors.0.pointer"); got != test.pointer {
				t.Errorf("%s: the pointer is %v, want %s", name, got, test.pointer)
			}
			if got := refused.at("errors.0.code"); test.code != "" && got != test.code {
				t.Errorf("%s: the code is %v, want %s", name, got, test.code)
			}
		}
		a.do("GET", cutScorePath(id)+"/ratings", o.owner, nil).want(200).wantFields(object{"data.ratings": []any{}})
	})
}

// A draft can be rated. Ratings of a question that it has lost do not count, and go with the draft.
func TestCutScoreOfADraft(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := a.do("POST", "/v1/assessments", o.owner, rateable()).want(201).text("data.id")
		a.rate(o.owner, id, o.questionsOf(id), 70, 30).want(200).wantFields(object{"data.cutScore": 40})
		kept := rateable()["stages"].([]any)[1].(object)
		kept["questions"].([]any)[0].(object)["id"] = o.questionsOf(id)[1]
		a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"stages": []any{kept}}).want(200)
		a.do("GET", cutScorePath(id)+"/ratings", o.owner, nil).want(200).wantFields(object{"data.cutScore": 30,
			"data.ratings": []object{{"questionId": o.questionsOf(id)[0], "percent": 30}}})
		a.do("GET", cutScorePath(id), o.owner, nil).want(200).wantFields(object{"data.cutScore": 30,
			"data.judges.0.ratedCount": 1})
		a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"stages": rateable()["stages"]}).want(200)
		a.do("GET", cutScorePath(id)+"/ratings", o.owner, nil).want(200).wantFields(object{"data.ratings": []any{},
			"data.updatedAt": nil})
		a.do("GET", cutScorePath(id), o.owner, nil).want(200).wantFields(object{"data.judges": []any{}})
		a.do("DELETE", "/v1/assessments/"+id, o.owner, nil).want(204)
		if rows := storetest.Count(t, a.database, "cut_score_ratings"); rows != 0 {
			t.Errorf("%d ratings remain", rows)
		}
	})
}

// A question of a pool counts by how often candidates get it: two of four questions of 4 points beside one of 2.
func TestCutScoreOfAPool(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		for range 4 {
			o.bank("Pooled?", 4, "Pool")
		}
		id := o.publish(pooled("pool", 4))
		a.rate(o.owner, id, o.questionsOf(id), 100, 20, 40, 60, 80).want(200).wantFields(object{"data.cutScore": 60})
		a.do("GET", cutScorePath(id), o.owner, nil).want(200).wantFields(object{"data.cutScore": 60,
			"data.atCutScore": nil, "data.atPassingScore": nil}) // alpha needs the same questions for all
	})
}

// Only people who see an assessment rate it, and every role that sees it can.
func TestCutScoreRoles(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		id, hidden := o.publish(rateable()), o.publish(rateable())
		questions := o.questionsOf(id)
		limited, reviewer := o.member("MEMBER"), o.member("REVIEWER")
		a.do("PATCH", "/v1/members/"+limited.id, o.owner, object{"role": "MEMBER", "assessmentIds": []string{id}}).want(200)
		for _, role := range []string{"ADMIN", "EDITOR", "MEMBER"} {
			a.rate(o.member(role).who, id, questions, 50, 50).want(200)
		}
		a.rate(limited.who, id, questions, 50, 50).want(200)
		body := object{"ratings": []any{object{"questionId": questions[0], "percent": 1}}}
		for _, call := range []string{"GET ", "GET /ratings", "PUT /ratings", "DELETE /ratings"} {
			method, part, _ := strings.Cut(call, " ")
			var sent any
			if method == "PUT" {
				sent = body
			}
			for who, of := range map[credential]string{limited.who: hidden, other.owner: id} {
				theirs := a.do(method, cutScorePath(of)+part, who, sent).want(404, "not_found")
				wantSame(t, theirs, a.do(method, cutScorePath(a.store.NewID("asm"))+part, who, sent).want(404))
			}
			a.do(method, cutScorePath(id)+part, reviewer.who, sent).want(403, "insufficient_role")
			a.do(method, cutScorePath(id)+part, anonymous, sent).want(401)
		}
		cut := a.do("GET", cutScorePath(id), o.owner, nil).want(200)
		if n := len(cut.list("data.judges")); n != 4 || math.Abs(cut.number("data.cutScore")-50) > 1e-9 {
			t.Errorf("%d judges, cut score %v", n, cut.at("data.cutScore"))
		}
	})
}
