package server

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/gen"
	"assay/server/request"
	"assay/server/spreadsheet"
	"assay/store"
	"assay/store/encode"
)

// ExportCandidateSpreadsheet implements GET /v1/candidate-sessions/spreadsheet.
func (s *Server) ExportCandidateSpreadsheet(
	ctx context.Context, request gen.ExportCandidateSpreadsheetRequestObject,
) (gen.ExportCandidateSpreadsheetResponseObject, error) {
	params := request.Params
	language, err := spreadsheet.LanguageOf(string(orDefault(params.Language, gen.SpreadsheetLanguageEn)))
	if err != nil {
		return nil, err
	}
	sheet, err := s.store.ExportCandidateSpreadsheet(ctx, scopeOf(ctx), store.SpreadsheetExport{
		Zone: orDefault(params.TimeZone, "UTC"),
		Filter: sessionFilter(gen.SummarizeCandidateSessionsParams{
			Q: params.Q, AssessmentID: params.AssessmentID, Status: params.Status, CandidateEmail: params.CandidateEmail,
			ExternalID: params.ExternalID, MinScore: params.MinScore, MaxScore: params.MaxScore, Passed: params.Passed,
			CreatedSince: params.CreatedSince, CreatedUntil: params.CreatedUntil, CompletedSince: params.CompletedSince,
			CompletedUntil: params.CompletedUntil, UpdatedSince: params.UpdatedSince, Test: params.Test, State: params.State,
			Tag: params.Tag, MinRating: params.MinRating,
		}),
	})
	if err != nil {
		return nil, err
	}
	return candidateFile{sheet, inTurns(ctx), spreadsheet.Options{
		Format: spreadsheet.Format(orDefault(params.Format, gen.SpreadsheetFormatCSV)), Language: language,
		Separator: separators[orZero(params.Separator)], Name: language.Text("sheet"),
	}, s.opts.Now().Add(exportTimeout)}, nil
}

// inTurns runs each part of a response in a turn of the organization.
func inTurns(ctx context.Context) func(part func() error) error {
	return func(part func() error) error { return request.InTurn(ctx, part) }
}

var separators = map[gen.SpreadsheetSeparator]rune{
	gen.SpreadsheetSeparatorCOMMA: ',', gen.SpreadsheetSeparatorSEMICOLON: ';',
}

// candidateFile is a response that is written while the sessions are read.
type candidateFile struct {
	sheet   store.CandidateSpreadsheet
	inTurn  func(part func() error) error // see work.again
	options spreadsheet.Options
	until   time.Time
}

// VisitExportCandidateSpreadsheetResponse implements gen.ExportCandidateSpreadsheetResponseObject. If the rows cannot
// be read, it closes the connection: otherwise the client would take the part for the whole.
func (f candidateFile) VisitExportCandidateSpreadsheetResponse(w http.ResponseWriter) error {
	if err := http.NewResponseController(w).SetWriteDeadline(f.until); err != nil {
		return err
	}
	format := f.options.Format
	w.Header().Set("Content-Type", format.MediaType())
	w.Header().Set("Content-Disposition", encode.Attachment("candidates"+format.Extension()))
	w.WriteHeader(http.StatusOK)
	var part bytes.Buffer // it never fails
	table := spreadsheet.NewWriter(&part, f.options)
	_ = table.Write(f.headings())
	for more := true; more; {
		if err := f.inTurn(func() (err error) {
			more, err = f.write(table)
			return err
		}); err != nil {
			panic(http.ErrAbortHandler)
		}
		if _, err := part.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}

// write writes the next rows, or the end of the file, and reports whether there can be more.
func (f candidateFile) write(table spreadsheet.Writer) (more bool, err error) {
	rows, err := f.sheet.Next()
	if err != nil {
		return false, err
	}
	for _, row := range rows {
		if err := table.Write(f.cells(row)); err != nil {
			return false, err
		}
		runtime.Gosched() // other requests wait for one row at most
	}
	if len(rows) == 0 {
		return false, table.Close()
	}
	return true, nil
}

func (f candidateFile) headings() []any {
	var headings []any
	add := func(keys ...string) {
		for _, key := range keys {
			headings = append(headings, f.options.Language.Text(key))
		}
	}
	add("name", "email", "externalId", "assessment", "attempt", "status", "state", "score", "passed", "percentile")
	for i := range f.sheet.StageCount {
		title := strings.ReplaceAll(f.options.Language.Text("stage"), "{number}", strconv.Itoa(i+1))
		if f.sheet.StageTitles != nil {
			title = f.sheet.StageTitles[i] + " (%)"
		}
		headings = append(headings, title)
	}
	add("duration", "invited", "startBy", "started", "ended", "rating", "tags", "labels", "note")
	return headings
}

func (f candidateFile) cells(row store.CandidateRow) []any {
	text := f.options.Language.Text
	cells := []any{
		row.CandidateName, row.CandidateEmail, orZero(row.ExternalID), row.AssessmentTitle, row.Attempt,
		text("status." + string(row.Status)), f.state(row.ReviewState()), numberCell(row.Score), nil,
		numberCell(row.Percentile),
	}
	if row.Passed != nil {
		cells[8] = text(map[bool]string{true: "yes", false: "no"}[*row.Passed])
	}
	for i := range f.sheet.StageCount {
		var score *float64
		if i < len(row.StageScores) {
			score = row.StageScores[i]
		}
		cells = append(cells, numberCell(score))
	}
	var duration any
	if row.Duration != nil {
		duration = *row.Duration
	}
	ended := row.CompletedAt
	if ended == nil {
		ended = row.DisqualifiedAt
	}
	return append(cells, duration, f.time(&row.InvitedAt), f.instant(row.Span().Until), f.time(row.StartedAt),
		f.time(ended), numberCell(row.Rating), strings.Join(row.Tags(), ", "), labels(row.Metadata()), orZero(row.Note))
}

// state is the name of a state. One that the organization has not renamed is in the language of the file.
func (f candidateFile) state(id string) string {
	for _, state := range f.sheet.States.States {
		if state.ID != id {
			continue
		}
		if state.IsDefault() {
			return f.options.Language.Text("state." + id)
		}
		return state.Name
	}
	return id // removed since the export began
}

func (f candidateFile) time(t *store.Time) any {
	if t == nil {
		return nil
	}
	return t.In(f.sheet.Zone)
}

func (f candidateFile) instant(t *time.Time) any {
	if t == nil {
		return nil
	}
	return t.In(f.sheet.Zone)
}

// numberCell makes a cell of a number that can be absent. A cell with a nil pointer would not be nil.
func numberCell(value *float64) any {
	if value == nil {
		return nil
	}
	return *value
}

func labels(metadata map[string]string) string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		pairs = append(pairs, key+": "+metadata[key])
	}
	return strings.Join(pairs, "\n")
}
