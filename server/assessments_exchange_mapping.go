package server

import (
	"path"
	"strings"
	"unicode"

	"assay/gen"
	"assay/server/exchange"
	"assay/store"
)

// untitledImport is the title of a draft if neither the request nor the file has one. A title cannot be blank.
const untitledImport = "Imported questions"

const (
	maxTitle    = 200 // characters, as in openapi.yaml
	maxFileName = 100 // characters, without the extension; some systems permit 255 bytes
)

// importTitle returns the first title that is not blank, in one line: that of the request, that of the file, or its
// name.
func importTitle(requested, inFile, fileName string) string {
	base := path.Base(strings.ReplaceAll(fileName, `\`, "/"))
	base = strings.TrimSuffix(base, path.Ext(base))
	for _, title := range []string{requested, inFile, base} {
		if title = oneLine(title, maxTitle); title != "" && title != "." && title != "/" {
			return title
		}
	}
	return ""
}

// oneLine returns the text without line breaks and invisible characters, and at most so many characters of it.
func oneLine(text string, most int) string {
	line := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	if characters := []rune(line); len(characters) > most {
		line = strings.TrimSpace(string(characters[:most]))
	}
	return line
}

// fileName is a name for the file of an assessment with the title, on every operating system.
func fileName(title string) string {
	name := oneLine(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/\|?*`, r) {
			return ' '
		}
		return r
	}, title), maxFileName)
	if name = strings.Trim(name, " ."); name == "" {
		return "assessment"
	}
	return name
}

func (s *Server) apiImport(draft *store.Assessment, report exchange.Report) gen.AssessmentImport {
	return gen.AssessmentImport{
		AssessmentID: nullIfEmpty(draft.ID), Title: draft.Title, Description: draft.Description,
		Stages: s.textsOf(draft).stages(), Report: gen.ImportReport{
			Format: gen.ImportedFormat(report.Format), RecognisedFormats: each(report.Recognised, importedFormat),
			Columns: each(report.Columns, importedColumn), Questions: each(report.Questions, importedQuestion),
			Notes: each(report.Notes, importNote),
		},
	}
}

func importedFormat(format exchange.Format) gen.ImportedFormat { return gen.ImportedFormat(format) }

func importedColumn(column exchange.Column) gen.ImportedColumn {
	return gen.ImportedColumn{
		Name: column.Name, Role: string(column.Role), Example: column.Example,
		Choices: each(column.Choices, func(role exchange.Role) string { return string(role) }),
	}
}

func importedQuestion(item exchange.Item) gen.ImportedQuestion {
	question := gen.ImportedQuestion{
		Line: lineOrNull(item.Place.Line), LastLine: lineOrNull(item.Place.LastLine), ItemID: nullIfEmpty(item.Place.ID),
		Excerpt: item.Excerpt, Notes: each(item.Notes, importNote),
	}
	if item.Stage >= 0 {
		question.StageOrder, question.QuestionOrder = new(item.Stage+1), new(item.Question+1)
	}
	return question
}

func importNote(note exchange.Note) gen.ImportNote {
	return gen.ImportNote{
		Code: string(note.Code), Severity: string(note.Code.Severity()), Detail: note.Code.Detail(),
		Line: lineOrNull(note.Line), Text: note.Text,
	}
}

func lineOrNull(line int) *int {
	if line == 0 {
		return nil
	}
	return &line
}
