package exchange

import (
	"slices"
	"strconv"

	"assay/store/rules"
)

// item returns a question as an item, and the names of its pictures.
func (w *qtiWriter) item(q rules.Question, id string) (item *element, pictures []string) {
	xhtml := func(markdown string) string {
		text, used := w.html.write(markdown)
		pictures = append(pictures, used...)
		return text
	}
	title, _ := plainOf(q.Prompt, 0)
	attrs := []string{"identifier", id, "title", excerptOf(title)}
	if w.locale != "" {
		attrs = append(attrs, "xml:lang", w.locale)
	}
	item = el("assessmentItem", append(attrs, "adaptive", "false", "timeDependent", "false"))
	add := func(children ...any) { item.children = append(item.children, children...) }

	add(w.responseDeclaration(q))
	score := []string{"identifier", "SCORE", "cardinality", "single", "baseType", "float", "normalMaximum", "1"}
	if q.Type == rules.FreeText {
		score = append(score, "externalScored", "human")
	}
	add(el("outcomeDeclaration", score))
	if q.Explanation != nil {
		add(el("outcomeDeclaration", []string{"identifier", "FEEDBACK", "cardinality", "single", "baseType", "identifier"},
			el("defaultValue", nil, el("value", nil, "general"))))
	}
	body := el("itemBody", nil)
	if text := rubricText(q.Rubric); text != "" {
		body.children = append(body.children, w.rubricBlock("scorer", text, &pictures))
	}
	body.children = append(body.children, xhtml(q.Prompt), w.interaction(q, &pictures))
	add(body)
	if processing := w.processing(q); processing != nil {
		add(processing)
	}
	if q.Explanation != nil {
		var content any = xhtml(*q.Explanation)
		if w.version.isKebab {
			content = el("contentBody", nil, content)
		}
		add(el("modalFeedback", []string{"outcomeIdentifier", "FEEDBACK", "identifier", "general", "showHide", "show"}, content))
	}
	return item, pictures
}

// qtiOptionName is the identifier of an option in QTI. The ids of Assay can begin with a digit, which identifiers cannot.
func qtiOptionName(position int) string { return "option_" + optionID(position) }

func optionNames(q rules.Question) (correct, wrong []string) {
	ids := correctOf(q)
	for i, option := range q.Options {
		if slices.Contains(ids, option.ID) {
			correct = append(correct, qtiOptionName(i))
		} else {
			wrong = append(wrong, qtiOptionName(i))
		}
	}
	return correct, wrong
}

func (w *qtiWriter) responseDeclaration(q rules.Question) *element {
	declaration := func(cardinality, baseType string, correct []string) *element {
		d := el("responseDeclaration", []string{"identifier", "RESPONSE", "cardinality", cardinality, "baseType", baseType})
		if len(correct) > 0 {
			response := el("correctResponse", nil)
			for _, value := range correct {
				response.children = append(response.children, el("value", nil, escapedXML(value)))
			}
			d.children = append(d.children, response)
		}
		return d
	}
	correct, wrong := optionNames(q)
	switch q.Type {
	case rules.SingleChoice:
		return declaration("single", "identifier", correct)
	case rules.MultipleChoice:
		d := declaration("multiple", "identifier", correct)
		if q.PartialCredit && len(correct) > 0 {
			d.children = append(d.children, partialMapping(correct, wrong))
		}
		return d
	case rules.Numeric:
		if q.Answer == nil {
			return declaration("single", "float", nil)
		}
		return declaration("single", "float", []string{floatText(*q.Answer)})
	case rules.ShortText:
		d := declaration("single", "string", q.AcceptedAnswers[:min(1, len(q.AcceptedAnswers))])
		if len(q.AcceptedAnswers) > 0 {
			mapping := el("mapping", []string{"defaultValue", "0"})
			for _, text := range q.AcceptedAnswers {
				mapping.children = append(mapping.children, el("mapEntry", []string{
					"mapKey", text, "mappedValue", "1", "caseSensitive", strconv.FormatBool(q.CaseSensitive),
				}))
			}
			d.children = append(d.children, mapping)
		}
		return d
	case rules.FreeText:
	}
	return declaration("single", "string", nil)
}

// partialMapping gives a part of the points for each correct option, and takes as much for each wrong one.
func partialMapping(correct, wrong []string) *element {
	share := 1 / float64(len(correct))
	mapping := el("mapping", []string{"lowerBound", "0", "upperBound", "1", "defaultValue", "0"})
	for _, name := range correct {
		mapping.children = append(mapping.children, el("mapEntry", []string{"mapKey", name, "mappedValue", floatText(share)}))
	}
	for _, name := range wrong {
		mapping.children = append(mapping.children, el("mapEntry", []string{"mapKey", name, "mappedValue", floatText(-share)}))
	}
	return mapping
}

func floatText(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }

func (w *qtiWriter) interaction(q rules.Question, pictures *[]string) any {
	response := []string{"responseIdentifier", "RESPONSE"}
	switch q.Type {
	case rules.SingleChoice, rules.MultipleChoice:
		most := map[rules.QuestionType]string{rules.SingleChoice: "1", rules.MultipleChoice: "0"}[q.Type]
		interaction := el("choiceInteraction", append(response, "shuffle", "true", "maxChoices", most))
		for i, option := range q.Options {
			text, used := w.html.inline(option.Text)
			*pictures = append(*pictures, used...)
			interaction.children = append(interaction.children, el("simpleChoice", []string{"identifier", qtiOptionName(i)}, text))
		}
		return interaction
	case rules.Numeric, rules.ShortText:
		return el("div", nil, el("textEntryInteraction", append(response, "expectedLength", "30")))
	case rules.FreeText:
	}
	return el("extendedTextInteraction", append(response, "expectedLines", "10"))
}

// processing returns how a response is scored. A person scores free texts.
func (w *qtiWriter) processing(q rules.Question) *element {
	template := "match_correct"
	switch q.Type {
	case rules.FreeText:
		return nil
	case rules.MultipleChoice:
		if q.PartialCredit {
			template = "map_response"
		}
	case rules.ShortText:
		template = "map_response"
	case rules.Numeric:
		return numericProcessing(q.Tolerance)
	case rules.SingleChoice:
	}
	return el("responseProcessing", []string{"template", w.version.templates + template})
}

// numericProcessing compares with the tolerance below and above the number.
func numericProcessing(tolerance float64) *element {
	score := func(value string) *element {
		return el("setOutcomeValue", []string{"identifier", "SCORE"}, el("baseValue", []string{"baseType", "float"}, value))
	}
	mode := []string{"toleranceMode", "exact"}
	if tolerance > 0 {
		mode = []string{"toleranceMode", "absolute", "tolerance", floatText(tolerance) + " " + floatText(tolerance)}
	}
	response := []string{"identifier", "RESPONSE"}
	return el("responseProcessing", nil, el("responseCondition", nil,
		el("responseIf", nil, el("equal", mode, el("variable", response), el("correct", response)), score("1")),
		el("responseElse", nil, score("0"))))
}
