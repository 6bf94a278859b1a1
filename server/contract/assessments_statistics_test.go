package contract

import (
	"context"
	"testing"
	"time"

	"assay/store/storetest"
)

// fold does the work of the background worker until nothing is left to do, and returns
// the number of sessions that it added to the statistics.
func (a *api) fold() int {
	a.t.Helper()
	total := 0
	for {
		folded, err := a.store.UnscopedFoldStatistics(context.Background())
		if err != nil {
			a.t.Fatal(err)
		}
		if total += folded; folded == 0 {
			return total
		}
	}
}

func (o *tenant) statistics(assessmentID string) response {
	o.api.t.Helper()
	o.api.fold()
	return o.api.do("GET", "/v1/assessments/"+assessmentID+"/statistics", o.owner, nil).want(200)
}

// wantCounts compares data.sessionCounts. Statuses that are not named have no sessions.
func (r response) wantCounts(want object) {
	r.t.Helper()
	for _, status := range []string{
		"invited", "inProgress", "inReview", "completed", "disqualified", "expired", "cancelled",
	} {
		if want[status] == nil {
			want[status] = 0
		}
	}
	r.wantFields(object{"data.sessionCounts": want})
}

// Every move of a session from one status to another must be counted, each session
// once, however many moves happen between two runs of the worker.
func TestSessionCountsFollowEveryMove(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(twoStages())
		o.statistics(id).wantCounts(object{})

		var sessions []response
		for range 6 {
			sessions = append(sessions, o.invite(id))
		}
		o.statistics(id).wantCounts(object{"invited": 6})
		move := func(action string, session response) {
			t.Helper()
			a.do("POST", "/v1/candidate-sessions/"+session.text("data.id")+"/"+action, o.owner, nil).want(200)
		}
		a.finish(sessions[0].candidate(), true)
		a.finish(sessions[1].candidate(), false)
		a.do("POST", "/v1/candidate/session/start", sessions[2].candidate(), nil).want(200)
		move("cancel", sessions[3])
		o.statistics(id).wantCounts(object{"invited": 2, "inProgress": 1, "completed": 1, "disqualified": 1, "cancelled": 1})

		move("resend", sessions[4]) // from INVITED to INVITED
		a.clock.Advance(15 * 24 * time.Hour)
		o.signIn()
		if a.sweep() < 2 {
			t.Error("no invitations have expired")
		}
		o.statistics(id).wantCounts(object{"inProgress": 1, "completed": 1, "disqualified": 1, "cancelled": 1, "expired": 2})
		move("resend", sessions[4])
		move("cancel", sessions[4])
		move("resend", sessions[5])
		o.invite(id)
		o.statistics(id).wantCounts(object{"invited": 2, "inProgress": 1, "completed": 1, "disqualified": 1, "cancelled": 2})

		a.do("DELETE", "/v1/candidate-sessions/"+sessions[0].text("data.id")+"/candidate-data", o.owner, nil).want(204)
		o.statistics(id).wantFields(object{"data.sessionCounts.completed": 1, "data.scores.count": 1})
		if a.fold() != 0 {
			t.Error("the queue is not empty")
		}
	})
}

// The figures of five sessions, which a person can compute by hand.
func TestAssessmentStatistics(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(twoStages())
		a.fold()
		empty := o.statistics(id)
		empty.wantFields(object{
			"data.completionRate": nil, "data.passRate": nil, "data.passedCount": 0, "data.passingScore": 60,
			"data.scores.count": 0,
			"data.scores.mean":  nil, "data.scores.median": nil, "data.duration.medianSeconds": nil,
			"data.stages.0.reached": 0, "data.stages.0.medianScore": nil, "data.stages.1.title": "Calculation",
		})
		if bins := empty.list("data.scores.bins"); len(bins) != 20 {
			t.Errorf("%d bins, want 20", len(bins))
		}

		a.finish(o.invite(id).candidate(), false) // disqualified
		a.do("POST", "/v1/candidate/session/start", o.invite(id).candidate(), nil).want(200)
		for _, minutes := range []int{10, 20, 40} { // completed; the last one misses the second stage
			who := o.invite(id).candidate()
			a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
			a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, true)}).want(200)
			a.clock.Advance(time.Duration(minutes) * time.Minute)
			last := a.answerStage(who, minutes < 40)
			a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": last}).want(200)
			o.signIn()
		}
		got := o.statistics(id)
		got.wantCounts(object{"completed": 3, "disqualified": 1, "inProgress": 1})
		got.wantFields(object{
			"data.computedAt": wire(a.clock.Now()), "data.completionRate": 60, "data.passRate": 66.67, "data.passedCount": 2,
			"data.duration.medianSeconds": 1200, "data.duration.p90Seconds": 2400,
			"data.scores.count": 3, "data.scores.mean": 83.33, "data.scores.lowerQuartile": 75, "data.scores.median": 100,
			"data.scores.standardDeviation": 28.87, "data.scores.skewness": -0.3849, "data.segmentId": nil,
			"data.complete": true, "data.reliability.finding": "TOO_FEW_RESULTS", "data.reliability.count": 3,
			"data.speed.finding": "NO_TIME_LIMIT", "data.stages.0.reliability.questionCount": 2,
			"data.stages.1.medianSeconds": 1200, "data.stages.1.outOfTimeCount": 0,
			"data.scores.upperQuartile": 100, "data.scores.bins.10": object{"from": 50, "to": 55, "count": 1},
			"data.scores.bins.19":   object{"from": 95, "to": 100, "count": 2},
			"data.stages.0.reached": 4, "data.stages.0.passed": 3, "data.stages.0.failed": 1,
			"data.stages.0.medianScore": 100,
			"data.stages.0.gate":        object{"required": true, "minScore": 50, "onFail": "DISQUALIFY"},
			"data.stages.1.reached":     3, "data.stages.1.passed": 0, "data.stages.1.failed": 0, "data.stages.1.gate": nil,
		})

		questions := a.do("GET", "/v1/assessments/"+id+"/statistics/questions", o.owner, nil).want(200)
		questions.wantFields(object{
			"data.questions.0.reached": 4, "data.questions.0.answered": 4, "data.questions.0.maxPoints": 4,
			"data.questions.0.meanPoints": 3, "data.questions.0.difficulty": 0.75, "data.questions.0.discrimination": nil,
			"data.questions.0.options": []object{
				{"id": "a", "text": "Nine hours", "correct": true, "chosen": 3, "discrimination": nil,
					"discriminationInterval": nil, "findings": []any{}},
				{"id": "b", "text": "Two days", "correct": false, "chosen": 1, "discrimination": nil,
					"discriminationInterval": nil, "findings": []any{}},
			},
			"data.questions.0.timedCount": 0, "data.questions.0.medianSeconds": nil, "data.questions.0.alphaWithout": 1,
			"data.questions.1.options.0.chosen": 3, "data.questions.1.options.1.chosen": 3,
			"data.questions.1.options.2.chosen": 1, "data.questions.1.options.1.correct": true,
			"data.questions.2.type": "NUMERIC", "data.questions.2.reached": 3, "data.questions.2.meanPoints": 3.33,
			"data.questions.2.difficulty": 0.6667, "data.questions.2.discrimination": 1, "data.questions.2.options": []any{},
		})
		if n := len(questions.list("data.questions")); n != 4 {
			t.Errorf("%d questions, want 4", n)
		}
	})
}

// Of the statistics of another organization's assessment a client learns nothing.
func TestStatisticsOfAnotherOrganization(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		id := o.publish(twoStages())
		a.finish(o.invite(id).candidate(), true)
		a.fold()
		for _, part := range []string{"/statistics", "/statistics/questions"} {
			theirs := a.do("GET", "/v1/assessments/"+id+part, other.owner, nil).want(404)
			wantSame(t, theirs, a.do("GET", "/v1/assessments/"+a.store.NewID("asm")+part, other.owner, nil).want(404))
		}
	})
}

// Two replicas that fold while candidates finish must count each session once.
func TestReplicasFoldEachSessionOnce(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		id := o.publish(oneQuestion(object{"passingScore": 50}))
		const sessions = 24
		var candidates []credential
		for range sessions {
			candidates = append(candidates, o.invite(id).candidate())
		}
		atOnce(sessions, func(i int) bool {
			replica := []*api{a, b}[i%2]
			replica.complete(candidates[i])
			_, err := replica.store.UnscopedFoldStatistics(context.Background())
			if err != nil {
				t.Error(err)
			}
			return true
		})
		got := o.statistics(id)
		got.wantCounts(object{"completed": sessions})
		got.wantFields(object{
			"data.scores.count": sessions, "data.stages.0.reached": sessions, "data.passRate": 100, "data.completionRate": 100,
		})
	})
}

// The sessions of a database that an earlier binary has filled, or whose changes the
// worker has not seen, must be counted when the worker runs again.
func TestFoldCatchesUpInBatches(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneQuestion())
		const sessions = 230
		a.do("POST", bulkPath, o.key(), bulkOf(id, newEmails(sessions))).want(200)
		if folded := a.fold(); folded != sessions {
			t.Errorf("%d sessions were folded, want %d", folded, sessions)
		}
		o.statistics(id).wantCounts(object{"invited": sessions})
	})
}

// A result that cannot be read must not stop the statistics of others.
func TestFoldSkipsAnUnreadableResult(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneQuestion())
		broken := o.invite(id)
		a.complete(broken.candidate())
		a.complete(o.invite(id).candidate())
		storetest.BreakResult(t, a.database, broken.text("data.id"))
		got := o.statistics(id)
		got.wantCounts(object{"completed": 2})
		got.wantFields(object{"data.scores.count": 1})
	})
}

func TestCheckAssessment(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		definition := twoStages()
		question := definition["stages"].([]any)[1].(object)["questions"].([]any)[0].(object)
		delete(question, "answer")
		id := a.do("POST", "/v1/assessments", o.owner, definition).want(201).text("data.id")
		checked := a.do("POST", "/v1/assessments/"+id+"/check", o.member("MEMBER").who, nil).want(200)
		checked.wantFields(object{"data.publishable": false, "data.faults": []object{
			{"in": "body", "pointer": "/stages/1/questions/0/answer", "code": "required", "detail": "must be given"},
		}})
		refused := a.do("POST", "/v1/assessments/"+id+"/publish", o.owner, nil).want(422)
		refused.wantFields(object{"errors": checked.at("data.faults")})

		a.do("POST", "/v1/assessments/"+o.publish(twoStages())+"/check", o.owner, nil).want(200).
			wantFields(object{"data.publishable": true, "data.faults": []any{}})
		wantSame(t, a.do("POST", "/v1/assessments/"+id+"/check", a.register().owner, nil).want(404),
			a.do("POST", "/v1/assessments/"+a.store.NewID("asm")+"/check", o.owner, nil).want(404))
	})
}
