package rules

import (
	"slices"
	"strings"
)

type multipleChoice struct{}

func (multipleChoice) hasOptions() bool           { return true }
func (multipleChoice) fields() (string, []string) { return "optionIds", []string{"correctOptionIds"} }
func (multipleChoice) needsGrader() bool          { return false }

func (multipleChoice) checkKey(f *fieldFaults, at string, q Question) {
	if len(q.CorrectOptionIDs) == 0 {
		f.add(at+"/correctOptionIds", "too_few_items", "must name at least one correct option")
	}
	seen := make(map[string]bool, len(q.CorrectOptionIDs))
	for i, id := range q.CorrectOptionIDs {
		if !q.hasOption(id) {
			f.add(itemPointer(at+"/correctOptionIds", i), "invalid_value", "must be the id of one of the question's options")
		} else if seen[id] {
			f.add(itemPointer(at+"/correctOptionIds", i), "duplicate", "must not name an option twice")
		}
		seen[id] = true
	}
}

func (multipleChoice) checkAnswer(q Question, a Answer) *Fault {
	if len(a.OptionIDs) > len(q.Options) {
		return answerFault("/optionIds", "invalid_value", "must not name more options than the question has")
	}
	seen := make(map[string]bool, len(a.OptionIDs))
	for i, id := range a.OptionIDs {
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

// grade compares sets: neither order nor repetition counts. With
// partial credit each wrong choice cancels one correct choice: otherwise choosing
// every option would earn all points.
func (multipleChoice) grade(q Question, a Answer) (points float64, correct bool) {
	key, chosen := set(q.CorrectOptionIDs), set(a.OptionIDs)
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

func (multipleChoice) form(_ Question, a Answer) string {
	return strings.Join(slices.Sorted(slices.Values(a.OptionIDs)), "\x00")
}

func (multipleChoice) prefersOther(Question, QuestionTally, keys) bool { return false }
