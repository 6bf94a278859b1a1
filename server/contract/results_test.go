package contract

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

// thirds returns an assessment whose questions have one point and three correct
// choices each. One correct choice earns a third of a point, which has no exact
// decimal representation.
func thirds() object {
	var questions []any
	for range 3 {
		questions = append(questions, object{
			"type": "MULTIPLE_CHOICE", "prompt": "Which are primes?", "points": 1, "partialCredit": true,
			"correctOptionIds": []any{"2", "3", "5"},
			"options": []any{
				object{"id": "2", "text": "2"}, object{"id": "3", "text": "3"}, object{"id": "5", "text": "5"},
				object{"id": "9", "text": "9"},
			},
		})
	}

	return object{
		"title": "Primes", "passingScore": 33.33,
		"stages": []any{object{"title": "All", "gate": object{"required": false, "minScore": 33.34},
			"questions": questions}},
	}
}

// Points and scores are computed exactly and rounded only in the response.
func TestPartialCreditRounding(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(thirds())
		for _, test := range []struct {
			choices [3][]string
			want    object // of the result
		}{
			// Three rounded thirds would sum to 0.99, and the score 33 would not pass.
			{[3][]string{{"2"}, {"3"}, {"5", "2", "9"}}, object{
				"points": 1, "score": 33.33, "passed": true, "stages.0.points": 1, "stages.0.score": 33.33,
				"stages.0.status": "FAILED", "stages.0.questions.0.points": 0.33, "stages.0.questions.0.correct": false,
				"stages.0.questions.2.points": 0.33,
			}},
			{[3][]string{{"2", "3", "5"}, {"2", "3"}, {"2", "9"}}, object{
				"points": 1.67, "score": 55.56, "stages.0.status": "PASSED", "stages.0.questions.0.correct": true,
				"stages.0.questions.1.points": 0.67, "stages.0.questions.2.points": 0,
			}},
			// An answer with an empty list of choices counts as unanswered.
			{[3][]string{{}, {"9"}, {"2", "3", "5", "9"}}, object{
				"points": 0.67, "score": 22.22, "passed": false, "stages.0.questions.0.answer": nil,
				"stages.0.questions.1.points": 0,
			}},
		} {
			invite := o.invite(assessmentID)
			candidate := invite.candidate()
			stage := a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200).text("data.currentStageId")
			questions := a.do("GET", "/v1/candidate/session/stage", candidate, nil).want(200)
			for i, choice := range test.choices {
				a.do("PUT", "/v1/candidate/session/answers/"+questions.text(fmt.Sprintf("data.questions.%d.id", i)), candidate,
					object{"optionIds": choice}).want(200)
			}
			a.do("POST", "/v1/candidate/session/stage/submit", candidate, object{"stageId": stage}).want(200).
				wantFields(object{"data.status": "COMPLETED"})
			want := object{"data.maxPoints": 3}
			for path, value := range test.want {
				want["data."+path] = value
			}
			o.result(o.key(), invite.text("data.id")).wantFields(want)
		}
	})
}

// The redirect uses the URL of the session. Without one it uses the URL of the assessment,
// and without that the URL of the organization. The query and the fragment of the URL do
// not change.
func TestRedirectURL(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		for _, test := range []struct {
			session, assessment, organization any
			before, after                     string // the URL before and after the token; empty without a redirect
		}{
			{"https://s.example/a?x=1#top", "https://a.example/", "https://o.example/", "https://s.example/a?x=1&result=",
				"#top"},
			{"https://s.example/", nil, nil, "https://s.example/?result=", ""},
			{nil, "https://a.example/%C3%A9?q=%41+b&&c;d=e", "https://o.example/",
				"https://a.example/%C3%A9?q=%41+b&&c;d=e&result=", ""},
			{nil, "https://a.example", nil, "https://a.example?result=", ""},
			{nil, nil, "http://o.example:8080/?result=theirs&z", "http://o.example:8080/?result=theirs&z&result=", ""},
			{nil, nil, "https://o.example/?", "https://o.example/?result=", ""},
			{nil, nil, nil, "", ""},
		} {
			a.do("PATCH", "/v1/organization", o.owner, object{"redirectUrl": test.organization}).want(200)
			invite := o.invite(o.publish(oneQuestion(object{"redirectUrl": test.assessment})),
				object{"redirectUrl": test.session})
			outcome := a.complete(invite.candidate())
			if test.before == "" {
				outcome.wantFields(object{"data.status": "COMPLETED", "data.redirectUrl": nil})
				continue
			}
			token := resultToken(t, outcome.text("data.redirectUrl"), test.before, test.after)
			a.do("GET", "/v1/public/results/"+token, key,
				nil).want(200).wantFields(object{"data.sessionId": invite.text("data.id")})
		}
	})
}

// A result token is valid for 15 minutes. Reading the session returns the same token
// within a minute, and a new one later. Every token returns the same result.
func TestResultTokenLifetime(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		invite := o.invite(o.publish(oneQuestion()), object{"redirectUrl": "https://s.example/"})
		candidate := invite.candidate()
		redirect := func(r response) string {
			return resultToken(t, r.text("data.redirectUrl"), "https://s.example/?result=", "")
		}
		first := redirect(a.complete(candidate))
		result := a.do("GET", "/v1/public/results/"+first, key, nil).want(200)

		a.clock.Advance(59 * time.Second) // the client repeats the request because the response was lost
		if redirect(a.do("GET", "/v1/candidate/session", candidate, nil).want(200)) != first {
			t.Error("a repeated request within a minute returns another token")
		}

		a.clock.Advance(14 * time.Minute) // 14:59 in total; token times are whole seconds
		a.do("GET", "/v1/public/results/"+first, key, nil).want(200)
		a.clock.Advance(time.Second)
		a.do("GET", "/v1/public/results/"+first, key, nil).want(410, "result_token_expired")
		for range 2 { // immediately after the expiry, and 30 days later
			second := redirect(a.do("GET", "/v1/candidate/session", candidate, nil).want(200))
			again := a.do("GET", "/v1/public/results/"+second, key, nil).want(200)
			if string(again.body) != string(result.body) {
				t.Errorf("the result by a later token is %s\nwant %s", again.body, result.body)
			}
			a.clock.Advance(30 * 24 * time.Hour)
		}

		token := a.do("POST", "/v1/public/candidate-sessions/"+invite.text("data.id")+"/result-token", key, nil).want(200)
		left := token.moment("data.expiresAt").Sub(a.store.Now())
		if left > 15*time.Minute || left <= 15*time.Minute-time.Second {
			t.Errorf("the token is valid for %s, want 15 minutes", left)
		}
	})
}

// A percentile needs 20 completed sessions. It is the share of lower scores plus half
// the share of equal ones. Disqualified sessions do not count and have no percentile.
func TestPercentile(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		options, right := []any{}, []any{}
		for i := range 5 {
			options = append(options, object{"id": fmt.Sprint(i), "text": fmt.Sprint("right ", i)})
			right = append(right, fmt.Sprint(i))
		}
		assessmentID := o.publish(object{"title": "All of five", "stages": []any{object{
			"title": "Only", "gate": object{"required": true, "minScore": 1}, "questions": []any{object{
				"type": "MULTIPLE_CHOICE", "prompt": "Which?", "points": 5, "partialCredit": true, "options": options,
				"correctOptionIds": right,
			}},
		}}})

		// take finishes a session with a score of 20 for each choice. Without a choice it is disqualified.
		take := func(choices int) string {
			invite := o.invite(assessmentID)
			candidate := invite.candidate()
			a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200)
			stage := a.do("GET", "/v1/candidate/session/stage", candidate, nil).want(200)
			a.do("PUT", "/v1/candidate/session/answers/"+stage.text("data.questions.0.id"), candidate,
				object{"optionIds": right[:choices]}).want(200)
			a.do("POST", "/v1/candidate/session/stage/submit", candidate, object{"stageId": stage.text("data.id")}).want(200)
			return invite.text("data.id")
		}

		percentiles := func(sessions []string) (values []any) {
			a.fold()
			a.clock.Advance(time.Second) // for as long, a result in memory is not read again
			for _, id := range sessions {
				values = append(values, o.result(key, id).at("data.percentile"))
			}
			return values
		}

		sessions := []string{take(0), take(1), take(2), take(3), take(4), take(5)}
		for i := range 14 { // 19 completed: 4 for each score from 20 to 80, 3 for 100
			take(i%5 + 1)
		}
		want := asJSON(t, []any{nil, nil, nil, nil, nil, nil})
		if got := percentiles(sessions); !reflect.DeepEqual(got, want) {
			t.Errorf("with 19 completed sessions: %v, want none", got)
		}
		take(5)
		want = asJSON(t, []any{nil, 10, 30, 50, 70, 90})
		if got := percentiles(sessions); !reflect.DeepEqual(got, want) {
			t.Errorf("with 20 completed sessions: %v, want %v", got, want)
		}
		take(0)
		take(1) // 21 completed, 5 of them with the score 20: (5/2)/21, (5+4/2)/21, …
		want = asJSON(t, []any{nil, 11.9, 33.33, 52.38, 71.43, 90.48})
		if got := percentiles(sessions); !reflect.DeepEqual(got, want) {
			t.Errorf("with 21 completed sessions: %v, want %v", got, want)
		}
	})
}
