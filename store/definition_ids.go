package store

import (
	"fmt"
	"strings"
)

// completeIDs gives an id to each stage and question that has none, and refuses
// ids that stand does not have, as well as definitions that contradict themselves.
func (s *Store) completeIDs(d *Definition, stands Definition) error {
	if faults := checkDefinition(*d); len(faults) > 0 {
		return invalid(faults...)
	}
	known := map[string]bool{}
	for _, stage := range stands.Stages {
		known[stage.ID] = true
		for _, question := range stage.Questions {
			known[question.ID] = true
		}
	}
	var unknown []FieldError
	complete := func(id *string, prefix, pointer string) {
		if *id == "" {
			*id = s.NewID(prefix)
		} else if !known[*id] {
			unknown = append(unknown, FieldError{
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
	if len(unknown) > 0 {
		return invalid(unknown...)
	}
	return nil
}

// withFreshIDs is a copy in which every stage and question has a new id.
func (s *Store) withFreshIDs(d Definition) (Definition, error) {
	encoded, err := d.encode()
	if err != nil {
		return Definition{}, err
	}
	fresh, err := decodeDefinition(encoded)
	if err != nil {
		return Definition{}, err
	}
	for i := range fresh.Stages {
		fresh.Stages[i].ID = ""
		for j := range fresh.Stages[i].Questions {
			fresh.Stages[i].Questions[j].ID = ""
		}
	}
	return fresh, s.completeIDs(&fresh, Definition{})
}

// escapeLike makes the text stand for itself in a LIKE pattern with '\' as escape.
func escapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}
