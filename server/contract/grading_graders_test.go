package contract

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// Eight graders on two replicas grade a hundred answers at once. Each answer is graded by exactly as many people as the
// assessment asks for, and no grader gets an answer twice.
func TestGradingAtOnce(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		who := make([]credential, 8)
		for i := range who {
			who[i] = o.member("MEMBER").who
		}
		for _, graders := range []int{1, 2} {
			id := o.publish(oneEssay(object{"graders": graders, "maxDifferencePercent": 100}))
			const answers = 100
			for i := range answers {
				o.write(id, fmt.Sprintf("answer-%d", i))
			}
			grade := func(i int) []string {
				on := []*api{a, b}[i%2]
				var texts []string
				for turn := on.claim(who[i], id); turn.claimed() != ""; {
					texts = append(texts, turn.text("data.claim.text"))
					turn = on.gradeAs(who[i], turn.claimed(), float64(i)).want(200)
				}
				return texts
			}
			seen := atOnce(len(who), grade)
			for i := range who { // the last answer can be claimed while all others find nothing, and needs a second grader
				seen[i] = append(seen[i], grade(i)...)
			}
			times := map[string]int{}
			for i, texts := range seen {
				slices.Sort(texts)
				if len(slices.Compact(texts)) != len(seen[i]) {
					t.Errorf("%d graders: grader %d got an answer twice", graders, i)
				}
				for _, text := range seen[i] {
					times[text]++
				}
			}
			for text, n := range times {
				if n != graders {
					t.Errorf("%d graders: %q was graded %d times", graders, text, n)
				}
			}
			if len(times) != answers {
				t.Errorf("%d graders: %d answers were graded, want %d", graders, len(times), answers)
			}
			a.do("GET", "/v1/grading?assessmentId="+id, o.owner, nil).want(200).
				wantFields(object{"data.questions": []any{}})
			a.clock.Advance(61 * time.Second)
			for _, err := range atOnce(2, func(i int) error { return []*api{a, b}[i].store.UnscopedSettleGrades(t.Context()) }) {
				if err != nil {
					t.Error(err)
				}
			}
			reviewed := a.do("GET", "/v1/candidate-sessions?status=IN_REVIEW&assessmentId="+id, o.owner, nil).want(200)
			if n := len(reviewed.list("data")); n != 0 {
				t.Errorf("%d graders: %d sessions still wait", graders, n)
			}
		}
	})
}

// The difference between two grades can have decimals.
func TestGradingDifferenceWithDecimals(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		draft := oneEssay(object{"graders": 2, "maxDifferencePercent": 55.34})
		a.do("POST", "/v1/assessments", o.owner, draft).want(201).
			wantFields(object{"data.grading.maxDifferencePercent": 55.34})
	})
}

func TestGradingTwoGraders(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key, second, third := o.key(), o.member("MEMBER").who, o.member("EDITOR").who
		id := o.publish(oneEssay(object{"graders": 2}))

		// Exactly 20 percent of ten points apart: the mean counts.
		session := o.write(id, "one")
		a.gradeAs(o.owner, a.claim(o.owner, id).claimed(), 5).want(200)
		if got := a.claim(o.owner, id).claimed(); got != "" {
			t.Errorf("the same answer again as %s", got)
		}
		if got := o.statusOf(session); got != "IN_REVIEW" {
			t.Errorf("after one of two grades the session is %s", got)
		}
		a.do("GET", "/v1/candidate-sessions/"+session+"/grades", o.owner, nil).want(200).wantFields(object{"data": []any{}})
		a.gradeAs(second, a.claim(second, id).claimed(), 7).want(200)
		a.countGrades()
		o.result(key, session).wantFields(object{"data.points": 6, "data.revision": 1})

		// Further apart: the grade in the middle of three counts.
		session = o.write(id, "two")
		a.gradeAs(o.owner, a.claim(o.owner, id).claimed(), 2).want(200)
		a.gradeAs(second, a.claim(second, id).claimed(), 9).want(200)
		a.gradeAs(third, a.claim(third, id).claimed(), 8).want(200)
		a.countGrades()
		o.result(key, session).wantFields(object{"data.points": 8})

		// A grade in the session counts at once, whatever the queue lacks.
		session = o.write(id, "three")
		a.gradeAs(o.owner, a.claim(o.owner, id).claimed(), 2).want(200)
		claim := a.claim(second, id)
		path := "/v1/candidate-sessions/" + session + "/grades/" + claim.text("data.claim.question.id")
		a.do("PUT", path, o.owner, object{"points": 10, "version": 0}).want(200)
		o.result(key, session).wantFields(object{"data.points": 10})
		a.gradeAs(second, claim.claimed(), 1).want(404, "not_found")

		// Two equal grades of four more answers: seven answers are compared, kappa needs ten.
		for i := range 4 {
			o.write(id, fmt.Sprint("more ", i))
		}
		for range 4 {
			a.gradeAs(o.owner, a.claim(o.owner, id).claimed(), 5).want(200)
		}
		for range 4 {
			a.gradeAs(second, a.claim(second, id).claimed(), 5).want(200)
		}
		a.do("GET", "/v1/assessments/"+id+"/grading-agreement", o.owner, nil).want(200).wantFields(object{
			"data.questions.0.answers": 6, "data.questions.0.equalShare": 66.67,
			"data.questions.0.meanDifferencePercent": 15, "data.questions.0.kappa": nil, "data.pairs.0.answers": 6,
		})
	})
}

// The figures of the data that the R package irr publishes for its function kappa2: 0.297.
func TestGradingAgreement(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		second := o.member("MEMBER")
		id := o.publish(oneEssay(object{"graders": 2, "maxDifferencePercent": 100}))
		empty := object{"data.questions": []any{}, "data.pairs": []any{}}
		a.do("GET", "/v1/assessments/"+id+"/grading-agreement", o.owner, nil).want(200).wantFields(empty)
		grades := [2][]float64{
			{3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3},
			{3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4},
		}
		for i := range grades[0] {
			o.write(id, fmt.Sprint("answer ", i))
			a.gradeAs(o.owner, a.claim(o.owner, id).claimed(), grades[0][i]).want(200)
			a.gradeAs(second.who, a.claim(second.who, id).claimed(), grades[1][i]).want(200)
		}
		agreement := a.do("GET", "/v1/assessments/"+id+"/grading-agreement", second.who, nil).want(200)
		agreement.wantFields(object{"data.questions.0.answers": 20, "data.questions.0.kappa": 0.3,
			"data.questions.0.equalShare": 30, "data.pairs.0.answers": 20, "data.pairs.0.kappa": 0.3,
			"data.pairs.0.equalShare": 30})
		names := []string{agreement.text("data.pairs.0.graders.0.name"), agreement.text("data.pairs.0.graders.1.name")}
		slices.Sort(names)
		if !slices.Equal(names, []string{"Ada Lovelace", "Katherine Johnson"}) {
			t.Errorf("the pair is %v", names)
		}
	})
}

// What ends a session, a question, or a membership ends the claims, too.
func TestGradingCleansUp(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneEssay(object{}))
		waits := func(want int, what string) {
			t.Helper()
			got := 0
			questions := a.do("GET", "/v1/grading?assessmentId="+id, o.owner, nil).want(200)
			if len(questions.list("data.questions")) > 0 {
				got = int(questions.number("data.questions.0.waiting"))
			}
			if got != want {
				t.Errorf("%s: %d answers wait, want %d", what, got, want)
			}
		}
		draft := object{"points": 3, "rubric": []any{}, "comment": "a word about a person"}

		leaver := o.member("MEMBER")
		o.write(id, "leaver")
		claim := a.claim(leaver.who, id)
		a.do("PUT", "/v1/grading/claims/"+claim.claimed()+"/draft", leaver.who, draft).want(200)
		a.do("DELETE", "/v1/members/"+leaver.id, o.owner, nil).want(204)
		waits(1, "a removed member")
		claim = a.claim(o.owner, id)
		if claim.claimed() == "" {
			t.Fatal("the answer that a removed member held stays claimed")
		}

		session := claim.text("data.claim.id")
		limited := o.member("MEMBER")
		a.do("POST", "/v1/grading/claims/"+session+"/release", o.owner, nil).want(204)
		held := a.claim(limited.who, id)
		a.do("PATCH", "/v1/members/"+limited.id, o.owner, object{"role": "MEMBER", "assessmentIds": []any{}}).want(200)
		a.do("POST", "/v1/grading/claims", limited.who, object{"assessmentId": id}).want(404, "not_found")
		a.do("PUT", "/v1/grading/claims/"+held.claimed()+"/draft", limited.who, draft).want(404, "not_found")
		a.do("GET", "/v1/grading", limited.who, nil).want(200).wantFields(object{"data.questions": []any{}})
		claim = a.claim(o.owner, id)
		if claim.claimed() == "" {
			t.Fatal("the answer that a limited member held stays claimed")
		}
		a.gradeAs(o.owner, claim.claimed(), 5).want(200)

		cancelled := o.write(id, "cancelled")
		claim = a.claim(o.owner, id)
		a.do("POST", "/v1/candidate-sessions/"+cancelled+"/cancel", o.owner, nil).want(200)
		waits(0, "a cancelled session")
		a.gradeAs(o.owner, claim.claimed(), 5).want(404, "not_found")

		erased := o.write(id, "erased")
		claim = a.claim(o.owner, id)
		a.do("PUT", "/v1/grading/claims/"+claim.claimed()+"/draft", o.owner, draft).want(200)
		a.do("DELETE", "/v1/candidate-sessions/"+erased+"/candidate-data", o.owner, nil).want(204)
		waits(0, "an erased session")

		corrected := o.write(id, "corrected")
		claim = a.claim(o.owner, id)
		a.do("POST", "/v1/assessments/"+id+"/corrections", o.owner, object{
			"questionId": claim.text("data.claim.question.id"), "action": "FULL_POINTS", "reason": "Unclear",
		}).want(201)
		a.correct()
		waits(0, "a corrected question")
		if got := o.statusOf(corrected); got != "COMPLETED" {
			t.Errorf("after the correction the session is %s, want COMPLETED", got)
		}

		reopened := o.publish(oneEssay(object{"graders": 2}))
		id = reopened
		again := o.write(id, "first try")
		a.gradeAs(o.owner, a.claim(o.owner, id).claimed(), 2).want(200)
		other := o.member("MEMBER").who
		a.gradeAs(other, a.claim(other, id).claimed(), 2).want(200)
		a.countGrades()
		a.do("POST", "/v1/candidate-sessions/"+again+"/reopen", o.owner, object{"minutes": 30, "reason": "By mistake"}).
			want(200)
		waits(0, "a reopened session")
	})
}
