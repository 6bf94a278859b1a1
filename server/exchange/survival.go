package exchange

// Survival says what becomes of a field when an assessment is exported in a format and imported again.
type Survival string

// What can become of a field. A kept field is equal.
const (
	Kept    Survival = "kept"
	Altered Survival = "changed"
	Lost    Survival = "lost"
)

// survivalFields are the fields of the table of the guide, by their names in the contract.
var survivalFields = []string{
	"title", "description", "settings", "stages[].title", "stages[].description", "stages[].timeLimitMinutes",
	"stages[].gate", "questions[].type", "questions[].prompt", "questions[].points", "questions[].explanation",
	"options[].id", "options[].text", "correctOptionId", "correctOptionIds", "partialCredit", "answer", "tolerance",
	"acceptedAnswers", "caseSensitive", "exactMatch", "maxWords", "rubric[].id", "rubric[].title", "rubric[].points",
	"rubric[].description",
}

// survival has a row for each format that can be written, with the fields that are not kept. The title becomes the name
// of the file, and ids become a, b, c, and so on. Tests prove each row, and that the guide has it.
var survival = map[Format]map[string]Survival{
	AssayJSON: {},
	CSV:       inTables,
	XLSX:      inTables,
	GIFT: {
		"title": Altered, "description": Lost, "settings": Lost, "stages[].description": Lost,
		"stages[].timeLimitMinutes": Lost, "stages[].gate": Lost, "questions[].points": Lost, "options[].id": Altered,
		"partialCredit": Lost, "caseSensitive": Lost, "exactMatch": Lost, "maxWords": Lost, "rubric[].id": Lost,
		"rubric[].title": Lost, "rubric[].points": Lost, "rubric[].description": Lost,
	},
}

var inTables = map[string]Survival{
	"title": Altered, "description": Lost, "settings": Lost, "stages[].description": Lost,
	"stages[].timeLimitMinutes": Lost, "stages[].gate": Lost, "options[].id": Altered, "rubric[].id": Altered,
}

// survivalOf returns what becomes of a field in a format, or false for a format without a row.
func survivalOf(format Format, field string) (Survival, bool) {
	row, found := survival[format]
	if said, isListed := row[field]; isListed {
		return said, found
	}
	return Kept, found
}
