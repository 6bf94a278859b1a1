package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"

	"assay/store/keys"
)

// invitation is what a token stands for.
type invitation struct {
	User
	ExpiresAt  *Time `db:"expires_at"` // nil for a token that was used or replaced
	Generation int   `db:"generation"`
}

// AcceptInvitation makes the account of the invited person, with their password, and
// signs them in. The token works once. A token from the email also has a proof after a
// dot: it proves the address, and an unproved account elsewhere loses it, see displace. Refusals: unauthenticated,
// invitation_expired, email_taken if the address has another account elsewhere,
// invalid_request for a weak password, *Limited.
func (s *Store) AcceptInvitation(ctx context.Context, scope Scope, token, password string) (SignedIn, error) {
	token, proof, _ := strings.Cut(token, ".")
	if len(token) != invitationLength || !strings.HasPrefix(token, keys.InvitationPrefix) {
		return SignedIn{}, errUnauthenticated
	}
	hash := hashInvitation(token)
	found, err := s.read().invitation(ctx, hash)
	if err != nil {
		return SignedIn{}, err
	}
	if refusal := found.refusal(s); refusal != nil {
		return SignedIn{}, s.auditDeadInvitation(ctx, scope, hash, found, refusal)
	}
	if weak := s.passwords.weakness("/password", password, found.Email, found.Name); weak != nil {
		return SignedIn{}, errInvalid.with(*weak)
	}
	if err := s.countAcceptance(ctx, scope.Origin, hash); err != nil {
		return SignedIn{}, err
	}
	passwordHash, err := s.passwords.hash(ctx, ofKnown, password)
	if err != nil {
		return SignedIn{}, err
	}
	proof, _ = s.opts.Keys.ParseLinkToken(keys.PurposeInviteProof, proof)
	found.PasswordHash, found.Unproved = passwordHash, proof != inviteProofID(found.ID, found.Generation)
	out, err := s.acceptInvitation(ctx, scope, hash, found)
	if errors.Is(err, errUnauthenticated) || errors.Is(err, errInvitationExpired) { // ended meanwhile
		return SignedIn{}, s.auditDeadInvitation(ctx, scope, hash, found, err)
	}
	return out, err
}

func (s *Store) acceptInvitation(
	ctx context.Context, scope Scope, hash []byte, found invitation,
) (SignedIn, error) {
	scope.OrganizationID = found.OrganizationID
	var out SignedIn
	defer s.credentials.forget() // also of a displaced account
	err := s.write(ctx, func(c conn) error {
		// When two requests use the token at once, the second one does not find it.
		var accepted invitation
		if err := c.Get(ctx, &accepted, `
			SELECT id, organization_id, name, email, `+roleColumn+`, expires_at, generation FROM invitations
			WHERE organization_id = ? AND token_hash = ?`+s.db.ForUpdate, scope.OrganizationID, hash); err != nil {
			return orRefuse(err, errUnauthenticated)
		}
		if refusal := accepted.refusal(s); refusal != nil {
			return refusal
		}
		now := s.Now()
		if !found.Unproved {
			if err := c.displace(ctx, scope, accepted.Email, now); err != nil {
				return err
			}
		}
		inserted, err := c.Exec(ctx, `
			INSERT INTO users (id, organization_id, name, email, email_key, password_hash, role, is_editor, limited_to,
				unproved, created_at, updated_at)
			SELECT id, organization_id, name, email, email_key, ?, role, is_editor, limited_to, ?, created_at, ?
			FROM invitations WHERE organization_id = ? AND id = ?
			ON CONFLICT (email_key) DO NOTHING`, found.PasswordHash, found.Unproved, now, scope.OrganizationID, accepted.ID)
		if err != nil {
			return err
		}
		if inserted == 0 {
			if err := c.audit(ctx, scope, AuditMemberInvitationRefused, accepted.ID); err != nil {
				return err
			}
			return commitThenRefuse(errAccountElsewhere)
		}
		if err := c.deleteInvitation(ctx, scope, accepted.ID, now); err != nil {
			return err
		}
		if err := c.uncountAcceptance(ctx, scope.Origin); err != nil {
			return err
		}
		out = SignedIn{User: accepted.User}
		if out.Login, err = c.insertLogin(ctx, scope.Origin, out.User, now); err != nil {
			return err
		}
		return c.audit(ctx, scope.as(out.User), AuditMemberJoined, out.User.ID)
	})
	return out, err
}

// invitation runs the same statement for every token. Refusal: unauthenticated for a
// token that never existed.
func (c conn) invitation(ctx context.Context, hash []byte) (invitation, error) {
	var found invitation
	err := c.Get(ctx, &found, `
		SELECT id, organization_id, name, email, `+roleColumn+`, expires_at, generation FROM invitations WHERE token_hash = ?
		UNION ALL SELECT user_id, organization_id, '', '', '', NULL, 0 FROM ended_invitations WHERE token_hash = ?`,
		hash, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return invitation{}, errUnauthenticated
	}
	return found, err
}

// refusal returns why the token cannot be used, or nil.
func (i invitation) refusal(s *Store) error {
	switch {
	case i.ExpiresAt == nil:
		return errUnauthenticated
	case !s.Now().Before(i.ExpiresAt.Time):
		return errInvitationExpired
	}
	return nil
}

// auditDeadInvitation audits the use of a token that was used or replaced or has expired,
// and returns the refusal. A limit bounds the entries and not the responses: an unknown
// token always gets the same one.
func (s *Store) auditDeadInvitation(
	ctx context.Context, scope Scope, hash []byte, found invitation, refusal error,
) error {
	var limited *Limited
	switch err := s.count(ctx, s.opts.SignInLimits.Invitation, hex.EncodeToString(hash)); {
	case errors.As(err, &limited):
		return refusal
	case err != nil:
		return err
	}
	scope.OrganizationID = found.OrganizationID
	if err := s.write(ctx, func(c conn) error {
		return c.audit(ctx, scope, AuditMemberInvitationRefused, found.ID)
	}); err != nil {
		return err
	}
	return refusal
}
