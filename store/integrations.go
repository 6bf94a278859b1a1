package store

import (
	"context"
	"unicode/utf8"
)

// Partner is an applicant tracking system.
type Partner string

// The applicant tracking systems. Each one has an adapter in server/partners.
const (
	PartnerAshby      Partner = "ashby"
	PartnerGreenhouse Partner = "greenhouse"
	PartnerWorkable   Partner = "workable"
)

// Partners returns the applicant tracking systems, in the order of their names.
func Partners() []Partner { return []Partner{PartnerAshby, PartnerGreenhouse, PartnerWorkable} }

// PartnerScope is the scope of API keys for the addresses of applicant tracking systems. It permits nothing else.
const PartnerScope = "ats:connect"

// Integration is the connection of an organization with an applicant tracking system.
type Integration struct {
	ID              string  `db:"id"`
	Partner         Partner `db:"partner"`
	CallbackKeyHint string  `db:"callback_key_hint"`
	ConnectedAt     Time    `db:"connected_at"`
}

// maxIntegrationsListed is more than there are systems.
const maxIntegrationsListed = 100

// ListIntegrations returns the connected applicant tracking systems, in the order of their names.
func (s *Store) ListIntegrations(ctx context.Context, scope Scope) ([]Integration, error) {
	var connected []Integration
	err := s.read().List(ctx, &connected, `
		SELECT id, partner, callback_key_hint, connected_at FROM integrations WHERE organization_id = ?
		ORDER BY partner LIMIT ?`, scope.OrganizationID, maxIntegrationsListed)
	return connected, err
}

// minHintedKey is the length from which the last four characters of a key are shown.
const minHintedKey = 16

// ConnectIntegration connects an applicant tracking system, or replaces the key of its callbacks.
func (s *Store) ConnectIntegration(
	ctx context.Context, scope Scope, partner Partner, callbackKey string,
) (Integration, error) {
	sealed, err := s.opts.Keys.SealSecret(integrationSecretID(scope.OrganizationID, partner), callbackKey)
	if err != nil {
		return Integration{}, err
	}
	shown := "…"
	if utf8.RuneCountInString(callbackKey) >= minHintedKey {
		shown = hint(callbackKey)
	}
	connected := Integration{Partner: partner, CallbackKeyHint: shown}
	err = s.write(ctx, func(c conn) error {
		connected.ConnectedAt = Time{s.Now()}
		if err := c.Get(ctx, &connected.ID, `
			INSERT INTO integrations (id, organization_id, partner, callback_key, callback_key_hint, connected_at)
			VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (organization_id, partner) DO UPDATE SET callback_key = excluded.callback_key,
				callback_key_hint = excluded.callback_key_hint, connected_at = excluded.connected_at
			RETURNING id`,
			s.NewID("itg"), scope.OrganizationID, partner, sealed, shown, connected.ConnectedAt.Time); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditIntegrationConnected, scope.OrganizationID, valueOf("partner", string(partner)))
	})
	return connected, err
}

// integrationSecretID is the associated data of an encrypted callback key.
func integrationSecretID(organizationID string, partner Partner) string {
	return organizationID + "/" + string(partner)
}

// DisconnectIntegration ends a connection. Callbacks that wait are not sent. The orders stay: if the organization
// connects the system again, the system can ask for their status. Refusal: not_found.
func (s *Store) DisconnectIntegration(ctx context.Context, scope Scope, id string) error {
	return s.write(ctx, func(c conn) error { return c.disconnect(ctx, scope, id) })
}

func (c conn) disconnect(ctx context.Context, scope Scope, id string) error {
	var partner Partner
	if err := c.Get(ctx, &partner, `DELETE FROM integrations WHERE organization_id = ? AND id = ? RETURNING partner`,
		scope.OrganizationID, id); err != nil {
		return orRefuse(err, errNoIntegration)
	}
	return c.audit(ctx, scope, AuditIntegrationDisconnected, scope.OrganizationID, valueOf("partner", string(partner)))
}

// CheckIntegration refuses a system that the organization has not connected.
func (s *Store) CheckIntegration(ctx context.Context, scope Scope, partner Partner) error {
	var found bool
	err := s.read().Get(ctx, &found, `SELECT TRUE FROM integrations WHERE organization_id = ? AND partner = ?`,
		scope.OrganizationID, partner)
	return orRefuse(err, errNotConnected)
}
