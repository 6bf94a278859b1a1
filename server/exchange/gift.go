package exchange

import (
	"regexp"
	"strings"

	"assay/store/rules"
)

// GIFT is Moodle's format of question texts: https://docs.moodle.org/en/GIFT_format. Where its documentation is
// silent, Moodle's reader decides.

// readGIFT reads a file. Each category is a stage.
func readGIFT(source Source) (Imported, error) {
	text, isText := decodeText(source.Content)
	if !isText {
		return Imported{}, ErrDamaged
	}
	blocks := giftBlocks(text)
	stages := giftStages(blocks)
	var p parsed
	for i, block := range blocks {
		if p.isFull {
			break
		}
		r := giftReader{language: source.Options.Language}
		r.q = rawQuestion{place: Place{Line: block.line, LastLine: block.lastLine}, stage: stages[i]}
		r.read(block)
		p.add(r.q)
	}
	return assemble(source, p)
}

// giftReader reads one question.
type giftReader struct {
	q        rawQuestion
	format   string // of the texts: html, markdown, moodle, plain, or empty for moodle
	language string
	feedback []string
}

var (
	giftMarker = regexp.MustCompile(`^\s*\[(html|markdown|moodle|plain)\]`)
	giftTruth  = regexp.MustCompile(`(?i)^(T|TRUE|F|FALSE)\s*(?:#|$)`)
)

func (r *giftReader) read(block giftBlock) {
	line, text := block.line, block.text
	name, body := giftName(strings.TrimLeft(text, " \t"))
	r.q.place.ID = excerptOf(name)
	r.q.excerpt = excerptOf(giftText(body))
	if marker := giftMarker.FindStringSubmatch(body); marker != nil {
		r.format, body = marker[1], body[len(marker[0]):]
	}
	if block.unclosed {
		r.q.refuse(NotClosed, line, r.q.excerpt)
		return
	}
	open := giftIndex(body, "{")
	if open < 0 && giftIndex(body, "}") >= 0 {
		r.q.refuse(NotUnderstood, line, r.q.excerpt)
		return
	}
	if open < 0 {
		r.q.refuse(TypeUnsupported, line, r.q.excerpt) // a description, which asks nothing
		return
	}
	end := giftIndex(body[open:], "}")
	if end < 0 {
		r.q.refuse(NotClosed, line, r.q.excerpt)
		return
	}
	before, answers, after := body[:open], body[open+1:open+end], body[open+end+1:]
	if another := giftIndex(after, "{"); another >= 0 {
		r.q.refuse(SeveralGaps, line, r.q.excerpt)
		return
	}
	if giftIndex(after, "}") >= 0 || giftIndex(answers, "{") >= 0 {
		r.q.refuse(NotUnderstood, line, r.q.excerpt)
		return
	}
	if r.q.prompt = r.prompt(before, after, name); r.q.prompt == "" {
		r.q.refuse(PromptMissing, line, r.q.excerpt)
		return
	}
	r.answers(strings.TrimSpace(answers))
	r.q.explanation = joinNonEmpty(append([]string{r.q.explanation}, r.feedback...), "\n\n")
}

// giftName returns the name of a question, as in "::Name:: Text", and the text.
func giftName(text string) (name, body string) {
	rest, hasName := strings.CutPrefix(text, "::")
	if !hasName {
		return "", text
	}
	for i := 0; i+1 < len(rest); i++ {
		if isGIFTEscape(rest, i) {
			i++
		} else if rest[i:i+2] == "::" {
			return strings.TrimSpace(giftText(rest[:i])), rest[i+2:]
		}
	}
	return "", text
}

// prompt returns the text of a question. A gap within the text is shown, as Moodle shows it. A question without a text
// has its name as the text.
func (r *giftReader) prompt(before, after, name string) string {
	after = strings.TrimSpace(after)
	if after == "" || strings.HasPrefix(after, "//") { // a comment
		if prompt := r.unmarked(r.format, before); prompt != "" {
			return prompt
		}
		return escapeMarkdown(name)
	}
	r.q.note(GapShown, r.q.place.Line, giftText(after))
	return r.unmarked(r.format, strings.TrimRight(before, " \t")+" _____ "+after)
}

func (r *giftReader) answers(given string) {
	line := r.q.place.Line
	given, general := giftGeneral(given)
	r.q.explanation = r.markdown(r.format, general)
	switch {
	case given == "":
		r.q.kind = rules.FreeText
	case given[0] == '#':
		r.numbers(strings.TrimSpace(given[1:]))
	case giftTruth.MatchString(given):
		r.truth(given)
	case giftIndex(given, "~=") < 0:
		r.shortAnswers([]giftAnswer{giftAnswerOf('=', given)})
	case giftIndex(given, "~=") > 0:
		r.q.refuse(NotUnderstood, line, giftText(given))
	case giftIndex(given, "~") < 0 && isMatching(given):
		r.q.refuse(TypeUnsupported, line, r.q.excerpt)
	case giftIndex(given, "~") < 0:
		r.shortAnswers(giftAnswers(given))
	default:
		r.choice(giftAnswers(given))
	}
}

// isMatching reports whether the answers are pairs. An arrow in one of several answers is a part of its text.
func isMatching(given string) bool {
	for _, answer := range giftAnswers(given) {
		if !strings.Contains(answer.text, "->") {
			return false
		}
	}
	return true
}

// giftGeneral splits the answers from the feedback to the whole question, which begins with ####.
func giftGeneral(given string) (answers, general string) {
	for i := 0; i+4 <= len(given); i++ {
		if isGIFTEscape(given, i) {
			i++
		} else if given[i:i+4] == "####" {
			return strings.TrimSpace(given[:i]), given[i+4:]
		}
	}
	return given, ""
}

// markdown returns a text as Markdown that shows the same as in Moodle. A text can have its own marker.
func (r *giftReader) markdown(format, text string) string {
	if marker := giftMarker.FindStringSubmatch(text); marker != nil {
		format, text = marker[1], text[len(marker[0]):]
	}
	return r.unmarked(format, text)
}

// unmarked is markdown for a text whose marker has been read.
func (r *giftReader) unmarked(format, text string) string {
	text = giftText(text)
	switch format {
	case "markdown":
		return cleanText(text)
	case "plain":
		return escapeMarkdown(dedented(text))
	case "html":
		return r.html(text)
	}
	if isHTML(text) {
		return r.html(strings.ReplaceAll(escapeOtherTags(strings.TrimSpace(text)), "\n", "<br>\n"))
	}
	return escapeMarkdown(dedented(text))
}

func (r *giftReader) html(text string) string {
	markdown, notes := markdownOf(text, r.q.place.Line, nil)
	r.q.addNotes(notes...)
	return markdown
}

// dedented returns a text without the indentation that all its lines have, because it is the layout of the file.
func dedented(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	least := -1
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, "\t", "    ")
		if body := strings.TrimLeft(lines[i], " "); body != "" && i > 0 && (least < 0 || len(lines[i])-len(body) < least) {
			least = len(lines[i]) - len(body)
		}
	}
	for i := range lines {
		if i == 0 {
			lines[i] = strings.TrimLeft(lines[i], " ")
		} else {
			lines[i] = lines[i][min(max(least, 0), len(lines[i])):]
		}
	}
	return strings.Join(lines, "\n")
}

// htmlNames are the elements of HTML that a text can contain. Other names, as in <stdio.h> and List<String>, are text.
var htmlNames = strings.Fields(`p br b i em strong u s sub sup code pre tt kbd samp var span div h1 h2 h3 h4 h5 h6 ul ol
	li table thead tbody tfoot tr td th img a font blockquote hr small big center dl dt dd math iframe audio video source
	object embed script style input abbr cite q del ins mark label caption colgroup col figure figcaption section article
	nolink`)

var isHTMLName = func() map[string]bool {
	known := make(map[string]bool, len(htmlNames))
	for _, name := range htmlNames {
		known[name] = true
	}
	return known
}()

// isTag reports whether a text behind < is a tag of HTML.
func isTag(text string) bool {
	text = strings.TrimPrefix(text, "/")
	end := strings.IndexFunc(text[:min(len(text), 20)], func(r rune) bool { return !isASCIIAlnum(r) })
	if end <= 0 || !isHTMLName[strings.ToLower(text[:end])] {
		return false
	}
	if text[end] == '>' {
		return true
	}
	closing := strings.IndexAny(text[end:], "<>")
	return strings.IndexByte("/ \t\r\n\f", text[end]) >= 0 && closing > 0 && text[end+closing] == '>'
}

func isASCIIAlnum(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

var htmlInside = regexp.MustCompile(`(?i)</?(?:` + strings.Join(htmlNames, "|") + `)(?:[\s/][^<>]*)?>|` +
	`&(?:#\d+|#x[0-9a-f]+|[a-z]\w*);`)

// isHTML reports whether a text has tags, entities, or formulas as Moodle's editor writes them.
func isHTML(text string) bool {
	return htmlInside.MatchString(text) || strings.Contains(text, "$$") ||
		strings.Contains(text, `\(`) && strings.Contains(text, `\)`)
}

// escapeOtherTags makes text of what is no tag of HTML, such as <stdio.h> and List<String>.
func escapeOtherTags(text string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:i])
		text = text[i:]
		if isTag(text[1:]) {
			out.WriteByte('<')
		} else {
			out.WriteString("&lt;")
		}
		text = text[1:]
	}
}

var (
	giftFirst = regexp.MustCompile(`^\s*(?:[=~]|#\s*(?:[=~+-]|\d|\.\d)|(?:T|TRUE|F|FALSE)\s*(?:#|$)|####)`)
	giftEssay = regexp.MustCompile(`[.?!:]["')\]]?\s*$`)
)

func isGIFTQuestion(block giftBlock) bool {
	name, body := giftName(strings.TrimSpace(block.text))
	open := giftIndex(body, "{")
	if open < 0 {
		return false
	}
	if block.unclosed {
		return name != "" && giftFirst.MatchString(body[open+1:])
	}
	end := giftIndex(body[open:], "}")
	if end < 0 {
		return false
	}
	inner := body[open+1 : open+end]
	isEssay := strings.TrimSpace(inner) == "" && (name != "" || giftEssay.MatchString(body[:open]))
	return isEssay || giftFirst.MatchString(inner)
}

// withoutFences returns a text with empty lines in the place of fenced code.
func withoutFences(text string) string {
	lines := strings.Split(oneLineBreak.Replace(text), "\n")
	var f fence
	for i, line := range lines {
		if f.line(line) {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}
