package store

import (
	"context"
	"strings"

	"assay/store/keys"
)

// UnsubscriptionKind is what the link in an email ends.
type UnsubscriptionKind int

// The kinds of links.
const (
	UnsubscribeFinished  UnsubscriptionKind = iota // the emails to a member about finished candidates
	UnsubscribeReminders                           // the reminders to one candidate
	UnsubscribeAll                                 // all emails of an organization to candidates at one address
)

// Unsubscription is what the link in an email ends.
type Unsubscription struct {
	Kind    UnsubscriptionKind
	Locales []string // of the reader, best first; BCP 47
	// OrganizationName is that of UnsubscribeAll.
	OrganizationName string
	AllURL           string // of UnsubscribeReminders: the link of UnsubscribeAll; "" for an erased candidate
}

// allSeparator is between the organization and the hash of the address in what a link of UnsubscribeAll stands for. No
// id contains it.
const allSeparator = "-"

// unsubscriber is an Unsubscription with what it is about.
type unsubscriber struct {
	Unsubscription
	scope Scope
	id    string // of the session or the member, or the hash of the address
}

// UnscopedUnsubscription returns what a token ends, and changes nothing. Refusal: not_found
// for any text that is not a token of an existing session, member, or organization.
func (s *Store) UnscopedUnsubscription(ctx context.Context, token string) (Unsubscription, error) {
	found, err := s.unsubscription(ctx, token)
	return found.Unsubscription, err
}

// UnscopedUnsubscribe ends what a token stands for. A second call changes nothing. Refusal:
// not_found, as UnscopedUnsubscription.
func (s *Store) UnscopedUnsubscribe(ctx context.Context, token string) (Unsubscription, error) {
	found, err := s.unsubscription(ctx, token)
	if err != nil {
		return Unsubscription{}, err
	}
	return found.Unsubscription, s.write(ctx, func(c conn) error {
		switch found.Kind {
		case UnsubscribeReminders:
			return c.endReminders(ctx, found.scope, found.id)
		case UnsubscribeAll:
			return c.suppressUnsubscribed(ctx, found.scope, found.id)
		case UnsubscribeFinished:
		}
		return c.endFinishedEmails(ctx, found.scope, found.id)
	})
}

// UnscopedResubscribe takes back what a token of UnsubscribeAll has ended. For other tokens it changes nothing.
// Refusal: not_found, as UnscopedUnsubscription.
func (s *Store) UnscopedResubscribe(ctx context.Context, token string) (Unsubscription, error) {
	found, err := s.unsubscription(ctx, token)
	if err != nil || found.Kind != UnsubscribeAll {
		return found.Unsubscription, err
	}
	return found.Unsubscription, s.write(ctx, func(c conn) error { return c.resumeEmails(ctx, found.scope, found.id) })
}

func (s *Store) unsubscription(ctx context.Context, token string) (unsubscriber, error) {
	id, ok := s.opts.Keys.ParseLinkToken(keys.PurposeUnsubscribe, token)
	if !ok {
		return unsubscriber{}, errNoUnsubscription
	}
	var found struct {
		OrganizationID     string  `db:"organization_id"`
		AssessmentLocale   *string `db:"assessment_locale"`
		OrganizationLocale *string `db:"organization_locale"`
		Address            *string `db:"address"` // of a candidate who is not erased
		OrganizationName   string  `db:"organization_name"`
	}
	out := unsubscriber{id: id}
	query := `SELECT u.organization_id, NULL AS assessment_locale, o.locale AS organization_locale, NULL AS address,
			'' AS organization_name
		FROM users u JOIN organizations o ON o.id = u.organization_id WHERE u.id = ? AND u.removed_at IS NULL`
	organizationID, hash, ofAddress := strings.Cut(id, allSeparator)
	switch {
	case ofAddress:
		out.Kind, id, out.id = UnsubscribeAll, organizationID, hash
		query = `SELECT id AS organization_id, NULL AS assessment_locale, locale AS organization_locale, NULL AS address,
				name AS organization_name
			FROM organizations WHERE id = ?`
	case strings.HasPrefix(id, keys.SessionIDPrefix):
		out.Kind = UnsubscribeReminders
		query = `SELECT cs.organization_id, a.locale AS assessment_locale, o.locale AS organization_locale,
				CASE WHEN cs.erased_at IS NULL THEN cs.candidate_email END AS address, '' AS organization_name
			FROM candidate_sessions cs JOIN assessments a ON a.id = cs.assessment_id
				JOIN organizations o ON o.id = cs.organization_id WHERE cs.id = ?`
	}
	if err := s.read().Get(ctx, &found, query, id); err != nil {
		return unsubscriber{}, orRefuse(err, errNoUnsubscription)
	}
	out.scope, out.OrganizationName = Scope{OrganizationID: found.OrganizationID}, found.OrganizationName
	for _, locale := range []*string{found.AssessmentLocale, found.OrganizationLocale} {
		if locale != nil {
			out.Locales = append(out.Locales, *locale)
		}
	}
	if found.Address != nil {
		out.AllURL = s.unsubscribeAllURL(found.OrganizationID, *found.Address,
			value(firstOf(found.AssessmentLocale, found.OrganizationLocale)))
	}
	return out, nil
}

// endReminders ends the reminders to the candidate of a session, also a queued one.
func (c conn) endReminders(ctx context.Context, scope Scope, sessionID string) error {
	if _, err := c.Exec(ctx, `UPDATE candidate_sessions SET reminders_off = TRUE WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, sessionID); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `
		UPDATE emails SET status = 'CANCELLED', ready = FALSE, lease = '', ended_at = ?
		WHERE organization_id = ? AND session_id = ? AND kind = 'REMINDER' AND status = 'QUEUED'`,
		c.store.Now(), scope.OrganizationID, sessionID)
	return err
}
