package store

// HTML returns a Markdown text of an assessment as sanitized HTML. The texts of an
// assessment that is not a draft were rendered when it was read into memory. They are
// not stored as HTML, so that a corrected sanitizer corrects published assessments.
func (s *Store) HTML(a *Assessment, source string) string {
	if rendered, ok := a.html[source]; ok {
		return rendered
	}
	return s.markdown.HTML(source)
}

// NoticeHTML returns an organization's text as sanitized HTML.
func (s *Store) NoticeHTML(source string) string {
	if rendered, ok := s.notices.Get(source); ok {
		return rendered
	}
	rendered := s.markdown.HTML(source)
	s.notices.Add(source, rendered, len(source)+len(rendered))
	return rendered
}

// noticeCacheBytes bounds the memory for organizations' texts, at most 160 KiB each.
const noticeCacheBytes = 4 << 20

// renderTexts returns the HTML of each text of an assessment.
func (s *Store) renderTexts(a *Assessment) map[string]string {
	html := map[string]string{}
	add := func(source string) {
		if _, ok := html[source]; !ok {
			html[source] = s.markdown.HTML(source)
		}
	}
	optional := func(texts ...*string) {
		for _, text := range texts {
			if text != nil {
				add(*text)
			}
		}
	}
	optional(a.Description, a.Instructions, a.ClosingMessage, a.InviteMessage)
	for _, stage := range a.Definition.Stages {
		optional(stage.Description)
		for _, question := range stage.Questions {
			add(question.Prompt)
			optional(question.Explanation)
			for _, option := range question.Options {
				add(option.Text)
			}
		}
	}
	return html
}
