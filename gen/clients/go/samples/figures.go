package main

import (
	"context"
	"fmt"

	"github.com/oapi-codegen/nullable"

	"assay.example/integration/generated/assay"
)

// groups asks candidates voluntary questions.
func (t *tour) groups(ctx context.Context) error {
	person, assessmentID := t.person, t.assessmentID
	// sample: replaceSelfIdentification
	if _, err := person.ReplaceSelfIdentificationWithResponse(ctx, assessmentID, assay.SelfIdentificationPut{
		Questions: []assay.SelfIdentificationQuestionInput{{
			ID: "sex", Text: "What is your sex?",
			Options: []assay.SelfIdentificationOptionInput{{ID: "female", Text: "Female"}, {ID: "male", Text: "Male"}},
		}},
	}); err != nil {
		return err
	}
	// end sample

	// sample: retrieveSelfIdentification
	asked, err := person.RetrieveSelfIdentificationWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println(len(asked.JSON200.Data.Questions), "voluntary questions")
	// end sample
	return nil
}

// identify answers the voluntary questions as the candidate.
func identify(ctx context.Context, candidate *assay.ClientWithResponses) error {
	// sample: retrieveOwnSelfIdentification
	voluntary, err := candidate.RetrieveOwnSelfIdentificationWithResponse(ctx)
	if err != nil {
		return err
	}
	for _, question := range voluntary.JSON200.Data.Questions {
		fmt.Println(question.Text)
	}
	// end sample

	// sample: saveOwnSelfIdentification
	if _, err := candidate.SaveOwnSelfIdentificationWithResponse(ctx, assay.OwnSelfIdentificationPut{
		Answers: []assay.OwnSelfIdentificationAnswerInput{{QuestionID: "sex", OptionID: "female"}},
	}); err != nil {
		return err
	}
	// end sample
	return nil
}

// figures compares parts of the candidates, exports their answers, and judges the questions.
func (t *tour) figures(ctx context.Context) error {
	person, integration, assessmentID, questionID := t.person, t.integration, t.assessmentID, t.questionID
	// sample: createSegment
	created, err := person.CreateSegmentWithResponse(ctx, assessmentID, nil, assay.SegmentCreate{
		Name: "First attempts", Filter: assay.SegmentFilterInput{Attempt: nullable.NewNullableWithValue(1)},
	})
	if err != nil {
		return err
	}
	segmentID := created.JSON201.Data.ID
	// end sample

	// sample: listSegments
	segments, err := person.ListSegmentsWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	for _, segment := range segments.JSON200.Data {
		fmt.Println(segment.Name, segment.Count, segment.Complete)
	}
	// end sample

	// sample: retrieveSegmentComparison
	compared, err := person.RetrieveSegmentComparisonWithResponse(ctx, assessmentID, segmentID, nil)
	if err != nil {
		return err
	}
	fmt.Println(compared.JSON200.Data.First.Count, "beside", compared.JSON200.Data.Second.Count)
	// end sample

	// sample: deleteSegment
	if _, err := person.DeleteSegmentWithResponse(ctx, assessmentID, segmentID); err != nil {
		return err
	}
	// end sample

	// sample: retrieveGroupStatistics
	groups, err := person.RetrieveGroupStatisticsWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	for _, question := range groups.JSON200.Data.Questions {
		fmt.Println(question.Text, len(question.Groups), "groups")
	}
	// end sample

	// sample: exportResponses
	matrix, err := person.ExportResponsesWithResponse(ctx, assessmentID, nil)
	if err != nil {
		return err
	}
	fmt.Println(len(matrix.Body), "bytes of CSV")
	// end sample

	// sample: exportCodeBook
	codeBook, err := person.ExportCodeBookWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println(len(codeBook.Body), "bytes of CSV")
	// end sample

	// sample: exportPublicResponses
	byKey, err := integration.ExportPublicResponsesWithResponse(ctx, assessmentID, nil)
	if err != nil {
		return err
	}
	fmt.Println(len(byKey.Body), "bytes of CSV")
	// end sample

	// sample: exportPublicCodeBook
	columns, err := integration.ExportPublicCodeBookWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println(len(columns.Body), "bytes of CSV")
	// end sample

	// sample: replaceCutScoreRatings
	rated, err := person.ReplaceCutScoreRatingsWithResponse(ctx, assessmentID, assay.CutScoreRatingsPut{
		Ratings: []assay.CutScoreRatingInput{{QuestionID: questionID, Percent: 65}},
	})
	if err != nil {
		return err
	}
	if rated.JSON200.Data.CutScore.IsNull() {
		fmt.Println("some questions are not yet rated")
	}
	// end sample

	// sample: retrieveCutScoreRatings
	mine, err := person.RetrieveCutScoreRatingsWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println(len(mine.JSON200.Data.Ratings), "ratings")
	// end sample

	// sample: retrieveCutScore
	cut, err := person.RetrieveCutScoreWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println(len(cut.JSON200.Data.Judges), "judges")
	// end sample

	// sample: deleteCutScoreRatings
	if _, err := person.DeleteCutScoreRatingsWithResponse(ctx, assessmentID); err != nil {
		return err
	}
	// end sample
	return nil
}
