package store

import (
	"context"
	"strings"

	"assay/store/keys"
)

// Unsubscription is what the link in an email ends: the reminders to one candidate, or the
// emails to a member about finished candidates.
type Unsubscription struct {
	Reminders bool     // otherwise the emails about finished candidates
	Locales   []string // of the reader, best first; BCP 47
}

// UnscopedUnsubscription returns what a token ends, and changes nothing. Refusal: not_found
// for any text that is not a token of an existing session or member.
func (s *Store) UnscopedUnsubscription(ctx context.Context, token string) (Unsubscription, error) {
	found, _, _, err := s.unsubscription(ctx, token)
	return found, err
}

// UnscopedUnsubscribe ends what a token stands for. A second call changes nothing. Refusal:
// not_found, as UnscopedUnsubscription.
func (s *Store) UnscopedUnsubscribe(ctx context.Context, token string) (Unsubscription, error) {
	found, scope, id, err := s.unsubscription(ctx, token)
	if err != nil {
		return Unsubscription{}, err
	}
	return found, s.write(ctx, func(c conn) error {
		if found.Reminders {
			return c.endReminders(ctx, scope, id)
		}
		return c.endFinishedEmails(ctx, scope, id)
	})
}

func (s *Store) unsubscription(ctx context.Context, token string) (Unsubscription, Scope, string, error) {
	id, ok := s.opts.Keys.ParseLinkToken(keys.PurposeUnsubscribe, token)
	if !ok {
		return Unsubscription{}, Scope{}, "", errNoUnsubscription
	}
	var found struct {
		OrganizationID     string  `db:"organization_id"`
		AssessmentLocale   *string `db:"assessment_locale"`
		OrganizationLocale *string `db:"organization_locale"`
	}
	query := `SELECT u.organization_id, NULL AS assessment_locale, o.locale AS organization_locale
		FROM users u JOIN organizations o ON o.id = u.organization_id WHERE u.id = ? AND u.removed_at IS NULL`
	ofSession := strings.HasPrefix(id, keys.SessionIDPrefix)
	if ofSession {
		query = `SELECT cs.organization_id, a.locale AS assessment_locale, o.locale AS organization_locale
			FROM candidate_sessions cs JOIN assessments a ON a.id = cs.assessment_id
				JOIN organizations o ON o.id = cs.organization_id WHERE cs.id = ?`
	}
	if err := s.read().Get(ctx, &found, query, id); err != nil {
		return Unsubscription{}, Scope{}, "", orRefuse(err, errNoUnsubscription)
	}
	out := Unsubscription{Reminders: ofSession}
	for _, locale := range []*string{found.AssessmentLocale, found.OrganizationLocale} {
		if locale != nil {
			out.Locales = append(out.Locales, *locale)
		}
	}
	return out, Scope{OrganizationID: found.OrganizationID}, id, nil
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
