package store

import (
	"context"
	"crypto/sha256"
	"strconv"
	"time"

	"assay/store/internal/db"
	"assay/store/keys"
)

const (
	invitationLifetime = 7 * 24 * time.Hour
	invitationLength   = len(keys.InvitationPrefix) + 64
)

// invitationEmails bounds the emails to one address from one organization, so that nobody
// can be flooded with them.
var invitationEmails = RateLimit{Name: "invitation-email", Requests: 3, Window: 24 * time.Hour}

func hashInvitation(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// ResendMemberInvitation gives an invited person a new link and ends the old one.
// Refusals: not_found, insufficient_role, invitation_accepted, member_deactivated, secret_already_shown,
// *Limited.
func (s *Store) ResendMemberInvitation(ctx context.Context, scope Scope, id string) (InvitedPerson, error) {
	var renewed InvitedPerson
	err := onceShown(ctx, s, scope, &id, func(c conn) error {
		person, err := c.lockMember(ctx, scope, id)
		if err != nil {
			return err
		}
		if !person.Invited {
			return errInvitationAccepted
		}
		if person.DeactivatedAt != nil {
			return errMemberDeactivated
		}
		if err := c.requireProved(ctx, scope); err != nil {
			return err
		}
		if renewed, err = c.renewInvitation(ctx, scope, id); err != nil {
			return err
		}
		entry, err := c.auditID(ctx, scope, AuditMemberInvitationRenewed, id)
		if err != nil {
			return err
		}
		return c.queueInvitation(ctx, renewed.Person, scope, entry)
	})
	return renewed, err
}

// insertInvitation adds an invitation. Refusal: already_member.
func (c conn) insertInvitation(ctx context.Context, scope Scope, in NewMember) (InvitedPerson, error) {
	id, now := c.store.NewID("usr"), c.store.Now()
	token := c.store.opts.Keys.InvitationTokens(id, 1)[0]
	_, err := c.Exec(ctx, `
		INSERT INTO invitations (id, organization_id, name, email, email_key, role, is_editor, limited_to, token_hash,
			expires_at, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		id, scope.OrganizationID, in.Name, in.Email, emailKey(in.Email), in.Role.stored(), in.Role == Editor,
		in.LimitedTo.column(), hashInvitation(token), now.Add(invitationLifetime), now, now)
	if db.IsUnique(err, "invitations_email_key", "invitations.organization_id", "invitations.email_key") {
		return InvitedPerson{}, errAlreadyMember
	}
	if err != nil {
		return InvitedPerson{}, err
	}
	// Only after the insertion, which waits for an acceptance of the address that runs now.
	var member bool
	err = c.Get(ctx, &member, `
		SELECT EXISTS (SELECT 1 FROM users WHERE organization_id = ? AND removed_at IS NULL
			AND person_id = (SELECT a.person_id FROM users a WHERE a.email_key = ?))`,
		scope.OrganizationID, emailKey(in.Email))
	switch {
	case err != nil:
		return InvitedPerson{}, err
	case member:
		return InvitedPerson{}, errAlreadyMember
	}
	return c.invited(ctx, scope, id, token)
}

// renewInvitation replaces the token of a locked invitation.
func (c conn) renewInvitation(ctx context.Context, scope Scope, id string) (InvitedPerson, error) {
	now := c.store.Now()
	if err := c.endInvitation(ctx, scope, id, now); err != nil {
		return InvitedPerson{}, err
	}
	var generation int
	if err := c.Get(ctx, &generation, `SELECT generation + 1 FROM invitations WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, id); err != nil {
		return InvitedPerson{}, err
	}
	token := c.store.opts.Keys.InvitationTokens(id, generation)[0]
	if _, err := c.Exec(ctx, `
		UPDATE invitations SET token_hash = ?, generation = ?, expires_at = ?, updated_at = ?
		WHERE organization_id = ? AND id = ?`,
		hashInvitation(token), generation, now.Add(invitationLifetime), now, scope.OrganizationID, id); err != nil {
		return InvitedPerson{}, err
	}
	return c.invited(ctx, scope, id, token)
}

func (c conn) invited(ctx context.Context, scope Scope, id, token string) (InvitedPerson, error) {
	person, err := c.person(ctx, scope, id)
	return InvitedPerson{person, c.store.invitationLink(token)}, err
}

func (s *Store) invitationLink(token string) string {
	return s.opts.BaseURL + "/accept-invitation#" + token
}

// inviteProofID is what the proof in the email of an invitation stands for. The proof is not in the link that the
// inviting person sees, because that person need not be the owner of the address.
func inviteProofID(id string, generation int) string { return id + "_" + strconv.Itoa(generation) }

// queueInvitation queues the email with a new link. The audit entry names the person who
// created the link. Refusal: *Limited.
func (c conn) queueInvitation(ctx context.Context, invited Person, scope Scope, entryID string) error {
	if !c.store.opts.SendsEmail {
		return nil
	}
	if err := c.count(ctx, invitationEmails, scope.OrganizationID+"/"+hashAccount(invited.Email)); err != nil {
		return err
	}
	return c.queueEmail(ctx, newEmail{
		kind: EmailInvitation, organizationID: scope.OrganizationID, userID: &invited.ID, subjectID: &entryID,
	})
}

func (c conn) endInvitationLink(ctx context.Context, scope Scope, id string) error {
	if err := c.endInvitation(ctx, scope, id, c.store.Now()); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `UPDATE invitations SET token_hash = NULL, expires_at = NULL
		WHERE organization_id = ? AND id = ?`, scope.OrganizationID, id)
	return err
}

func (c conn) deleteInvitation(ctx context.Context, scope Scope, id string, now time.Time) error {
	if err := c.endInvitation(ctx, scope, id, now); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `DELETE FROM invitations WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, id); err != nil {
		return err
	}
	return c.endProvisioning(ctx, scope, id)
}

// endedInvitationRetention is how long the use of an ended token is audited.
const endedInvitationRetention = 30 * 24 * time.Hour

// endInvitation records that the current token of an invitation, if it has one, is ending,
// and cancels the email with it.
func (c conn) endInvitation(ctx context.Context, scope Scope, id string, now time.Time) error {
	if err := c.cancelMemberEmails(ctx, scope, id, EmailInvitation); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `
		INSERT INTO ended_invitations (token_hash, organization_id, user_id, ended_at)
		SELECT token_hash, organization_id, id, ? FROM invitations
		WHERE organization_id = ? AND id = ? AND token_hash IS NOT NULL`, now, scope.OrganizationID, id)
	return err
}
