package contract

import (
	"fmt"
	"testing"
	"time"

	"assay/store/storetest"
)

// backfill does the work of the background worker until all segments are complete.
func (a *api) backfill() {
	a.t.Helper()
	a.fold()
	for more := true; more; {
		var err error
		if more, err = a.store.UnscopedBackfillSegments(a.t.Context()); err != nil {
			a.t.Fatal(err)
		}
	}
}

// segment creates a segment with the filter and returns its id.
func (o *tenant) segment(assessmentID string, filter object) string {
	o.api.t.Helper()
	return o.api.do("POST", segmentsOf(assessmentID), o.owner, object{"name": "Part", "filter": filter}).want(201).
		text("data.id")
}

func segmentsOf(assessmentID string) string { return "/v1/assessments/" + assessmentID + "/segments" }

// Each condition of a filter selects sessions, also of those that finished before the segment was created.
func TestSegmentFilters(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(twoStages())
		began := a.clock.Now()
		source := func(label string) object { return object{"metadata": object{"source": label, "batch": "1"}} }
		finish := func(pass bool, extra object) {
			a.finish(o.invite(id, extra).candidate(), pass)
			a.clock.Advance(time.Hour)
			o.signIn()
		}
		finish(true, source("fair"))
		again := object{"candidateEmail": "again@example.com"}
		finish(false, again)
		finish(true, again)
		a.do("POST", "/v1/candidate/session/start", o.invite(id, source("fair")).candidate(), nil).want(200)
		a.fold()
		filters := []struct {
			filter                  object
			completed, disqualified int
		}{
			{object{"completedSince": wire(began.Add(time.Hour))}, 1, 1},
			{object{"completedSince": wire(began.Add(time.Hour + time.Millisecond))}, 1, 0},
			{object{"completedUntil": wire(began.Add(time.Hour))}, 1, 0},
			{object{"completedSince": wire(began.Add(time.Hour)), "completedUntil": wire(began.Add(2 * time.Hour))}, 0, 1},
			{object{"metadata": object{"source": "fair"}}, 1, 0},
			{object{"metadata": object{"source": "fair", "batch": "2"}}, 0, 0},
			{object{"metadata": object{"source": "web"}}, 0, 0},
			{object{"language": "de"}, 0, 0},
			{object{"attempt": 1}, 1, 1},
			{object{"attempt": 2, "metadata": object{}}, 1, 0},
		}
		var ids []string
		for _, f := range filters {
			ids = append(ids, o.segment(id, f.filter))
		}
		check := func(more int) {
			t.Helper()
			a.backfill()
			for i, f := range filters {
				completed := f.completed
				if f.filter["attempt"] == 1 || i < 2 {
					completed += more
				}
				got := a.do("GET", "/v1/assessments/"+id+"/statistics?segmentId="+ids[i], o.owner, nil).want(200)
				got.wantCounts(object{"completed": completed, "disqualified": f.disqualified})
				got.wantFields(object{"data.segmentId": ids[i], "data.complete": true, "data.completionRate": nil,
					"data.scores.count": completed, "data.stages.0.reached": completed + f.disqualified,
					"data.passedCount": completed})
			}
		}
		check(0)
		finish(true, nil)
		check(1)
		listed := a.do("GET", segmentsOf(id), o.member("MEMBER").who, nil).want(200)
		listed.wantFields(object{"data.0.id": ids[9], "data.0.count": 1, "data.0.complete": true, "data.9.count": 3,
			"data.6.filter": object{
				"completedSince": wire(began.Add(time.Hour)), "completedUntil": wire(began.Add(2 * time.Hour)),
				"metadata": object{}, "language": nil, "attempt": nil,
			}})
		questions := a.do("GET", "/v1/assessments/"+id+"/statistics/questions?segmentId="+ids[9], o.owner, nil).want(200)
		questions.wantFields(object{"data.questions.0.reached": 1, "data.questions.0.meanPoints": 4})
		o.statistics(id).wantFields(object{"data.segmentId": nil, "data.complete": true, "data.scores.count": 3})
	})
}

func TestSegmentInput(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneQuestion())
		create := func(body any) response { return a.do("POST", segmentsOf(id), o.owner, body) }
		create(object{"name": "x", "filter": object{}}).blames("body /filter required")
		create(object{"name": "x", "filter": object{"metadata": object{}, "attempt": nil}}).blames("body /filter required")
		at := wire(a.clock.Now())
		create(object{"name": "x", "filter": object{"completedSince": at, "completedUntil": at}}).
			blames("body /filter/completedUntil invalid_value")
		create(object{"name": "a\nb", "filter": object{"attempt": 1}}).want(400)
		create(object{"name": "x", "filter": object{"attempt": 0}}).want(400)
		create(object{"name": "x", "filter": object{"completedUntil": "9999-12-31T23:59:59-01:00"}}).
			blames("body /filter/completedUntil invalid_format")
		first := create(object{"name": "x", "filter": object{"attempt": 1}}).want(201)
		first.wantFields(object{"data.count": 0, "data.complete": false, "data.createdAt": at})
		if got := first.header.Get("Location"); got != segmentsOf(id)+"/"+first.text("data.id") {
			t.Error(got)
		}
		body := object{"name": "x", "filter": object{"attempt": 2}}
		once := func() response {
			return a.from("192.0.2.1", "POST", segmentsOf(id), o.owner, body, "Idempotency-Key", "segment").want(201)
		}
		if first, second := once(), once(); first.text("data.id") != second.text("data.id") {
			t.Error("a request with an Idempotency-Key has created two segments")
		}
		for i := range 8 {
			create(object{"name": fmt.Sprint(i), "filter": object{"language": "de-CH"}}).want(201)
		}
		create(body).want(409).wantFields(object{"code": "too_many_segments"})
		a.backfill()
		a.do("DELETE", segmentsOf(id)+"/"+first.text("data.id"), o.owner, nil).want(204)
		a.do("DELETE", segmentsOf(id)+"/"+first.text("data.id"), o.owner, nil).want(204)
		a.do("GET", "/v1/assessments/"+id+"/statistics?segmentId="+first.text("data.id"), o.owner, nil).want(404)
		create(body).want(201)
	})
}

// Many requests at once do not exceed the limit.
func TestSegmentLimitIsExact(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneQuestion())
		atOnce(20, func(int) bool {
			got := a.do("POST", segmentsOf(id), o.owner, object{"name": "x", "filter": object{"attempt": 1}})
			return got.status == 201 || got.status == 409
		})
		if n := len(a.do("GET", segmentsOf(id), o.owner, nil).want(200).list("data")); n != 10 {
			t.Errorf("%d segments, want 10", n)
		}
	})
}

// Only roles that change assessments create and delete segments. A segment of another organization, and of another
// assessment, looks like one that never existed.
func TestSegmentAccess(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		id, second := o.publish(oneQuestion()), o.publish(oneQuestion())
		segment := o.segment(id, object{"attempt": 1})
		body := object{"name": "x", "filter": object{"attempt": 1}}
		a.do("POST", segmentsOf(id), o.member("MEMBER").who, body).want(403)
		a.do("DELETE", segmentsOf(id)+"/"+segment, o.member("MEMBER").who, nil).want(403)
		a.do("POST", segmentsOf(id), o.member("EDITOR").who, body).want(201)
		for _, call := range []struct{ method, path string }{
			{"GET", segmentsOf(id)}, {"POST", segmentsOf(id)}, {"DELETE", segmentsOf(id) + "/" + segment},
			{"GET", segmentsOf(id) + "/" + segment + "/comparison"},
		} {
			var sent any
			if call.method == "POST" {
				sent = body
			}
			theirs := a.do(call.method, call.path, other.owner, sent).want(404)
			wantSame(t, theirs, a.do(call.method, segmentsOf(a.store.NewID("asm"))+call.path[len(segmentsOf(id)):], other.owner,
				sent).want(404))
		}
		theirs := other.publish(oneQuestion())
		for _, path := range []string{
			"/v1/assessments/" + theirs + "/statistics?segmentId=",
			"/v1/assessments/" + theirs + "/statistics/questions?segmentId=",
		} {
			wantSame(t, a.do("GET", path+segment, other.owner, nil).want(404),
				a.do("GET", path+a.store.NewID("seg"), other.owner, nil).want(404))
		}
		own := other.segment(theirs, object{"attempt": 1})
		a.do("GET", segmentsOf(theirs)+"/"+own+"/comparison?with="+segment, other.owner, nil).want(404)
		a.do("GET", segmentsOf(second)+"/"+segment+"/comparison", o.owner, nil).want(404)
		a.do("DELETE", segmentsOf(second)+"/"+segment, o.owner, nil).want(204)
		a.do("DELETE", segmentsOf(theirs)+"/"+segment, other.owner, nil).want(204)
		a.do("GET", segmentsOf(id)+"/"+segment+"/comparison", o.owner, nil).want(200)
	})
}

// The comparison of twelve sessions with ten others, by figures that a person can compute.
func TestSegmentComparison(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(twoStages())
		take := func(n int, label string, first, second bool) {
			for range n {
				who := o.invite(id, object{"metadata": object{"group": label}}).candidate()
				a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
				submit := func(right bool) {
					a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, right)}).want(200)
				}
				submit(first)
				if first {
					submit(second)
				}
			}
		}
		take(6, "a", true, true)   // 100 %
		take(4, "a", true, false)  // 50 %
		take(2, "a", false, false) // disqualified
		take(9, "b", true, true)
		take(1, "b", true, false)
		segment, other := o.segment(id, object{"metadata": object{"group": "a"}}), o.segment(id, object{"metadata": object{
			"group": "b"}})
		path := segmentsOf(id) + "/" + segment + "/comparison"
		a.fold()
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.complete": false, "data.first.count": 0,
			"data.second.count": 22, "data.second.scoreCount": 20, "data.scoreDifference": nil})
		a.backfill()
		wanted := object{
			"data.complete": true, "data.first.segmentId": segment, "data.first.name": "Part", "data.first.count": 12,
			"data.first.passed": 6, "data.first.passRate": 50, "data.first.scoreCount": 10, "data.first.mean": 80,
			"data.first.standardDeviation": 25.82, "data.second.count": 10, "data.second.passed": 9,
			"data.second.passRate": 90, "data.second.scoreCount": 10, "data.second.mean": 95,
			"data.second.standardDeviation": 15.81, "data.passRateRatio.value": 0.5556,
			"data.scoreDifference.value": -15, "data.scoreDifference.effectSize": -0.7006,
			// exp(ln(0.5556) ± 1.96 sqrt(1/6 - 1/12 + 1/9 - 1/10))
			"data.passRateRatio.interval": object{"from": 0.3042, "to": 1.0147}, "data.passRateRatio.finding": "UNCERTAIN",
		}
		a.do("GET", path, o.owner, nil).want(200).wantFields(wanted).
			wantFields(object{"data.second.segmentId": nil, "data.second.name": nil})
		a.do("GET", path+"?with="+other, o.owner, nil).want(200).wantFields(wanted).
			wantFields(object{"data.second.segmentId": other, "data.second.name": "Part"})
		a.do("GET", path+"?with="+a.store.NewID("seg"), o.owner, nil).want(404)
		a.do("GET", segmentsOf(id)+"/"+other+"/comparison", o.owner, nil).want(200).
			wantFields(object{"data.first.passRate": 90, "data.passRateRatio.value": 0.5556, "data.scoreDifference.value": 15})

		unmarked := o.publish(oneQuestion())
		without := o.segment(unmarked, object{"attempt": 1})
		a.backfill()
		a.do("GET", segmentsOf(unmarked)+"/"+without+"/comparison", o.owner, nil).want(200).wantFields(object{
			"data.complete": true, "data.first.passed": nil, "data.first.passRate": nil, "data.passRateRatio": nil,
			"data.second.count": 0, "data.scoreDifference": nil,
		})
	})
}

// A release that knows no segments has counted sessions. Its document and the segments are counted anew, and until then
// the figures that it lacks are missing.
func TestStatisticsOfAnEarlierRelease(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(timed(60, 0, 0))
		for i := range 18 {
			who := o.invite(id).candidate()
			a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
			for _, right := range []bool{i%2 == 0, i%3 > 0} {
				a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, right)}).want(200)
			}
		}
		segment := o.segment(id, object{"attempt": 1})
		a.backfill()
		read := func(query string) (response, response) {
			return a.do("GET", "/v1/assessments/"+id+"/statistics"+query, o.owner, nil).want(200),
				a.do("GET", "/v1/assessments/"+id+"/statistics/questions"+query, o.owner, nil).want(200)
		}
		before, questionsBefore := read("")
		before.wantFields(object{"data.complete": true, "data.reliability.count": 18, "data.speed.finding": "ENOUGH_TIME"})

		storetest.DropSums(t, a.database, id)
		earlier, questions := read("")
		none := object{
			"alpha": nil, "interval": nil, "standardError": nil, "questionCount": 0, "count": 0, "finding": "UNCERTAIN",
			"resultsNeeded": nil,
		}
		earlier.wantFields(object{
			"data.complete": false, "data.scores.count": 18, "data.passedCount": before.at("data.passedCount"),
			"data.reliability": none, "data.stages.0.reliability": none, "data.passingBand": nil,
			"data.speed": object{"outOfTimeCount": 0, "outOfTimeRate": nil, "interval": nil, "finding": "UNCERTAIN"},
		})
		questions.wantFields(object{
			"data.questions.0.difficulty":     questionsBefore.at("data.questions.0.difficulty"),
			"data.questions.0.discrimination": questionsBefore.at("data.questions.0.discrimination"),
			"data.questions.0.alphaWithout":   nil, "data.questions.0.keySuspicions": []any{},
		})
		part, _ := read("?segmentId=" + segment)
		part.wantFields(object{"data.complete": false, "data.reliability.count": 18})
		a.do("GET", segmentsOf(id), o.owner, nil).want(200).wantFields(object{"data.0.complete": false})
		a.do("GET", segmentsOf(id)+"/"+segment+"/comparison", o.owner, nil).want(200).
			wantFields(object{"data.complete": false})

		a.backfill()
		after, questionsAfter := read("")
		wantSame(t, before, after)
		wantSame(t, questionsBefore, questionsAfter)
		part, _ = read("?segmentId=" + segment)
		part.wantFields(object{"data.complete": true, "data.scores.count": 18})
		if listed := a.do("GET", segmentsOf(id), o.owner, nil).want(200).list("data"); len(listed) != 1 {
			t.Errorf("%d segments, want 1: a rebuild is none", len(listed))
		}
	})
}
