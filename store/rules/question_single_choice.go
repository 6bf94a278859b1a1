package rules

type singleChoice struct{}

func (singleChoice) hasOptions() bool           { return true }
func (singleChoice) fields() (string, []string) { return "optionId", []string{"correctOptionId"} }
func (singleChoice) needsGrader() bool          { return false }

func (singleChoice) checkKey(f *fieldFaults, at string, q Question) {
	if q.CorrectOptionID == nil {
		f.add(at+"/correctOptionId", "required", "must name the correct option")
	} else if !q.hasOption(*q.CorrectOptionID) {
		f.add(at+"/correctOptionId", "invalid_value", "must be the id of one of the question's options")
	}
}

func (singleChoice) checkAnswer(q Question, a Answer) *Fault {
	if !q.hasOption(*a.OptionID) {
		return answerFault("/optionId", "invalid_value", "must be the id of one of the question's options")
	}
	return nil
}

func (singleChoice) grade(q Question, a Answer) (float64, bool) {
	return allPoints(q, a.OptionID != nil && q.CorrectOptionID != nil && *a.OptionID == *q.CorrectOptionID)
}

func (singleChoice) form(_ Question, a Answer) string { return *a.OptionID }

func (singleChoice) prefersOther(q Question, t QuestionTally, k keys) bool {
	bound := 0.0
	if key := t.Pairs.Correlation(); key != nil {
		bound = max(bound, *key)
	}
	for i, option := range q.Options {
		if !k.accepts(option.ID) && t.strongerChoose(i) && t.OptionInterval(i).From > bound {
			return true
		}
	}
	return false
}
