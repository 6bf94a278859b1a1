package store

import (
	"context"
	"runtime"
	"slices"
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
		return s.formulaText(a.OrganizationID, source, a.pictures, markdown.NewAllowance()).HTML
	}
	return s.textHTML(a.OrganizationID, source, a.pictures)
}

// InviteHTML returns the message of the invite as sanitized HTML, or nil. Its pictures are their alternative text, as
// in the email: mail programs load no pictures before the reader has agreed. Few of them show formulas, so it has none.
func (s *Store) InviteHTML(a *Assessment) *string {
	if a.InviteMessage == nil {
		return nil
	}
	return new(s.textHTML(a.OrganizationID, *a.InviteMessage, nil))
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
func (s *Store) textHTML(organizationID, source string, pictures markdown.Pictures) string {
	if rendered, ok := s.markdown.Words(source); ok { // faster than the cache, and most texts
		return rendered
	}
	if lacksPicture(source, pictures) {
		return s.markdown.HTMLWith(source, pictures)
	}
	key := textKey{organizationID: organizationID, source: source}
	if rendered, ok := s.texts.Get(key); ok {
		return rendered.HTML
	}
	rendered := markdown.Rendered{HTML: s.markdown.HTMLWith(source, pictures)}
	s.keepText(key, rendered)
	return rendered.HTML
}

// lacksPicture reports whether the text names a picture that is not among pictures. It may exist the next time.
func lacksPicture(source string, pictures markdown.Pictures) bool {
	return slices.ContainsFunc(mediaIn(source), func(id string) bool {
		_, known := pictures[id]
		return !known
	})
}

// formulaText renders a text with formulas unless it has been rendered lately.
func (s *Store) formulaText(
	organizationID, source string, pictures markdown.Pictures, allowance *markdown.Allowance,
) markdown.Rendered {
	if !strings.Contains(source, "$") {
		return markdown.Rendered{HTML: s.textHTML(organizationID, source, pictures)}
	}
	if lacksPicture(source, pictures) {
		return s.markdown.WithFormulas(source, pictures, allowance)
	}
	key := textKey{organizationID: organizationID, source: source, formulas: true}
	if rendered, ok := s.texts.Get(key); ok && rendered.FitsAgain(allowance) {
		return rendered
	}
	rendered := s.markdown.WithFormulas(source, pictures, allowance)
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
	return s.textHTML("", source, nil)
}

// rendered returns the assessment with the HTML of its texts. It is called after the transaction, because it can take
// a tenth of a second.
func (s *Store) rendered(ctx context.Context, a *Assessment) (_ *Assessment, err error) {
	if a.html != nil {
		return a, nil
	}
	if a.pictures == nil && len(a.mediaIDs()) > 0 { // a stored outcome, or not the row of an assessment
		if err := s.read().withPictures(ctx, a); err != nil {
			return nil, err
		}
	}
	a.html, err = s.renderTexts(ctx, a)
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
			html[text] = s.formulaText(a.OrganizationID, text, a.pictures, allowance).HTML
		} else {
			html[text] = s.textHTML(a.OrganizationID, text, a.pictures)
		}
	}
	return html, nil
}
