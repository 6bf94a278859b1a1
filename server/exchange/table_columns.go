package exchange

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// heading is what the name of a column says.
type heading struct {
	role Role
	// label is the letter or number of an option, from 0, or -1.
	label int
	// isWrong says that the column has only wrong options. Then the column of the key has the text of a further option.
	isWrong bool
	isCount bool     // the column counts the questions, and contains nothing else
	dropped NoteCode // why the column is not imported, if its role is IGNORED and its meaning is known
}

// headingPatterns give a column its role, in English or German. The first that matches counts.
var headingPatterns = []struct {
	pattern *regexp.Regexp
	heading heading
}{
	{regexp.MustCompile(`^(question|item|row|frage|frage ?n|aufgabe|zeile)? ?(#|no|nr|number|id|nummer)$`),
		heading{role: RoleIgnored, isCount: true}},
	{regexp.MustCompile(`^((question|item) ?(text|stem|title|prompt)?s?|prompt|stem|text|problem|` +
		`frage(n|text|stellung)?|aufgabe(n|nstellung|ntext)?)$`), heading{role: RoleQuestion}},
	{regexp.MustCompile(`^(question|frage) ?1$`), heading{role: RoleQuestion}},
	{regexp.MustCompile(`^((answer|response)? ?(options|choices|alternatives)|answers|optionen|antworten|` +
		`antwort ?(möglichkeiten|optionen|alternativen)|auswahl(möglichkeiten)?)$`), heading{role: RoleOptions}},
	{regexp.MustCompile(`^(correct|right|richtige?)( answer| option| choice| antwort(en)?)?s? ?(letters?|buchstaben?)$`),
		heading{role: RoleCorrectLetter}},
	{regexp.MustCompile(`^(correct|right|richtige?)( answer| option| choice| antwort)?s? ?(numbers?|nummern?)$`),
		heading{role: RoleCorrectNumber}},
	{regexp.MustCompile(`^(correct|right|richtige?)( answer| option| choice| antwort)?s? ?text$`),
		heading{role: RoleCorrectText}},
	{regexp.MustCompile(`^((correct|right)( answers?| options?| choices?)?( index(es)?)?|answers?( ?key| index)?|key|` +
		`solutions?|(die )?richtige?( antwort(en)?| lösung(en)?)?|lösung(en|sschlüssel)?|antwort|korrekte?( ` +
		`antwort(en)?)?)$`),
		heading{role: RoleCorrect}},
	{regexp.MustCompile(`^(points?|scores?|marks?|weight|max ?(points|score)|punkte?|punktzahl|gewicht(ung)?)$`),
		heading{role: RolePoints}},
	{regexp.MustCompile(`^((question|item)? ?type|kind|typ|frage ?typ|art)$`), heading{role: RoleType}},
	{regexp.MustCompile(`^(stage|section|category|topic|part|chapter|group|module|teil|abschnitt|kategorie|thema|` +
		`kapitel|bereich|gruppe|modul)$`), heading{role: RoleStage}},
	{regexp.MustCompile(`^((answer |general )?(explanation|feedback|rationale)|comments?|justification|erklärung|` +
		`erläuterung|begründung|kommentar|hinweis|rückmeldung)$`), heading{role: RoleExplanation}},
	{regexp.MustCompile(`^(tolerance|toleranz|±|margin)$`), heading{role: RoleTolerance}},
	{regexp.MustCompile(`^(max(imum)? ?words|word ?limit|max(imale)? ?wörter|höchstzahl der wörter)$`),
		heading{role: RoleMaxWords}},
	{regexp.MustCompile(`^(rubric|criteria|grading criteria|bewertungskriterien|kriterien|bewertungsraster)$`),
		heading{role: RoleRubric}},
	{regexp.MustCompile(`^(time( ?limit)?|time in seconds|seconds|time ?limit ?(sec|seconds|s)|zeit(limit)?|` +
		`zeit in sekunden)$`), heading{role: RoleIgnored, dropped: TimeLimitDropped}},
	{regexp.MustCompile(`^((question )?image( ?link| ?url)?|picture|media|bild|bild ?link)$`),
		heading{role: RoleIgnored, dropped: PictureDropped}},
}

var (
	optionHeading = regexp.MustCompile(`^(?:(wrong|incorrect|false|falsche?|distractor|distraktor)\s*)?` +
		`(?:options?|opt|o|choices?|alternatives?|answers?|ans|responses?|antwort(?:möglichkeit|option)?|auswahl)?` +
		`\s*[-.#]?\s*(?:([a-t])|(\d{1,2}))(?: ?(?:text|wert|optional))?$`)
	wrongHeading = regexp.MustCompile(`^(?:(?:wrong|incorrect)(?: (?:answer|option)s?)?|distractors?|` +
		`falsche (?:antwort|option)|distraktor)\s*(\d{0,2})$`)
	// A table can have several columns with this name.
	plainOptionHeading = regexp.MustCompile(`^(option|choice|alternative|antwort(möglichkeit|option))$`)
	headingLimit       = regexp.MustCompile(`\s[-–—]\s.*$`)                  // of Kahoot: "Answer 1 - max 75 characters"
	headingNote        = regexp.MustCompile(`\s*\([^()]*\)|\s*\[[^\[\]]*\]`) // "(optional)"
	camelCase          = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
)

const maxHeading = 100 // characters

// readHeading reads the name of a column.
func readHeading(name string) heading {
	if len(name) > 4*maxHeading {
		return heading{role: RoleIgnored, label: -1}
	}
	name = camelCase.ReplaceAllString(strings.TrimSpace(name), "$1 $2")
	plain := strings.Map(func(r rune) rune {
		if r == '_' || r == '"' || unicode.IsSpace(r) {
			return ' '
		}
		return unicode.ToLower(r)
	}, name)
	// "Correct (letters)" says more than "Correct", so the words in brackets are tried first.
	for _, form := range []string{
		strings.NewReplacer("(", " ", ")", " ").Replace(plain),
		headingNote.ReplaceAllString(headingLimit.ReplaceAllString(plain, ""), ""),
	} {
		form = strings.TrimSpace(strings.TrimRight(strings.Join(strings.Fields(form), " "), " *:?."))
		if found := namedHeading(form); found.role != RoleIgnored || found.dropped != "" || found.isCount {
			return found
		}
	}
	return heading{role: RoleIgnored, label: -1}
}

func namedHeading(name string) heading {
	for _, row := range headingPatterns {
		if row.pattern.MatchString(name) {
			found := row.heading
			found.label = -1
			return found
		}
	}
	if parts := wrongHeading.FindStringSubmatch(name); parts != nil {
		return heading{role: RoleOption, label: -1, isWrong: true}
	}
	if plainOptionHeading.MatchString(name) {
		return heading{role: RoleOption, label: -1}
	}
	parts := optionHeading.FindStringSubmatch(name)
	if parts == nil || parts[1] == "" && parts[2] == "" && !strings.ContainsFunc(name, unicode.IsLetter) {
		return heading{role: RoleIgnored, label: -1} // a number alone
	}
	found := heading{role: RoleOption, label: -1, isWrong: parts[1] != ""}
	if parts[2] != "" {
		found.label = int(parts[2][0] - 'a')
	} else if n, err := strconv.Atoi(parts[3]); err == nil {
		found.label = n - 1
	}
	return found
}

// readHeadings reads a row of headings. Each role except OPTION belongs to the first column that has it. A column with
// the answers "A", "B" … needs at least two columns, because "answer" alone is the key.
func readHeadings(cells []string) []heading {
	taken := map[Role]bool{}
	found := make([]heading, len(cells))
	for i, cell := range cells {
		h := readHeading(cell)
		group := h.role
		if h.role == RoleCorrectLetter || h.role == RoleCorrectNumber || h.role == RoleCorrectText {
			group = RoleCorrect
		}
		if h.role != RoleOption && h.role != RoleIgnored {
			if taken[group] {
				h = heading{role: RoleIgnored, label: -1}
			}
			taken[group] = true
		}
		found[i] = h
	}
	return found
}

// knownHeadings returns how many headings the best row at the beginning of a table has.
func knownHeadings(rows []tableRow) int {
	best := 0
	for _, row := range rows[:min(len(rows), maxIntroRows)] {
		if known := headingScore(row.cells); known > best {
			best = known
		}
	}
	return best
}

// maxIntroRows is how many rows can stand above the headings. The template of Kahoot has seven.
const maxIntroRows = 20

// headingScore is the number of known headings in a row, or 0 if it is not a row of headings.
func headingScore(cells []string) int {
	known, hasQuestion := 0, false
	for _, h := range readHeadings(cells) {
		if h.role != RoleIgnored || h.dropped != "" {
			known++
		}
		hasQuestion = hasQuestion || h.role == RoleQuestion
	}
	if !hasQuestion {
		return 0
	}
	return known
}

// headingRow returns the index of the row of headings, or -1. A single heading counts only in a table with one column.
func headingRow(rows []tableRow) int {
	best, at := 1, -1
	for i, row := range rows[:min(len(rows), maxIntroRows)] {
		score := headingScore(row.cells)
		if score > best {
			best, at = score, i
		}
	}
	if at < 0 && len(rows) > 0 && headingScore(rows[0].cells) == 1 {
		return 0
	}
	return at
}

// columnsOf describes the columns for the report.
func columnsOf(names []string, headings []heading, rows []tableRow) []Column {
	columns := make([]Column, len(headings))
	for i, h := range headings {
		columns[i] = Column{Role: h.role}
		if i < len(names) {
			columns[i].Name = excerptOf(strings.Join(strings.Fields(names[i]), " "))
		}
		if at := slices.IndexFunc(rows, func(r tableRow) bool { return r.cell(i) != "" }); at >= 0 {
			columns[i].Example = excerptOf(rows[at].cell(i))
		}
	}
	return columns
}

// cell returns the text of a cell. A row can have fewer cells than there are columns.
func (r tableRow) cell(column int) string {
	if column < 0 || column >= len(r.cells) {
		return ""
	}
	return r.cells[column]
}
