package rules

import "slices"

// What the types with options have in common.

const minOptions = 2 // with fewer there is no choice

// checkOptions adds what the options need before the question can be published. It finds options that look the same:
// candidates could only guess between them.
func (f *fieldFaults) checkOptions(at string, question Question) {
	if len(question.Options) < minOptions {
		f.add(at+"/options", "too_few_items", "must contain at least two options")
	}
	seen := make(map[string]bool, len(question.Options))
	for i, option := range question.Options {
		look := lookOf(option.Text)
		switch {
		case blankMarkdown(option.Text):
			f.add(itemPointer(at+"/options", i)+"/text", "required", "must not be blank")
		case seen[look]:
			f.add(itemPointer(at+"/options", i)+"/text", "duplicate", "looks like an earlier option")
		}
		seen[look] = true
	}
}

func (f *fieldFaults) addRepeatedOptions(at string, question Question) {
	seen := make(map[string]bool, len(question.Options))
	for i, option := range question.Options {
		if seen[option.ID] {
			f.add(itemPointer(at+"/options", i)+"/id", "duplicate", "is the id of an earlier option")
		}
		seen[option.ID] = true
	}
}

func (q Question) hasOption(id string) bool {
	return slices.ContainsFunc(q.Options, func(option Option) bool { return option.ID == id })
}

// AcceptsOption reports whether a key of the question contains the option, with all corrections.
func AcceptsOption(q Question, optionID string, corrections []Correction) bool {
	return keysOf(q, corrections).accepts(optionID)
}

func (k keys) accepts(optionID string) bool {
	return slices.ContainsFunc(k.accepted, func(q Question) bool {
		return q.CorrectOptionID != nil && *q.CorrectOptionID == optionID || slices.Contains(q.CorrectOptionIDs, optionID)
	})
}
