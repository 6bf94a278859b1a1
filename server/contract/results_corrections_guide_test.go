package contract

import (
	"strings"
	"testing"

	"assay/gen"
	"assay/store/rules"
)

// corrected scores answers to the example assessment with a correction of its last question.
func corrected(definition rules.Definition, answers map[string]rules.Answer, corrections ...rules.Correction) string {
	scoring := rules.Scoring{Definition: definition, Answers: answers, Corrections: corrections}
	points, maxPoints := 0.0, 0.0
	for i := range definition.Stages {
		stage := scoring.Stage(i)
		points += stage.Points
		maxPoints += stage.MaxPoints
	}
	return decimal(rules.RoundPoints(points)) + " of " + decimal(maxPoints) + ", " +
		decimal(rules.Percent(min(points, maxPoints), maxPoints))
}

// The table of the guide about policies, and the examples of revisions and events, are what the
// rules compute.
func TestGuideCorrections(t *testing.T) {
	t.Parallel()
	examples := readExamples(t)
	definition := examples.assessment.Definition
	mei, lena := map[string]rules.Answer{}, map[string]rules.Answer{}
	var last rules.Question
	for i, stage := range definition.Stages {
		for j, question := range stage.Questions {
			mei[question.ID] = *examples.result.Stages[i].Questions[j].Answer
			lena[question.ID] = mei[question.ID]
			if question.Type == rules.MultipleChoice { // two of three choices, and no wrong one
				lena[question.ID] = rules.Answer{OptionIDs: question.CorrectOptionIDs[:2]}
			}
			last = question
		}
	}
	lena[last.ID] = rules.Answer{Text: new("sesame seed")}

	_, chapter, _ := strings.Cut(string(gen.Guide), "## Whether a correction can lower a score")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	rows := 0
	for line := range strings.Lines(chapter) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !strings.Contains(cells[3], " of ") {
			continue
		}
		rows++
		var corrections []rules.Correction
		if name := strings.Split(cells[1], "`"); len(name) > 1 {
			correction := rules.Correction{QuestionID: last.ID, Action: rules.CorrectionAction(name[1])}
			if correction.Action.NeedsKey() {
				correction.Key = &rules.AnswerKey{AcceptedAnswers: []string{"sesame seed"}}
			}
			corrections = append(corrections, correction)
		}
		policies := []rules.CorrectionPolicy{rules.NeverLower, rules.Exact}
		if name := strings.Trim(cells[2], " `"); name == string(rules.NeverLower) || name == string(rules.Exact) {
			policies = []rules.CorrectionPolicy{rules.CorrectionPolicy(name)}
		}
		for _, policy := range policies {
			for i := range corrections {
				corrections[i].Policy = policy
			}
			for i, answers := range []map[string]rules.Answer{mei, lena} {
				shown := strings.TrimSpace(cells[3+i])
				if want := corrected(definition, answers, corrections...); shown != want {
					t.Errorf("%s with %s: the guide has %s, want %s", cells[1], policy, shown, want)
				}
			}
		}
	}
	if rows != 7 {
		t.Errorf("found %d rows in the guide, want 7", rows)
	}

	var revisions []struct{ Score, Points, MaxPoints float64 }
	readExample(t, "/v1/candidate-sessions/{id}/result/revisions", &revisions)
	accepted := rules.Correction{
		QuestionID: last.ID, Action: rules.AcceptAlso, Policy: rules.NeverLower,
		Key: &rules.AnswerKey{AcceptedAnswers: []string{"sesame seed"}},
	}
	for i, want := range []string{corrected(definition, lena, accepted), corrected(definition, lena)} {
		r := revisions[i]
		if shown := decimal(r.Points) + " of " + decimal(r.MaxPoints) + ", " + decimal(r.Score); shown != want {
			t.Errorf("the example of revisions has %s, want %s", shown, want)
		}
	}
}
