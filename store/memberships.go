package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/internal/db"
)

// A person is an account with an address and a password. Each membership of a person in an organization is a row of
// users, and the rows of a person have the same person_id, name, password_hash, unproved, and proof_expires_at. Exactly
// one row of a person has the address as its email_key; it is also the lock of the person, see lockPerson. The others
// have their id there. The row of a removed member is a person of its own. A trigger does this, and gives the address
// to another membership.

// maxEntrances bounds the memberships among which a sign-in without a choice looks for the last one.
const maxEntrances = 100

// personOf returns the id of the person whose first membership has the id.
func personOf(userID string) string { return "per_" + userID[min(len(userID), 4):] }

// memberOf selects a User.
const memberOf = `SELECT id, organization_id, person_id, name, email, password_hash, ` + roleColumn + `, unproved
	FROM users`

// insertUser adds a person with their first membership. Refusal: email_taken.
func (c conn) insertUser(ctx context.Context, user User, now time.Time) error {
	_, err := c.Exec(ctx, `
		INSERT INTO users (id, organization_id, person_id, name, email, email_key, password_hash, role, unproved, created_at,
			updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		user.ID, user.OrganizationID, personOf(user.ID), user.Name, user.Email, emailKey(user.Email), user.PasswordHash,
		user.Role, user.Unproved, now, now)
	if db.IsUnique(err, "users_email_key", "users.email_key") {
		return errEmailTaken
	}
	return err
}

// lockPerson makes other changes of the person's account, and new memberships, wait. A transaction that changes several
// rows of a person takes this lock first, and the locks of organizations before it. Refusal: unauthenticated for a
// person without memberships.
func (c conn) lockPerson(ctx context.Context, personID string) error {
	// Another membership can have got the address while this statement waited for the lock.
	for range maxEntrances {
		var held string
		err := c.Get(ctx, &held, `SELECT id FROM users WHERE person_id = ? AND email_key <> id`+c.store.db.ForNoKeyUpdate,
			personID)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		var exists bool
		if err := c.Get(ctx, &exists, `SELECT EXISTS (SELECT 1 FROM users WHERE person_id = ? AND email_key <> id)`,
			personID); err != nil {
			return err
		}
		if !exists {
			break
		}
	}
	return errUnauthenticated
}

// memberships returns the memberships of a person, the one of the last sign-in first.
func (c conn) memberships(ctx context.Context, personID string) ([]User, error) {
	var found []User
	err := c.List(ctx, &found, memberOf+`
		WHERE person_id = ? AND removed_at IS NULL ORDER BY entered_at IS NULL, entered_at DESC, id`+atMost(maxEntrances),
		personID)
	return found, err
}

// entrance returns the membership with which a person signs in: in the organization, or for "" in that of the last one.
// Refusals: invalid_credentials if the person is not a member of the organization, member_deactivated, sso_required.
func (c conn) entrance(ctx context.Context, person User, organizationID string, method SignInMethod) (User, error) {
	var found []User
	var err error
	if organizationID == "" {
		found, err = c.memberships(ctx, person.PersonID)
	} else {
		err = c.List(ctx, &found, memberOf+` WHERE organization_id = ? AND person_id = ? AND removed_at IS NULL`,
			organizationID, person.PersonID)
	}
	if err != nil {
		return User{}, err
	}
	refused := errInvalidCredentials
	for _, member := range found {
		err := c.requireActive(ctx, member)
		if errors.Is(err, errMemberDeactivated) {
			refused = errMemberDeactivated
			continue
		}
		if err != nil {
			return User{}, err
		}
		required := false
		if method == ByPassword {
			if required, err = c.ssoRequired(ctx, member.OrganizationID); err != nil {
				return User{}, err
			}
		}
		if !required {
			return member, nil
		}
		refused = errSSORequired
	}
	return User{}, refused
}

// signInAfter signs a person in after a change that stays even if the sign-in is refused: a new password, or a new
// membership. Refusals: second_factor_required, sso_required.
func (c conn) signInAfter(ctx context.Context, scope Scope, person User, organizationID string) (User, Login, error) {
	member, err := c.entrance(ctx, person, organizationID, ByPassword)
	if err == nil {
		_, err = c.requireSecondFactor(ctx, scope.as(member), member, "")
	}
	if refusal := (*Error)(nil); errors.As(err, &refusal) {
		return User{}, Login{}, commitThenRefuse(err)
	}
	if err != nil {
		return User{}, Login{}, err
	}
	login, err := c.insertLogin(ctx, scope.Origin, member, c.store.Now())
	return member, login, err
}

// enter notes the sign-in of a person with several memberships, so that the next one begins in the same organization.
func (c conn) enter(ctx context.Context, user User, now time.Time) error {
	_, err := c.Exec(ctx, `
		UPDATE users SET entered_at = ? WHERE organization_id = ? AND id = ? AND EXISTS (
			SELECT 1 FROM users o WHERE o.person_id = users.person_id AND o.id <> users.id)`,
		now, user.OrganizationID, user.ID)
	return err
}

// auditPerson audits what concerns a person's account in each of their organizations. It returns the id of the entry in
// the organization of user. If nobody has the account, there is one entry without an organization, so that it takes the
// same time.
func (c conn) auditPerson(ctx context.Context, scope Scope, action AuditAction, user User) (entry string, err error) {
	members, err := c.memberships(ctx, user.PersonID)
	if err != nil {
		return "", err
	}
	if len(members) == 0 {
		members = []User{user}
	}
	for _, member := range members {
		there := scope
		there.OrganizationID = member.OrganizationID
		if scope.UserID != "" {
			there.UserID = member.ID
		}
		id, err := c.auditID(ctx, there, action, member.ID)
		if err != nil {
			return "", err
		}
		if member.ID == user.ID {
			entry = id
		}
	}
	return entry, nil
}

// endPassword ends what depends on the previous password of a person: every login except the scope's, every sign-in
// that needs the second factor, and every link to reset the password, also in an email that is still queued. It does so
// in all organizations. The person is locked.
func (c conn) endPassword(ctx context.Context, scope Scope, personID string, now time.Time) error {
	if _, err := c.Exec(ctx, `
		UPDATE logins SET ended_at = ?
		WHERE user_id IN (SELECT id FROM users WHERE person_id = ?) AND id <> ? AND ended_at IS NULL`,
		now, personID, scope.LoginID); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `DELETE FROM sign_in_challenges WHERE person_id = ?`, personID); err != nil {
		return err
	}
	if err := c.cancelPersonEmails(ctx, personID, EmailPasswordReset); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `DELETE FROM password_resets WHERE `+ofPerson, personID)
	return err
}

// ofPerson finds the rows of the memberships of a person.
const ofPerson = `(organization_id, user_id) IN (SELECT organization_id, id FROM users WHERE person_id = ?)`

// cancelPersonEmails cancels the queued emails of one kind to a person, in all organizations.
func (c conn) cancelPersonEmails(ctx context.Context, personID string, kind EmailKind) error {
	_, err := c.Exec(ctx, `
		UPDATE emails SET status = 'CANCELLED', ready = FALSE, lease = '', ended_at = ?
		WHERE `+ofPerson+` AND kind = ? AND status = 'QUEUED'`, c.store.Now(), personID, kind)
	return err
}

// lockOrganizationsOf locks the organizations of a person, before the person, and returns their ids.
func (c conn) lockOrganizationsOf(ctx context.Context, personID string) ([]string, error) {
	var ids []string
	if err := c.List(ctx, &ids, `
		SELECT organization_id FROM users WHERE person_id = ? AND removed_at IS NULL ORDER BY organization_id`,
		personID); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := c.lockOrganization(ctx, Scope{OrganizationID: id}); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
