package exchange

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"

	"assay/store/rules"
)

// readJSONQuestion reads a question. Its fields are those of its type; the fields of other types are null.
func readJSONQuestion(at string, raw json.RawMessage) (rules.Question, *jsonReader) {
	r, isObject := newJSONReader(at, raw)
	if !isObject {
		r.notes = append(r.notes, Note{Code: NotUnderstood, Text: at})
		return rules.Question{}, r
	}
	question := rules.Question{
		ID: value(r.text("id", 255)), Type: rules.QuestionType(value(r.text("type", 100))),
		Prompt: value(r.text("prompt", maxPrompt)), Explanation: r.text("explanation", maxPrompt), Points: 1,
	}
	if r.take("bankQuestionId") != nil {
		r.note(BankReferenceDropped, "bankQuestionId", nil)
	}
	r.take("bankVersion")
	r.take("poolId")
	if points := r.number("points", 0, maxPoints); points != nil {
		question.Points = *points
	} else {
		r.note(PointsInvalid, "points", nil)
	}
	switch question.Type {
	case rules.SingleChoice, rules.MultipleChoice:
		r.choice(&question)
	case rules.Numeric:
		if question.Answer = r.number("answer", -maxNumber, maxNumber); question.Answer == nil {
			r.note(AnswerMissing, "answer", nil)
		}
		question.Tolerance = value(r.number("tolerance", 0, maxNumber))
	case rules.ShortText:
		question.AcceptedAnswers = r.texts("acceptedAnswers", maxAccepted, maxOption, TooManyAnswers)
		question.CaseSensitive = r.flag("caseSensitive")
		if r.flag("exactMatch") {
			question.ExactMatch = new(true)
		}
		if len(question.AcceptedAnswers) == 0 {
			r.note(AnswerMissing, "acceptedAnswers", nil)
		}
	case rules.FreeText:
		question.MaxWords = r.whole("maxWords", 1, maxMaxWords)
		r.rubric(&question)
	default:
		r.notes = append(r.notes, Note{Code: TypeUnsupported, Text: excerptOf(at + "/type " + string(question.Type))})
		return question, r
	}
	r.finish()
	return question, r
}

var ownID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

// ids gives each entry of a list its id. An id that the contract does not permit, or that occurs twice, is replaced.
// known has the ids by those of the source; an id that occurs twice has none, because it names two entries.
func (r *jsonReader) ids(list string, given []string) (ids []string, known map[string]string) {
	known = map[string]string{}
	for i, id := range given {
		if _, isTwice := known[id]; isTwice || !ownID.MatchString(id) {
			r.note(FieldInvalid, list+"/"+strconv.Itoa(i)+"/id", nil)
			ids, known[id] = append(ids, ""), ""
			continue
		}
		ids, known[id] = append(ids, id), id
	}
	for i := range ids {
		for n := i + 1; ids[i] == ""; n++ {
			if id := "o" + strconv.Itoa(n); !slices.Contains(ids, id) {
				ids[i] = id
			}
		}
	}
	return ids, known
}

func (r *jsonReader) choice(question *rules.Question) {
	var given []string
	for i, raw := range r.list("options", maxOptions) {
		option, isObject := newJSONReader(r.at+"/options/"+strconv.Itoa(i), raw)
		if !isObject {
			r.note(FieldInvalid, "options/"+strconv.Itoa(i), nil)
			continue
		}
		if len(given) == maxOptions {
			r.notes = append(r.notes, Note{Code: TooManyOptions, Text: r.at + "/options"})
			break
		}
		given = append(given, value(option.text("id", 255)))
		question.Options = append(question.Options, rules.Option{Text: value(option.text("text", maxOption))})
		option.finish()
		r.notes = append(r.notes, option.notes...)
	}
	ids, known := r.ids("options", given)
	for i := range question.Options {
		question.Options[i].ID = ids[i]
	}
	if len(question.Options) < 2 {
		r.note(TooFewOptions, "options", nil)
	}
	if question.Type == rules.SingleChoice {
		r.singleKey(question, known)
	} else {
		r.multipleKey(question, known)
	}
}

func (r *jsonReader) singleKey(question *rules.Question, known map[string]string) {
	key := r.text("correctOptionId", 255)
	switch {
	case key == nil:
		r.note(KeyMissing, "correctOptionId", nil)
	case known[*key] == "":
		r.note(AnswerUnknown, "correctOptionId", nil)
	default:
		question.CorrectOptionID = new(known[*key])
	}
}

func (r *jsonReader) multipleKey(question *rules.Question, known map[string]string) {
	question.PartialCredit = r.flag("partialCredit")
	keys := r.texts("correctOptionIds", maxOptions, 255, FieldInvalid)
	for i, key := range keys {
		if known[key] == "" || slices.Contains(question.CorrectOptionIDs, known[key]) {
			// The others alone would be a wrong key.
			r.note(AnswerUnknown, "correctOptionIds/"+strconv.Itoa(i), nil)
			question.CorrectOptionIDs = nil
			return
		}
		question.CorrectOptionIDs = append(question.CorrectOptionIDs, known[key])
	}
	if len(keys) == 0 {
		r.note(KeyMissing, "correctOptionIds", nil)
	}
}

func (r *jsonReader) rubric(question *rules.Question) {
	var given []string
	criteria := r.list("rubric", maxCriteria)
	if len(criteria) > maxCriteria {
		r.note(FieldInvalid, "rubric", nil)
		criteria = nil
	}
	for i, raw := range criteria {
		at := "rubric/" + strconv.Itoa(i)
		criterion, isObject := newJSONReader(r.at+"/"+at, raw)
		if !isObject {
			r.note(FieldInvalid, at, nil)
			continue
		}
		given = append(given, value(criterion.text("id", 255)))
		points := criterion.number("points", 0, maxPoints)
		if points == nil {
			r.note(PointsInvalid, at+"/points", nil)
			points = new(1.0)
		}
		question.Rubric = append(question.Rubric, rules.Criterion{
			Title: value(criterion.line("title", 200)), Points: *points, Description: criterion.text("description", 2000),
		})
		criterion.finish()
		r.notes = append(r.notes, criterion.notes...)
	}
	ids, _ := r.ids("rubric", given)
	for i := range question.Rubric {
		question.Rubric[i].ID = ids[i]
	}
}
