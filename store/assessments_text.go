package store

import (
	"context"
	"iter"
	"runtime"
	"strconv"
	"strings"

	"assay/store/markdown"
)

// HTML returns a Markdown text of an assessment as sanitized HTML. The texts of an
// assessment are rendered when it is read. They are not stored as HTML, so that a
// corrected sanitizer corrects published assessments.
func (s *Store) HTML(a *Assessment, source string) string {
	if rendered, ok := a.html[source]; ok {
		return rendered
	}
	if a.hasFormulas() {
		return s.formulaText(a.OrganizationID, source, markdown.NewAllowance()).HTML
	}
	return s.textHTML(a.OrganizationID, source)
}

// MessageHTML returns the message of an assessment in its email with the invite. Few programs for email show formulas,
// so that it has none.
func (s *Store) MessageHTML(a *Assessment) string {
	return s.textHTML(a.OrganizationID, value(a.InviteMessage))
}

// textKey is a text of an organization. Organizations share no entry: the time of a request would tell one of them
// whether another has the same text.
type textKey struct {
	organizationID, source string
	formulas               bool
}

const (
	// textCacheBytes bounds the memory for texts as HTML, which drafts, previews, and new versions of published
	// assessments share: a change of a title renders nothing again.
	textCacheBytes = 32 << 20

	textEntryBytes = 300 // of a text in the cache, beside its source and its HTML
	faultBytes     = 100 // of a fault in the cache
)

// textHTML renders a text without formulas unless it has been rendered lately.
func (s *Store) textHTML(organizationID, source string) string {
	if rendered, ok := s.markdown.Words(source); ok { // faster than the cache, and most texts
		return rendered
	}
	key := textKey{organizationID: organizationID, source: source}
	if rendered, ok := s.texts.Get(key); ok {
		return rendered.HTML
	}
	rendered := markdown.Rendered{HTML: s.markdown.HTML(source)}
	s.keepText(key, rendered)
	return rendered.HTML
}

// formulaText renders a text with formulas unless it has been rendered lately.
func (s *Store) formulaText(organizationID, source string, allowance *markdown.Allowance) markdown.Rendered {
	if !strings.Contains(source, "$") {
		return markdown.Rendered{HTML: s.textHTML(organizationID, source)}
	}
	key := textKey{organizationID: organizationID, source: source, formulas: true}
	if rendered, ok := s.texts.Get(key); ok && rendered.FitsAgain(allowance) {
		return rendered
	}
	rendered := s.markdown.WithFormulas(source, allowance)
	s.keepText(key, rendered)
	return rendered
}

func (s *Store) keepText(key textKey, rendered markdown.Rendered) {
	runtime.Gosched() // other requests wait for one text at most
	bytes := textEntryBytes + len(key.source) + len(rendered.HTML) + faultBytes*len(rendered.Faults)
	s.texts.Add(key, rendered, bytes)
}

// NoticeHTML returns an organization's text as sanitized HTML.
func (s *Store) NoticeHTML(source string) string {
	return s.textHTML("", source)
}

// rendered returns the assessment with the HTML of its texts. It is called after the transaction, because it can take
// a tenth of a second.
func (s *Store) rendered(ctx context.Context, a *Assessment) (_ *Assessment, err error) {
	if a.html == nil {
		a.html, err = s.renderTexts(ctx, a)
	}
	return a, err
}

// renderTexts returns the HTML of each text of an assessment. It ends when the client leaves.
func (s *Store) renderTexts(ctx context.Context, a *Assessment) (map[string]string, error) {
	html, allowance := map[string]string{}, markdown.NewAllowance()
	for _, text := range a.texts() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, ok := html[text]; ok {
			continue
		}
		if a.hasFormulas() {
			html[text] = s.formulaText(a.OrganizationID, text, allowance).HTML
		} else {
			html[text] = s.textHTML(a.OrganizationID, text)
		}
	}
	return html, nil
}

// texts yields the texts of an assessment that candidates see, with their pointers.
func (a *Assessment) texts() iter.Seq2[string, string] {
	return func(yield func(pointer, text string) bool) {
		each := func(pointer string, text *string) bool { return text == nil || yield(pointer, *text) }
		if !each("/description", a.Description) || !each("/instructions", a.Instructions) ||
			!each("/closingMessage", a.ClosingMessage) {
			return
		}
		for i, stage := range a.Definition.Stages {
			at := "/stages/" + strconv.Itoa(i)
			if !each(at+"/description", stage.Description) {
				return
			}
			for j, question := range stage.Questions {
				at := at + "/questions/" + strconv.Itoa(j)
				if !each(at+"/prompt", &question.Prompt) || !each(at+"/explanation", question.Explanation) {
					return
				}
				for k, option := range question.Options {
					if !each(at+"/options/"+strconv.Itoa(k)+"/text", &option.Text) {
						return
					}
				}
			}
		}
	}
}
