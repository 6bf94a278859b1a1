package exchange

// Survival says what becomes of a field when an assessment is exported in a format and imported again.
type Survival string

// What can become of a field.
const (
	Kept    Survival = "kept"
	Altered Survival = "changed" // as the note of its row says
	Lost    Survival = "lost"
)

// survivalRow is a field of an assessment, by its name in the contract.
type survivalRow struct {
	Field   string
	Formats map[Format]Survival
	Note    string // how it changes, for the guide; empty if it does not
}

// inTables is the same for CSV and XLSX.
func inTables(s Survival) map[Format]Survival {
	return map[Format]Survival{AssayJSON: Kept, CSV: s, XLSX: s}
}

// SurvivalTable is the table of the guide. Tests prove each of its rows by writing and reading an assessment.
var survivalTable = []survivalRow{
	{"title", inTables(Altered), "the name of the file"},
	{"description", inTables(Lost), ""},
	{"settings", inTables(Lost), ""},
	{"stages[].title", inTables(Kept), ""},
	{"stages[].description", inTables(Lost), ""},
	{"stages[].timeLimitMinutes", inTables(Lost), ""},
	{"stages[].gate", inTables(Lost), ""},
	{"questions[].type", inTables(Kept), ""},
	{"questions[].prompt", inTables(Kept), ""},
	{"questions[].points", inTables(Kept), ""},
	{"questions[].explanation", inTables(Kept), ""},
	{"options[].id", inTables(Altered), "a, b, c, …"},
	{"options[].text", inTables(Kept), ""},
	{"correctOptionId", inTables(Kept), ""},
	{"correctOptionIds", inTables(Kept), ""},
	{"partialCredit", inTables(Kept), ""},
	{"answer", inTables(Kept), ""},
	{"tolerance", inTables(Kept), ""},
	{"acceptedAnswers", inTables(Kept), ""},
	{"caseSensitive", inTables(Kept), ""},
	{"exactMatch", inTables(Kept), ""},
	{"maxWords", inTables(Kept), ""},
	{"rubric[].id", inTables(Altered), "a, b, c, …"},
	{"rubric[].title", inTables(Kept), ""},
	{"rubric[].points", inTables(Kept), ""},
	{"rubric[].description", inTables(Kept), ""},
}
