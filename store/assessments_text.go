package store

import (
	"context"
	"runtime"

	"assay/store/markdown"
)

// HTML returns a Markdown text of an assessment as sanitized HTML. The texts of an
// assessment are rendered when it is read. They are not stored as HTML, so that a
// corrected sanitizer corrects published assessments.
func (s *Store) HTML(a *Assessment, source string) string {
	if rendered, ok := a.html[source]; ok {
		return rendered
	}
	return s.textHTML(a.OrganizationID, source, a.pictures)
}

// InviteHTML returns the message of the invite as sanitized HTML, or nil. Its pictures are their alternative text, as in
// the email: mail programs load no pictures before the reader has agreed.
func (s *Store) InviteHTML(a *Assessment) *string {
	if a.InviteMessage == nil {
		return nil
	}
	return new(s.textHTML(a.OrganizationID, *a.InviteMessage, nil))
}

// textKey is a text of an organization. Organizations share no entry: the time of a request would tell one of them
// whether another has the same text.
type textKey struct{ organizationID, source string }

const (
	// textCacheBytes bounds the memory for texts as HTML, which drafts, previews, and new versions of published
	// assessments share: a change of a title renders nothing again.
	textCacheBytes = 32 << 20

	textEntryBytes = 300 // of a text in the cache, beside its source and its HTML
)

// textHTML renders a text unless it has been rendered lately.
func (s *Store) textHTML(organizationID, source string, pictures markdown.Pictures) string {
	if rendered, ok := s.markdown.Words(source); ok { // faster than the cache, and most texts
		return rendered
	}
	for _, id := range mediaIn(source) {
		if _, ok := pictures[id]; !ok { // the picture may exist the next time
			return s.markdown.HTMLWith(source, pictures)
		}
	}
	key := textKey{organizationID, source}
	if rendered, ok := s.texts.Get(key); ok {
		return rendered
	}
	rendered := s.markdown.HTMLWith(source, pictures)
	runtime.Gosched() // other requests wait for one text at most
	s.texts.Add(key, rendered, textEntryBytes+len(source)+len(rendered))
	return rendered
}

// NoticeHTML returns an organization's text as sanitized HTML.
func (s *Store) NoticeHTML(source string) string {
	return s.textHTML("", source, nil)
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
	html := map[string]string{}
	render := func(texts ...*string) error {
		for _, text := range texts {
			if text == nil {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if _, ok := html[*text]; !ok {
				html[*text] = s.textHTML(a.OrganizationID, *text, a.pictures)
			}
		}
		return nil
	}
	if err := render(a.Description, a.Instructions, a.ClosingMessage); err != nil {
		return nil, err
	}
	for _, stage := range a.Definition.Stages {
		if err := render(stage.Description); err != nil {
			return nil, err
		}
		for _, question := range stage.Questions {
			if err := render(&question.Prompt, question.Explanation); err != nil {
				return nil, err
			}
			for _, option := range question.Options {
				if err := render(&option.Text); err != nil {
					return nil, err
				}
			}
		}
	}
	return html, nil
}
