package rules

const enoughCompleted = 20

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

// prefersOther needs a wrong option that goes with more points elsewhere than the key does. Either an interval shows
// it, or a majority that an interval shows: of candidates who choose one of the two, most choose the option, and those
// who choose the key are not the stronger ones. The second condition finds a wrong key with half the results. Below
// enoughCompleted results, the strongest candidates choose a good distractor too often by chance.
func (singleChoice) prefersOther(q Question, t QuestionTally, k keys) bool {
	var onKey int64
	for i, option := range q.Options {
		if k.accepts(option.ID) {
			onKey += t.Chosen[i]
		}
	}
	key, bound := t.Pairs.Correlation(), 0.0
	if key != nil {
		bound = max(bound, *key)
	}
	for i, option := range q.Options {
		r := t.OptionDiscrimination(i)
		if k.accepts(option.ID) || r == nil || *r <= bound {
			continue
		}
		isMajority := wilson(float64(t.Chosen[i]), float64(onKey+t.Chosen[i])).From > 0.5
		if isMajority && bound == 0 && t.Pairs.N >= enoughCompleted {
			return true
		}
		if t.strongerChoose(i) && t.OptionInterval(i).From > bound {
			return true
		}
	}
	return false
}
