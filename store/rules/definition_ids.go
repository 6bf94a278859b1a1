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
		for _, pool := range stage.Pools {
			known[pool.ID] = true
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
		for j := range stage.Pools {
			complete(&stage.Pools[j].ID, "pol", poolPointer(i, j))
		}
	}
	d.keepOmitted(stored)
	return unknown
}

// keepOmitted completes the fields that a request can omit without changing them: those
// that clients of earlier versions do not know.
func (d *Definition) keepOmitted(stored Definition) {
	before := map[string]Question{}
	for _, stage := range stored.Stages {
		for _, question := range stage.Questions {
			before[question.ID] = question
		}
	}
	for i := range d.Stages {
		stageBefore, _, _ := stored.StageByID(d.Stages[i].ID)
		if gate := d.Stages[i].Gate; gate != nil {
			d.Stages[i].Gate = gate.kept(stageBefore.Gate)
		}
		if d.Stages[i].Pools == nil {
			d.Stages[i].Pools = stageBefore.Pools
		}
		for j := range d.Stages[i].Questions {
			question := &d.Stages[i].Questions[j]
			question.KeepOmitted(before[question.ID])
			question.keepBank(before[question.ID])
		}
	}
}

// KeepOmitted completes the fields of the content that a request can omit.
func (q *Question) KeepOmitted(before Question) {
	if q.ExactMatch == nil {
		q.ExactMatch = new(before.TextMatching() == MatchExact)
	}
	if q.Type != ShortText || !*q.ExactMatch {
		q.ExactMatch = nil
	}
}

// keepBank completes what the bank says about a question. A client of an earlier version knows no bank. What it sends
// back unchanged stays a copy, and what it changes belongs to the assessment alone.
func (q *Question) keepBank(before Question) {
	q.PoolID = before.PoolID
	switch {
	case q.BankQuestionID == nil && before.BankQuestionID != nil && q.isCopyOf(before):
		q.BankQuestionID = before.BankQuestionID
	case q.BankQuestionID == nil || *q.BankQuestionID == "":
		q.BankQuestionID = nil
	}
	if q.BankQuestionID != nil && before.BankQuestionID != nil && *q.BankQuestionID == *before.BankQuestionID &&
		q.isCopyOf(before) {
		q.BankVersion = before.BankVersion
	}
}

// WithFreshIDs returns a deep copy in which every stage and question has a new id. It is a draft, whose pools are
// filled when it is published.
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
		fresh.Stages[i] = fresh.Stages[i].withoutPooled()
		stage := &fresh.Stages[i]
		stage.ID = newID("stg")
		for j := range stage.Pools {
			stage.Pools[j].ID = newID("pol")
		}
		for j := range stage.Questions {
			stage.Questions[j].ID = newID("qst")
		}
	}
	return fresh, nil
}
