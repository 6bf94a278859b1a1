package mail

import (
	"cmp"
	"html/template"
	"strings"

	"assay/store"
	"assay/store/encode"
)

// letter is what an email says, in the order in which it says it. The text and the HTML
// are made from it, so they say the same.
type letter struct {
	texts *texts
	zone  string

	Lang, Dir string // of the HTML
	Subject   string
	Preheader string // what inboxes show after the subject; it repeats a part of the email
	Sender    string // the name of the organization
	Title     string
	Blocks    []block
	Footer    []block
	Light     colors
	Dark      colors
}

// block is a part of a letter. Only one field is set.
type block struct {
	Spans   []span   // a paragraph
	Lines   []string // a paragraph of the organization, in its own direction
	Facts   []fact   // labels with their values
	Button  *span    // the one thing to do; its address stands below it
	Message *prose   // the paragraph of the assessment
	Items   []entry  // the candidates who have finished
}

// span is a part of a paragraph.
type span struct {
	Text string
	Href string // "" for none
}

type fact struct{ Label, Value string }

// entry is a name and what there is to know about it.
type entry struct {
	Name  string
	Href  string // of its page; "" for none
	Lines []string
}

// prose is a text of the organization.
type prose struct {
	Label string
	HTML  template.HTML
	Text  string
}

// newLetter is an empty letter in one of the languages.
func newLetter(c *store.EmailContent, languages map[string]*catalog) *letter {
	texts := textsFor(languages, c.Locale, value(c.Organization.Locale))
	accent := value(c.Organization.AccentColor)
	return &letter{
		texts: texts, zone: c.TimeZone, Lang: texts.tag, Dir: texts.direction(),
		Sender: texts.isolated(c.Organization.Name),
		Light:  accentFor(accent, lightScheme), Dark: accentFor(accent, darkScheme),
	}
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// say adds a paragraph.
func (l *letter) say(key string, p params) {
	l.Blocks = append(l.Blocks, block{Spans: l.texts.spans(key, p)})
}

// words adds a plain text of the organization. An empty line begins a paragraph. The text has no links.
func (l *letter) words(text string) { l.paragraphs(text, func(line string) string { return line }) }

// paragraphs is words with a change of each line.
func (l *letter) paragraphs(text string, changed func(line string) string) {
	var lines []string
	end := func() {
		if lines != nil {
			l.Blocks = append(l.Blocks, block{Lines: lines})
		}
		lines = nil
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n\n").Replace(text)
	for line := range strings.SplitSeq(text, "\n") {
		if line = oneLine(line); line == "" {
			end()
			continue
		}
		lines = append(lines, changed(line))
	}
	end()
}

// facts adds labels with their values. A fact without a value is left out.
func (l *letter) facts(all ...fact) {
	var known []fact
	for _, f := range all {
		if f.Value != "" {
			known = append(known, f)
		}
	}
	l.Blocks = append(l.Blocks, block{Facts: known})
}

// fact is a label with a value, which may be unknown ("").
func (l *letter) fact(key, value string) fact {
	return fact{Label: l.texts.text(key, nil), Value: value}
}

// button adds the thing to do.
func (l *letter) button(key, address string) {
	l.Blocks = append(l.Blocks, block{Button: &span{Text: l.texts.text(key, nil), Href: address}})
}

// end adds a paragraph below the others.
func (l *letter) end(key string, p params) {
	l.Footer = append(l.Footer, block{Spans: l.texts.spans(key, p)})
}

// endLink adds a link below the other paragraphs.
func (l *letter) endLink(key, address string) {
	if address != "" {
		l.Footer = append(l.Footer, block{Spans: []span{{Text: l.texts.text(key, nil), Href: address}}})
	}
}

// contact is whom candidates ask: an address, or only the name of the organization.
func contact(o store.Organization) any {
	address := cmp.Or(value(o.SupportEmail), value(o.MailReplyTo))
	if address == "" {
		return o.Name
	}
	return mailLink(address)
}

// text returns the letter as plain text. Lines are as long as their paragraphs, because
// mail programs wrap them to the width of the screen.
func (l *letter) text() string {
	parts := []string{l.Sender, l.Title}
	for _, b := range append(l.Blocks[:len(l.Blocks):len(l.Blocks)], l.Footer...) {
		parts = append(parts, b.text())
	}
	return strings.Join(parts, "\n\n") + "\n"
}

func (b block) text() string {
	switch {
	case b.Button != nil:
		return b.Button.Text + "\n" + b.Button.Href
	case b.Message != nil:
		return b.Message.Label + "\n\n" + b.Message.Text
	case b.Lines != nil:
		return strings.Join(b.Lines, "\n")
	case b.Facts != nil:
		lines := make([]string, len(b.Facts))
		for i, f := range b.Facts {
			lines[i] = f.Label + f.Gap() + f.Value
		}
		return strings.Join(lines, "\n")
	case b.Items != nil:
		entries := make([]string, len(b.Items))
		for i, e := range b.Items {
			entries[i] = span{Text: e.Name, Href: e.Href}.text() + "\n" + strings.Join(e.Lines, "\n")
		}
		return strings.Join(entries, "\n\n")
	}
	var out strings.Builder
	for _, s := range b.Spans {
		out.WriteString(s.text())
	}
	return out.String()
}

// text shows the address of a link below its words, unless they are the address.
func (s span) text() string {
	if s.Href == "" || s.Href == s.Text || s.Href == encode.Mailto(s.Text) {
		return s.Text
	}
	return s.Text + "\n" + s.Href
}

// Gap is what stands between a label and its value. A full-width colon needs no space.
func (f fact) Gap() string {
	if strings.HasSuffix(f.Label, "：") {
		return ""
	}
	return " "
}
