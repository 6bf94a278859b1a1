package rules

// kind is what differs between the types of questions. Each type is one file, question_<type>.go, and one row of kinds.
// A question and an answer have the fields of all types; a kind uses its own.
type kind interface {
	// hasOptions reports whether candidates choose from options.
	hasOptions() bool
	// fields names the field of an answer that the type uses, and the fields of its key.
	fields() (answer string, key []string)
	// needsGrader reports whether a person grades the answers, and no key.
	needsGrader() bool

	// checkKey adds what the key needs before the question can be published.
	checkKey(f *fieldFaults, at string, q Question)
	// checkAnswer returns the fault of an answer that has the type's field, or nil.
	checkAnswer(q Question, a Answer) *Fault

	// grade returns the points for an answer, and whether it is entirely correct. The answer can be empty, and the key
	// can be incomplete.
	grade(q Question, a Answer) (points float64, correct bool)
	// form is the same for two answers that are always scored alike. The answer has the type's field.
	form(q Question, a Answer) string
	// prefersOther reports whether candidates who are stronger elsewhere choose a certain wrong answer rather than a right
	// one.
	prefersOther(q Question, t QuestionTally, k keys) bool
}

var kinds = map[QuestionType]kind{
	SingleChoice:   singleChoice{},
	MultipleChoice: multipleChoice{},
	Numeric:        numeric{},
	ShortText:      shortText{},
	FreeText:       freeText{},
}

// HasOptions reports whether candidates choose from the question's options.
func (q Question) HasOptions() bool {
	k, known := kinds[q.Type]
	return known && k.hasOptions()
}

// NeedsGrader reports whether a person grades the answers to the question.
func (q Question) NeedsGrader() bool {
	k, known := kinds[q.Type]
	return known && k.needsGrader()
}

// allPoints is the grade of an answer that is either right or wrong.
func allPoints(q Question, correct bool) (float64, bool) {
	if !correct {
		return 0, false
	}
	return q.Points, true
}

// gradeQuestion returns the points for an answer, and whether it is entirely
// correct. A question without an answer or without a key gives no points.
func gradeQuestion(q Question, a *Answer) (points float64, correct bool) {
	k, known := kinds[q.Type]
	if a == nil || !known {
		return 0, false
	}
	return k.grade(q, *a)
}

// ValidAnswer returns the fault of an answer that does not fit its question, or
// nil: exactly the field of the question's type must be set, to a possible value.
// Whether the answer is correct does not matter. The pointer begins at the answer
// object. An empty optionIds is valid: a candidate can clear every choice.
func ValidAnswer(q Question, a Answer) *Fault {
	k, known := kinds[q.Type]
	if !known {
		return answerFault("", "invalid_value", "answers a question of an unknown type")
	}
	belongs, _ := k.fields()
	isGiven := false
	for _, field := range []struct {
		name  string
		given bool
	}{
		{"optionId", a.OptionID != nil}, {"optionIds", a.OptionIDs != nil}, {"number", a.Number != nil},
		{"text", a.Text != nil},
	} {
		if field.given && field.name != belongs {
			return answerFault("/"+field.name, "unknown_field", "does not answer a question of type "+string(q.Type))
		}
		isGiven = isGiven || field.given
	}
	if !isGiven {
		return answerFault("/"+belongs, "required", "is needed to answer a question of type "+string(q.Type))
	}
	return k.checkAnswer(q, a)
}

func answerFault(pointer, code, detail string) *Fault {
	return &Fault{Pointer: pointer, Code: code, Detail: detail}
}

// AnswerForm is the same for two answers to the question that are always scored alike, because
// they are compared as equal.
func AnswerForm(q Question, a Answer) string {
	if ValidAnswer(q, a) != nil {
		return ""
	}
	return kinds[q.Type].form(q, a)
}
