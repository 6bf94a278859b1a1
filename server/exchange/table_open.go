package exchange

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/store/rules"
)

// open reads the answer of a question without options. A table can have the accepted texts in its columns for options.
func (r *rowReader) open(raw *rawQuestion, s *sheet) {
	texts := make([]string, len(r.options))
	for i, option := range r.options {
		texts[i] = option.text
	}
	key, column := r.key.text, s.keyColumn()
	switch raw.kind {
	case rules.FreeText:
		raw.answer = r.at(key)
		for _, text := range texts {
			raw.options = append(raw.options, rawOption{text: text, line: r.number})
		}
		return
	case rules.ShortText:
		raw.caseSensitive, raw.exact = r.kind.caseSensitive, r.kind.isExact
		raw.accepted = r.accepted(raw, texts)
		return
	case rules.SingleChoice, rules.MultipleChoice:
	case rules.Numeric:
		if key == "" && len(texts) > 0 {
			key, texts, column = texts[0], texts[1:], slices.Index(r.cells, texts[0])
		}
		if len(texts) > 0 {
			raw.note(NotUnderstood, r.number, strings.Join(texts, " | "))
		}
	}
	raw.answer = r.at(key)
	if number, ok := readNumber(key, "en"); ok && slices.Contains(r.numbers, column) {
		raw.number = &spread{answer: number.value}
	} else if strings.Contains(key, "\n") && raw.kind != rules.Numeric {
		raw.accepted = strings.Split(key, "\n")
	}
}

// accepted returns the texts that a short text accepts: from the columns for options, of which the key can name some,
// or from the key.
func (r *rowReader) accepted(raw *rawQuestion, texts []string) []string {
	key := r.key.text
	switch {
	case key == "" && len(texts) == 0:
		return nil
	case key == "":
		return texts
	case len(texts) > 0:
		for _, way := range keyRoles {
			if named, fits := r.key.named(way, false); fits {
				var chosen []string
				for _, i := range named {
					chosen = append(chosen, texts[i])
				}
				if len(named) < len(texts) {
					raw.note(NotUnderstood, r.number, strings.Join(texts, " | "))
				}
				return chosen
			}
		}
		raw.note(NotUnderstood, r.number, strings.Join(texts, " | "))
	}
	if strings.Contains(key, "\n") {
		return strings.Split(key, "\n")
	}
	return acceptedIn(key)
}

// plainNumber returns a cell for a number. In a cell of a workbook, 1.234 is less than two: a further digit says so.
func (r *rowReader) plainNumber(column int) string {
	text := r.cell(column)
	if slices.Contains(r.numbers, column) && groupedForm.MatchString(text) {
		return text + "0"
	}
	return text
}

// details reads the columns that belong to one type of question.
func (r *rowReader) details(raw *rawQuestion, s *sheet) {
	tolerance := r.plainNumber(s.column(RoleTolerance))
	words, rubric := r.cell(s.column(RoleMaxWords)), r.cell(s.column(RoleRubric))
	isNumber := !r.isChoice() && (raw.kind == "" || raw.kind == rules.Numeric)
	if tolerance != "" {
		if isNumber {
			raw.tolerance = r.at(tolerance)
		} else {
			raw.note(NotUnderstood, r.number, tolerance)
		}
	}
	if words == "" && rubric == "" {
		return
	}
	if raw.kind == "" && !r.isChoice() && r.key.text == "" {
		raw.kind = rules.FreeText // only a person grades by a rubric
	}
	if raw.kind != rules.FreeText {
		raw.note(NotUnderstood, r.number, strings.TrimSpace(words+" "+rubric))
		return
	}
	if words != "" {
		if most, err := strconv.Atoi(words); err == nil && most >= 1 && most <= maxMaxWords {
			raw.maxWords = &most
		} else {
			raw.note(FieldInvalid, r.number, words)
		}
	}
	if rubric != "" {
		criteria, ok := readRubric(rubric)
		if !ok {
			raw.note(FieldInvalid, r.number, rubric)
			return
		}
		raw.rubric = criteria
	}
}

var criterionLine = regexp.MustCompile(`^(\d{1,4}(?:[.,]\d+)?)\s*(?:points?|pts?\.?|p|punkte?)?\s*[:–-](?:\s+(.*))?$`)

// readRubric reads a criterion for each line, such as "2: Names the cause". Indented lines below it are its description.
func readRubric(text string) ([]rules.Criterion, bool) {
	var criteria []rules.Criterion
	var description []string
	flush := func() bool {
		joined := strings.Trim(strings.Join(description, "\n"), "\n")
		if joined != "" && len(criteria) > 0 {
			criteria[len(criteria)-1].Description = &joined
		}
		description = nil
		return len([]rune(joined)) <= maxOption
	}
	for line := range strings.SplitSeq(text, "\n") {
		found := criterionLine.FindStringSubmatch(line)
		switch {
		case found != nil:
			if !flush() || len(criteria) == maxCriteria || len([]rune(found[2])) > maxTitle {
				return nil, false
			}
			points, err := strconv.ParseFloat(strings.Replace(found[1], ",", ".", 1), 64)
			if err != nil || points > maxPoints {
				return nil, false
			}
			criteria = append(criteria, rules.Criterion{
				ID: optionID(len(criteria)), Title: strings.TrimSpace(found[2]), Points: points,
			})
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"):
			description = append(description, strings.TrimPrefix(strings.TrimPrefix(line, "\t"), rubricIndent))
		default:
			return nil, false
		}
	}
	return criteria, flush() && len(criteria) > 0
}

// rubricIndent stands before each line of a description.
const rubricIndent = "   "

// writeRubric writes what readRubric reads.
func writeRubric(criteria []rules.Criterion) string {
	var lines []string
	for _, criterion := range criteria {
		lines = append(lines, strings.TrimSpace(formatNumber(criterion.Points)+": "+criterion.Title))
		if criterion.Description == nil {
			continue
		}
		for line := range strings.SplitSeq(oneLineBreak.Replace(*criterion.Description), "\n") {
			lines = append(lines, rubricIndent+line)
		}
	}
	return strings.Join(lines, "\n")
}
