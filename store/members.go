package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Person is a member of an organization, or an invited person, as members see them.
type Person struct {
	ID                  string    `db:"id"`
	Name                string    `db:"name"`
	Email               string    `db:"email"`
	Role                Role      `db:"role"`
	Invited             bool      `db:"invited"`               // has not set a password yet
	InvitationExpiresAt *Time     `db:"invitation_expires_at"` // nil without a link
	LimitedTo           LimitedTo `db:"limited_to"`
	DeactivatedAt       *Time     `db:"deactivated_at"` // nil unless the identity provider has deactivated the person
	CreatedAt           Time      `db:"created_at"`
	UpdatedAt           Time      `db:"updated_at"`
	HasFactor           bool      `db:"has_second_factor"`
}

// InvitedPerson is a person with their invitation link, which is shown once.
type InvitedPerson struct {
	Person
	InvitationURL string
}

// The same columns of both tables.
const (
	personColumns = `SELECT id, name, email, role, limited_to, invited, invitation_expires_at, deactivated_at,
		created_at, updated_at, has_second_factor FROM`
	memberColumns = `SELECT id, name, email, ` + roleColumn + `, ` + limitColumn + `,
		FALSE AS invited, invitation_expires_at, deactivated_at, created_at, updated_at,
		` + factorColumn + ` FROM users`
	invitationColumns = `SELECT id, name, email, ` + roleColumn + `, ` + limitColumn + `, TRUE AS invited,
		expires_at AS invitation_expires_at, deactivated_at, created_at, updated_at,
		FALSE AS has_second_factor FROM invitations`
)

// ListMembers returns a page of members and invited people, and whether there are more.
func (s *Store) ListMembers(ctx context.Context, scope Scope, page Page) ([]Person, bool, error) {
	active := filterOf(scope, page)
	active.and("removed_at IS NULL")
	members, args := active.newestFirst(memberColumns, page)
	invitations, more := filterOf(scope, page).newestFirst(invitationColumns, page)
	args = append(append(args, more...), page.Limit+1)
	var people []Person
	if err := s.read().List(ctx, &people, personColumns+` (`+members+`) AS m
		UNION ALL `+personColumns+` (`+invitations+`) AS i
		ORDER BY id DESC LIMIT ?`, args...); err != nil {
		return nil, false, err
	}
	people, mayHaveMore := cut(people, page.Limit)
	return people, mayHaveMore, nil
}

// RetrieveMember returns a member or an invited person.
func (s *Store) RetrieveMember(ctx context.Context, scope Scope, id string) (Person, error) {
	return s.read().person(ctx, scope, id)
}

func (c conn) person(ctx context.Context, scope Scope, id string) (Person, error) {
	var person Person
	err := c.Get(ctx, &person, memberColumns+` WHERE organization_id = ? AND id = ? AND removed_at IS NULL
		UNION ALL `+invitationColumns+` WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, id, scope.OrganizationID, id)
	return person, orRefuse(err, errNoMember)
}

// NewMember is the input of CreateMember.
type NewMember struct {
	Name      string
	Email     string
	Role      Role
	LimitedTo LimitedTo // only for a MEMBER and a REVIEWER
}

// CreateMember invites a person and returns the link with which they set their
// password, only this once. It makes no account, and does not depend on accounts in
// other organizations. Refusals: insufficient_role, email_not_confirmed, member_quota_exceeded,
// already_member, secret_already_shown, invalid_request, *Limited.
func (s *Store) CreateMember(ctx context.Context, scope Scope, in NewMember) (InvitedPerson, error) {
	// Before onceShown, which could refuse with the id of an OWNER's request.
	if err := mayGrant(scope, in.Role); err != nil {
		return InvitedPerson{}, err
	}
	var added InvitedPerson
	err := onceShown(ctx, s, scope, &added.ID, func(c conn) error {
		if err := c.requireProved(ctx, scope); err != nil {
			return err
		}
		if err := c.requireMemberRoom(ctx, scope); err != nil {
			return err
		}
		if err := c.checkLimit(ctx, scope, in.Role, in.LimitedTo); err != nil {
			return err
		}
		var err error
		if added, err = c.insertInvitation(ctx, scope, in); err != nil {
			return err
		}
		changes := auditChanges{valueOf("role", in.Role)}
		changes.compare("assessmentIds", nil, in.LimitedTo.shown())
		entry, err := c.auditID(ctx, scope, AuditMemberAdded, added.ID, changes...)
		if err != nil {
			return err
		}
		return c.queueInvitation(ctx, added.Person, scope, entry)
	})
	return added, err
}

// MemberChange is the input of UpdateMember.
type MemberChange struct {
	Role  Role
	Limit Change[LimitedTo] // not set: the one that the person has, if the role can have one
}

// after returns the limit of a person after the change.
func (in MemberChange) after(person Person) LimitedTo {
	switch {
	case in.Limit.Set && in.Limit.Value == nil:
		return nil
	case in.Limit.Set:
		return *in.Limit.Value
	case in.Role.canBeLimited():
		return person.LimitedTo
	}
	return nil
}

// UpdateMember changes a person's role, and the assessments that the person sees, with immediate effect. A change of
// the role ends the link of an invited person, because the link was sent for the old role.
// Refusals: not_found, insufficient_role, last_owner, invalid_request.
func (s *Store) UpdateMember(ctx context.Context, scope Scope, id string, in MemberChange) (Person, error) {
	defer s.credentials.forget()
	var changed Person
	err := s.write(ctx, func(c conn) error {
		person, err := c.lockMember(ctx, scope, id)
		if err != nil {
			return err
		}
		changed = person
		limit, changes := in.after(person), auditChanges{}
		changes.compare("role", person.Role, in.Role)
		changes.compare("assessmentIds", person.LimitedTo.shown(), limit.shown())
		if len(changes) == 0 {
			return nil
		}
		if err := mayGrant(scope, in.Role); err != nil {
			return err
		}
		if err := c.checkLimit(ctx, scope, in.Role, limit); err != nil {
			return err
		}
		if err := c.storeMember(ctx, scope, person, in.Role, limit); err != nil {
			return err
		}
		if changed, err = c.person(ctx, scope, id); err != nil {
			return err
		}
		entry, err := c.auditID(ctx, scope, AuditMemberRoleChanged, id, changes...)
		if err != nil || person.Invited || person.Role == in.Role {
			return err
		}
		return c.queueNotice(ctx, EmailRoleChanged, scope.OrganizationID, id, entry)
	})
	return changed, err
}

func (c conn) storeMember(ctx context.Context, scope Scope, person Person, role Role, limit LimitedTo) error {
	table := "users"
	if person.Invited {
		table = "invitations"
	}
	if _, err := c.Exec(ctx, `UPDATE `+table+` SET role = ?, is_editor = ?, limited_to = ?, updated_at = ?
		WHERE organization_id = ? AND id = ?`,
		role.stored(), role == Editor, limit.column(), c.store.Now(), scope.OrganizationID, person.ID); err != nil {
		return err
	}
	if person.Invited {
		if person.Role == role {
			return nil
		}
		return c.endInvitationLink(ctx, scope, person.ID)
	}
	end := c.endHiddenEmails
	if role == Reviewer {
		end = c.endSubscriptions
	}
	if err := end(ctx, scope, person.ID, limit); err != nil {
		return err
	}
	if limit != nil {
		if err := c.endClaims(ctx, scope, person.ID, limit); err != nil {
			return err
		}
	}
	return c.requireOwner(ctx, scope)
}

// RemoveMember ends a person's membership and their logins, or an invitation.
// Refusals: not_found, insufficient_role, last_owner.
func (s *Store) RemoveMember(ctx context.Context, scope Scope, id string) error {
	defer s.credentials.forget()
	return s.write(ctx, func(c conn) error {
		person, err := c.lockMember(ctx, scope, id)
		if err != nil {
			return err
		}
		now := s.Now()
		if person.Invited {
			err = c.deleteInvitation(ctx, scope, id, now)
		} else {
			err = c.removeUser(ctx, scope, id, now)
		}
		if err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditMemberRemoved, id)
	})
}

// removeUser keeps the row, without a password, because API keys and the audit log
// refer to it.
func (c conn) removeUser(ctx context.Context, scope Scope, id string, now time.Time) error {
	if err := c.endAccount(ctx, scope, id, now); err != nil {
		return err
	}
	return c.requireOwner(ctx, scope)
}

// endAccount is removeUser, also of the last OWNER.
func (c conn) endAccount(ctx context.Context, scope Scope, id string, now time.Time) error {
	var personID string
	if err := c.Get(ctx, &personID, `SELECT person_id FROM users WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, id); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `
		UPDATE users SET removed_at = ?, email_key = id, password_hash = ?, unproved = FALSE, updated_at = ?
		WHERE organization_id = ? AND id = ?`,
		now, c.store.passwords.decoy, now, scope.OrganizationID, id); err != nil {
		return err
	}
	if err := c.endSecondFactors(ctx, personID); err != nil {
		return err
	}
	all := scope
	all.LoginID = "" // including the caller's own, when people remove themselves
	if _, err := c.endLogins(ctx, all, id, now); err != nil {
		return err
	}
	if err := c.endClaims(ctx, scope, id, nil); err != nil {
		return err
	}
	if err := c.endProvisioning(ctx, scope, id); err != nil {
		return err
	}
	return c.endEmails(ctx, scope, id)
}

// lockMember reads and locks a member or an invited person for a change. It refuses a
// change of an OWNER by anybody else. It also locks the organization, so that two changes
// at once cannot remove the last OWNER.
//
// Accepting an invitation and signing in lock the person first, and then add a row
// that refers to the organization. FOR NO KEY UPDATE permits that row; FOR UPDATE
// would cause a deadlock.
func (c conn) lockMember(ctx context.Context, scope Scope, id string) (Person, error) {
	lock := c.store.db.ForNoKeyUpdate
	if err := c.lockOrganization(ctx, scope); err != nil {
		return Person{}, err
	}
	// Invitations first: an acceptance that runs now removes the row, and the second statement finds the member.
	var person Person
	err := c.Get(ctx, &person, invitationColumns+` WHERE organization_id = ? AND id = ?`+lock, scope.OrganizationID, id)
	if errors.Is(err, sql.ErrNoRows) {
		err = c.Get(ctx, &person, memberColumns+` WHERE organization_id = ? AND id = ? AND removed_at IS NULL`+lock,
			scope.OrganizationID, id)
	}
	if err != nil {
		return Person{}, orRefuse(err, errNoMember)
	}
	return person, mayGrant(scope, person.Role)
}

// lockOrganization makes other changes of the organization's people wait.
func (c conn) lockOrganization(ctx context.Context, scope Scope) error {
	var held string
	err := c.Get(ctx, &held, `SELECT id FROM organizations WHERE id = ?`+c.store.db.ForNoKeyUpdate, scope.OrganizationID)
	return orRefuse(err, errNoOrganization)
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
		SELECT COUNT(*) FROM users
		WHERE organization_id = ? AND role = 'OWNER' AND removed_at IS NULL AND deactivated_at IS NULL`,
		scope.OrganizationID); err != nil {
		return err
	}
	if owners == 0 {
		return errLastOwner
	}
	return nil
}
