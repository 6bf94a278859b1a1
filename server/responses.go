package server

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"assay/gen"
	"assay/server/spreadsheet"
	"assay/store"
	"assay/store/rules"
)

// ExportResponses implements GET /v1/assessments/{id}/responses/export.
func (s *Server) ExportResponses(
	ctx context.Context, request gen.ExportResponsesRequestObject,
) (gen.ExportResponsesResponseObject, error) {
	responses, err := s.store.ExportResponses(ctx, scopeOf(ctx), request.ID, store.TimeSpan{
		Since: instant(request.Params.CompletedSince), Until: instant(request.Params.CompletedUntil),
	})
	if err != nil {
		return nil, err
	}
	return s.responsesFile(ctx, responses), nil
}

// ExportPublicResponses implements GET /v1/public/assessments/{id}/responses/export.
func (s *Server) ExportPublicResponses(
	ctx context.Context, request gen.ExportPublicResponsesRequestObject,
) (gen.ExportPublicResponsesResponseObject, error) {
	responses, err := s.store.ExportPublicResponses(ctx, scopeOf(ctx), request.ID, store.TimeSpan{
		Since: instant(request.Params.CompletedSince), Until: instant(request.Params.CompletedUntil),
	})
	if err != nil {
		return nil, err
	}
	return s.responsesFile(ctx, responses), nil
}

func (s *Server) responsesFile(ctx context.Context, responses store.Responses) csvFile {
	header := each(sessionVariables, func(v sessionVariable) string { return v.column })
	for i, stage := range responses.Definition.Stages {
		for j := range stage.Questions {
			header = append(header, pointsColumn(i, j), choiceColumn(i, j))
		}
	}
	return csvFile{"responses.csv", newSafeCSV(ctx, header, func() ([][]string, error) {
		rows, err := responses.Next()
		return each(rows, responseCells), err
	}), s.opts.Now().Add(exportTimeout)}
}

// sessionVariable is a column of the response matrix about the whole session.
type sessionVariable struct {
	column      string
	description string // in the code book
	cell        func(store.ResponseRow) string
}

var sessionVariables = []sessionVariable{
	{"sessionId", "The candidate session.", func(r store.ResponseRow) string { return r.SessionID }},
	{"attempt", "The number of the attempt, from 1.", func(r store.ResponseRow) string { return strconv.Itoa(r.Attempt) }},
	{"status", "COMPLETED, or DISQUALIFIED if a gate has ended the session.",
		func(r store.ResponseRow) string { return string(r.Status) }},
	{"endedAt", "When the session ended (RFC 3339, UTC).",
		func(r store.ResponseRow) string { return store.WireTime(r.EndedAt) }},
	{"language", "The language of the candidate's page (BCP 47). Empty if the page has not reported it.",
		func(r store.ResponseRow) string { return spreadsheet.SafeText(orZero(r.Language)) }},
	{"score", "The score, in percent of the points of the assessment.",
		func(r store.ResponseRow) string { return plainNumber(r.Score) }},
	{"passed", "Whether the score reached the passing score. Empty without a passing score.",
		func(r store.ResponseRow) string {
			if r.Passed == nil {
				return ""
			}
			return logical(*r.Passed)
		}},
	{"durationSeconds", "The time from the start to the end, in seconds.",
		func(r store.ResponseRow) string { return strconv.Itoa(r.DurationSeconds) }},
}

// logical is a truth value as R, Python, and spreadsheets read it.
func logical(value bool) string { return strings.ToUpper(strconv.FormatBool(value)) }

// pointsColumn and choiceColumn are the columns of the question at position j of the stage at position i: s1q2_points
// and s1q2_choice for the second question of the first stage.
func pointsColumn(i, j int) string { return fmt.Sprintf("s%dq%d_points", i+1, j+1) }
func choiceColumn(i, j int) string { return fmt.Sprintf("s%dq%d_choice", i+1, j+1) }

func responseCells(row store.ResponseRow) []string {
	cells := each(sessionVariables, func(v sessionVariable) string { return v.cell(row) })
	for _, response := range row.Responses {
		cells = append(cells, plainNumber(response.Points), choiceCell(response.Answer))
	}
	return cells
}

// choiceCell is what the candidate chose or wrote.
func choiceCell(answer *rules.Answer) string {
	switch {
	case answer == nil:
		return ""
	case answer.Number != nil:
		return plainNumber(answer.Number)
	case answer.OptionIDs != nil:
		return spreadsheet.SafeText(strings.Join(answer.OptionIDs, ";"))
	}
	return spreadsheet.SafeText(orZero(answer.OptionID) + orZero(answer.Text))
}
