package main

import (
	"context"
	"fmt"

	"assay.example/integration/generated/assay"

	"github.com/oapi-codegen/nullable"
)

// questions adds a question to the bank, changes it, and deletes it.
func (t *tour) questions(ctx context.Context) error {
	person := t.person
	// sample: createQuestion
	var content assay.QuestionInput
	if err := content.FromNumericQuestionInput(assay.NumericQuestionInput{
		Prompt: "At how many °C is insulin stored at most?", Points: 2, Answer: nullable.NewNullableWithValue(8.0),
	}); err != nil {
		return err
	}
	created, err := person.CreateQuestionWithResponse(ctx, nil, assay.BankQuestionCreate{
		Tags: []string{"storage", "easy"}, Question: content,
	})
	if err != nil {
		return err
	}
	id := created.JSON201.Data.ID
	// end sample

	// sample: listQuestions
	list, err := person.ListQuestionsWithResponse(ctx, &assay.ListQuestionsParams{Tag: []string{"storage", "easy"}})
	if err != nil {
		return err
	}
	for _, question := range list.JSON200.Data {
		fmt.Println(question.ID, question.Prompt)
	}
	// end sample

	// sample: listQuestionTags
	tags, err := person.ListQuestionTagsWithResponse(ctx)
	if err != nil {
		return err
	}
	for _, tag := range tags.JSON200.Data {
		fmt.Println(tag.Name, tag.Count)
	}
	// end sample

	// sample: retrieveQuestion
	question, err := person.RetrieveQuestionWithResponse(ctx, id)
	if err != nil {
		return err
	}
	fmt.Println("version", question.JSON200.Data.Version)
	// end sample

	// sample: updateQuestion
	changed, err := person.UpdateQuestionWithResponse(ctx, id, nil, assay.BankQuestionUpdate{
		Tags: []string{"storage", "hard"},
	})
	if err != nil {
		return err
	}
	fmt.Println(changed.JSON200.Data.Tags)
	// end sample

	// sample: listQuestionVersions
	versions, err := person.ListQuestionVersionsWithResponse(ctx, id)
	if err != nil {
		return err
	}
	fmt.Println(len(versions.JSON200.Data), "versions")
	// end sample

	// sample: retrieveQuestionStatistics
	statistics, err := person.RetrieveQuestionStatisticsWithResponse(ctx, id)
	if err != nil {
		return err
	}
	fmt.Println("seen by", statistics.JSON200.Data.Exposures)
	// end sample

	// sample: deleteQuestion
	if _, err := person.DeleteQuestionWithResponse(ctx, id); err != nil {
		return err
	}
	// end sample
	return nil
}
