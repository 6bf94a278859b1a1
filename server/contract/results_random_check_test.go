package contract

import (
	"fmt"
	"math"

	"assay/store/rules"
)

// check compares the results and the statistics of all sessions with those from scratch.
func (x *randomDecisions) check() {
	x.t.Helper()
	var expected rules.Statistics
	expected.Fit(x.definition)
	reached, given := make([]float64, len(x.definition.Stages)), map[string]float64{}
	for _, s := range x.sessions {
		finished := x.checkResult(s)
		for i, stage := range finished.Stages {
			if stage.Status != rules.StageNotReached {
				reached[i]++
				for _, question := range stage.Questions {
					given[question.ID]++
				}
			}
		}
		expected.Add(x.definition, finished)
	}
	statistics := x.do("GET", "/v1/assessments/"+x.assessment+"/statistics/questions", x.o.owner, nil).want(200)
	n := 0
	for i, stage := range x.definition.Stages {
		for j, question := range stage.Questions {
			reached := reached[i]
			if question.PoolID != "" {
				reached = given[question.ID]
			}
			at, tally := fmt.Sprintf("data.questions.%d.", n), expected.Stages[i].Questions[j]
			n++
			wantNumber(x.t, at+"answered", statistics.number(at+"answered"), float64(tally.Answered))
			wantNumber(x.t, at+"reached", statistics.number(at+"reached"), reached)
			if mean := tally.MeanPoints(int64(reached)); mean != nil {
				if got := statistics.number(at + "meanPoints"); math.Abs(got-*mean) > 0.005001 { // rounded to two decimals
					x.t.Errorf("%smeanPoints is %v, want %v", at, got, *mean)
				}
			}
		}
	}
}

// checkResult compares a result with the one from scratch, and returns the latter.
func (x *randomDecisions) checkResult(s *decided) rules.Finished {
	x.t.Helper()
	scoring := rules.Scoring{
		Definition: x.definition.For(s.id), Corrections: x.corrections, Answers: s.answers, Grades: s.grades,
	}
	result := x.do("GET", "/v1/candidate-sessions/"+s.id+"/result", x.o.owner, nil).want(200)
	points, maxPoints := 0.0, 0.0
	finished := rules.Finished{Status: rules.SessionCompleted}
	if s.stopped {
		finished.Status = rules.SessionDisqualified
	}
	for i, defined := range scoring.Definition.Stages {
		scored := scoring.Stage(i)
		maxPoints += scored.MaxPoints
		stage := rules.FinishedStage{ID: defined.ID, Status: rules.StageNotReached}
		if s.closed[defined.ID] {
			points += scored.Points
			stage.Status, stage.Score = rules.StageCompleted, &scored.Score
			if i == 0 {
				stage.Status = rules.StageFailed
				if scored.Score >= 40 {
					stage.Status = rules.StagePassed
				}
			}
		}
		if got := result.text(fmt.Sprintf("data.stages.%d.status", i)); got != string(stage.Status) {
			x.t.Errorf("%s: stage %d is %s, want %s", s.id, i, got, stage.Status)
		}
		for j, question := range scored.Questions {
			at := fmt.Sprintf("data.stages.%d.questions.%d.", i, j)
			shown := rules.FinishedQuestion{ID: question.QuestionID}
			if id := result.text(at + "id"); id != question.QuestionID {
				x.t.Errorf("%s: %s has %s, want %s", s.id, at, id, question.QuestionID)
			}
			if s.closed[defined.ID] {
				shown.Answer, shown.Points = question.Answer, rules.RoundPoints(question.Points)
			}
			wantNumber(x.t, s.id+" points", result.number(at+"points"), shown.Points)
			wantNumber(x.t, s.id+" maxPoints", result.number(at+"maxPoints"), question.MaxPoints)
			stage.Questions = append(stage.Questions, shown)
		}
		finished.Stages = append(finished.Stages, stage)
	}
	finished.Points = rules.RoundPoints(points)
	score := rules.Percent(min(points, maxPoints), maxPoints)
	wantNumber(x.t, s.id+" score", result.number("data.score"), score)
	passed := score >= 50 && !s.stopped
	if got := result.at("data.passed"); got != passed || result.text("data.status") != string(finished.Status) {
		x.t.Errorf("%s: %s, passed is %v with a score of %v, stopped %v", s.id,
			result.text("data.status"), got, score, s.stopped)
	}
	return finished
}
