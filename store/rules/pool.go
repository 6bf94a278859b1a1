package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Pool draws questions of the bank for each candidate. Publishing adds all questions that match
// to the questions of the stage, with the id of the pool, so that publishing freezes them.
type Pool struct {
	ID     string   `json:"id"` // pol_…
	Title  *string  `json:"title,omitempty"`
	Count  int      `json:"count"`  // of the questions that a candidate gets
	Tags   []string `json:"tags"`   // a question of the pool has all of them
	Points float64  `json:"points"` // of each question
}

// For returns the definition as the candidate of a session gets it: with the questions that are
// drawn for the session, and without pools. It depends only on the session's id and the ids of
// pools and questions, so it never changes. A definition without pools is returned as it is.
func (d Definition) For(sessionID string) Definition {
	if !slices.ContainsFunc(d.Stages, func(s Stage) bool { return len(s.Pools) > 0 }) {
		return d
	}
	stages := slices.Clone(d.Stages)
	for i := range stages {
		stages[i] = stages[i].drawn(sessionID)
	}
	d.Stages = stages
	return d
}

// drawn keeps the order of the definition. The order by hash, in which Shuffled puts questions,
// has another key: otherwise, the questions of pools would come first.
func (s Stage) drawn(sessionID string) Stage {
	if len(s.Pools) == 0 {
		return s
	}
	given, ids := map[string]bool{}, map[string][]string{}
	for _, question := range s.Questions {
		if question.PoolID != "" {
			ids[question.PoolID] = append(ids[question.PoolID], question.ID)
		}
	}
	for _, pool := range s.Pools {
		order := inDrawnOrder(ids[pool.ID], sessionID+" "+pool.ID, func(id string) string { return id })
		for _, id := range order[:min(pool.Count, len(order))] {
			given[id] = true
		}
	}
	questions := make([]Question, 0, len(s.Questions))
	for _, question := range s.Questions {
		if question.PoolID == "" || given[question.ID] {
			questions = append(questions, question)
		}
	}
	s.Questions, s.Pools = questions, nil
	return s
}

func (s Stage) poolQuestions(poolID string) []Question {
	return slices.DeleteFunc(slices.Clone(s.Questions), func(q Question) bool { return q.PoolID != poolID })
}

// PoolSize is the number of questions of a published pool.
func (s Stage) PoolSize(poolID string) int { return len(s.poolQuestions(poolID)) }

// withoutPooled returns the stage without the questions that publishing has added.
func (s Stage) withoutPooled() Stage {
	if len(s.Pools) > 0 {
		s.Questions = slices.DeleteFunc(slices.Clone(s.Questions), func(q Question) bool { return q.PoolID != "" })
	}
	return s
}

// BankQuestion is a question of the bank.
type BankQuestion struct {
	ID       string
	Version  int
	Archived bool
	Content  Question // without an id
}

// FromBank returns the question with the content of the bank's.
func (q Question) FromBank(b BankQuestion) Question {
	copied := b.Content
	copied.ID, copied.PoolID = q.ID, q.PoolID
	copied.BankQuestionID, copied.BankVersion = new(b.ID), b.Version
	return copied
}

// isCopyOf reports whether two questions have the same content.
func (q Question) isCopyOf(other Question) bool { return sameJSON(q.Content(), other.Content()) }

// Content is the question without what belongs to one assessment.
func (q Question) Content() Question {
	q.ID, q.PoolID, q.BankQuestionID, q.BankVersion = "", "", nil, 0
	return q
}

// Included returns the ids of the questions of the bank that the author has put into the stages.
func (d Definition) Included() []string {
	var ids []string
	for _, stage := range d.Stages {
		for _, question := range stage.Questions {
			if question.BankQuestionID != nil && question.PoolID == "" {
				ids = append(ids, *question.BankQuestionID)
			}
		}
	}
	return ids
}

// Tags returns the tags of all pools, as their authors have written them.
func (d Definition) Tags() []string {
	var tags []string
	for _, stage := range d.Stages {
		for _, pool := range stage.Pools {
			tags = append(tags, pool.Tags...)
		}
	}
	return tags
}

// Include returns a copy of the definition in which each question of the bank has the
// newest version, and a fault for each that the bank does not have. bank is by id.
func (d Definition) Include(bank map[string]BankQuestion) (Definition, []Fault) {
	var faults fieldFaults
	stages := slices.Clone(d.Stages)
	for i := range stages {
		stages[i].Questions = slices.Clone(stages[i].Questions)
		for j, question := range stages[i].Questions {
			if question.BankQuestionID == nil || question.PoolID != "" {
				continue
			}
			found, known := bank[*question.BankQuestionID]
			if !known {
				faults.add(itemPointer(itemPointer("/stages", i)+"/questions", j)+"/bankQuestionId", "unknown_id",
					"is not a question of the bank")
				continue
			}
			stages[i].Questions[j] = question.FromBank(found)
		}
	}
	d.Stages = stages
	return d, faults
}

// Matches returns the ids of the questions that each pool of a draft selects, in the order of the
// pools. tagged has the keys of the tags of each question that is not archived. A question that the author
// has put into a stage leaves the pools, because every candidate gets it already.
func (d Definition) Matches(tagged map[string]map[string]bool, key func(tag string) string) ([][]string, []Fault) {
	var faults fieldFaults
	var matches [][]string
	taken := map[string]bool{}
	for _, id := range d.Included() {
		taken[id] = true
	}
	first, all := map[string]string{}, d.storedQuestions()
	for i, stage := range d.Stages {
		for j, pool := range stage.Pools {
			at := poolPointer(i, j)
			if len(pool.Tags) == 0 {
				faults.add(at+"/tags", "too_few_items", "must contain at least one tag")
				matches = append(matches, nil)
				continue
			}
			var ids, twice []string
			for id, keys := range tagged {
				if taken[id] || slices.ContainsFunc(pool.Tags, func(tag string) bool { return !keys[key(tag)] }) {
					continue
				}
				ids = append(ids, id)
				if first[id] != "" {
					twice = append(twice, id)
				}
				first[id] = at
			}
			slices.Sort(ids)
			matches, all = append(matches, ids), all+len(ids)
			if len(ids) < pool.Count {
				faults.add(at+"/count", "too_large",
					fmt.Sprintf("must be at most %d, which is the number of questions of the bank that match", len(ids)))
			}
			if len(twice) > 0 {
				faults.add(at+"/tags", "duplicate", "must not select questions of an earlier pool: "+shortList(twice))
			}
		}
	}
	if all > MaxQuestions {
		faults.add("/stages", "too_many_items", fmt.Sprintf(
			"must not contain more than %d questions over all stages, with all questions of the pools", MaxQuestions))
	}
	return matches, faults
}

// Fill returns the definition with all questions of its pools, after those of the author. matches is the outcome of
// Matches, and bank has each of its questions.
func (d Definition) Fill(matches [][]string, bank map[string]BankQuestion, newID func(prefix string) string) (
	Definition, []Fault,
) {
	var faults fieldFaults
	stages, next := slices.Clone(d.Stages), 0
	for i := range stages {
		stages[i].Questions = slices.Clone(stages[i].Questions)
		for j, pool := range stages[i].Pools {
			var others []string
			for _, id := range matches[next] {
				question := Question{PoolID: pool.ID}.FromBank(bank[id])
				if question.Points != pool.Points {
					others = append(others, id)
				}
				faults.addPooled(poolPointer(i, j), id, question)
				question.ID = newID("qst")
				stages[i].Questions = append(stages[i].Questions, question)
			}
			if len(others) > 0 {
				faults.add(poolPointer(i, j)+"/points", "invalid_value",
					"must be the points of every question that matches, and these have others: "+shortList(others))
			}
			next++
		}
	}
	d.Stages = stages
	return d, faults
}

// addPooled adds a fault of a question that a pool selects. It has no place of its own in the assessment.
func (f *fieldFaults) addPooled(at, id string, question Question) {
	var found fieldFaults
	found.addQuestion("", question)
	if len(found) > 0 {
		f.add(at, "invalid_value", fmt.Sprintf("selects the question %s of the bank, which is incomplete: %s %s", id,
			found[0].Pointer, found[0].Detail))
	}
}

// AtPools returns faults of a definition that Fill has returned. Those of questions of pools are at the pools, because
// the author's definition does not have these questions: one for each question.
func (d Definition) AtPools(found []Fault) []Fault {
	var faults fieldFaults
	pools := d.pooledQuestions()
	named := map[string]bool{}
	for _, fault := range found {
		parts := strings.SplitAfterN(fault.Pointer, "/", 6) // "/", "stages/", "0/", "questions/", "0/", and the field
		at := strings.TrimSuffix(strings.Join(parts[:min(len(parts), 5)], ""), "/")
		pooled, isPooled := pools[at]
		switch {
		case !isPooled:
			faults = append(faults, fault)
		case !named[at]:
			named[at] = true
			faults.add(pooled.pool, "invalid_value", fmt.Sprintf(
				"selects the question %s of the bank, which cannot be shown: %s %s", pooled.id,
				strings.TrimPrefix(fault.Pointer, at), fault.Detail))
		}
	}
	return faults
}

// pooledQuestion is a question that a pool has added.
type pooledQuestion struct{ pool, id string } // the pointer of the pool, and the id in the bank

// pooledQuestions returns the questions of pools by their pointers.
func (d Definition) pooledQuestions() map[string]pooledQuestion {
	pooled := map[string]pooledQuestion{}
	for i, stage := range d.Stages {
		for j, question := range stage.Questions {
			pool := slices.IndexFunc(stage.Pools, func(p Pool) bool { return p.ID == question.PoolID })
			if pool >= 0 && question.BankQuestionID != nil {
				pooled[itemPointer(itemPointer("/stages", i)+"/questions", j)] =
					pooledQuestion{poolPointer(i, pool), *question.BankQuestionID}
			}
		}
	}
	return pooled
}

// ArchivedFaults returns a fault for each question of the bank that a draft includes and that is archived, or that it
// includes twice.
func (d Definition) ArchivedFaults(bank map[string]BankQuestion) []Fault {
	var faults fieldFaults
	seen := map[string]bool{}
	for i, stage := range d.Stages {
		for j, question := range stage.Questions {
			if question.BankQuestionID == nil || question.PoolID != "" {
				continue
			}
			at := itemPointer(itemPointer("/stages", i)+"/questions", j) + "/bankQuestionId"
			switch id := *question.BankQuestionID; {
			case bank[id].Archived:
				faults.add(at, "invalid_value", "must not be an archived question of the bank")
			case seen[id]:
				faults.add(at, "duplicate", "is in the assessment already")
			default:
				seen[id] = true
			}
		}
	}
	return faults
}

// HasBankContent reports whether saving or publishing takes content from the bank.
func (d Definition) HasBankContent() bool { return len(d.Included()) > 0 || d.HasPools() }

// HasPools reports whether a stage has a pool.
func (d Definition) HasPools() bool {
	return slices.ContainsFunc(d.Stages, func(s Stage) bool { return len(s.Pools) > 0 })
}

// storedQuestions is the number of questions in the document, whoever gets them.
func (d Definition) storedQuestions() int {
	n := 0
	for _, stage := range d.Stages {
		n += len(stage.Questions)
	}
	return n
}

func poolPointer(stage, pool int) string {
	return itemPointer(itemPointer("/stages", stage)+"/pools", pool)
}

// shortList returns the first ids in their order.
func shortList(ids []string) string {
	const shown = 10
	slices.Sort(ids)
	if len(ids) > shown {
		return fmt.Sprintf("%s, and %d more", strings.Join(ids[:shown], ", "), len(ids)-shown)
	}
	return strings.Join(ids, ", ")
}

// Copies returns the questions of the bank that the stages contain, in the order of their ids.
func (d Definition) Copies() []string {
	ids := slices.Collect(maps.Values(d.CopiesByQuestion()))
	slices.Sort(ids)
	return slices.Compact(ids)
}

// CopiesByQuestion returns the question of the bank of each question that is a copy, by the id of the copy.
func (d Definition) CopiesByQuestion() map[string]string {
	copies := map[string]string{}
	for _, stage := range d.Stages {
		for _, question := range stage.Questions {
			if question.BankQuestionID != nil {
				copies[question.ID] = *question.BankQuestionID
			}
		}
	}
	return copies
}

// BankContent returns a question of a request as the bank stores it, and the faults that prevent it.
func BankContent(q Question) (Question, []Fault) {
	var faults fieldFaults
	faults.addRepeatedOptions("/question", q)
	faults.addRepeatedCriteria("/question", q)
	q.KeepOmitted(Question{})
	return q.Content(), faults
}

// Concerning returns the corrections that concern a session: a correction of a question that was not drawn for it
// changes nothing.
func (d Definition) Concerning(corrections []Correction) []Correction {
	if len(corrections) == 0 || !d.isDrawn() {
		return corrections
	}
	return slices.DeleteFunc(slices.Clone(corrections), func(c Correction) bool {
		_, _, given := d.QuestionByID(c.QuestionID)
		return !given
	})
}

func (d Definition) isDrawn() bool {
	return slices.ContainsFunc(d.Stages, func(s Stage) bool {
		return len(s.Pools) == 0 && slices.ContainsFunc(s.Questions, func(q Question) bool { return q.PoolID != "" })
	})
}
