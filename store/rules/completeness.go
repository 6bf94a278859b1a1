package rules

import "strconv"

// MaxQuestions is how many questions the stages of an assessment may have together.
// openapi.yaml bounds only the numbers of each stage.
const MaxQuestions = 500

// MaxFaults bounds the faults of a response, as in openapi.yaml's Problem.
const MaxFaults = 1000

// Fault is one fault of a request.
type Fault struct {
	Pointer string // RFC 6901, from the body's root; without a slash, a parameter of the query
	Code    string // one of openapi.yaml's FieldErrorCode
	Detail  string // for a person; completes a sentence that begins with the field's name
}

// fieldFaults collects the faults of a definition, so that an author sees all of
// them at once, up to the limit of a problem document.
type fieldFaults []Fault

func (f *fieldFaults) add(pointer, code, detail string) {
	if len(*f) == MaxFaults {
		return
	}
	*f = append(*f, Fault{Pointer: pointer, Code: code, Detail: detail})
}

// CheckDefinition returns the faults that prevent saving a definition even as a
// draft: repeated ids of stages, questions, options, and criteria, and too many questions. A stage or question
// without an id receives one later. Missing content is no fault here: see
// MissingForPublish.
func CheckDefinition(d Definition) []Fault {
	var faults fieldFaults
	if d.QuestionCount() > MaxQuestions {
		faults.add("/stages", "too_many_items", "must not contain more than 500 questions over all stages")
	}
	stageIDs, questionIDs := map[string]bool{}, map[string]bool{}
	for i, stage := range d.Stages {
		at := itemPointer("/stages", i)
		if stage.ID != "" && stageIDs[stage.ID] {
			faults.add(at+"/id", "duplicate", "is the id of an earlier stage")
		}
		stageIDs[stage.ID] = true
		for j, question := range stage.Questions {
			at := itemPointer(at+"/questions", j)
			if question.ID != "" && questionIDs[question.ID] {
				faults.add(at+"/id", "duplicate", "is the id of an earlier question")
			}
			questionIDs[question.ID] = true
			faults.addRepeatedOptions(at, question)
			faults.addRepeatedCriteria(at, question)
		}
	}
	return faults
}

// MissingForPublish returns everything that is missing before an assessment can
// be published. The definition has passed CheckDefinition.
func MissingForPublish(title string, d Definition) []Fault {
	var faults fieldFaults
	if Blank(title) {
		faults.add("/title", "required", "must not be blank")
	}
	if len(d.Stages) == 0 {
		faults.add("/stages", "too_few_items", "must contain at least one stage")
	}
	// A definition without questions has other faults, of its stages.
	if d.QuestionCount() > 0 && d.MaxPoints() <= 0 {
		faults.add("/stages", "too_small", "must contain a question that gives points")
	}
	for i, stage := range d.Stages {
		faults.addStage(itemPointer("/stages", i), stage)
	}
	return faults
}

func (f *fieldFaults) addStage(at string, stage Stage) {
	if Blank(stage.Title) {
		f.add(at+"/title", "required", "must not be blank")
	}
	if len(stage.Questions) == 0 {
		f.add(at+"/questions", "too_few_items", "must contain at least one question")
		return
	}
	if stage.Gate != nil && stage.MaxPoints() <= 0 {
		f.add(at+"/gate", "too_small", "needs a stage whose questions give points")
	}
	for i, question := range stage.Questions {
		f.addQuestion(itemPointer(at+"/questions", i), question)
	}
}

func (f *fieldFaults) addQuestion(at string, question Question) {
	if blankMarkdown(question.Prompt) {
		f.add(at+"/prompt", "required", "must not be blank")
	}
	if question.HasOptions() {
		f.checkOptions(at, question)
	}
	f.addQuestionKey(at, question)
}

func (f *fieldFaults) addQuestionKey(at string, question Question) {
	if k, known := kinds[question.Type]; known {
		k.checkKey(f, at, question)
	} else {
		f.add(at+"/type", "invalid_value", "must be a known question type")
	}
}

func itemPointer(list string, index int) string { return list + "/" + strconv.Itoa(index) }
