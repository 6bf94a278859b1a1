package contract

import (
	"context"
	"testing"
	"time"

	"assay/store/storetest"
)

// publishGroups runs the jobs that count sessions, and publish figures about groups.
func (a *api) publishGroups() {
	a.t.Helper()
	a.fold()
	if err := a.store.UnscopedPublishGroups(context.Background()); err != nil {
		a.t.Fatal(err)
	}
}

// groups returns the figures about groups after the jobs.
func (o *tenant) groups(assessmentID string) response {
	o.api.t.Helper()
	o.api.publishGroups()
	return o.api.do("GET", "/v1/assessments/"+assessmentID+"/statistics/groups", o.owner, nil).want(200)
}

// answering are candidates who finish, of whom some pass, and choose an option.
func (o *tenant) answering(assessmentID, option string, count, passed int) []startedSession {
	o.api.t.Helper()
	var sessions []startedSession
	for i := range count {
		invite := o.invite(assessmentID)
		b := startedSession{id: invite.text("data.id"), who: invite.candidate()}
		o.api.end(b.who, i < passed)
		if option != "" {
			o.api.do("PUT", ownAnswersPath, b.who, chosen("sex", option)).want(200)
		}
		sessions = append(sessions, b)
	}
	return sessions
}

// A group is shown with ten candidates. Its figures change only after ten changes.
func TestGroupStatistics(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id, path := o.asking()
		o.groups(id).wantFields(object{
			"data.computedAt": nil, "data.questions.0.id": "sex", "data.questions.0.hiddenGroups": 3.0,
			"data.questions.0.groups": []any{}, "data.questions.1.hiddenGroups": 2.0,
		})
		women := o.answering(id, "opt-fem", 9, 6)
		o.groups(id).wantFields(object{"data.computedAt": nil})
		o.answering(id, "opt-fem", 1, 0)
		at := wire(a.store.Now())
		first := object{
			"data.computedAt": at, "data.questions.0.text": "What is your sex?", "data.questions.0.hiddenGroups": 2.0,
			"data.questions.0.groups.0.id": "opt-fem", "data.questions.0.groups.0.text": "Female",
			"data.questions.0.groups.0.count": 10.0, "data.questions.0.groups.0.passed": 6.0,
			"data.questions.0.groups.0.passRate": 60.0, "data.questions.0.groups.0.mean": 60.0,
			"data.questions.0.groups.0.impactRatio.finding": "HIGHEST",
		}
		o.groups(id).wantFields(first)

		// Nobody sees a change of nine candidates: new answers, withdrawn ones, and an erasure.
		a.clock.Advance(time.Minute)
		o.answering(id, "opt-mal", 6, 6)
		for _, woman := range women[:2] {
			a.do("PUT", ownAnswersPath, woman.who, chosen()).want(200)
		}
		a.erase(o.owner, women[2].id).want(204)
		for range 12 { // one candidate is one change
			a.do("PUT", ownAnswersPath, women[0].who, chosen("sex", "opt-div")).want(200)
			a.do("PUT", ownAnswersPath, women[0].who, chosen()).want(200)
		}
		// Answers of candidates whom the figures would not contain are no changes.
		o.groups(id).wantFields(first)

		// Seven women remain, and twelve men.
		o.answering(id, "opt-mal", 6, 0)
		second := o.groups(id)
		second.wantFields(object{
			"data.computedAt": wire(a.store.Now()), "data.questions.0.hiddenGroups": 2.0,
			"data.questions.0.groups.0.id": "opt-mal", "data.questions.0.groups.0.count": 12.0,
			"data.questions.0.groups.0.passed": 6.0, "data.questions.0.groups.0.passRate": 50.0,
		})
		// A removed answer is not shown, and a changed text is.
		questions := asked()["questions"].([]any)
		questions[0].(object)["options"].([]any)[1].(object)["text"] = "Man"
		a.do("PUT", path, o.owner, object{"questions": questions}).want(200)
		o.groups(id).wantFields(object{"data.questions.0.groups.0.text": "Man"})
		a.do("PUT", path, o.owner, object{"questions": questions[1:]}).want(200)
		o.groups(id).wantFields(object{"data.questions.0.id": "age", "data.questions.0.groups": []any{}})
	})
}

// A small group cannot be found by subtracting the groups that are shown from all sessions.
func TestComplementarySuppression(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id, _ := o.asking()
		o.answering(id, "opt-fem", 11, 11)
		o.answering(id, "opt-mal", 10, 5)
		o.groups(id).wantFields(object{
			"data.questions.0.hiddenGroups": 1.0, "data.questions.0.groups.1.id": "opt-mal",
			"data.questions.0.groups.1.impactRatio.value": 0.5,
		})
		o.answering(id, "opt-div", 9, 9)
		o.answering(id, "opt-fem", 1, 1)
		got := o.groups(id)
		got.wantFields(object{
			"data.questions.0.hiddenGroups": 2.0, "data.questions.0.groups.0.id": "opt-fem",
			"data.questions.0.groups.0.count": 12.0,
		})
		if groups := got.list("data.questions.0.groups"); len(groups) != 1 {
			t.Errorf("%d groups are shown: %s", len(groups), got.body)
		}
		o.answering(id, "", 1, 1) // without an answer: ten candidates are not in the groups that were shown
		o.answering(id, "opt-fem", 10, 10)
		if groups := o.groups(id).list("data.questions.0.groups"); len(groups) != 2 {
			t.Errorf("%v are shown", groups)
		}
	})
}

// A correction that changes results is a change of the groups, and sessions that have not finished are none.
func TestGroupsFollowResults(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id, _ := o.asking()
		o.answering(id, "opt-fem", 10, 0)
		o.groups(id).wantFields(object{"data.questions.0.groups.0.passed": 0.0, "data.questions.0.groups.0.mean": 0.0})
		question := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).text("data.stages.0.questions.0.id")
		a.do("POST", "/v1/assessments/"+id+"/corrections", o.owner, object{
			"questionId": question, "action": "FULL_POINTS", "reason": "The question was wrong", "policy": "NEVER_LOWER",
		}).want(201)
		for more := true; more; {
			var err error
			if _, more, err = a.store.UnscopedApplyCorrections(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		o.groups(id).wantFields(object{"data.questions.0.groups.0.passed": 10.0, "data.questions.0.groups.0.mean": 100.0})
	})
}

// Without a passing score, groups have only their mean.
func TestGroupsWithoutPassingScore(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id, _ := o.asking(object{"passingScore": nil})
		o.answering(id, "opt-fem", 10, 7)
		o.groups(id).wantFields(object{
			"data.questions.0.groups.0.passed": nil, "data.questions.0.groups.0.passRate": nil,
			"data.questions.0.groups.0.passRateInterval": nil, "data.questions.0.groups.0.impactRatio": nil,
			"data.questions.0.groups.0.mean": 70.0,
		})
	})
}

// Two replicas that publish while candidates answer count each change once.
func TestReplicasPublishGroups(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		id, _ := o.asking()
		sessions := o.answering(id, "", 20, 20)
		atOnce(len(sessions), func(i int) bool {
			replica := []*api{a, b}[i%2]
			replica.do("PUT", ownAnswersPath, sessions[i].who, chosen("sex", "opt-fem")).want(200)
			if err := replica.store.UnscopedPublishGroups(context.Background()); err != nil {
				t.Error(err)
			}
			return true
		})
		count := o.groups(id).number("data.questions.0.groups.0.count")
		waiting := storetest.Count(t, a.database, "group_changes")
		if int(count)+waiting != len(sessions) || waiting >= 10 {
			t.Errorf("%v candidates are counted, and %d changes wait", count, waiting)
		}
	})
}
