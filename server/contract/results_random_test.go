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
	version map[string]int // of the grade, by question
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
			func() { a.fold() }, x.withdraw}
		for range 90 {
			steps[x.r.IntN(len(steps))]()
		}
		a.correct()
		a.fold()
		x.check()
	})
}

func (x *randomDecisions) begin() {
	options := []any{object{"id": "a", "text": "First"}, object{"id": "b", "text": "Second"}, object{"id": "c",
		"text": "Third"}}
	x.assessment = x.o.publish(object{"title": "Random", "passingScore": 50, "stages": []any{
		object{"title": "One", "gate": object{"required": false, "minScore": 40}, "questions": []any{
			object{"type": "SINGLE_CHOICE", "prompt": "1?", "points": 3, "options": options, "correctOptionId": "a"},
			object{"type": "MULTIPLE_CHOICE", "prompt": "2?", "points": 4, "partialCredit": true, "options": options,
				"correctOptionIds": []any{"a", "b"}},
		}},
		object{"title": "Two", "questions": []any{
			object{"type": "NUMERIC", "prompt": "3?", "points": 2.5, "answer": 10, "tolerance": 1},
			object{"type": "SHORT_TEXT", "prompt": "4?", "points": 1, "acceptedAnswers": []any{"yes"}},
		}},
	}})
	read := x.do("GET", "/v1/assessments/"+x.assessment, x.o.owner, nil).want(200)
	for i := range read.list("data.stages") {
		stage := rules.Stage{ID: read.text(fmt.Sprintf("data.stages.%d.id", i))}
		for j := range read.list(fmt.Sprintf("data.stages.%d.questions", i)) {
			at := fmt.Sprintf("data.stages.%d.questions.%d.", i, j)
			q := rules.Question{ID: read.text(at + "id"), Type: rules.QuestionType(read.text(at + "type")),
				Points: read.number(at + "points")}
			for _, id := range []string{"a", "b", "c"} {
				q.Options = append(q.Options, rules.Option{ID: id})
			}
			switch q.Type {
			case rules.SingleChoice:
				q.CorrectOptionID = new("a")
			case rules.MultipleChoice:
				q.CorrectOptionIDs, q.PartialCredit = []string{"a", "b"}, true
			case rules.Numeric:
				q.Options, q.Answer, q.Tolerance = nil, new(10.0), 1
			case rules.ShortText:
				q.Options, q.AcceptedAnswers = nil, []string{"yes"}
			}
			stage.Questions = append(stage.Questions, q)
		}
		x.definition.Stages = append(x.definition.Stages, stage)
	}
}

func (x *randomDecisions) questions() []rules.Question {
	return slices.Concat(x.definition.Stages[0].Questions, x.definition.Stages[1].Questions)
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
	text := []string{"yes", "no", "maybe"}[x.r.IntN(3)]
	return rules.Answer{Text: &text}, object{"text": text}
}

// take answers the questions of the open stages, and submits them.
func (x *randomDecisions) take(s *decided) {
	for {
		stage := x.do("GET", "/v1/candidate/session/stage", s.who, nil).want(200)
		defined, _, _ := x.definition.StageByID(stage.text("data.id"))
		for _, q := range defined.Questions {
			answer, body := x.answer(q)
			if body == nil {
				continue
			}
			x.do("PUT", "/v1/candidate/session/answers/"+q.ID, s.who, body).want(200)
			s.answers[q.ID] = answer
		}
		outcome := x.do("POST", "/v1/candidate/session/stage/submit", s.who, object{"stageId": defined.ID}).want(200)
		if outcome.text("data.status") != "IN_PROGRESS" {
			return
		}
	}
}

func (x *randomDecisions) finishOne() {
	invite := x.o.invite(x.assessment)
	s := &decided{id: invite.text("data.id"), who: invite.candidate(), answers: map[string]rules.Answer{},
		grades: map[string]rules.Grade{}, version: map[string]int{}}
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
	q := x.questions()[x.r.IntN(4)]
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
	if made.status == 400 { // nothing would count any more
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
	s, q := x.session(), x.questions()[x.r.IntN(4)]
	var points *float64
	if x.r.IntN(4) > 0 {
		points = new(math.Floor(x.r.Float64()*q.Points*4) / 4)
	}
	x.do("PUT", "/v1/candidate-sessions/"+s.id+"/grades/"+q.ID, x.o.owner,
		object{"points": points, "reason": "Random", "version": s.version[q.ID]}).want(200)
	s.version[q.ID]++
	delete(s.grades, q.ID)
	if points != nil {
		s.grades[q.ID] = rules.Grade{Points: points}
	}
}

func (x *randomDecisions) reopen() {
	s := x.session()
	x.do("POST", "/v1/candidate-sessions/"+s.id+"/reopen", x.o.owner, object{"minutes": 5, "reason": "Random"}).want(200)
	x.take(s)
}

func (x *randomDecisions) batch() {
	if _, _, err := x.store.UnscopedApplyCorrections(context.Background()); err != nil {
		x.t.Fatal(err)
	}
}

func (x *randomDecisions) check() {
	x.t.Helper()
	var expected rules.Statistics
	expected.Fit(x.definition)
	for _, s := range x.sessions {
		scoring := rules.Scoring{Definition: x.definition, Corrections: x.corrections, Answers: s.answers, Grades: s.grades}
		result := x.do("GET", "/v1/candidate-sessions/"+s.id+"/result", x.o.owner, nil).want(200)
		points, maxPoints := 0.0, 0.0
		finished := rules.Finished{Status: rules.SessionCompleted}
		for i := range x.definition.Stages {
			scored := scoring.Stage(i)
			points, maxPoints = points+scored.Points, maxPoints+scored.MaxPoints
			stage := rules.FinishedStage{ID: x.definition.Stages[i].ID, Status: rules.StageCompleted, Score: &scored.Score}
			for j, question := range scored.Questions {
				at := fmt.Sprintf("data.stages.%d.questions.%d.", i, j)
				wantNumber(x.t, s.id+" points", result.number(at+"points"), rules.RoundPoints(question.Points))
				wantNumber(x.t, s.id+" maxPoints", result.number(at+"maxPoints"), question.MaxPoints)
				stage.Questions = append(stage.Questions, rules.FinishedQuestion{
					ID: question.QuestionID, Answer: question.Answer, Points: rules.RoundPoints(question.Points)})
			}
			finished.Stages = append(finished.Stages, stage)
		}
		finished.Points = rules.RoundPoints(points)
		score := rules.Percent(min(points, maxPoints), maxPoints)
		wantNumber(x.t, s.id+" score", result.number("data.score"), score)
		if passed := result.at("data.passed"); passed != (score >= 50) {
			x.t.Errorf("%s: passed is %v with a score of %v", s.id, passed, score)
		}
		expected.Add(x.definition, finished)
	}
	statistics := x.do("GET", "/v1/assessments/"+x.assessment+"/statistics/questions", x.o.owner, nil).want(200)
	n := 0
	for i, stage := range x.definition.Stages {
		for j := range stage.Questions {
			at, tally := fmt.Sprintf("data.questions.%d.", n), expected.Stages[i].Questions[j]
			n++
			wantNumber(x.t, at+"answered", statistics.number(at+"answered"), float64(tally.Answered))
			wantNumber(x.t, at+"reached", statistics.number(at+"reached"), float64(len(x.sessions)))
			if mean := tally.MeanPoints(int64(len(x.sessions))); mean != nil {
				wantNumber(x.t, at+"meanPoints", statistics.number(at+"meanPoints"), rules.RoundPoints(*mean))
			}
		}
	}
}
