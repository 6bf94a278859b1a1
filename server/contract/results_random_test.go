package contract

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"assay/store/rules"
)

// decided is a session of the random test, with everything on which its result depends.
type decided struct {
	id      string
	who     credential
	answers map[string]rules.Answer
	grades  map[string]rules.Grade
	version map[string]int  // of the grade, by question
	closed  map[string]bool // stages
	stopped bool            // by a ruling
}

// randomDecisions is the state of the random test.
type randomDecisions struct {
	*api
	o           *tenant
	r           *rand.Rand
	assessment  string
	definition  rules.Definition
	corrections []rules.Correction
	sessions    []*decided
}

// Whatever people decide, and in whichever order the background jobs follow, each result must be
// what the pure function gives from scratch, and the statistics those of all results.
func TestResultsAreAFunctionOfDecisions(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		seed := rand.Uint64()
		t.Logf("rand.NewPCG(%d, 0)", seed)
		x := &randomDecisions{api: a, o: a.register(), r: rand.New(rand.NewPCG(seed, 0))}
		x.begin()
		steps := []func(){x.finishOne, x.finishOne, x.finishOne, x.decideKey, x.grade, x.grade, x.reopen, x.batch, x.batch,
			func() { a.fold() }, x.withdraw, x.decideOne, x.decideOne}
		for range 100 {
			steps[x.r.IntN(len(steps))]()
		}
		a.correct()
		x.decideAll()
		a.fold()
		x.check()
	})
}

func (x *randomDecisions) begin() {
	for i := range 3 {
		x.o.bank(fmt.Sprint("Pool ", i, "?"), 2.5, "pool")
		x.do("POST", "/v1/questions", x.o.owner, object{"tags": []any{"pool"}, "question": object{
			"type": "FREE_TEXT", "prompt": fmt.Sprint("Text ", i, "?"), "points": 2.5}}).want(201)
	}
	options := []any{object{"id": "a", "text": "First"}, object{"id": "b", "text": "Second"}, object{"id": "c",
		"text": "Third"}}
	x.assessment = x.o.publish(object{"title": "Random", "passingScore": 50, "stages": []any{
		object{"title": "One", "gate": object{"required": true, "minScore": 40, "onFail": "REVIEW"}, "questions": []any{
			object{"type": "SINGLE_CHOICE", "prompt": "1?", "points": 3, "options": options, "correctOptionId": "a"},
			object{"type": "MULTIPLE_CHOICE", "prompt": "2?", "points": 4, "partialCredit": true, "options": options,
				"correctOptionIds": []any{"a", "b"}},
		}},
		object{"title": "Two", "questions": []any{
			object{"type": "NUMERIC", "prompt": "3?", "points": 2.5, "answer": 10, "tolerance": 1},
			object{"type": "SHORT_TEXT", "prompt": "4?", "points": 1, "acceptedAnswers": []any{"yes"}},
			object{"type": "FREE_TEXT", "prompt": "5?", "points": 3},
		}, "pools": []any{object{"count": 2, "points": 2.5, "tags": []any{"pool"}}}},
	}})
	read := x.do("GET", "/v1/assessments/"+x.assessment, x.o.owner, nil).want(200)
	for i := range read.list("data.stages") {
		stage := rules.Stage{ID: read.text(fmt.Sprintf("data.stages.%d.id", i))}
		for range read.list(fmt.Sprintf("data.stages.%d.pools", i)) {
			stage.Pools = append(stage.Pools, rules.Pool{ID: read.text(fmt.Sprintf("data.stages.%d.pools.0.id", i)), Count: 2,
				Points: 2.5})
		}
		for j := range read.list(fmt.Sprintf("data.stages.%d.questions", i)) {
			at := fmt.Sprintf("data.stages.%d.questions.%d.", i, j)
			q := rules.Question{ID: read.text(at + "id"), Type: rules.QuestionType(read.text(at + "type")),
				Points: read.number(at + "points")}
			if pool, isPooled := read.at(at + "poolId").(string); isPooled {
				q.PoolID = pool
			}
			for _, id := range []string{"a", "b", "c"} {
				q.Options = append(q.Options, rules.Option{ID: id})
			}
			switch q.Type {
			case rules.SingleChoice:
				q.CorrectOptionID = new("a")
			case rules.MultipleChoice:
				q.CorrectOptionIDs, q.PartialCredit = []string{"a", "b"}, true
			case rules.Numeric:
				q.Options, q.Answer, q.Tolerance = nil, new(read.number(at+"answer")), read.number(at+"tolerance")
			case rules.ShortText:
				q.Options, q.AcceptedAnswers = nil, []string{"yes"}
			case rules.FreeText:
				q.Options = nil
			}
			stage.Questions = append(stage.Questions, q)
		}
		x.definition.Stages = append(x.definition.Stages, stage)
	}
}

func (x *randomDecisions) questions() []rules.Question {
	return slices.Concat(x.definition.Stages[0].Questions, x.definition.Stages[1].Questions)
}

func (x *randomDecisions) question() rules.Question {
	all := x.questions()
	return all[x.r.IntN(len(all))]
}

// answer draws an answer, or none, and returns it as a request has it.
func (x *randomDecisions) answer(q rules.Question) (rules.Answer, object) {
	option := []string{"a", "b", "c"}[x.r.IntN(3)]
	switch {
	case x.r.IntN(6) == 0:
		return rules.Answer{}, nil
	case q.Type == rules.SingleChoice:
		return rules.Answer{OptionID: &option}, object{"optionId": option}
	case q.Type == rules.MultipleChoice:
		chosen := []string{option}
		if option != "b" && x.r.IntN(2) == 0 {
			chosen = append(chosen, "b")
		}
		return rules.Answer{OptionIDs: chosen}, object{"optionIds": chosen}
	case q.Type == rules.Numeric:
		number := float64(8 + x.r.IntN(6))
		return rules.Answer{Number: &number}, object{"number": number}
	}
	text := []string{"yes", "no", "maybe", " "}[x.r.IntN(4)]
	return rules.Answer{Text: &text}, object{"text": text}
}

// take answers the questions of the open stages, and submits them.
func (x *randomDecisions) take(s *decided) {
	for {
		stage := x.do("GET", "/v1/candidate/session/stage", s.who, nil).want(200)
		defined, _, _ := x.definition.For(s.id).StageByID(stage.text("data.id"))
		for i, q := range defined.Questions {
			if shown := stage.text(fmt.Sprintf("data.questions.%d.id", i)); shown != q.ID {
				x.t.Errorf("%s: question %d is %s, want %s", s.id, i, shown, q.ID)
			}
			answer, body := x.answer(q)
			if body == nil {
				continue
			}
			x.do("PUT", "/v1/candidate/session/answers/"+q.ID, s.who, body).want(200)
			s.answers[q.ID] = answer
		}
		outcome := x.do("POST", "/v1/candidate/session/stage/submit", s.who, object{"stageId": defined.ID}).want(200)
		s.closed[defined.ID] = true
		if outcome.text("data.status") != "IN_PROGRESS" {
			return
		}
	}
}

func (x *randomDecisions) finishOne() {
	invite := x.o.invite(x.assessment)
	s := &decided{id: invite.text("data.id"), who: invite.candidate(), answers: map[string]rules.Answer{},
		grades: map[string]rules.Grade{}, version: map[string]int{}, closed: map[string]bool{}}
	x.do("POST", "/v1/candidate/session/start", s.who, nil).want(200)
	x.take(s)
	x.sessions = append(x.sessions, s)
}

func (x *randomDecisions) session() *decided {
	if len(x.sessions) == 0 {
		x.finishOne()
	}
	return x.sessions[x.r.IntN(len(x.sessions))]
}

func (x *randomDecisions) decideKey() {
	q := x.question()
	c := rules.Correction{QuestionID: q.ID,
		Action: []rules.CorrectionAction{rules.ReplaceKey, rules.AcceptAlso, rules.FullPoints, rules.Exclude}[x.r.IntN(4)],
		Policy: []rules.CorrectionPolicy{rules.Exact, rules.NeverLower}[x.r.IntN(2)]}
	body := object{"questionId": q.ID, "action": c.Action, "policy": c.Policy, "reason": "Random"}
	if c.Action.NeedsKey() {
		switch q.Type {
		case rules.SingleChoice:
			c.Key, body["key"] = &rules.AnswerKey{CorrectOptionID: new("b")}, object{"correctOptionId": "b"}
		case rules.MultipleChoice:
			c.Key, body["key"] = &rules.AnswerKey{CorrectOptionIDs: []string{"c"}}, object{"correctOptionIds": []any{"c"}}
		case rules.Numeric:
			c.Key, body["key"] = &rules.AnswerKey{Answer: new(12.0)}, object{"answer": 12}
		case rules.ShortText:
			c.Key, body["key"] = &rules.AnswerKey{AcceptedAnswers: []string{"Maybe"}}, object{"acceptedAnswers": []any{"Maybe"}}
		}
	}
	made := x.do("POST", "/v1/assessments/"+x.assessment+"/corrections", x.o.owner, body)
	if made.status == 400 { // nothing would count any more, or the question has no key
		return
	}
	c.ID = made.want(201).text("data.id")
	x.corrections = append(x.corrections, c)
}

func (x *randomDecisions) withdraw() {
	if len(x.corrections) == 0 {
		return
	}
	i := x.r.IntN(len(x.corrections))
	x.do("POST", "/v1/assessments/"+x.assessment+"/corrections/"+x.corrections[i].ID+"/withdraw", x.o.owner,
		object{"reason": "Random"}).want(200)
	x.corrections = slices.Delete(x.corrections, i, i+1)
}

func (x *randomDecisions) grade() {
	s, q := x.session(), x.question()
	x.gradeOf(s, q, x.r.IntN(4) > 0)
}

func (x *randomDecisions) gradeOf(s *decided, q rules.Question, gives bool) {
	x.goOn(s)
	var points *float64
	if gives {
		points = new(math.Floor(x.r.Float64()*q.Points*4) / 4)
	}
	graded := x.do("PUT", "/v1/candidate-sessions/"+s.id+"/grades/"+q.ID, x.o.owner,
		object{"points": points, "reason": "Random", "version": s.version[q.ID]})
	_, _, given := x.definition.For(s.id).QuestionByID(q.ID)
	if stage := x.definition.Stages[x.stageOf(q.ID)]; !given || !s.closed[stage.ID] {
		graded.want(404, "not_found")
		return
	}
	graded.want(200)
	s.version[q.ID]++
	delete(s.grades, q.ID)
	if points != nil {
		s.grades[q.ID] = rules.Grade{Points: points}
	}
	x.goOn(s)
}

func (x *randomDecisions) stageOf(questionID string) int {
	_, position, _ := x.definition.QuestionByID(questionID)
	return position
}

// goOn takes the rest of a session that a decision lets go on.
func (x *randomDecisions) goOn(s *decided) {
	if x.status(s) == "IN_PROGRESS" {
		x.take(s)
	}
}

func (x *randomDecisions) status(s *decided) string {
	return x.do("GET", "/v1/candidate-sessions/"+s.id, x.o.owner, nil).want(200).text("data.status")
}

// decideOne rules about a session, or grades an answer that it waits for, and reports whether it waited.
func (x *randomDecisions) decideOne() { x.decideAbout(x.session()) }

func (x *randomDecisions) decideAbout(s *decided) (waited bool) {
	open := x.do("GET", "/v1/candidate-sessions/"+s.id+"/open-decision", x.o.owner, nil).want(200)
	switch open.at("data.waitsFor") {
	case "GRADES":
		waiting := open.list("data.questionIds")
		if len(waiting) == 0 { // a correction decides, which the job has not applied yet
			x.correct()
			x.goOn(s)
			break
		}
		question, _, _ := x.definition.QuestionByID(waiting[0].(string))
		x.gradeOf(s, question, true)
	case "RULING":
		decision := []string{"PASS", "STOP"}[x.r.IntN(2)]
		x.do("POST", "/v1/candidate-sessions/"+s.id+"/rulings", x.o.owner, object{"stageId": open.text("data.stageId"),
			"decision": decision, "reason": "Random"}).want(200)
		s.stopped = decision == "STOP"
		x.goOn(s)
	default:
		return false
	}
	return true
}

// decideAll decides until every session has ended.
func (x *randomDecisions) decideAll() {
	for _, s := range x.sessions {
		x.goOn(s)
		for x.decideAbout(s) {
		}
	}
}

func (x *randomDecisions) reopen() {
	s := x.session()
	reopened := x.do("POST", "/v1/candidate-sessions/"+s.id+"/reopen", x.o.owner, object{"minutes": 5, "reason": "Random"})
	if reopened.status == 409 { // it is in review, or goes on since a correction
		reopened.want(409, "session_not_finished")
		return
	}
	s.stopped = false
	stage, _, _ := x.definition.StageByID(reopened.want(200).text("data.currentStageId"))
	for _, q := range stage.Questions {
		if _, graded := s.grades[q.ID]; graded && q.NeedsGrader() {
			delete(s.grades, q.ID)
			s.version[q.ID]++
		}
	}
	x.take(s)
}

func (x *randomDecisions) batch() {
	if _, _, err := x.store.UnscopedApplyCorrections(context.Background()); err != nil {
		x.t.Fatal(err)
	}
}
