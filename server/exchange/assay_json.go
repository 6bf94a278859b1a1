package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/store/rules"
)

// assessmentObject returns the assessment in {"data": …}, or the outer object.
func assessmentObject(content []byte) (jsonObject, bool) {
	content = bytes.TrimSpace(bytes.TrimPrefix(content, []byte("\uFEFF")))
	if len(content) == 0 || content[0] != '{' {
		return nil, false
	}
	var outer jsonObject
	if json.Unmarshal(content, &outer) != nil {
		return nil, false
	}
	if data, found := outer["data"]; found {
		var inner jsonObject
		if json.Unmarshal(data, &inner) == nil && inner["stages"] != nil {
			return inner, true
		}
	}
	return outer, outer["stages"] != nil
}

// assessmentSettings are the further fields of an assessment that a person chooses, with the first byte of their JSON.
// The caller that stores the draft checks their values against the contract.
var assessmentSettings = map[string]string{
	"passingScore": numberStart, "timeLimitMinutes": numberStart, "inviteExpiryDays": numberStart, "redirectUrl": `"`,
	"instructions": `"`, "closingMessage": `"`, "locale": `"`, "shuffleQuestions": "tf", "shuffleOptions": "tf",
	"opensAt": `"`, "closesAt": `"`, "inviteMessage": `"`, "remindAfterHours": "[", "repeatRule": `"`,
	"repeatAfterDays": numberStart, "grading": "{",
}

const numberStart = "-0123456789"

// readOnly are the fields of an answer that the service sets. Those that end in Html are made from other fields.
var readOnly = []string{
	"id", "status", "stageCount", "questionCount", "maxPoints", "createdAt", "updatedAt", "publishedAt", "archivedAt",
	"sessionCounts", "order",
}

// readAssayJSON reads what GET /v1/assessments/{id} answers, also in a later version. Stages and questions get new ids;
// options and criteria keep theirs. An incomplete question of a draft stays as it is.
func readAssayJSON(source Source) (Imported, error) {
	assessment, found := assessmentObject(source.Content)
	if !found {
		return Imported{}, ErrDamaged
	}
	r := jsonReader{fields: assessment}
	imported := jsonImport{Imported: Imported{Draft: Draft{
		Title:       value(r.text("title", 200)),
		Description: value(r.text("description", 10_000)),
		Settings:    map[string]json.RawMessage{},
	}}}
	for name, starts := range assessmentSettings {
		raw := r.take(name)
		switch {
		case raw == nil:
		case strings.IndexByte(starts, raw[0]) < 0:
			r.note(FieldInvalid, name, raw)
		default:
			imported.Draft.Settings[name] = raw
		}
	}
	stages := r.list("stages", maxStages)
	r.finish()
	imported.Report.Notes = r.notes
	for i, raw := range stages {
		if imported.isFull {
			break
		}
		at := fmt.Sprintf("/stages/%d", i)
		if len(imported.Draft.Stages) == maxStages {
			imported.Report.Notes = append(imported.Report.Notes, Note{Code: TooManyStages, Text: at})
			break
		}
		imported.readStage(at, raw)
	}
	sortNotes(imported.Report.Notes)
	return imported.Imported, nil
}

// jsonImport is what has been read of an assessment.
type jsonImport struct {
	Imported
	noted  int  // notes about questions
	isFull bool // reading has stopped
}

func (i *jsonImport) readStage(at string, raw json.RawMessage) {
	r, isObject := newJSONReader(at, raw)
	if !isObject {
		i.Report.Notes = append(i.Report.Notes, Note{Code: FieldInvalid, Text: at})
		return
	}
	stage := rules.Stage{
		Title: value(r.line("title", 200)), Description: r.text("description", 10_000),
		TimeLimitMinutes: r.whole("timeLimitMinutes", 1, 10_080), Gate: r.gate(), Questions: []rules.Question{},
	}
	questions := r.list("questions", maxReported)
	r.pools(&stage, questions)
	r.finish()
	i.Report.Notes = append(i.Report.Notes, r.notes...)
	for n, raw := range questions {
		if len(i.Report.Questions) >= maxReported || i.noted >= maxNoted {
			i.Report.Notes = append(i.Report.Notes, Note{Code: RestNotRead, Text: fmt.Sprintf("%s/questions/%d", at, n)})
			i.isFull = true
			break
		}
		item := Item{Stage: -1, Question: -1}
		question, reader := readJSONQuestion(fmt.Sprintf("%s/questions/%d", at, n), raw)
		item.Notes = reader.notes
		i.noted += len(item.Notes)
		sortNotes(item.Notes)
		item.Excerpt, item.Place.ID = excerptOf(question.Prompt), question.ID
		question.ID = ""
		switch {
		case slices.ContainsFunc(item.Notes, func(n Note) bool { return n.Code.Severity() == NotImported }):
		case i.Draft.questionCount()+len(stage.Questions) == rules.MaxQuestions:
			item.Notes = append(item.Notes, Note{Code: TooManyQuestions, Text: reader.at})
		default:
			item.Stage, item.Question = len(i.Draft.Stages), len(stage.Questions)
			stage.Questions = append(stage.Questions, question)
		}
		i.Report.Questions = append(i.Report.Questions, item)
	}
	i.Draft.Stages = append(i.Draft.Stages, stage)
}

func (d Draft) questionCount() int { return rules.Definition{Stages: d.Stages}.QuestionCount() }

func (r *jsonReader) gate() *rules.Gate {
	raw := r.take("gate")
	if raw == nil {
		return nil
	}
	inner, isObject := newJSONReader(r.at+"/gate", raw)
	if !isObject {
		r.note(FieldInvalid, "gate", nil)
		return nil
	}
	gate := rules.Gate{Required: inner.flag("required")}
	score := inner.number("minScore", 0, 100)
	outcome := rules.OnFail(value(inner.text("onFail", 100)))
	switch outcome {
	case rules.OnFailReview:
		gate.Required, gate.OnFail = true, outcome
	case rules.OnFailDisqualify:
		gate.Required = true
	case rules.OnFailContinue:
		gate.Required = false
	case "":
	default: // an outcome of a later version: "required" says whether the session ends
		inner.note(FieldInvalid, "onFail", nil)
	}
	inner.finish()
	r.notes = append(r.notes, inner.notes...)
	if score == nil {
		r.note(FieldInvalid, "gate/minScore", nil)
		return nil
	}
	gate.MinScore = *score
	return &gate
}

// writeAssayJSON writes what GET /v1/assessments/{id} answers.
func writeAssayJSON(a Assessment) (File, error) {
	return File{Content: a.JSON, Extension: ".json", MediaType: "application/json"}, nil
}
