package store

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"
)

// Direction says who sent the request of an exchange.
type Direction string

// The directions of exchanges.
const (
	ExchangeReceived Direction = "RECEIVED" // a request of the applicant tracking system
	ExchangeSent     Direction = "SENT"     // a callback
)

// Exchange is a request of an applicant tracking system, or a callback to it, without its body.
type Exchange struct {
	ID        string    `db:"id"`
	Direction Direction `db:"direction"`
	Method    string    `db:"method"`
	Address   string    `db:"address"` // without query
	Status    *int      `db:"status"`  // nil without a response
	SessionID *string   `db:"session_id"`
	Problem   *string   `db:"problem"`
	CreatedAt Time      `db:"created_at"`
}

const (
	// maxExchangesListed bounds ListIntegrationExchanges.
	maxExchangesListed = 100

	// exchangeRetention is how long exchanges are kept: long enough to look for a fault that somebody reports late.
	exchangeRetention = 30 * 24 * time.Hour

	maxProblem = 500 // characters
)

// ListIntegrationExchanges returns the latest exchanges with the system of a connection, newest first, also those
// before the connection. Refusal: not_found.
func (s *Store) ListIntegrationExchanges(ctx context.Context, scope Scope, id string) ([]Exchange, error) {
	c := s.read()
	var partner Partner
	if err := c.Get(ctx, &partner, `SELECT partner FROM integrations WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, id); err != nil {
		return nil, orRefuse(err, errNoIntegration)
	}
	var exchanges []Exchange
	err := c.List(ctx, &exchanges, `
		SELECT id, direction, method, address, status, session_id, problem, created_at FROM integration_exchanges
		WHERE organization_id = ? AND partner = ? ORDER BY id DESC LIMIT ?`,
		scope.OrganizationID, partner, maxExchangesListed)
	return exchanges, err
}

// RecordExchange records a request of a system.
func (s *Store) RecordExchange(ctx context.Context, scope Scope, partner Partner, e Exchange) error {
	return s.write(ctx, func(c conn) error { return c.recordExchange(ctx, scope.OrganizationID, partner, e) })
}

func (c conn) recordExchange(ctx context.Context, organizationID string, partner Partner, e Exchange) error {
	if e.Problem != nil {
		e.Problem = new(storedProblem(*e.Problem))
	}
	_, err := c.Exec(ctx, `
		INSERT INTO integration_exchanges (id, organization_id, partner, direction, method, address, status, session_id,
			problem, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.store.NewID("exc"), organizationID, partner, e.Direction, e.Method, e.Address, e.Status, e.SessionID, e.Problem,
		c.store.Now())
	return err
}

// storedProblem returns a text of a system without the addresses that it can contain, and not longer than a
// person reads.
func storedProblem(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
	words := strings.Fields(text)
	for i, word := range words {
		if strings.Contains(word, "@") {
			words[i] = "[address]"
		}
	}
	text = strings.Join(words, " ")
	if utf8.RuneCountInString(text) > maxProblem {
		text = string([]rune(text)[:maxProblem-1]) + "…"
	}
	return text
}

// eraseIntegrations deletes the orders of a session, whose addresses lead to the candidate in the applicant tracking
// system, with their callbacks and exchanges. Assay tells the system nothing more, and the system finds no order.
func (c conn) eraseIntegrations(ctx context.Context, scope Scope, id string, _ time.Time) error {
	for _, query := range []string{
		`DELETE FROM integration_callbacks WHERE organization_id = ? AND order_id IN
			(SELECT id FROM integration_orders WHERE session_id = ?)`,
		`DELETE FROM integration_orders WHERE organization_id = ? AND session_id = ?`,
		`DELETE FROM integration_exchanges WHERE organization_id = ? AND session_id = ?`,
	} {
		if _, err := c.Exec(ctx, query, scope.OrganizationID, id); err != nil {
			return err
		}
	}
	return nil
}
