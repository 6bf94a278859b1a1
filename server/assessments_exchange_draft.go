package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/gen"
	"assay/server/exchange"
	"assay/server/request"
	"assay/store"
	"assay/store/rules"
)

// A file must not bring in what createAssessment would refuse. So its draft becomes the body of that operation, which
// is compared with the contract part by part. What the contract refuses is left out, and the report says so.

// permitted returns the draft as createAssessment accepts it, without a title. It leaves out what the contract refuses,
// and adds notes about that to the report.
func permitted(ctx context.Context, imported *exchange.Imported) (store.NewAssessment, error) {
	d := draft{&imported.Report}
	body, err := d.settings(ctx, imported.Draft)
	if err != nil {
		return store.NewAssessment{}, err
	}
	stages := make([]stageBody, 0, len(imported.Draft.Stages))
	for i, stage := range imported.Draft.Stages {
		kept, err := d.stage(ctx, i, stage)
		if err != nil {
			return store.NewAssessment{}, err
		}
		stages = append(stages, kept)
	}
	if body["stages"], err = json.Marshal(stages); err != nil {
		return store.NewAssessment{}, err
	}
	return newDraft(ctx, body)
}

// newDraft decodes the parts together. Each of them has passed alone, so only their number can be refused.
func newDraft(ctx context.Context, parts map[string]json.RawMessage) (store.NewAssessment, error) {
	parts["title"] = json.RawMessage(`"` + untitledImport + `"`)
	encoded, err := json.Marshal(parts)
	if err != nil {
		return store.NewAssessment{}, err
	}
	faults, err := request.CheckPart(ctx, "AssessmentCreate", encoded)
	if err != nil {
		return store.NewAssessment{}, err
	}
	if len(faults) > 0 {
		return store.NewAssessment{}, request.Invalid("", faults[0].Code, "has a draft in which "+told(faults[0]))
	}
	var body gen.AssessmentCreate
	if err := json.Unmarshal(encoded, &body); err != nil {
		return store.NewAssessment{}, err
	}
	in, err := newAssessment(body)
	in.Title = ""
	return in, err
}

// draft makes the body of createAssessment, and reports what is left out.
type draft struct{ report *exchange.Report }

// stageBody is rules.Stage with the fields of the contract's StageInput. The draft has no ids.
type stageBody struct {
	ID string `json:"id,omitempty"`
	rules.Stage

	Questions []json.RawMessage `json:"questions"`
	Pools     []poolBody        `json:"pools,omitempty"`
}

// poolBody is rules.Pool with the fields of the contract's PoolInput.
type poolBody struct {
	ID string `json:"id,omitempty"`
	rules.Pool
}

// questionBody is rules.Question with the fields of the contract's QuestionInput.
type questionBody struct {
	ID string `json:"id,omitempty"`
	rules.Question
}

// settings returns the fields of the draft beside its title and its stages.
func (d draft) settings(ctx context.Context, in exchange.Draft) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	maps.Copy(fields, in.Settings)
	if in.Description != "" {
		encoded, err := json.Marshal(in.Description)
		if err != nil {
			return nil, err
		}
		fields["description"] = encoded
	}
	body := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		faults, err := checkPart(ctx, "AssessmentCreate", map[string]any{"title": untitledImport, name: fields[name]})
		if err != nil {
			return nil, err
		}
		if name == "locale" && len(faults) == 0 {
			faults = localeFaults(fields[name])
		}
		if len(faults) > 0 {
			d.note(told(faults[0]))
			continue
		}
		body[name] = fields[name]
	}
	d.checkWindow(body)
	return body, nil
}

func localeFaults(encoded json.RawMessage) []gen.FieldError {
	var locale *string
	if json.Unmarshal(encoded, &locale) != nil { // the contract accepts a text or null
		return nil
	}
	var faults []gen.FieldError
	for _, fault := range rules.LocaleFaults(locale) {
		faults = append(faults, gen.FieldError{Pointer: fault.Pointer, Code: fault.Code, Detail: fault.Detail})
	}
	return faults
}

// checkWindow leaves out the end of a window that ends before it begins.
func (d draft) checkWindow(body map[string]json.RawMessage) {
	var opensAt, closesAt *string
	if json.Unmarshal(orNull(body["opensAt"]), &opensAt) != nil ||
		json.Unmarshal(orNull(body["closesAt"]), &closesAt) != nil {
		return // the contract accepts a text or null
	}
	for _, fault := range (rules.Window{OpensAt: instant(opensAt), ClosesAt: instant(closesAt)}).Faults() {
		d.note(fault.Pointer + ": " + fault.Detail)
		delete(body, "closesAt")
	}
}

func orNull(encoded json.RawMessage) json.RawMessage {
	if encoded == nil {
		return json.RawMessage("null")
	}
	return encoded
}

// stage returns the stage with the questions that the contract accepts.
func (d draft) stage(ctx context.Context, i int, stage rules.Stage) (stageBody, error) {
	kept := stageBody{Stage: stage, Questions: []json.RawMessage{}}
	kept.ID = ""
	for _, pool := range stage.Pools {
		kept.Pools = append(kept.Pools, poolBody{Pool: pool})
	}
	if err := d.checkStage(ctx, i, &kept); err != nil {
		return kept, err
	}
	for j, question := range stage.Questions {
		encoded, reason, err := permittedQuestion(ctx, question)
		if err != nil {
			return kept, err
		}
		if reason != "" {
			d.leaveOut(i, j, reason)
			continue
		}
		d.move(i, j, len(kept.Questions))
		kept.Questions = append(kept.Questions, encoded)
	}
	return kept, nil
}

// stageFields are the fields of a stage without its questions. Leaving out a fault of one can uncover a fault of
// another, because a text that no database can store ends a check.
const stageFields = 5

// checkStage leaves out each field of a stage itself that the contract refuses.
func (d draft) checkStage(ctx context.Context, i int, stage *stageBody) error {
	for range stageFields {
		faults, err := checkPart(ctx, "StageInput", stage)
		if err != nil || len(faults) == 0 {
			return err
		}
		switch field, _, _ := strings.Cut(strings.TrimPrefix(faults[0].Pointer, "/"), "/"); field {
		case "title":
			stage.Title = oneLine(stage.Title, maxTitle)
		case "description":
			stage.Description = nil
		case "timeLimitMinutes":
			stage.TimeLimitMinutes = nil
		case "pools":
			stage.Pools = nil
		default:
			stage.Gate = nil
		}
		d.note(fmt.Sprintf("/stages/%d%s", i, told(faults[0])))
	}
	return nil
}

// permittedQuestion returns a question as the contract accepts it, or the reason why it does not.
func permittedQuestion(ctx context.Context, question rules.Question) (_ json.RawMessage, reason string, _ error) {
	encoded, err := json.Marshal(questionBody{Question: question})
	if err != nil { // a number that JSON does not have
		return nil, "a number is infinite or not a number", nil //nolint:nilerr // it is the reason
	}
	faults, err := request.CheckPart(ctx, "QuestionInput", encoded)
	if err != nil {
		return nil, "", err
	}
	if len(faults) > 0 {
		return nil, told(faults[0]), nil
	}
	question.ID = ""
	alone := rules.Definition{Stages: []rules.Stage{{Questions: []rules.Question{question}}}}
	for _, fault := range rules.CheckDefinition(alone) {
		return nil, strings.TrimPrefix(fault.Pointer, "/stages/0/questions/0") + ": " + fault.Detail, nil
	}
	return encoded, "", nil
}

// checkPart compares a value with a schema of the contract.
func checkPart(ctx context.Context, schema string, value any) ([]gen.FieldError, error) {
	encoded, err := json.Marshal(value)
	if err != nil { // of a setting that is not JSON, or a number that JSON does not have
		return []gen.FieldError{{Detail: "is not JSON"}}, nil //nolint:nilerr // it is the fault
	}
	return request.CheckPart(ctx, schema, encoded)
}

// told is a fault as the text of a note: where, and what.
func told(fault gen.FieldError) string {
	return cutNote(fault.Pointer + ": " + fault.Detail)
}

func cutNote(text string) string {
	for len(text) > maxNoteText || !utf8.ValidString(text) {
		text = text[:len(text)-1]
	}
	return text
}

// maxNoteText is the maximum length of the text of a note, in bytes.
const maxNoteText = 200

func (d draft) note(text string) {
	d.report.Notes = append(d.report.Notes, exchange.Note{Code: exchange.NotUnderstood, Text: text})
}

// leaveOut reports that a question is not in the draft.
func (d draft) leaveOut(stage, question int, reason string) {
	for i := range d.report.Questions {
		item := &d.report.Questions[i]
		if item.Stage == stage && item.Question == question {
			item.Stage, item.Question = -1, -1
			item.Notes = append(item.Notes, exchange.Note{
				Code: exchange.NotUnderstood, Line: item.Place.Line, Text: reason,
			})
			return
		}
	}
	d.note(fmt.Sprintf("/stages/%d/questions/%d%s", stage, question, reason))
}

// move reports the position of a question after others of its stage were left out. It is called in the order of the
// questions, so no position is moved twice.
func (d draft) move(stage, from, to int) {
	if from == to {
		return
	}
	for i := range d.report.Questions {
		if item := &d.report.Questions[i]; item.Stage == stage && item.Question == from {
			item.Question = to
			return
		}
	}
}
