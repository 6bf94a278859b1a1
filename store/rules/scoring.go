package rules

import (
	"math"
	"slices"
	"unicode/utf8"
)

// Points are computed and stored exactly, and RoundPoints rounds them only where
// they are shown: sums of rounded thirds would drift. Percent rounds scores
// (percentages) once, and every comparison uses the rounded value, so that a
// person who compares the numbers on the page reaches the same decision.

const maxTextAnswer = 2000 // characters, as in openapi.yaml

// StageScore is the outcome of one stage. Points are not rounded; Score is a
// percentage with two decimals.
type StageScore struct {
	Points    float64
	MaxPoints float64
	Score     float64
	Questions []QuestionScore
}

// QuestionScore is the outcome of one question. Answer is the one that was scored, nil when
// the candidate saved none or cleared every choice. Points are not rounded. MaxPoints is 0
// when the question no longer counts.
type QuestionScore struct {
	QuestionID string
	Answer     *Answer
	Points     float64
	MaxPoints  float64
	Correct    bool
	ScoredBy   ScoredBy
}

// gradeQuestion returns the points for an answer, and whether it is entirely
// correct. A question without an answer or without a key gives no points.
func gradeQuestion(q Question, a *Answer) (points float64, correct bool) {
	if a == nil {
		return 0, false
	}
	switch q.Type {
	case SingleChoice:
		correct = a.OptionID != nil && q.CorrectOptionID != nil && *a.OptionID == *q.CorrectOptionID
	case MultipleChoice:
		return gradeMultipleChoice(q, a.OptionIDs)
	case Numeric:
		correct = a.Number != nil && q.Answer != nil && withinTolerance(*a.Number, *q.Answer, q.Tolerance)
	case ShortText:
		correct = a.Text != nil && acceptsText(q, *a.Text)
	}
	if !correct {
		return 0, false
	}
	return q.Points, true
}

// gradeMultipleChoice compares sets: neither order nor repetition counts. With
// partial credit each wrong choice cancels one correct choice: otherwise choosing
// every option would earn all points.
func gradeMultipleChoice(q Question, optionIDs []string) (points float64, correct bool) {
	key, chosen := set(q.CorrectOptionIDs), set(optionIDs)
	right := 0
	for id := range chosen {
		if key[id] {
			right++
		}
	}
	wrong := len(chosen) - right
	if right <= wrong {
		return 0, false
	}
	if right == len(key) && wrong == 0 {
		return q.Points, true
	}
	if !q.PartialCredit {
		return 0, false
	}
	return q.Points * float64(right-wrong) / float64(len(key)), false
}

func set(ids []string) map[string]bool {
	members := make(map[string]bool, len(ids))
	for _, id := range ids {
		members[id] = true
	}
	return members
}

// withinTolerance includes the limit itself. Decimal fractions are not exact in
// binary (1.1 - 1.0 > 0.1). The limit is therefore widened by 2^-50 of the larger
// number: more than the error of the two roundings and the subtraction, and too
// little to make two whole numbers below 10^15 equal.
func withinTolerance(given, answer, tolerance float64) bool {
	for _, value := range []float64{given, answer, tolerance} {
		if !finite(value) {
			return false
		}
	}
	slack := 0x1p-50 * max(math.Abs(given), math.Abs(answer))
	return math.Abs(given-answer) <= tolerance+slack
}

func finite(number float64) bool { return !math.IsNaN(number) && !math.IsInf(number, 0) }

// Percent is points as a percentage of max, 0 to 100 with two decimals, rounded
// half up. It is 0 when max is 0.
func Percent(points, max float64) float64 {
	if max <= 0 {
		return 0
	}
	return RoundPoints(points * 100 / max)
}

// RoundPoints rounds a number that is not negative to two decimals, half up. The
// factor raises a half that binary stores as slightly less (1.005); it is far
// smaller than the distance of any other sum of points from a half. The result
// is the float64 nearest to the decimal, and therefore equals its literal.
func RoundPoints(points float64) float64 {
	return math.Floor(points*100*(1+1e-13)+0.5) / 100
}

// passed reports whether a stage's rounded score passes the gate; nil without a
// gate. A score of exactly MinScore passes.
func (g *Gate) passed(score float64) *bool {
	if g == nil {
		return nil
	}
	return new(score >= g.MinScore)
}

// disqualifies reports whether a stage's score ends the session: only when it does
// not pass a required gate.
func disqualifies(g *Gate, score float64) bool {
	return g != nil && g.Required && !*g.passed(score)
}

// empty reports whether the answer has no content. A multiple choice without any
// chosen option is such an answer: it is stored, and shown as null.
func (a Answer) empty() bool {
	return a.OptionID == nil && len(a.OptionIDs) == 0 && a.Number == nil && a.Text == nil
}

// ValidAnswer returns the fault of an answer that does not fit its question, or
// nil: exactly the field of the question's type must be set, to a possible value.
// Whether the answer is correct does not matter. The pointer begins at the answer
// object. An empty optionIds is valid: a candidate can clear every choice.
func ValidAnswer(q Question, a Answer) *Fault {
	fields := []struct {
		name    string
		given   bool
		belongs bool
	}{
		{"optionId", a.OptionID != nil, q.Type == SingleChoice},
		{"optionIds", a.OptionIDs != nil, q.Type == MultipleChoice},
		{"number", a.Number != nil, q.Type == Numeric},
		{"text", a.Text != nil, q.Type == ShortText},
	}
	for _, field := range fields {
		if field.given && !field.belongs {
			return answerFault("/"+field.name, "unknown_field", "does not answer a question of type "+string(q.Type))
		}
	}
	for _, field := range fields {
		if field.belongs && !field.given {
			return answerFault("/"+field.name, "required", "is needed to answer a question of type "+string(q.Type))
		}
	}

	switch q.Type {
	case SingleChoice:
		if !q.hasOption(*a.OptionID) {
			return answerFault("/optionId", "invalid_value", "must be the id of one of the question's options")
		}
	case MultipleChoice:
		return validOptionIDs(q, a.OptionIDs)
	case Numeric:
		if !finite(*a.Number) {
			return answerFault("/number", "invalid_value", "must be a finite number")
		}
	case ShortText:
		if utf8.RuneCountInString(*a.Text) > maxTextAnswer {
			return answerFault("/text", "invalid_value", "must have at most 2000 characters")
		}
	}
	return nil
}

func validOptionIDs(q Question, optionIDs []string) *Fault {
	if len(optionIDs) > len(q.Options) {
		return answerFault("/optionIds", "invalid_value", "must not name more options than the question has")
	}
	seen := make(map[string]bool, len(optionIDs))
	for i, id := range optionIDs {
		if !q.hasOption(id) {
			return answerFault(itemPointer("/optionIds", i), "invalid_value", "must be the id of one of the question's options")
		}
		if seen[id] {
			return answerFault(itemPointer("/optionIds", i), "duplicate", "must not name an option twice")
		}
		seen[id] = true
	}
	return nil
}

func answerFault(pointer, code, detail string) *Fault {
	return &Fault{Pointer: pointer, Code: code, Detail: detail}
}

func (q Question) hasOption(id string) bool {
	return slices.ContainsFunc(q.Options, func(option Option) bool { return option.ID == id })
}
