package mail

import (
	"assay/store"
)

func writeFinished(l *letter, c *store.EmailContent) {
	sessions := c.Finished.Sessions
	total := len(sessions) + c.Finished.More
	if total == 1 {
		l.subject("finished.subject", "title", params{
			"name": sessions[0].CandidateName, "title": sessions[0].AssessmentTitle,
		})
	} else {
		l.subject("finished.subject.several", "", params{"count": total})
	}
	l.Title = l.texts.text("finished.title", params{"count": total})

	items := make([]entry, len(sessions))
	for i, s := range sessions {
		items[i] = entry{Name: l.texts.isolated(s.CandidateName), Href: s.URL, Lines: []string{
			l.texts.isolated(s.AssessmentTitle),
			l.outcome(s),
			l.texts.text("finished.at", params{"date": verbatim(l.texts.date(s.FinishedAt, l.zone))}),
		}}
	}
	if total == 1 {
		items[0].Href = "" // the button has it
	}
	l.Preheader = items[0].Lines[1]
	l.Blocks = append(l.Blocks, block{Items: items})
	if c.Finished.More > 0 {
		l.say("finished.more", params{"count": c.Finished.More})
	}
	if total == 1 {
		l.button("finished.show", sessions[0].URL)
	} else {
		l.button("finished.showAll", c.Finished.AllURL)
	}
	l.end("finished.why", nil)
	l.endLink("finished.stop", c.UnsubscribeURL)
}

func writeWaiting(l *letter, c *store.EmailContent) {
	count := params{"count": c.Waiting.Count()}
	l.subject("waiting.subject", "", count)
	l.Title = l.texts.text("waiting.title", count)
	l.say("waiting.text", nil)
	items := make([]entry, len(c.Waiting.Assessments))
	for i, assessment := range c.Waiting.Assessments {
		items[i] = entry{Name: l.texts.isolated(assessment.Title), Lines: []string{
			l.texts.text("waiting.count", params{"count": assessment.Overdue}),
			l.texts.text("waiting.since", params{"date": verbatim(l.texts.date(assessment.OldestSince, l.zone))}),
		}}
	}
	l.Preheader = items[0].Lines[0]
	l.Blocks = append(l.Blocks, block{Items: items})
	l.button("waiting.show", c.Waiting.AllURL)
	l.end("waiting.why", params{"organization": c.Organization.Name})
}

func writeWebhookDisabled(l *letter, c *store.EmailContent) {
	l.subject("webhook.subject", "host", params{"host": c.Webhook.Host})
	l.Title = l.texts.text("webhook.title", nil)
	l.say("webhook.text", params{"organization": c.Organization.Name})
	reason := ""
	switch c.Webhook.Reason {
	case "FAILING":
		reason = l.texts.text("webhook.failing", nil)
	case "ENDPOINT_GONE":
		reason = l.texts.text("webhook.gone", nil)
	}
	host := l.fact("webhook.host", l.texts.isolated(c.Webhook.Host))
	l.facts(host, l.fact("fact.reason", reason), l.fact("fact.when", l.texts.date(c.Webhook.At, l.zone)))
	l.Preheader = host.Label + host.Gap() + host.Value
	l.say("webhook.enable", nil)
	l.button("webhook.show", c.Webhook.URL)
	l.say("webhook.replay", nil)
	l.end("webhook.why", params{"organization": c.Organization.Name})
}

// writeAccount reports whether the kind has a template.
func writeAccount(l *letter, c *store.EmailContent) bool {
	account := c.Account
	who := l.fact("fact.account", l.texts.isolated(c.ToAddress))
	when := func() fact { return l.fact("fact.when", l.texts.date(account.At, l.zone)) }
	from := l.fact("fact.ip", l.texts.isolated(account.IP))
	organization := params{"organization": c.Organization.Name}

	switch c.Kind {
	case store.EmailInvitation:
		writeInvitation(l, c)
		return true
	case store.EmailConfirmation:
		until := l.fact("fact.until", l.texts.date(account.ExpiresAt, l.zone))
		l.subject("confirmation.subject", "", nil)
		l.Title = l.texts.text("confirmation.title", nil)
		l.say("confirmation.text", nil)
		l.facts(who, until)
		l.Preheader = until.Label + until.Gap() + until.Value
		l.button("confirmation.open", account.Link)
		l.say("confirmation.signIn", nil)
		l.end("confirmation.ignore", nil)
		return true
	case store.EmailDeletionScheduled:
		writeDeletionScheduled(l, c)
		return true
	case store.EmailPasswordReset:
		until := l.fact("fact.until", l.texts.date(account.ExpiresAt, l.zone))
		l.subject("reset.subject", "", nil)
		l.Title = l.texts.text("reset.title", nil)
		l.say("reset.text", nil)
		l.facts(who, until)
		l.Preheader = until.Label + until.Gap() + until.Value
		l.button("password.set", account.Link)
		l.say("reset.once", nil)
		l.end("reset.ignore", nil)
		return true
	case store.EmailPasswordChanged:
		l.subject("changed.subject", "", nil)
		l.Title = l.texts.text("changed.title", nil)
		l.say("changed.text", nil)
		l.facts(who, when(), from)
		l.say("changed.fine", nil)
		l.say("changed.not", organization)
	case store.EmailSecondFactorAdded:
		writeFactorNotice(l, [3]string{"factorAdded.subject", "factorAdded.title", "factorAdded.text"},
			organization, who, when(), from)
	case store.EmailSecondFactorRemoved:
		writeFactorNotice(l, [3]string{"factorRemoved.subject", "factorRemoved.title", "factorRemoved.text"},
			organization, who, when(), from)
	case store.EmailRecoveryCodeUsed:
		writeFactorNotice(l, [3]string{"recoveryCode.subject", "recoveryCode.title", "recoveryCode.text"},
			organization, who, when(), from)
	case store.EmailSignInRecoveryCodeUsed:
		l.subject("companyCode.subject", "organization", organization)
		l.Title = l.texts.text("companyCode.title", nil)
		l.say("companyCode.text", organization)
		l.facts(l.fact("companyCode.by", l.texts.isolated(account.ByName)), when(), from)
		l.say("companyCode.fine", nil)
		l.say("companyCode.not", nil)
	case store.EmailRefreshTokenReused:
		l.subject("reused.subject", "", nil)
		l.Title = l.texts.text("reused.title", nil)
		l.say("reused.text", nil)
		l.facts(who, when(), from)
		l.say("reused.fine", nil)
		l.say("reused.not", organization)
	case store.EmailRoleChanged:
		l.subject("role.subject", "organization", organization)
		l.Title = l.texts.text("role.title", nil)
		l.say("role.text", organization)
		l.facts(
			l.fact("role.previous", l.role(account.PreviousRole)), l.fact("role.new", l.role(account.Role)),
			l.fact("role.by", l.texts.isolated(account.ByName)), when(),
		)
		l.say("role.not", organization)
	default:
		return false
	}
	l.Preheader = l.Blocks[0].text()
	if c.Kind != store.EmailRoleChanged && c.Kind != store.EmailSignInRecoveryCodeUsed && account.ResetURL != "" {
		l.button("password.set", account.ResetURL)
	}
	l.end("account.why", organization)
	return true
}

// writeFactorNotice writes about a second factor. The keys are those of the subject, the title, and the text.
func writeFactorNotice(l *letter, keys [3]string, organization params, facts ...fact) {
	l.subject(keys[0], "", nil)
	l.Title = l.texts.text(keys[1], nil)
	l.say(keys[2], nil)
	l.facts(facts...)
	l.say("changed.fine", nil)
	l.say("changed.not", organization)
}

func writeDeletionScheduled(l *letter, c *store.EmailContent) {
	account := c.Account
	organization := params{"organization": c.Organization.Name}
	l.subject("deletion.subject", "organization", organization)
	l.Title = l.texts.text("deletion.title", nil)
	l.say("deletion.text", organization)
	at := l.fact("deletion.at", l.texts.date(account.DeleteAt, l.zone))
	l.facts(
		at, l.fact("deletion.by", l.texts.isolated(account.ByName)),
		l.fact("deletion.requested", l.texts.date(account.At, l.zone)),
	)
	l.Preheader = at.Label + at.Gap() + at.Value
	l.say("deletion.until", nil)
	l.say("deletion.cancel", nil)
	l.button("deletion.show", account.Link)
	l.end("deletion.why", organization)
}

func writeInvitation(l *letter, c *store.EmailContent) {
	account := c.Account
	organization := params{"organization": c.Organization.Name}
	l.subject("invitation.subject", "organization", organization)
	l.Title = l.texts.text("invitation.title", organization)
	if by := oneLine(account.ByName); by == "" {
		l.say("invitation.text", organization)
	} else {
		l.say("invitation.text.by", params{"name": by, "organization": c.Organization.Name})
	}
	until := l.fact("fact.until", l.texts.date(account.ExpiresAt, l.zone))
	l.facts(l.fact("role.yours", l.role(account.Role)), until)
	l.Preheader = until.Label + until.Gap() + until.Value
	l.say("invitation.password", nil)
	l.button("invitation.accept", account.Link)
	l.say("invitation.once", nil)
	l.end("invitation.ask", organization)
	l.end("unexpected", nil)
}

// role is what a member can do.
func (l *letter) role(role store.Role) string {
	switch role {
	case store.Owner, store.Admin, store.Editor, store.Member, store.Reviewer:
		return l.texts.text("role."+string(role), nil)
	}
	return ""
}
