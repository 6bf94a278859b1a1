package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"assay/store/rules"
)

// PartnerTest is an assessment that a system can order.
type PartnerTest struct {
	ID    string `db:"id"`
	Title string `db:"title"`
}

// maxPartnerTests bounds ListPartnerTests. The systems show all of them in one menu.
const maxPartnerTests = 1000

// ListPartnerTests returns the assessments to which candidates can be invited, the newest first.
func (s *Store) ListPartnerTests(ctx context.Context, scope Scope) ([]PartnerTest, error) {
	var tests []PartnerTest
	err := s.read().List(ctx, &tests, `
		SELECT id, title FROM assessments WHERE organization_id = ? AND status = 'PUBLISHED' ORDER BY id DESC LIMIT ?`,
		scope.OrganizationID, maxPartnerTests)
	return tests, err
}

// PartnerRequest is the request of a system to invite a candidate.
type PartnerRequest struct {
	Partner Partner
	// Key identifies the order at the system, so that the same request again orders nothing.
	Key string
	// Renewable orders are ordered again by the same request after their session has ended: the system has no key for
	// each order, only for the candidate and the test.
	Renewable   bool
	CallbackURL *string  // nil for a system with one address for all callbacks
	Hosts       []string // to which callbacks may go, with all hosts below them
	Invite      Invite
}

// PartnerOrder is an order with what its system learns about the session.
type PartnerOrder struct {
	ID             string  `db:"id"`
	OrganizationID string  `db:"organization_id"`
	Partner        Partner `db:"partner"`
	SessionID      string  `db:"session_id"`
	CallbackURL    *string `db:"callback_url"`
	ResultLinkID   *string `db:"result_link_id"`
	LinkExpiresAt  *Time   `db:"link_expires_at"`
	LinkRevokedAt  *Time   `db:"link_revoked_at"`

	Session CandidateSession `db:"-"`
	// ResultURL is the address of the result: a link that needs no account, or, once it has expired or was revoked, the
	// candidate's page in the dashboard. It is "" without a result.
	ResultURL string `db:"-"`
}

const partnerOrderColumns = `
	SELECT o.id, o.organization_id, o.partner, o.session_id, o.callback_url, o.result_link_id,
		l.expires_at AS link_expires_at, l.revoked_at AS link_revoked_at
	FROM integration_orders o
	LEFT JOIN result_links l ON l.id = o.result_link_id AND l.organization_id = o.organization_id
	WHERE o.organization_id = ?`

// OrderForPartner invites a candidate for a system, as CreateCandidateSession does, and returns the order. A candidate
// with a live session for the assessment keeps it. Refusals: those of CreateCandidateSession, and
// invalid_request for an address of callbacks that is not the system's.
func (s *Store) OrderForPartner(ctx context.Context, scope Scope, in PartnerRequest) (PartnerOrder, error) {
	if err := s.checkCallbackURL(in); err != nil {
		return PartnerOrder{}, err
	}
	used, err := s.quotaLoad(ctx, scope)
	if err != nil {
		return PartnerOrder{}, err
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{"order", scope.OrganizationID, string(in.Partner), in.Key}, "\x00")))
	key := hex.EncodeToString(sum[:])
	in.Invite.OnExisting, in.Invite.keepsLive = ReturnExisting, true

	var order PartnerOrder
	err = s.write(ctx, func(c conn) error {
		// Of two such requests at once, the second one finds the order of the first.
		if err := s.db.Lock(ctx, c.Conn, int64(binary.BigEndian.Uint64(sum[:8]))); err != nil {
			return err
		}
		err := c.Get(ctx, &order, partnerOrderColumns+` AND o.partner = ? AND o.order_key = ?`,
			scope.OrganizationID, in.Partner, key)
		if err == nil {
			order.Session, err = c.session(ctx, scope, order.SessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
			if err != nil || !in.Renewable || isLive(order.Session.Status) {
				return err
			}
			_, err = c.Exec(ctx, `UPDATE integration_orders SET order_key = id WHERE organization_id = ? AND id = ?`,
				scope.OrganizationID, order.ID)
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		invited, err := c.invite(ctx, scope, in.Invite, s.room(used))
		if err != nil {
			return err
		}
		order = PartnerOrder{
			ID: s.NewID("ord"), OrganizationID: scope.OrganizationID, Partner: in.Partner, SessionID: invited.Session.ID,
			CallbackURL: in.CallbackURL, Session: invited.Session,
		}
		_, err = c.Exec(ctx, `
			INSERT INTO integration_orders (id, organization_id, partner, order_key, session_id, callback_url, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			order.ID, scope.OrganizationID, in.Partner, key, order.SessionID, in.CallbackURL, s.Now())
		return err
	})
	return order, err
}

// isLive reports whether the candidate can start or continue a session, or could after a decision about it.
func isLive(status rules.SessionStatus) bool {
	return status == rules.SessionInvited || status == rules.SessionInProgress || status == rules.SessionInReview
}

const maxCallbackURL = 2048

// checkCallbackURL refuses an address that is not the system's. A callback carries the organization's key at the
// system, which must not reach anybody who only knows the key of the organization at Assay.
func (s *Store) checkCallbackURL(in PartnerRequest) error {
	if in.CallbackURL == nil {
		return nil
	}
	if len(*in.CallbackURL) > maxCallbackURL {
		return errInvalid.with(fault("/url", "too_long", fmt.Sprintf("must have at most %d bytes", maxCallbackURL)))
	}
	if fault := checkWebhookURL(*in.CallbackURL, s.opts.AllowInsecureWebhooks); fault != nil {
		return errInvalid.with(*fault)
	}
	if s.opts.AllowInsecureWebhooks {
		return nil
	}
	parsed, err := url.Parse(*in.CallbackURL)
	if err == nil {
		host := "." + strings.ToLower(parsed.Hostname())
		for _, allowed := range in.Hosts {
			if strings.HasSuffix(host, "."+allowed) {
				return nil
			}
		}
	}
	return errInvalid.with(fault("/url", "invalid_value", "must be an address of "+strings.Join(in.Hosts, " or ")))
}

// RetrievePartnerOrder returns an order of a system. Refusal: not_found.
func (s *Store) RetrievePartnerOrder(
	ctx context.Context, scope Scope, partner Partner, id string,
) (PartnerOrder, error) {
	order, err := s.read().partnerOrder(ctx, scope, partner, id)
	if err == nil && order.lacksLink() {
		err = s.write(ctx, func(c conn) error {
			order, err = c.linkedPartnerOrder(ctx, scope, partner, id)
			return err
		})
	}
	return order, err
}

// partnerOrder reads an order and its session.
func (c conn) partnerOrder(ctx context.Context, scope Scope, partner Partner, id string) (PartnerOrder, error) {
	var order PartnerOrder
	err := c.Get(ctx, &order, partnerOrderColumns+` AND o.id = ? AND o.partner = ?`, scope.OrganizationID, id, partner)
	if err != nil {
		return PartnerOrder{}, orRefuse(err, errNoOrder)
	}
	order.Session, err = c.session(ctx, scope, order.SessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	if err == nil && order.hasResult() {
		order.ResultURL = c.store.orderResultURL(order)
	}
	return order, err
}

func (o PartnerOrder) hasResult() bool {
	return o.Session.Status == rules.SessionCompleted || o.Session.Status == rules.SessionDisqualified
}

func (o PartnerOrder) lacksLink() bool { return o.hasResult() && o.ResultLinkID == nil }

// linkedPartnerOrder is partnerOrder for a transaction that writes. It creates the order's link to the result once: a
// link that a person has revoked does not come back.
func (c conn) linkedPartnerOrder(ctx context.Context, scope Scope, partner Partner, id string) (PartnerOrder, error) {
	order, err := c.partnerOrder(ctx, scope, partner, id)
	if err != nil || !order.lacksLink() {
		return order, err
	}
	if _, err := c.lockSession(ctx, scope, order.SessionID); err != nil {
		return PartnerOrder{}, err
	}
	if order, err = c.partnerOrder(ctx, scope, partner, id); err != nil || !order.lacksLink() {
		return order, err
	}
	organization, err := c.organization(ctx, scope)
	if err != nil {
		return PartnerOrder{}, err
	}
	now := c.store.Now()
	link, err := c.insertResultLink(ctx, scope, ResultLink{
		SessionID: order.SessionID, CreatedAt: Time{now},
		ExpiresAt: Time{milliseconds(now.Add(days(organization.ResultLinkDays)))},
	})
	if err != nil {
		return PartnerOrder{}, err
	}
	if _, err := c.Exec(ctx, `UPDATE integration_orders SET result_link_id = ? WHERE organization_id = ? AND id = ?`,
		link.ID, scope.OrganizationID, order.ID); err != nil {
		return PartnerOrder{}, err
	}
	order.ResultLinkID, order.LinkExpiresAt = &link.ID, &link.ExpiresAt
	order.ResultURL = c.store.orderResultURL(order)
	return order, nil
}

// candidatesPath is the page of a candidate in the dashboard.
const candidatesPath = "/app/candidates/"

func (s *Store) orderResultURL(order PartnerOrder) string {
	if order.LinkExpiresAt != nil && order.LinkRevokedAt == nil && s.Now().Before(order.LinkExpiresAt.Time) {
		return s.resultURL(*order.ResultLinkID)
	}
	return s.opts.BaseURL + candidatesPath + order.SessionID
}

// CancelPartnerOrder cancels the session of an order. Refusals: not_found, session_closed.
func (s *Store) CancelPartnerOrder(
	ctx context.Context, scope Scope, partner Partner, id string,
) (PartnerOrder, error) {
	order, err := s.read().partnerOrder(ctx, scope, partner, id)
	if err == nil {
		order.Session, err = s.CancelCandidateSession(ctx, scope, order.SessionID)
	}
	return order, err
}

// finishedAt is when the session has ended with a result.
func (cs CandidateSession) finishedAt() *time.Time {
	if cs.DisqualifiedAt != nil {
		return &cs.DisqualifiedAt.Time
	}
	return timePtr(cs.CompletedAt)
}

// FinishedAt is when the session has ended with a result, or nil.
func (o PartnerOrder) FinishedAt() *time.Time {
	if !o.hasResult() {
		return nil
	}
	return o.Session.finishedAt()
}
