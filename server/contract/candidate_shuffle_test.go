package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// shuffled returns an assessment with one stage of eight questions with six options.
func shuffled(questions, options bool) object {
	var list []any
	for i := range 8 {
		question := object{"type": "SINGLE_CHOICE", "prompt": fmt.Sprint("Question ", i), "points": 1, "correctOptionId": "0"}
		var choices []any
		for j := range 6 {
			choices = append(choices, object{"id": fmt.Sprint(j), "text": fmt.Sprint("Option ", j)})
		}
		question["options"] = choices
		list = append(list, question)
	}
	return object{"title": "Shuffled", "shuffleQuestions": questions, "shuffleOptions": options,
		"stages": []any{object{"title": "Only", "questions": list}}}
}

// seenOrder returns the prompts and the texts of the options in the order of a stage.
func (r response) seenOrder() (prompts, options string) {
	r.t.Helper()
	for i := range r.list("data.questions") {
		at := fmt.Sprintf("data.questions.%d.", i)
		if r.number(at+"order") != float64(i+1) {
			r.t.Errorf("question %d has the order %v", i+1, r.number(at+"order"))
		}
		prompts += strings.TrimPrefix(r.text(at+"prompt"), "Question ")
		for j := range r.list(at + "options") {
			options += r.text(fmt.Sprintf("%soptions.%d.id", at, j))
		}
	}
	return prompts, options
}

// Each candidate has an order of their own, which never changes. Answers are scored by
// ids, and the result has the order of the assessment.
func TestShuffledOrder(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		const inOrder = "01234567"
		sameOptions := strings.Repeat("012345", 8)
		for _, shuffles := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
			id := o.publish(shuffled(shuffles[0], shuffles[1]))
			var prompts, options []string
			for range 3 {
				session := o.invite(id)
				who := session.candidate()
				a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
				seen, choices := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200).seenOrder()
				prompts, options = append(prompts, seen), append(options, choices)

				stage := b.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
				if again, same := stage.seenOrder(); again != seen || same != choices {
					t.Errorf("the order was %s %s and is %s %s", seen, choices, again, same)
				}
				for i := range stage.list("data.questions") {
					a.do("PUT", "/v1/candidate/session/answers/"+stage.text(fmt.Sprintf("data.questions.%d.id", i)), who,
						object{"optionId": "0"}).want(200)
				}
				if again, same := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200).seenOrder(); again != seen ||
					same != choices {
					t.Errorf("after answering, the order is %s %s", again, same)
				}
				a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")}).want(200)
				result := a.do("GET", "/v1/candidate-sessions/"+session.text("data.id")+"/result", o.owner, nil).want(200)
				result.wantFields(object{"data.score": 100, "data.stages.0.questions.0.prompt": "Question 0",
					"data.stages.0.questions.7.prompt": "Question 7"})
			}
			slices.Sort(prompts)
			slices.Sort(options)
			if orders := slices.Compact(prompts); (len(orders) == 3) != shuffles[0] || !shuffles[0] && orders[0] != inOrder {
				t.Errorf("shuffleQuestions is %v, and the orders are %v", shuffles[0], orders)
			}
			if orders := slices.Compact(options); !shuffles[1] && orders[0] != sameOptions || shuffles[1] && len(orders) != 3 {
				t.Errorf("shuffleOptions is %v, and the orders are %v", shuffles[1], orders)
			}
		}
	})
}
