package server

import (
	"context"
	"strconv"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// ExportCodeBook implements GET /v1/assessments/{id}/responses/code-book.
func (s *Server) ExportCodeBook(
	ctx context.Context, request gen.ExportCodeBookRequestObject,
) (gen.ExportCodeBookResponseObject, error) {
	book, err := s.store.ExportCodeBook(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return codeBookFile(ctx, book), nil
}

// ExportPublicCodeBook implements GET /v1/public/assessments/{id}/responses/code-book.
func (s *Server) ExportPublicCodeBook(
	ctx context.Context, request gen.ExportPublicCodeBookRequestObject,
) (gen.ExportPublicCodeBookResponseObject, error) {
	book, err := s.store.ExportPublicCodeBook(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return codeBookFile(ctx, book), nil
}

func codeBookFile(ctx context.Context, book store.CodeBook) csvFile {
	header := []string{
		"column", "description", "stage", "question", "questionId", "type", "maxPoints", "optionId", "text", "correct",
		"points",
	}
	lines := codeBookLines(book)
	return csvFile{name: "code-book.csv", body: newCSV(ctx, header, func() (rows [][]string, err error) {
		rows, lines = lines, nil
		return rows, nil
	})}
}

// pointsDescription explains the columns with points.
const pointsDescription = "The points for the question, with all corrections and grades. Empty if the candidate did not " +
	"get or reach the question."

// choiceDescriptions explain the columns with choices.
var choiceDescriptions = map[rules.QuestionType]string{
	rules.SingleChoice: "The optionId that the candidate chose. Empty without an answer, and after its erasure.",
	rules.MultipleChoice: "Each optionId that the candidate chose, separated by semicolons. Empty without an answer, and " +
		"after its erasure.",
	rules.Numeric:   "The number that the candidate gave. Empty without an answer, and after its erasure.",
	rules.ShortText: "What the candidate wrote. Empty without an answer, and after its erasure.",
	rules.FreeText:  "Always empty, because candidates write about themselves.",
}

// codeBookLines has a line for each column of the response matrix, and a line for each option of a question.
func codeBookLines(book store.CodeBook) (lines [][]string) {
	for _, variable := range sessionVariables {
		lines = append(lines, []string{variable.column, variable.description, "", "", "", "", "", "", "", "", ""})
	}
	for i, stage := range book.Definition.Stages {
		for j, question := range stage.Questions {
			lines = append(lines, questionLines(book, i, j, question)...)
		}
	}
	return lines
}

func questionLines(book store.CodeBook, i, j int, question rules.Question) (lines [][]string) {
	maxPoints := rules.GradeAnswer(question, rules.Answer{}, book.Corrections).MaxPoints // 0 for an excluded question
	line := func(column, description, optionID, text, correct, points string) {
		lines = append(lines, []string{
			column, description, strconv.Itoa(i + 1), strconv.Itoa(j + 1), question.ID, string(question.Type),
			plainNumber(&maxPoints), optionID, text, correct, points,
		})
	}
	line(pointsColumn(i, j), pointsDescription, "", question.Prompt, "", "")
	line(choiceColumn(i, j), choiceDescriptions[question.Type], "", question.Prompt, "", "")
	for _, option := range question.Options {
		points, correct := "", ""
		if book.WithKeys {
			correct = logical(rules.AcceptsOption(question, option.ID, book.Corrections))
		}
		if book.WithKeys && question.Type == rules.SingleChoice { // several options have points together only
			graded := rules.GradeAnswer(question, rules.Answer{OptionID: &option.ID}, book.Corrections)
			points = plainNumber(&graded.Points)
		}
		line(choiceColumn(i, j), "An option of the question.", option.ID, option.Text, correct, points)
	}
	return lines
}
