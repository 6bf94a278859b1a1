package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"assay/store/keys"
)

// Person is a member of an organization, as other members see them.
type Person struct {
	ID                  string `db:"id"`
	Name                string `db:"name"`
	Email               string `db:"email"`
	Role                Role   `db:"role"`
	Invited             bool   `db:"invited"` // has not set a password yet
	InvitationExpiresAt *Time  `db:"invitation_expires_at"`
	CreatedAt           Time   `db:"created_at"`
	UpdatedAt           Time   `db:"updated_at"`
}

// InvitedPerson is a person with their invitation link, which is shown once.
type InvitedPerson struct {
	Person
	InvitationURL string
}

const (
	invitationLifetime = 7 * 24 * time.Hour
	invitationPrefix   = "mbr_"
	invitationLength   = len(invitationPrefix) + 64

	personColumns = `SELECT id, name, email, role, invitation_hash IS NOT NULL AS invited, invitation_expires_at,
		created_at, updated_at FROM users`
)

// ListMembers returns a page of members, and whether there are more.
func (s *Store) ListMembers(ctx context.Context, scope Scope, page Page) ([]Person, bool, error) {
	where := filterOf(scope, page)
	where.sql.WriteString(" AND removed_at IS NULL")
	query, args := where.newestFirst(personColumns, page)
	var people []Person
	if err := s.read().List(ctx, &people, query, args...); err != nil {
		return nil, false, err
	}
	people, more := cut(people, page.Limit)
	return people, more, nil
}

// RetrieveMember returns one member.
func (s *Store) RetrieveMember(ctx context.Context, scope Scope, id string) (Person, error) {
	return s.read().person(ctx, scope, id, "")
}

func (c conn) person(ctx context.Context, scope Scope, id, lock string) (Person, error) {
	var person Person
	err := c.Get(ctx, &person, personColumns+` WHERE organization_id = ? AND id = ? AND removed_at IS NULL`+lock,
		scope.OrganizationID, id)
	return person, orRefuse(err, errNoMember)
}

// NewMember is the input of CreateMember.
type NewMember struct {
	Name  string
	Email string
	Role  Role
}

// CreateMember adds a person and returns the link with which they set their
// password, only this once. Refusals: insufficient_role, member_quota_exceeded,
// email_taken, secret_already_shown.
func (s *Store) CreateMember(ctx context.Context, scope Scope, in NewMember) (InvitedPerson, error) {
	// Before onceShown, which could refuse with the id of an OWNER's request.
	if err := mayGrant(scope, in.Role); err != nil {
		return InvitedPerson{}, err
	}
	token := newInvitation()
	var added InvitedPerson
	err := onceShown(ctx, s, scope, &added.ID, func(c conn) error {
		if err := c.requireMemberRoom(ctx, scope); err != nil {
			return err
		}
		now := s.Now()
		user := User{
			ID: s.NewID("usr"), OrganizationID: scope.OrganizationID,
			Name: in.Name, Email: in.Email, PasswordHash: s.passwords.decoy, Role: in.Role,
		}
		if err := c.insertUser(ctx, user, now); err != nil {
			return err
		}
		var err error
		if added, err = c.renewInvitation(ctx, scope, user.ID, token, now); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditMemberAdded, user.ID)
	})
	return added, err
}

// ResendMemberInvitation gives an invited person a new link and ends the old one.
// Refusals: not_found, insufficient_role, invitation_accepted, secret_already_shown.
func (s *Store) ResendMemberInvitation(ctx context.Context, scope Scope, id string) (InvitedPerson, error) {
	token := newInvitation()
	var renewed InvitedPerson
	err := onceShown(ctx, s, scope, &id, func(c conn) error {
		person, err := c.lockMember(ctx, scope, id)
		if err != nil {
			return err
		}
		if !person.Invited {
			return errInvitationAccepted
		}
		if renewed, err = c.renewInvitation(ctx, scope, id, token, s.Now()); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditMemberInvitationRenewed, id)
	})
	return renewed, err
}

// renewInvitation replaces a person's invitation.
func (c conn) renewInvitation(
	ctx context.Context, scope Scope, id, token string, now time.Time,
) (InvitedPerson, error) {
	if _, err := c.Exec(ctx, `
		UPDATE users SET invitation_hash = ?, invitation_expires_at = ?, updated_at = ? WHERE organization_id = ? AND id = ?`,
		hashInvitation(token), now.Add(invitationLifetime), now, scope.OrganizationID, id); err != nil {
		return InvitedPerson{}, err
	}
	person, err := c.person(ctx, scope, id, "")
	return InvitedPerson{person, c.store.opts.BaseURL + "/accept-invitation#" + token}, err
}

// UpdateMember changes a person's role, with immediate effect. Refusals: not_found,
// insufficient_role, last_owner.
func (s *Store) UpdateMember(ctx context.Context, scope Scope, id string, role Role) (Person, error) {
	defer s.credentials.forget()
	var changed Person
	err := s.write(ctx, func(c conn) error {
		person, err := c.lockMember(ctx, scope, id)
		if err != nil {
			return err
		}
		changed = person
		if person.Role == role {
			return nil
		}
		if err := mayGrant(scope, role); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `UPDATE users SET role = ?, updated_at = ? WHERE organization_id = ? AND id = ?`,
			role, s.Now(), scope.OrganizationID, id); err != nil {
			return err
		}
		if err := c.requireOwner(ctx, scope); err != nil {
			return err
		}
		if changed, err = c.person(ctx, scope, id, ""); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditMemberRoleChanged, id)
	})
	return changed, err
}

// RemoveMember ends a person's membership and their logins. The row stays, without
// a password, because API keys and the audit log refer to it. Refusals: not_found,
// insufficient_role, last_owner.
func (s *Store) RemoveMember(ctx context.Context, scope Scope, id string) error {
	defer s.credentials.forget()
	return s.write(ctx, func(c conn) error {
		if _, err := c.lockMember(ctx, scope, id); err != nil {
			return err
		}
		now := s.Now()
		if _, err := c.Exec(ctx, `
			UPDATE users SET removed_at = ?, email_key = id, password_hash = ?, invitation_hash = NULL,
				invitation_expires_at = NULL, updated_at = ?
			WHERE organization_id = ? AND id = ?`, now, s.passwords.decoy, now, scope.OrganizationID, id); err != nil {
			return err
		}
		if err := c.requireOwner(ctx, scope); err != nil {
			return err
		}
		all := scope
		all.LoginID = "" // including the caller's own, when people remove themselves
		if _, err := c.endLogins(ctx, all, id, now); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditMemberRemoved, id)
	})
}

// lockMember reads and locks a person for a change. It refuses a change of an OWNER
// by anybody else. It also locks the organization, so that two changes at once
// cannot remove the last OWNER.
//
// Accepting an invitation and signing in lock the person first, and then add a row
// that refers to the organization. FOR NO KEY UPDATE permits that row; FOR UPDATE
// would cause a deadlock.
func (c conn) lockMember(ctx context.Context, scope Scope, id string) (Person, error) {
	lock := c.store.db.ForNoKeyUpdate
	var held string
	if err := c.Get(ctx, &held, `SELECT id FROM organizations WHERE id = ?`+lock, scope.OrganizationID); err != nil {
		return Person{}, orRefuse(err, errNoOrganization)
	}
	person, err := c.person(ctx, scope, id, lock)
	if err != nil {
		return Person{}, err
	}
	return person, mayGrant(scope, person.Role)
}

func mayGrant(scope Scope, role Role) error {
	if role == Owner && scope.Role != Owner {
		return errOwnerRequired
	}
	return nil
}

// requireOwner refuses a change that leaves no OWNER who can sign in.
func (c conn) requireOwner(ctx context.Context, scope Scope) error {
	var owners int
	if err := c.Get(ctx, &owners, `
		SELECT COUNT(*) FROM users WHERE organization_id = ? AND role = 'OWNER' AND removed_at IS NULL
			AND invitation_hash IS NULL`,
		scope.OrganizationID); err != nil {
		return err
	}
	if owners == 0 {
		return errLastOwner
	}
	return nil
}

func newInvitation() string { return invitationPrefix + hex.EncodeToString(keys.RandomBytes(32)) }

func hashInvitation(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
