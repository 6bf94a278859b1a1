package exchange

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// beginning is what decides about the format of a source: its first bytes, or the directory of its archive. So the time
// for it does not depend on the length of the source.
type beginning struct {
	extension  string // of the name of the file, in lower case
	hasColumns bool   // a person has said what the columns of a table contain

	content []byte // the first bytes
	isCut   bool   // the source is longer
	text    string // the same as a text, up to the end of a line if it is cut
	isText  bool

	isArchive bool
	names     []string // of the files of the archive; nil if it is damaged
}

// beginningBytes is how much of a source is read to recognise its format.
const beginningBytes = 64 << 10

func beginningOf(source Source) beginning {
	b := beginning{
		extension: strings.ToLower(path.Ext(source.FileName)), hasColumns: len(source.Options.Columns) > 0,
		content: source.Content, isArchive: isArchive(source.Content),
	}
	if b.isArchive { // also a damaged one is no text
		if a, err := openArchive(source.Content); err == nil {
			b.names = a.names
		}
		return b
	}
	if b.isCut = len(b.content) > beginningBytes; b.isCut {
		b.content = wholeCharacters(b.content[:beginningBytes])
	}
	if b.text, b.isText = decodeText(b.content); b.isCut {
		b.text = b.text[:strings.LastIndexByte(b.text, '\n')+1]
		if b.text == "" { // one line, or lines that end as they did on the Macintosh
			b.text, _ = decodeText(b.content)
		}
	}
	return b
}

// wholeCharacters removes a character of UTF-8 that is cut. An even length keeps characters of UTF-16 whole.
func wholeCharacters(content []byte) []byte {
	for i := 1; i < utf8.UTFMax; i++ {
		if r, size := utf8.DecodeLastRune(content[:len(content)-i+1]); r != utf8.RuneError || size != 1 {
			return content[:len(content)-i+1]
		}
	}
	return content
}

// Recognise returns the formats that a source can have, the most probable one first.
func Recognise(source Source) []Format {
	type guess struct {
		format Format
		sure   int
	}
	begins := beginningOf(source)
	var guesses []guess
	for _, r := range readers {
		if sure := r.recognises(begins); sure > 0 {
			guesses = append(guesses, guess{r.format, sure})
		}
	}
	slices.SortStableFunc(guesses, func(a, b guess) int { return b.sure - a.sure })
	formats := make([]Format, len(guesses))
	for i, g := range guesses {
		formats[i] = g.format
	}
	return formats
}

// recogniseText returns how sure it is that a source is text: every text can be.
func recogniseText(b beginning) int {
	switch {
	case !b.isText || strings.TrimSpace(b.text) == "" && !b.isCut:
		return 0
	case b.extension == ".md":
		return 85
	case recognised.MatchString(b.text):
		return 70
	}
	return 40
}

// recogniseGIFT returns how sure it is that a source is GIFT: by the part of its blocks that are questions of GIFT.
// Code is no evidence: a line of C++ can begin with two colons, and a template can contain {#.
func recogniseGIFT(b beginning) int {
	if b.extension == ".gift" {
		return 100
	}
	if !b.isText || !strings.Contains(b.text, "{") {
		return 0
	}
	blocks := giftBlocks(withoutFences(b.text))
	if b.isCut && len(blocks) > 1 {
		blocks = blocks[:len(blocks)-1] // the last one can be a part
	}
	found, categories := 0, 0
	for _, block := range blocks {
		if isGIFTQuestion(block) {
			found++
		}
		if len(block.category) > 0 {
			categories++
		}
	}
	switch {
	case found == 0:
		return 0
	case categories > 0 || 2*found >= len(blocks):
		return 90
	}
	return 30
}

// recogniseAiken is sure if the lines are those of Aiken in their order, and nothing else.
func recogniseAiken(b beginning) int {
	if !b.isText || !strings.Contains(b.text, "ANSWER:") {
		return 0
	}
	prompts, options, answers := 0, 0, 0
	for line := range strings.SplitSeq(oneLineBreak.Replace(b.text), "\n") {
		switch line = strings.TrimSpace(line); {
		case line == "":
		case aikenAnswer.MatchString(line):
			if prompts == 0 || options < 2 {
				return 20
			}
			answers++
			prompts, options = 0, 0
		case aikenOption.MatchString(line):
			options++
		case options > 0:
			return 20
		default:
			prompts++
		}
	}
	if answers == 0 || prompts+options > 0 && !b.isCut {
		return 20
	}
	return 95
}

// recogniseCSV looks for known headings. A text in which people write questions rarely has two of them in one line.
func recogniseCSV(b beginning) int {
	if !b.isText {
		return 0
	}
	text := oneLineBreak.Replace(b.text[:min(len(b.text), sampleBytes)])
	rows := splitTable(text, separatorOf(text)).rows
	switch {
	case b.extension == ".csv" || b.extension == ".tsv":
		return 97
	case knownHeadings(rows) > 2:
		return 95 // also if cells contain GIFT
	case knownHeadings(rows) == 2:
		return 85
	case b.hasColumns:
		return 50
	case len(rows) > 1 && inferredHeadings(rows[:len(rows)-1]) != nil: // the last row can be a part
		return 30
	}
	return 0
}

// recogniseXLSX looks for the main part of a workbook. A workbook can have another name for it, and says which.
func recogniseXLSX(b beginning) int {
	switch {
	case slices.Contains(b.names, "xl/workbook.xml"):
		return 100
	case slices.ContainsFunc(b.names, func(name string) bool { return strings.HasPrefix(name, "xl/") }):
		return 90
	case b.isArchive && b.names == nil && b.extension == ".xlsx":
		return 100
	}
	return 0
}

// recogniseQTI looks for the manifest of a package, or for the root element of a file. A damaged archive is called a
// package, because its reader says that it is damaged.
func recogniseQTI(b beginning) int {
	isManifest := func(name string) bool { return strings.EqualFold(path.Base(name), "imsmanifest.xml") }
	switch {
	case slices.ContainsFunc(b.names, isManifest), !b.isArchive && slices.Contains(qtiRoots, rootName(b.content)):
		return 95
	case b.isArchive && b.names == nil && b.extension != ".xlsx":
		return 50
	}
	return 0
}

// recogniseMoodle looks at the root element.
func recogniseMoodle(b beginning) int {
	if !b.isArchive && rootName(b.content) == "quiz" {
		return 95
	}
	return 0
}

// recogniseAssayJSON looks for the stages of an assessment, as GET /v1/assessments/{id} returns it. The texts before
// them can be longer than the beginning: then a field that every assessment has is enough.
func recogniseAssayJSON(b beginning) int {
	if !b.isCut {
		if _, found := assessmentObject(b.content); found {
			return 100
		}
		return 0
	}
	content := bytes.TrimLeft(bytes.TrimPrefix(b.content, []byte("\uFEFF")), " \t\r\n")
	if !bytes.HasPrefix(content, []byte("{")) {
		return 0
	}
	inner := bytes.TrimLeft(content[1:], " \t\r\n")
	for _, field := range []string{`"stages"`, `"title"`} {
		if bytes.HasPrefix(inner, []byte(`"`)) && bytes.Contains(inner, []byte(field)) {
			return 100
		}
	}
	return 0
}
