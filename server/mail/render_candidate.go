package mail

import (
	"cmp"
	"strings"

	"assay/store"
	"assay/store/rules"
)

func writeInvite(l *letter, c *store.EmailContent) {
	invite := c.Invite
	l.Title = l.texts.text("invite.title", greeting(c))
	l.introduce(c, "invite.subject", "invite.text", params{"title": invite.AssessmentTitle})
	l.inviteFacts(invite)
	if invite.MessageHTML != "" {
		label := l.texts.text("invite.message", params{"organization": c.Organization.Name})
		l.Blocks = append(l.Blocks, block{Message: &prose{
			Label: label, HTML: styled(invite.MessageHTML, l.Light), Text: strings.TrimSpace(invite.MessageText),
		}})
	}
	l.say("invite.start", nil)
	l.button("invite.open", invite.InviteURL)
	l.say("invite.keep", nil)
	l.end("contact", params{"contact": contact(c.Organization)})
	l.end("unexpected", nil)
	l.endLink("stop", c.StopURL)
}

func writeReminder(l *letter, c *store.EmailContent) {
	invite := c.Invite
	l.Title = l.texts.text("reminder.title", greeting(c))
	l.introduce(c, "reminder.subject", "reminder.text", params{
		"day": verbatim(l.texts.lastDay(invite.ExpiresAt, l.zone)), "title": invite.AssessmentTitle,
	})
	l.inviteFacts(invite)
	l.say("invite.start", nil)
	l.button("invite.open", invite.InviteURL)
	l.say("invite.keep", nil)
	l.say("reminder.decline", nil)
	l.end("contact", params{"contact": contact(c.Organization)})
	l.end("unexpected", nil)
	l.endLink("reminder.stop", c.UnsubscribeURL)
	l.endLink("stop", c.StopURL)
}

func writeReopened(l *letter, c *store.EmailContent) { writeGoesOn(l, c, "reopened.text") }

func writeGatePassed(l *letter, c *store.EmailContent) { writeGoesOn(l, c, "passed.text") }

// writeGoesOn tells the candidate to go on, and why they can.
func writeGoesOn(l *letter, c *store.EmailContent, text string) {
	decision := c.Decision
	l.Title = l.texts.text("reopened.title", greeting(c))
	l.introduce(c, "reopened.subject", text, params{"title": decision.AssessmentTitle})
	facts := []fact{l.fact("fact.assessment", l.texts.isolated(decision.AssessmentTitle))}
	if decision.DeadlineAt != nil {
		facts = append(facts, l.fact("fact.ends", l.texts.date(*decision.DeadlineAt, l.zone)))
	}
	last := facts[len(facts)-1]
	l.Preheader = last.Label + last.Gap() + last.Value
	l.facts(facts...)
	if decision.DeadlineAt != nil {
		l.say("reopened.time", nil)
	}
	l.button("reopened.open", decision.InviteURL)
	l.end("contact", params{"contact": contact(c.Organization)})
	l.end("unexpected", nil)
	l.endLink("stop", c.StopURL)
}

func writeCorrected(l *letter, c *store.EmailContent) {
	l.Title = l.texts.text("corrected.title", greeting(c))
	l.introduce(c, "corrected.subject", "corrected.text", params{"title": c.Decision.AssessmentTitle})
	corrected := l.fact("fact.corrected", l.texts.date(c.Decision.At, l.zone))
	l.Preheader = corrected.Label + corrected.Gap() + corrected.Value
	l.facts(l.fact("fact.assessment", l.texts.isolated(c.Decision.AssessmentTitle)), corrected)
	l.say("corrected.nothing", nil)
	l.end("contact", params{"contact": contact(c.Organization)})
	l.end("unexpected", nil)
	l.endLink("stop", c.StopURL)
}

// writeDecision frames the words of the organization about a decision. Their subject is not shortened.
func writeDecision(l *letter, c *store.EmailContent) {
	written := c.Written
	l.Subject = oneLine(written.Subject)
	l.Title = l.texts.text("decision.title", greeting(c))
	l.words(written.Text)
	about := l.fact("fact.assessment", l.texts.isolated(written.AssessmentTitle))
	l.Preheader = about.Label + about.Gap() + about.Value
	l.facts(about)
	l.end("contact", params{"contact": contact(c.Organization)})
	l.endLink("stop", c.StopURL)
}

// writeRegistration asks the owner of an address to confirm it, or says that they have taken part before.
func writeRegistration(l *letter, c *store.EmailContent) {
	registration := c.Registration
	title, organization := params{"title": registration.AssessmentTitle}, params{"organization": c.Organization.Name}
	facts := []fact{l.fact("fact.assessment", l.texts.isolated(registration.AssessmentTitle))}
	if registration.Link == "" {
		l.subject("attempted.subject", "title", title)
		l.Title = l.texts.text("attempted.title", nil)
		l.say("attempted.text", organization)
		if registration.PossibleAt != nil {
			facts = append(facts, l.fact("fact.again", l.texts.date(*registration.PossibleAt, l.zone)))
		}
	} else {
		l.subject("registration.subject", "title", title)
		l.Title = l.texts.text("registration.title", nil)
		l.say("registration.text", organization)
		facts = append(facts, l.fact("fact.confirm", l.texts.date(registration.ExpiresAt, l.zone)))
	}
	last := facts[len(facts)-1]
	l.Preheader = last.Label + last.Gap() + last.Value
	l.facts(facts...)
	if registration.Link != "" {
		l.button("registration.confirm", registration.Link)
	}
	l.end("contact", params{"contact": contact(c.Organization)})
	l.end("unexpected", nil)
	l.endLink("stop", c.StopURL)
}

// introduce sets the subject, and adds the first paragraphs: the words of the organization for this kind in the
// language of the letter, or else the default words. The subject of an organization is not shortened.
func (l *letter) introduce(c *store.EmailContent, subject, text string, p params) {
	for _, own := range c.Own {
		if own.Kind == c.Kind && own.Locale == l.texts.tag {
			l.introduceOwn(c, own)
			return
		}
	}
	l.subject(subject, "title", p)
	l.say(text, params{"organization": c.Organization.Name})
}

// introduceOwn fills the words line by line, so that a value cannot begin another line.
func (l *letter) introduceOwn(c *store.EmailContent, own store.EmailText) {
	values := store.PlaceholderValues(c)
	for name, value := range values {
		values[name] = l.texts.isolated(value)
	}
	if c.Invite != nil {
		values[store.PlaceholderLastDay] = l.texts.lastDay(c.Invite.ExpiresAt, l.zone)
	}
	l.Subject, _ = rules.Filled(oneLine(own.Subject), values)
	l.paragraphs(own.Text, func(line string) string {
		filled, _ := rules.Filled(line, values)
		return filled
	})
}

// inviteFacts says what, until when, and how long.
func (l *letter) inviteFacts(invite *store.InviteContent) {
	t := l.texts
	last := l.fact("fact.last", t.date(invite.ExpiresAt, l.zone))
	l.Preheader = last.Label + last.Gap() + last.Value
	facts := []fact{l.fact("fact.assessment", t.isolated(invite.AssessmentTitle))}
	if invite.OpensAt != nil {
		facts = append(facts, l.fact("fact.opens", t.date(*invite.OpensAt, l.zone)))
	}
	facts = append(facts, last)
	switch {
	case invite.TimeLimit != nil:
		facts = append(facts, l.fact("fact.time", t.duration(*invite.TimeLimit)))
	case invite.Unlimited:
		facts = append(facts, l.fact("fact.time", t.text("fact.time.none", nil)))
	}
	content := ""
	if invite.QuestionCount > 0 {
		content = t.text("questions", params{"count": invite.QuestionCount})
	}
	if content != "" && invite.StageCount > 1 {
		content = t.text("fact.content.stages", params{
			"stages": verbatim(t.text("stages", params{"count": invite.StageCount})), "questions": verbatim(content),
		})
	}
	l.facts(append(facts, l.fact("fact.content", content))...)
}

// greeting is the name in the title of an email to a candidate.
func greeting(c *store.EmailContent) params {
	return params{"name": cmp.Or(rules.Greeted(oneLine(c.ToName)), c.ToAddress)}
}
