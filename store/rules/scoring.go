package rules

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Points are computed and kept exactly and rounded by roundPoints only where
// they are shown: sums of rounded thirds would drift. Scores (percentages) are
// rounded once, by percent, and every comparison uses the rounded value, so
// that what a person reads on the page decides in the same way as the program.

const maxTextAnswer = 2000 // characters, as in openapi.yaml

// StageScore is the outcome of one stage. Points are not rounded; Score is a
// percentage with two decimals.
type StageScore struct {
	Points    float64
	MaxPoints float64
	Score     float64
	Questions []QuestionScore
}

// QuestionScore is the outcome of one question; Answer is nil when the
// candidate saved none or took every choice back. Points are not rounded.
type QuestionScore struct {
	QuestionID string
	Answer     *Answer
	Points     float64
	Correct    bool
}

// gradeStage scores a stage with the answers, keyed by question id, that the
// candidate saved. Points are added in the order in which MaxPoints adds them,
// so that a stage without a fault is exactly 100.
func GradeStage(stage Stage, answers map[string]Answer) StageScore {
	graded := StageScore{
		MaxPoints: stage.MaxPoints(),
		Questions: make([]QuestionScore, 0, len(stage.Questions)),
	}
	for _, question := range stage.Questions {
		var answer *Answer
		if saved := answers[question.ID]; !saved.empty() {
			answer = &saved
		}
		points, correct := gradeQuestion(question, answer)
		graded.Points += points
		graded.Questions = append(graded.Questions, QuestionScore{
			QuestionID: question.ID, Answer: answer, Points: points, Correct: correct,
		})
	}
	graded.Score = Percent(graded.Points, graded.MaxPoints)
	return graded
}

// gradeQuestion gives the points for an answer, and whether it is wholly right.
// A question without an answer or without a key gives nothing.
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

// gradeMultipleChoice compares sets: neither order nor repetition counts.
// With partial credit each wrong choice takes back one right one: otherwise
// choosing everything would earn everything.
func gradeMultipleChoice(q Question, optionIDs []string) (points float64, correct bool) {
	key, chosen := idSet(q.CorrectOptionIDs), idSet(optionIDs)
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

func idSet(ids []string) map[string]bool {
	members := make(map[string]bool, len(ids))
	for _, id := range ids {
		members[id] = true
	}
	return members
}

// withinTolerance includes the border. Decimal fractions are not exact in
// binary (1.1 - 1.0 > 0.1), so the border is widened by 2^-50 of the larger
// number: more than the error of its two roundings and the subtraction, and
// too little to make two whole numbers below 10^15 equal.
func withinTolerance(given, answer, tolerance float64) bool {
	for _, value := range []float64{given, answer, tolerance} {
		if !finite(value) {
			return false
		}
	}
	slack := 0x1p-50 * max(math.Abs(given), math.Abs(answer))
	return math.Abs(given-answer) <= tolerance+slack
}

// acceptsText compares after trimming and after making every run of white space
// one space; unless the question is case-sensitive, by Unicode simple case
// folding ("ß" is not "SS"). Unicode normalisation is not applied, the standard
// library having none: "é" in one code point differs from "e" with a combining
// accent, so an author who expects both lists both. A blank answer is none.
func acceptsText(q Question, text string) bool {
	given := collapseSpace(text)
	if given == "" {
		return false
	}
	return slices.ContainsFunc(q.AcceptedAnswers, func(accepted string) bool {
		accepted = collapseSpace(accepted)
		if q.CaseSensitive {
			return given == accepted
		}
		return strings.EqualFold(given, accepted)
	})
}

func collapseSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

func finite(number float64) bool { return !math.IsNaN(number) && !math.IsInf(number, 0) }

// percent is the share of max that points are, 0..100 with two decimals,
// rounded half up; 0 when there is nothing to earn.
func Percent(points, max float64) float64 {
	if max <= 0 {
		return 0
	}
	return RoundPoints(points * 100 / max)
}

// roundPoints rounds a number that is not negative to two decimals, half up.
// The factor lifts a half that binary stores just below itself (1.005), and is
// far smaller than the distance of any other sum of points from a half. The
// result is the float64 nearest to the decimal, and so equals its literal.
func RoundPoints(points float64) float64 {
	return math.Floor(points*100*(1+1e-13)+0.5) / 100
}

// passed tells whether a stage's score passes the gate; nil without a gate.
// The score is the rounded one, and reaching MinScore exactly passes.
func (g *Gate) passed(score float64) *bool {
	if g == nil {
		return nil
	}
	return new(score >= g.MinScore)
}

// disqualifies tells whether a stage's score ends the session: only below the
// mark of a required gate.
func disqualifies(g *Gate, score float64) bool {
	return g != nil && g.Required && score < g.MinScore
}

// empty tells whether the answer says nothing. A multiple choice of which every
// option was taken back is such an answer, and stored as one: shown, it is null.
func (a Answer) empty() bool {
	return a.OptionID == nil && len(a.OptionIDs) == 0 && a.Number == nil && a.Text == nil
}

// ValidAnswer checks a candidate's answer against its question: exactly the
// field of the question's type is set, and it holds a possible value. It says
// nothing about right or wrong. The pointer starts at the answer object. An
// empty optionIds is valid: a candidate may take every choice back.
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
