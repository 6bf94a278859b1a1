package contract

import (
	"testing"
	"time"
)

// An open page asks whether the session has changed. Only the time of the server and
// saved answers are no change; everything that the page must react to is one.
func TestUnchangedTaking(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		const path = "/v1/candidate/session"
		for name, test := range map[string]struct {
			definition object
			change     func(b startedSession)
			want       int
		}{
			"nothing":        {timed(10, 5, 5), func(startedSession) { a.clock.Advance(4 * time.Second) }, 304},
			"a saved answer": {timed(10, 5, 5), func(b startedSession) { a.save(b, 175).want(200) }, 304},
			"added time, a limit of the stage only": {timed(0, 5, 5), func(b startedSession) {
				a.do("POST", "/v1/candidate-sessions/"+b.id+"/extend", o.owner, object{"minutes": 5, "reason": "x"}).want(200)
			}, 200},
			"added time, a limit of the session only": {timed(10, 0), func(b startedSession) {
				a.do("POST", "/v1/candidate-sessions/"+b.id+"/extend", o.owner, object{"minutes": 5, "reason": "x"}).want(200)
			}, 200},
			"the end of a stage": {timed(10, 5, 5), func(startedSession) { a.clock.Advance(6 * time.Minute) }, 200},
			"a submission":       {timed(10, 5, 5), func(b startedSession) { a.submit(b).want(200) }, 200},
			"the name of the organization": {timed(10, 5), func(startedSession) {
				a.do("PATCH", "/v1/organization", o.owner, object{"name": "Another " + time.Now().String()}).want(200)
			}, 200},
			"a cancellation": {timed(10, 5), func(b startedSession) {
				a.do("POST", "/v1/candidate-sessions/"+b.id+"/cancel", o.owner, nil).want(200)
			}, 401},
		} {
			o.signIn()
			b := o.begin(o.publish(test.definition))
			first := a.do("GET", path, b.who, nil).want(200)
			test.change(b)
			answer := a.getUnless(first.header.Get("ETag"), path, b.who)
			if answer.status != test.want {
				t.Errorf("%s: %d, want %d", name, answer.status, test.want)
			}
			if answer.status == 200 {
				a.getUnless(answer.header.Get("ETag"), path, b.who).want(304)
			}
		}

		b := o.begin(o.publish(timed(0, 5, 5)))
		taking := a.do("GET", path, b.who, nil).want(200)
		taking.wantFields(object{"data.deadlineAt": nil, "data.stages.1.deadlineAt": nil,
			"data.stages.0.deadlineAt": wire(a.store.Now().Add(5 * time.Minute))})
	})
}
