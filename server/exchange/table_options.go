package exchange

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// optionReader reads the options of the rows of a table in one way for all rows.
type optionReader struct {
	separate []int // the columns with an option each
	labels   []int // the positions that their headings name
	isWrong  bool  // all of them have wrong options
	joined   int   // the column with all options in one cell, or -1
	breaks   *regexp.Regexp
}

// optionBreaks are the ways to separate options in one cell. A comma counts only if no other sign separates them, and
// it separates options in each cell.
var optionBreaks = []*regexp.Regexp{
	regexp.MustCompile(`\s*\n\s*`), regexp.MustCompile(`\s*\|\s*`), regexp.MustCompile(`\s*;\s*`), keyComma,
}

func newOptionReader(headings []heading, rows []tableRow) optionReader {
	reader := optionReader{joined: -1, isWrong: true}
	for i, h := range headings {
		switch h.role {
		case RoleOption:
			reader.separate = append(reader.separate, i)
			reader.labels = append(reader.labels, h.label)
			reader.isWrong = reader.isWrong && h.isWrong
		case RoleOptions:
			reader.joined = i
		}
	}
	reader.isWrong = reader.isWrong && len(reader.separate) > 0
	sorted := slices.Sorted(slices.Values(reader.labels))
	if len(sorted) > 0 && (sorted[0] < 0 || len(slices.Compact(sorted)) < len(reader.labels)) {
		for i := range reader.labels {
			reader.labels[i] = i
		}
	}
	reader.breaks = reader.breaksOf(rows)
	return reader
}

func (r optionReader) breaksOf(rows []tableRow) *regexp.Regexp {
	used, cells := make([]int, len(optionBreaks)), 0
	for _, row := range rows {
		cell := row.cell(r.joined)
		if cell == "" || listOf(cell) != nil {
			continue
		}
		cells++
		for i, breaks := range optionBreaks {
			if breaks.MatchString(cell) {
				used[i]++
			}
		}
	}
	best := 0
	for i := range 3 {
		if used[i] > used[best] {
			best = i
		}
	}
	if used[best] == 0 && used[3] == cells {
		best = 3
	}
	return optionBreaks[best]
}

// listOf reads a list as programs write it: ["Oxygen", "Helium"].
func listOf(cell string) []string {
	var texts []string
	if !strings.HasPrefix(cell, "[") || json.Unmarshal([]byte(cell), &texts) != nil {
		return nil
	}
	return texts
}

// options returns the options of a row. A letter or number names a column, also if an earlier one is empty.
func (r optionReader) options(row tableRow) (options []tableOption) {
	for i, column := range r.separate {
		if text := row.cell(column); text != "" {
			options = append(options, tableOption{text: text, label: r.labels[i]})
		}
	}
	joined := r.split(row.cell(r.joined))
	for _, text := range joined {
		options = append(options, tableOption{text: text, label: len(options)})
	}
	return options
}

var letterBefore = regexp.MustCompile(`^\(?([A-Ta-t])[).:]\s+`)

// split returns the options of one cell. Letters before them are not part of their texts if all have theirs, in order.
func (r optionReader) split(cell string) (texts []string) {
	if texts = listOf(cell); texts == nil {
		texts = r.breaks.Split(cell, -1)
	}
	texts = slices.DeleteFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" })
	hasLetters := len(texts) > 1
	for i, text := range texts {
		letter := letterBefore.FindStringSubmatch(text)
		hasLetters = hasLetters && letter != nil && int(strings.ToLower(letter[1])[0]-'a') == i
	}
	for i := range texts {
		if hasLetters {
			texts[i] = letterBefore.ReplaceAllString(texts[i], "")
		}
		texts[i] = strings.TrimSpace(texts[i])
	}
	return texts
}

var (
	markBefore = regexp.MustCompile(`^(?:\*\s*([^*\s][^*]*)|[✓✔☑]\s*(\S.*)|\[[xX*]\]\s+(\S.*))$`)
	markAfter  = regexp.MustCompile(`(?i)^(.*\S)\s*(?:\((?:correct|correct answer|right|richtig|korrekt)\)|[✓✔☑])$`)
)

// markedOption reads a text that can be marked as correct. The mark counts only if no column names the key: otherwise a
// star is a star.
func markedOption(text string) rawOption {
	option := rawOption{text: text}
	for _, mark := range []*regexp.Regexp{markBefore, markAfter} {
		if parts := mark.FindStringSubmatch(text); parts != nil {
			option.marked, option.unmarked = true, strings.Join(parts[1:], "")
		}
	}
	return option
}
