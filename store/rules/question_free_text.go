package rules

import (
	"slices"
	"unicode/utf8"
)

const maxFreeText = 20000 // characters, as in openapi.yaml

// freeText has no key: a person grades each answer.
type freeText struct{}

func (freeText) hasOptions() bool           { return false }
func (freeText) fields() (string, []string) { return "text", nil }
func (freeText) needsGrader() bool          { return true }

// checkKey checks the rubric, which is what a grader has instead of a key.
func (freeText) checkKey(f *fieldFaults, at string, q Question) {
	sum := 0.0
	for i, criterion := range q.Rubric {
		if Blank(criterion.Title) {
			f.add(itemPointer(at+"/rubric", i)+"/title", "required", "must not be blank")
		}
		sum += criterion.Points
	}
	if len(q.Rubric) > 0 && RoundPoints(sum) != RoundPoints(q.Points) {
		f.add(at+"/rubric", "invalid_value", "must have the points of the question in total")
	}
}

func (f *fieldFaults) addRepeatedCriteria(at string, question Question) {
	seen := make(map[string]bool, len(question.Rubric))
	for i, criterion := range question.Rubric {
		if seen[criterion.ID] {
			f.add(itemPointer(at+"/rubric", i)+"/id", "duplicate", "is the id of an earlier criterion")
		}
		seen[criterion.ID] = true
	}
}

func (freeText) checkAnswer(_ Question, a Answer) *Fault {
	if utf8.RuneCountInString(*a.Text) > maxFreeText {
		return answerFault("/text", "invalid_value", "must have at most 20000 characters")
	}
	return nil
}

func (freeText) grade(Question, Answer) (float64, bool) { return 0, false }

// form is the whole text, because a person may grade any two different texts differently.
func (freeText) form(_ Question, a Answer) string { return *a.Text }

func (freeText) prefersOther(Question, QuestionTally, keys) bool { return false }

// gradedByPerson scores an answer that has no key. The points that a person has given take the
// place of the key: a correction applies to them, so that FULL_POINTS also reaches answers that
// have been graded, and EXCLUDE with NEVER_LOWER leaves their points. A blank text is no answer.
func gradedByPerson(q Question, a *Answer, points *float64, corrections []Correction) QuestionScore {
	if a != nil && (a.Text == nil || Blank(*a.Text)) {
		a = nil
	}
	score := QuestionScore{QuestionID: q.ID, Answer: a, MaxPoints: q.Points, ScoredBy: ByKey}
	switch {
	case points != nil:
		score.Points, score.Correct, score.ScoredBy = *points, *points >= q.Points, ByPerson
	case a != nil && q.Points > 0:
		score.ScoredBy = ByNobody
	}
	return score.corrected(q, corrections)
}

// Pending returns the ids of the questions of the stage at position i whose answers need a
// grade: a person has given no points, and no correction has decided about the question.
func (s Scoring) Pending(i int) []string {
	stage := s.Definition.Stages[i]
	if s.Unattended || !slices.ContainsFunc(stage.Questions, Question.NeedsGrader) {
		return nil
	}
	var pending []string
	for _, score := range s.Stage(i).Questions {
		if score.ScoredBy == ByNobody {
			pending = append(pending, score.QuestionID)
		}
	}
	return pending
}
