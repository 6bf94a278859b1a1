package rules

import "fmt"

// CompleteIDs gives an id to each stage and question that has none, and to each omitted
// field the stored value. newID makes an id with the given prefix. It returns the faults of
// CheckDefinition, or else one fault for each id that the stored definition does not have.
func CompleteIDs(d *Definition, stored Definition, newID func(prefix string) string) []Fault {
	if faults := CheckDefinition(*d); len(faults) > 0 {
		return faults
	}
	known := map[string]bool{}
	for _, stage := range stored.Stages {
		known[stage.ID] = true
		for _, question := range stage.Questions {
			known[question.ID] = true
		}
	}

	var unknown []Fault
	complete := func(id *string, prefix, pointer string) {
		if *id == "" {
			*id = newID(prefix)
		} else if !known[*id] {
			unknown = append(unknown, Fault{
				Pointer: pointer + "/id", Code: "unknown_id", Detail: "is not an id of this assessment; leave it out for a new one",
			})
		}
	}
	for i := range d.Stages {
		stage := &d.Stages[i]
		complete(&stage.ID, "stg", fmt.Sprintf("/stages/%d", i))
		for j := range stage.Questions {
			complete(&stage.Questions[j].ID, "qst", fmt.Sprintf("/stages/%d/questions/%d", i, j))
		}
	}
	d.keepOmitted(stored)
	return unknown
}

// keepOmitted completes the fields that a request can omit without changing them: those
// that clients of earlier versions do not know.
func (d *Definition) keepOmitted(stored Definition) {
	isExact := map[string]bool{}
	for _, stage := range stored.Stages {
		for _, question := range stage.Questions {
			isExact[question.ID] = question.TextMatching() == MatchExact
		}
	}
	for i := range d.Stages {
		if gate := d.Stages[i].Gate; gate != nil {
			before, _, _ := stored.StageByID(d.Stages[i].ID)
			d.Stages[i].Gate = gate.kept(before.Gate)
		}
		for j := range d.Stages[i].Questions {
			question := &d.Stages[i].Questions[j]
			if question.ExactMatch == nil {
				question.ExactMatch = new(isExact[question.ID])
			}
			if question.Type != ShortText || !*question.ExactMatch {
				question.ExactMatch = nil
			}
		}
	}
}

// WithFreshIDs returns a deep copy in which every stage and question has a new id.
func (d Definition) WithFreshIDs(newID func(prefix string) string) (Definition, error) {
	encoded, err := d.Encode()
	if err != nil {
		return Definition{}, err
	}
	fresh, err := DecodeDefinition(encoded)
	if err != nil {
		return Definition{}, err
	}
	for i := range fresh.Stages {
		stage := &fresh.Stages[i]
		stage.ID = newID("stg")
		for j := range stage.Questions {
			stage.Questions[j].ID = newID("qst")
		}
	}
	return fresh, nil
}
