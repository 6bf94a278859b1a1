package exchange

import (
	"encoding/base64"
	"math"
	"net/url"
	"path"
	"strconv"
	"strings"

	"assay/store/rules"
)

// readMoodle reads the questions of a file that Moodle has exported. Each category with questions is a stage.
func readMoodle(source Source) (Imported, error) {
	file := readXML(source.Content)
	if file.root == nil || file.root.name != "quiz" {
		return Imported{}, ErrDamaged
	}
	m := &moodle{parsed: parsed{notes: file.notes}, titles: map[string]string{}, language: source.Options.Language}
	questions := file.root.all("question")
	if file.fault != nil && len(questions) > 0 {
		questions = questions[:len(questions)-1] // the file ends in the last one
	}
	for _, n := range questions {
		if m.parsed.isFull {
			break
		}
		if n.attr("type") == "category" {
			m.category(n)
		} else {
			m.question(n)
		}
	}
	if file.fault != nil {
		m.parsed.addNotes(*file.fault)
	}
	m.parsed.pictures = m.pictures.pictures
	return assemble(source, m.parsed)
}

// moodle reads questions one after the other.
type moodle struct {
	parsed      parsed
	pictures    pictureList
	stage       string
	titles      map[string]string // the path of the category that has the title
	language    string
	hasPenalty  bool
	filesOfText map[string][]byte
}

// category begins a stage with the last part of the category's path. A second category with the same name has more of
// its path in the title.
func (m *moodle) category(n *node) {
	full := strings.ReplaceAll(n.child("category").words(), "//", "\x00")
	var parts []string
	for _, part := range strings.Split(full, "/") {
		part = strings.TrimSpace(strings.ReplaceAll(part, "\x00", "/"))
		isContext := strings.HasPrefix(part, "$") && strings.HasSuffix(part, "$")
		if part != "" && part != "top" && !isContext {
			parts = append(parts, part)
		}
	}
	m.stage = ""
	if len(parts) == 0 {
		return
	}
	m.stage = parts[len(parts)-1]
	if before, used := m.titles[m.stage]; used && before != full {
		m.stage = strings.Join(parts, " / ")
	}
	m.titles[m.stage] = full
	if info := n.child("info"); info.child("text").words() != "" {
		var q rawQuestion
		description := m.text(&q, info)
		m.parsed.addNotes(q.notes...)
		m.parsed.stages = append(m.parsed.stages, rawStage{title: m.stage, description: &description})
	}
}

// moodleKinds reads the answers of a type of question. A type that is not here is reported by its name.
func (m *moodle) kind(name string) func(q *rawQuestion, n *node) {
	switch name {
	case "multichoice", "multichoiceset":
		return m.multichoice
	case "truefalse":
		return m.trueFalse
	case "shortanswer", "regexp":
		return m.shortAnswer
	case "numerical":
		return m.numerical
	case "essay", "essayautograde":
		return m.essay
	}
	return nil
}

func (m *moodle) question(n *node) {
	q := rawQuestion{stage: m.stage, place: Place{Line: n.line, LastLine: lastLine(n), ID: n.child("name").words()}}
	q.prompt = m.text(&q, n.child("questiontext"))
	m.oldPicture(&q, n)
	kind := n.attr("type")
	if read := m.kind(kind); read == nil || kind == "regexp" {
		q.refuse(TypeUnsupported, n.line, kind)
	} else {
		q.explanation = m.text(&q, n.child("generalfeedback"))
		m.points(&q, n)
		read(&q, n)
		m.dropped(&q, n)
	}
	m.parsed.add(q)
}

func lastLine(n *node) int {
	for len(n.children) > 0 {
		last := n.children[len(n.children)-1]
		if last.line < n.line {
			break
		}
		n = last
	}
	return n.line
}

// text returns a text of Moodle as Markdown. Its format decides how it is read.
func (m *moodle) text(q *rawQuestion, n *node) string {
	inner := n.child("text")
	if inner == nil {
		return ""
	}
	m.filesOfText = map[string][]byte{}
	for _, file := range n.all("file") {
		if content, err := decodeBase64(file.content()); err == nil {
			m.filesOfText[strings.TrimPrefix(path.Join(file.attr("path"), file.attr("name")), "/")] = content
		}
	}
	source := inner.content()
	switch n.attr("format") {
	case "plain_text", "2":
		return escapeMarkdown(cleanText(source))
	case "markdown", "4":
		return source
	case "moodle_auto_format", "0":
		if !strings.Contains(source, "<p") && !strings.Contains(source, "<br") {
			source = strings.ReplaceAll(strings.TrimSpace(source), "\n", "<br>\n")
		}
	}
	text, notes := markdownOf(source, inner.line, m.picture)
	q.addNotes(notes...)
	return text
}

// picture finds a picture among the files of the text.
func (m *moodle) picture(src string) string {
	if content, isData := dataURL(src); isData {
		return m.pictures.add("", content)
	}
	name, isOwn := strings.CutPrefix(src, "@@PLUGINFILE@@/")
	if !isOwn {
		return ""
	}
	name, _, _ = strings.Cut(name, "?")
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	content, known := m.filesOfText[name]
	if !known {
		return ""
	}
	return m.pictures.add(path.Base(name), content)
}

// dataURL returns the content of a data URL.
func dataURL(src string) (content []byte, is bool) {
	rest, is := strings.CutPrefix(src, "data:")
	if !is {
		return nil, false
	}
	kind, data, _ := strings.Cut(rest, ",")
	if !strings.HasSuffix(kind, ";base64") {
		return nil, true
	}
	content, err := decodeBase64(data)
	if err != nil {
		return nil, true
	}
	return content, true
}

func decodeBase64(text string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
}

// oldPicture adds the picture that Moodle 1.9 kept beside the text.
func (m *moodle) oldPicture(q *rawQuestion, n *node) {
	name := n.child("image").words()
	if name == "" {
		return
	}
	content, err := decodeBase64(n.child("image_base64").content())
	ref := ""
	if err == nil {
		ref = m.pictures.add(name, content)
	}
	if ref == "" {
		q.note(PictureDropped, n.line, name)
		return
	}
	q.prompt = joinNonEmpty([]string{q.prompt, "![](media:" + ref + ")"}, "\n\n")
}

// points reads the points. Numbers in Moodle XML have a decimal point in every language.
func (m *moodle) points(q *rawQuestion, n *node) {
	text := n.child("defaultgrade").words()
	if text == "" {
		return
	}
	if value, ok := xmlNumber(text); ok {
		value = math.Round(value*1e5) / 1e5
		q.worth = &value
	} else {
		q.note(PointsInvalid, n.child("defaultgrade").line, text)
	}
}

// xmlNumber reads a number with a decimal point, as XML formats write it.
func xmlNumber(text string) (float64, bool) {
	value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return value, err == nil && !math.IsInf(value, 0) && !math.IsNaN(value)
}

func (m *moodle) multichoice(q *rawQuestion, n *node) {
	q.kind, q.hasKey = rules.MultipleChoice, true
	if single := n.child("single").words(); n.attr("type") == "multichoice" && single != "false" && single != "0" {
		q.kind = rules.SingleChoice
	}
	for _, answer := range n.all("answer") {
		q.addOption(rawOption{text: m.text(q, answer), line: answer.line, share: m.share(q, answer)})
	}
	if n.attr("type") == "multichoiceset" {
		q.partialCredit = new(false)
	}
}

// share returns the part of the points that an answer gives, in percent.
func (m *moodle) share(q *rawQuestion, answer *node) *float64 {
	value, ok := xmlNumber(answer.attr("fraction"))
	if !ok {
		q.note(AnswerUnknown, answer.line, "fraction="+answer.attr("fraction"))
		value = 0
	}
	return &value
}

func (m *moodle) trueFalse(q *rawQuestion, n *node) {
	correct := -1
	for _, answer := range n.all("answer") {
		if value, ok := xmlNumber(answer.attr("fraction")); ok && value > 0 {
			switch strings.ToLower(answer.child("text").words()) {
			case "true":
				correct = 0
			case "false":
				correct = 1
			}
		}
	}
	q.kind, q.hasKey = rules.SingleChoice, true
	q.options = trueOrFalse(m.truthWords(), correct)
}

func (m *moodle) truthWords() [2]string { return truthWords(m.language) }

func truthWords(language string) [2]string {
	if base, _, _ := strings.Cut(strings.ToLower(language), "-"); base == "de" {
		return truths["wahr"].texts
	}
	return truths["true"].texts
}

// shortAnswer reads accepted answers: plain texts, in which a star stands for any characters.
func (m *moodle) shortAnswer(q *rawQuestion, n *node) {
	q.kind, q.accepted = rules.ShortText, []string{}
	q.caseSensitive = n.child("usecase").words() == "1"
	var shares []float64
	for _, answer := range n.all("answer") {
		text := answer.child("text").content()
		share := *m.share(q, answer)
		if share <= 0 {
			if strings.TrimSpace(text) != "*" {
				q.note(ScoringChanged, answer.line, text)
			}
			continue
		}
		plain, hadWildcard := withoutWildcards(text)
		if hadWildcard {
			q.note(WildcardUnsupported, answer.line, text)
		}
		if plain != "" {
			q.accepted = append(q.accepted, plain)
			shares = append(shares, share)
		}
	}
	for _, share := range shares {
		if share != shares[0] {
			q.note(WeightsChanged, n.line, q.prompt)
			break
		}
	}
}

// numerical reads the number that gives the most points. Other numbers cannot be a part of the key.
func (m *moodle) numerical(q *rawQuestion, n *node) {
	q.kind = rules.Numeric
	best, numbers := 0.0, []spread(nil)
	for _, answer := range n.all("answer") {
		share, text := *m.share(q, answer), answer.child("text").words()
		value, ok := xmlNumber(text)
		switch {
		case text == "*" || share <= 0:
			continue
		case !ok:
			q.note(AnswerUnknown, answer.line, text)
			continue
		}
		tolerance, _ := xmlNumber(firstOf(answer.child("tolerance").words(), answer.attr("tolerance"), "0"))
		if share < best || len(numbers) > 0 && share > best {
			q.note(WeightsChanged, answer.line, text)
		}
		if share > best {
			best, numbers = share, nil
		}
		if share == best {
			numbers = append(numbers, spread{answer: value, tolerance: math.Abs(tolerance)})
		}
	}
	switch {
	case len(numbers) == 1 || len(numbers) > 1 && numbers[0] == numbers[1]:
		q.number = &numbers[0]
	case len(numbers) > 1:
		q.note(KeysDisagree, n.line, formatNumber(numbers[0].answer)+", "+formatNumber(numbers[1].answer))
	}
	if unit := n.child("units").find("unit_name").words(); unit != "" {
		q.note(UnitDropped, n.child("units").line, unit)
	}
}

// essay reads a question that a person grades. Candidates never see what Moodle shows to graders, so that it becomes
// the description of a criterion.
func (m *moodle) essay(q *rawQuestion, n *node) {
	q.kind = rules.FreeText
	if info := m.text(q, n.child("graderinfo")); info != "" {
		q.rubric = graderInfo(q, info, n.child("graderinfo").line)
	}
	if words, err := strconv.Atoi(n.child("maxwordlimit").words()); err == nil && words > 0 {
		if words <= maxMaxWords {
			q.maxWords = &words
		} else {
			q.note(SettingDropped, n.line, "maxwordlimit: "+strconv.Itoa(words))
		}
	}
	if template := n.child("responsetemplate").child("text").words(); template != "" {
		q.note(SettingDropped, n.child("responsetemplate").line, template)
	}
	if files := n.child("attachments").words(); files != "" && files != "0" {
		q.note(SettingDropped, n.child("attachments").line, "attachments: "+files)
	}
}
