package mail

import (
	"fmt"
	"html"

	"assay/store"
)

// Message is the content of an email in both forms.
type Message struct{ Subject, Text, HTML string }

// Render writes an email in its language.
func Render(content *store.EmailContent) (Message, error) {
	text := fmt.Sprintf("%s\n", content.Kind)
	switch {
	case content.Invite != nil:
		text += content.Invite.AssessmentTitle + "\n" + content.Invite.InviteURL + "\n"
	case content.Account != nil:
		text += content.Account.Link + "\n"
	}
	return Message{
		Subject: fmt.Sprintf("%s: %s", content.Organization.Name, content.Kind), Text: text,
		HTML: "<p>" + html.EscapeString(text) + "</p>",
	}, nil
}
