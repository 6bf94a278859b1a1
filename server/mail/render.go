package mail

import (
	"fmt"

	"assay/store"
)

// Message is what an email says, as plain text and as HTML.
type Message struct{ Subject, Text, HTML string }

// Render writes an email in the language of its reader. It uses no clock and no other source,
// so the same content gives the same message.
func Render(c *store.EmailContent) (Message, error) {
	l, err := write(c)
	if err != nil {
		return Message{}, err
	}
	html, err := l.html()
	if err != nil {
		return Message{}, fmt.Errorf("mail: the HTML of %s: %w", c.Kind, err)
	}
	return Message{Subject: l.Subject, Text: l.text(), HTML: html}, nil
}

// write makes the letter of a kind.
func write(c *store.EmailContent) (*letter, error) {
	all, err := catalogs()
	if err != nil {
		return nil, err
	}
	l := newLetter(c, all.candidates)
	switch {
	case c.Kind == store.EmailInvite && c.Invite != nil:
		writeInvite(l, c)
	case c.Kind == store.EmailReminder && c.Invite != nil:
		writeReminder(l, c)
	case c.Kind == store.EmailReopened && c.Decision != nil:
		writeReopened(l, c)
	case c.Kind == store.EmailGatePassed && c.Decision != nil:
		writeGatePassed(l, c)
	case c.Kind == store.EmailResultCorrected && c.Decision != nil:
		writeCorrected(l, c)
	case c.Kind == store.EmailDecision && c.Written != nil:
		writeDecision(l, c)
	case c.Kind == store.EmailRegistration && c.Registration != nil:
		writeRegistration(l, c)
	case c.Kind == store.EmailFinished && c.Finished != nil && len(c.Finished.Sessions) > 0:
		l = newLetter(c, all.members)
		writeFinished(l, c)
	case c.Kind == store.EmailWebhookDisabled && c.Webhook != nil:
		l = newLetter(c, all.members)
		writeWebhookDisabled(l, c)
	case c.Account != nil:
		l = newLetter(c, all.members)
		if !writeAccount(l, c) {
			return nil, fmt.Errorf("mail: no template for the kind %q", c.Kind)
		}
	default:
		return nil, fmt.Errorf("mail: no content for the kind %q", c.Kind)
	}
	if l.texts.missing != "" {
		return nil, fmt.Errorf("mail: the language %s lacks the text %q", l.texts.tag, l.texts.missing)
	}
	return l, nil
}
