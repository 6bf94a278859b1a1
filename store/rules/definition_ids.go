package rules

import "fmt"

// CompleteIDs gives an id to each stage and question that has none. It returns
// the faults of a definition that contradicts itself, and of ids that the
// stored definition does not have. newID makes an id with the given prefix.
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
	return unknown
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
