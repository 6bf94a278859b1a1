package store

import (
	"context"
	"database/sql"
	"errors"

	"assay/store/rules"
)

// EndedInvite says why an invite token is no longer accepted, and whom to ask. It contains
// nothing about the candidate, so that it can also be told after an erasure.
type EndedInvite struct {
	Reason       EndReason
	Organization string
	SupportEmail *string
	Locale       *string
}

// EndReason is the reason for which an invite token is no longer accepted.
type EndReason string

// The reasons of EndedInvite. The first one that applies counts, in the order ERASED,
// CANCELLED, REPLACED.
const (
	InviteErased    EndReason = "ERASED"
	InviteCancelled EndReason = "CANCELLED"
	InviteReplaced  EndReason = "REPLACED"
)

// endedInvite returns the refusal of an invite token whose signature is valid: only the
// holder of such a token learns the reason. A token of a deleted session gets none.
func (c conn) endedInvite(ctx context.Context, sessionID string, generation int) error {
	var row struct {
		Status       rules.SessionStatus `db:"status"`
		Generation   int                 `db:"invite_generation"`
		ErasedAt     *Time               `db:"erased_at"`
		Name         string              `db:"name"`
		SupportEmail *string             `db:"support_email"`
		Locale       *string             `db:"locale"`
	}
	err := c.Get(ctx, &row, `
		SELECT s.status, s.invite_generation, s.erased_at, o.name, o.support_email, o.locale
		FROM candidate_sessions s JOIN organizations o ON o.id = s.organization_id WHERE s.id = ?`, sessionID)
	if errors.Is(err, sql.ErrNoRows) {
		return errUnauthenticated
	}
	if err != nil {
		return err
	}
	ended := EndedInvite{Organization: row.Name, SupportEmail: row.SupportEmail, Locale: row.Locale}
	switch {
	case row.ErasedAt != nil:
		ended.Reason = InviteErased
	case row.Status == rules.SessionCancelled:
		ended.Reason = InviteCancelled
	case generation < row.Generation:
		ended.Reason = InviteReplaced
	default: // a token of a later link: this read came before its commit
		return errUnauthenticated
	}
	refusal := *errUnauthenticated
	refusal.Ended = &ended
	return &refusal
}
