package exchange

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// The readers know the limits of the contract.
func TestLimitsOfTheContract(t *testing.T) {
	content, err := os.ReadFile("../../gen/openapi.gen.json")
	if err != nil {
		t.Fatal(err)
	}
	var contract struct {
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(content, &contract); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]float64{
		"Title maxLength":                                                   maxTitle,
		"StageInput properties title maxLength":                             maxTitle,
		"CriterionInput properties title maxLength":                         maxTitle,
		"CriterionInput properties description maxLength":                   maxCriterion,
		"Text maxLength":                                                    maxPrompt,
		"SingleChoiceQuestionInput properties explanation maxLength":        maxPrompt,
		"FreeTextQuestionInput properties explanation maxLength":            maxPrompt,
		"AssessmentCreate properties description maxLength":                 maxPrompt,
		"OptionInput properties text maxLength":                             maxOption,
		"Options maxItems":                                                  maxOptions,
		"ShortTextQuestionInput properties acceptedAnswers maxItems":        maxAccepted,
		"ShortTextQuestionInput properties acceptedAnswers items maxLength": maxOption,
		"StageInput properties questions maxItems":                          maxQuestions,
		"AssessmentCreate properties stages maxItems":                       maxStages,
		"QuestionPoints maximum":                                            maxPoints,
		"NumericQuestionInput properties answer maximum":                    maxNumber,
		"Tolerance maximum":                                                 maxNumber,
		"FreeTextQuestionInput properties maxWords maximum":                 maxMaxWords,
		"FreeTextQuestionInput properties rubric maxItems":                  maxCriteria,
	} {
		var at any = contract.Components.Schemas
		for _, name := range strings.Fields(path) {
			object, _ := at.(map[string]any)
			at = object[name]
		}
		if at != want {
			t.Errorf("%s is %v in the contract and %v here", path, at, want)
		}
	}
}
