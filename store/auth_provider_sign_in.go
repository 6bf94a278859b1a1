package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// ProviderIdentity is what a verified ID token says about a person.
type ProviderIdentity struct {
	Issuer        string
	Subject       string
	Email         string
	EmailVerified bool
	Name          string
	Claims        []string // the values of the claim for roles
}

// ProviderRefusal is why a provider's sign-in is refused, as the audit log and the sign-in page have it.
type ProviderRefusal string

func (r ProviderRefusal) Error() string { return "sign-in with the provider refused: " + string(r) }

// The refusals.
const (
	RefusedAddress  ProviderRefusal = "email_not_accepted" // not verified, or not of a verified domain
	RefusedMember   ProviderRefusal = "not_a_member"       // unknown, removed, deactivated, or above the quota
	RefusedAccount  ProviderRefusal = "account_elsewhere"  // an account whose address is not confirmed keeps the address
	RefusedIdentity ProviderRefusal = "identity_conflict"  // the member with the address has signed in as another subject
	RefusedProvider ProviderRefusal = "provider_changed"   // since the sign-in started
)

// UnscopedProviderSignIn signs in the person of an ID token, in the organization of the provider and nowhere else.
// The first time, it links the identity to the member with the address, to an invitation of the address, or to a new
// member. Later, only the subject decides. Error: ProviderRefusal.
func (s *Store) UnscopedProviderSignIn(
	ctx context.Context, from Origin, client ProviderClient, in ProviderIdentity,
) (SignedIn, error) {
	scope := Scope{OrganizationID: client.OrganizationID, Origin: from}
	defer s.credentials.forget() // also of a displaced account
	var out SignedIn
	err := s.write(ctx, func(c conn) error {
		out = SignedIn{}
		if err := c.lockOrganization(ctx, scope); err != nil {
			return err
		}
		provider, err := c.signInProvider(ctx, scope, "")
		if err != nil {
			return err
		}
		if provider.ID != client.ProviderID || provider.Issuer != in.Issuer {
			return RefusedProvider
		}
		if err := c.acceptAddress(ctx, scope, in); err != nil {
			return err
		}
		member, err := c.providerMember(ctx, scope, provider, in)
		if err != nil {
			return err
		}
		now := s.Now()
		if err := c.applyProviderRole(ctx, scope, provider, member, in.Claims); err != nil {
			return err
		}
		out.User = member
		out.Login, err = c.addLogin(ctx, from, member, ByProvider, now)
		if errors.Is(err, errMemberDeactivated) {
			return RefusedMember
		}
		if err != nil {
			return err
		}
		// After the locks of the member, as in a sign-in with a password.
		if _, err := c.Exec(ctx, `UPDATE sign_in_providers SET last_succeeded_at = ? WHERE organization_id = ?`,
			now, scope.OrganizationID); err != nil {
			return err
		}
		return c.audit(ctx, scope.as(member), AuditProviderSignedIn, member.ID)
	})
	return out, err
}

// acceptAddress refuses an address that the provider has not verified, or whose domain the organization has not proved.
func (c conn) acceptAddress(ctx context.Context, scope Scope, in ProviderIdentity) error {
	var verified, open bool
	if err := c.Get(ctx, &verified, `
		SELECT EXISTS (SELECT 1 FROM sign_in_domains WHERE organization_id = ? AND domain = ? AND verified_at IS NOT NULL)`,
		scope.OrganizationID, domainOf(in.Email)); err != nil {
		return err
	}
	if err := c.Get(ctx, &open, `SELECT closed_at IS NULL FROM organizations WHERE id = ?`,
		scope.OrganizationID); err != nil {
		return err
	}
	switch {
	case !open:
		return RefusedMember
	case !in.EmailVerified || !verified:
		return RefusedAddress
	}
	return nil
}

// providerMember returns the member of an identity.
func (c conn) providerMember(
	ctx context.Context, scope Scope, provider SignInProvider, in ProviderIdentity,
) (User, error) {
	member, err := c.linkedMember(ctx, scope, in)
	wasRemoved := errors.Is(err, errNoMember)
	if err == nil || !wasRemoved && !errors.Is(err, sql.ErrNoRows) {
		return member, err
	}
	if member, err = c.memberOfAddress(ctx, scope, in.Email); errors.Is(err, sql.ErrNoRows) {
		member, err = c.joinByProvider(ctx, scope, provider, in, wasRemoved)
	}
	if err != nil {
		return User{}, err
	}
	// A provider can give the address of a former employee to another person, who must not become that member.
	var known bool
	if err := c.Get(ctx, &known, `SELECT EXISTS (
		SELECT 1 FROM sign_in_identities WHERE organization_id = ? AND issuer = ? AND user_id = ?)`,
		scope.OrganizationID, in.Issuer, member.ID); err != nil {
		return User{}, err
	}
	if known {
		return User{}, RefusedIdentity
	}
	_, err = c.Exec(ctx, `
		INSERT INTO sign_in_identities (organization_id, issuer, subject, user_id, created_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (organization_id, issuer, subject) DO UPDATE SET user_id = excluded.user_id`,
		scope.OrganizationID, in.Issuer, in.Subject, member.ID, c.store.Now())
	return member, err
}

// linkedMember returns the member with the subject. Refusal: not_found for a removed member.
func (c conn) linkedMember(ctx context.Context, scope Scope, in ProviderIdentity) (User, error) {
	var userID string
	if err := c.Get(ctx, &userID, `
		SELECT user_id FROM sign_in_identities WHERE organization_id = ? AND issuer = ? AND subject = ?`,
		scope.OrganizationID, in.Issuer, in.Subject); err != nil {
		return User{}, err
	}
	var member User
	err := c.Get(ctx, &member, memberOf+` WHERE organization_id = ? AND id = ? AND removed_at IS NULL`,
		scope.OrganizationID, userID)
	return member, orRefuse(err, errNoMember)
}

// memberOfAddress returns the member with an address. Somebody else can have made an account whose address was not
// proved: the provider proves it, and the password and the sign-ins of the account end.
func (c conn) memberOfAddress(ctx context.Context, scope Scope, email string) (User, error) {
	account, err := c.accountOf(ctx, email)
	if err != nil {
		return User{}, err
	}
	var member User
	if err := c.Get(ctx, &member, memberOf+` WHERE organization_id = ? AND person_id = ? AND removed_at IS NULL`,
		scope.OrganizationID, account.PersonID); err != nil || !member.Unproved {
		return member, err
	}
	var linked bool
	if err := c.lockPerson(ctx, member.PersonID); err != nil {
		return User{}, err
	}
	if err := c.Get(ctx, &linked, `SELECT EXISTS (
		SELECT 1 FROM users WHERE person_id = ? AND organization_id <> ?)`,
		member.PersonID, scope.OrganizationID); err != nil {
		return User{}, err
	}
	if linked { // a provider proves the address to its organization only
		return User{}, RefusedAccount
	}
	now := c.store.Now()
	if _, err := c.Exec(ctx, `UPDATE users SET password_hash = ?, updated_at = ? WHERE person_id = ?`,
		c.store.passwords.decoy, now, member.PersonID); err != nil {
		return User{}, err
	}
	if err := c.endPassword(ctx, scope, member.PersonID, now); err != nil {
		return User{}, err
	}
	if err := c.endUnprovedFactors(ctx, scope, member); err != nil {
		return User{}, err
	}
	return member, c.prove(ctx, scope, member)
}

// joinByProvider adds the membership of an invitation, or of a new member. A member who was removed needs an
// invitation.
func (c conn) joinByProvider(
	ctx context.Context, scope Scope, provider SignInProvider, in ProviderIdentity, wasRemoved bool,
) (User, error) {
	var invited struct {
		User
		LimitedTo     LimitedTo `db:"limited_to"`
		DeactivatedAt *Time     `db:"deactivated_at"`
	}
	err := c.Get(ctx, &invited, `SELECT id, organization_id, name, email, `+roleColumn+`, `+limitColumn+`, deactivated_at
		FROM invitations WHERE organization_id = ? AND email_key = ?`+c.store.db.ForUpdate,
		scope.OrganizationID, emailKey(in.Email))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return User{}, err
	}
	isInvited := err == nil
	if isInvited && invited.DeactivatedAt != nil { // without a row, it is not nil either
		return User{}, RefusedMember
	}
	now := c.store.Now()
	member, limit := invited.User, invited.LimitedTo
	if !isInvited {
		if !provider.CreateMembers || wasRemoved {
			return User{}, RefusedMember
		}
		if err := c.requireMemberRoom(ctx, scope); err != nil {
			if refusal := (*Error)(nil); errors.As(err, &refusal) {
				return User{}, RefusedMember
			}
			return User{}, err
		}
		member = User{ID: c.store.NewID("usr"), Name: in.Name, Email: in.Email, Role: provider.DefaultRole}
		if role := provider.roleOf(in.Claims); role != "" {
			member.Role = role
		}
		if member.Role == Reviewer {
			limit = LimitedTo{}
		}
	}
	member.OrganizationID = scope.OrganizationID
	if member, err = c.insertProviderMember(ctx, scope, member, limit, now); err != nil {
		return User{}, err
	}
	if isInvited { // after the insertion, so that what a provider has said of the person stays
		if err := c.deleteInvitation(ctx, scope, member.ID, now); err != nil {
			return User{}, err
		}
	}
	return member, c.audit(ctx, scope.as(member), AuditMemberJoined, member.ID)
}

// insertProviderMember adds a membership to the account of the address, or to a new one without a password.
func (c conn) insertProviderMember(
	ctx context.Context, scope Scope, member User, limit LimitedTo, now time.Time,
) (User, error) {
	account, err := c.accountOf(ctx, member.Email)
	if err == nil && account.Unproved {
		if err := c.displace(ctx, scope, member.Email, now); err != nil {
			return User{}, err
		}
		account, err = c.accountOf(ctx, member.Email)
	}
	key := member.ID
	switch {
	case errors.Is(err, sql.ErrNoRows):
		member.PersonID, member.PasswordHash, key = personOf(member.ID), c.store.passwords.decoy, emailKey(member.Email)
	case err != nil:
		return User{}, err
	case account.Unproved:
		return User{}, RefusedAccount
	default:
		if err := c.lockPerson(ctx, account.PersonID); err != nil {
			return User{}, err
		}
		if account, err = c.accountOf(ctx, member.Email); err != nil { // with the password of this moment
			return User{}, err
		}
		member.PersonID, member.PasswordHash, member.Name = account.PersonID, account.PasswordHash, account.Name
		member.Email = account.Email
	}
	return c.insertWithoutPassword(ctx, member, key, limit, now)
}

// insertWithoutPassword adds a membership whose address is proved. Refusal: RefusedAccount if somebody makes an account
// with the address at this moment.
func (c conn) insertWithoutPassword(
	ctx context.Context, member User, key string, limit LimitedTo, now time.Time,
) (User, error) {
	inserted, err := c.Exec(ctx, `
		INSERT INTO users (id, organization_id, person_id, name, email, email_key, password_hash, role, is_editor, limited_to,
			unproved, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, FALSE, ?, ?)
		ON CONFLICT DO NOTHING`,
		member.ID, member.OrganizationID, member.PersonID, member.Name, member.Email, key, member.PasswordHash,
		member.Role.stored(), member.Role == Editor, limit.column(), now, now)
	if err == nil && inserted == 0 {
		err = RefusedAccount
	}
	return member, err
}

// roleOf returns the role of the first value that the person has, or "".
func (p SignInProvider) roleOf(values []string) Role {
	for _, mapping := range p.Roles {
		if slices.Contains(values, mapping.Value) {
			return mapping.Role
		}
	}
	return ""
}

// applyProviderRole gives a member the role that the claim has now. Without one, the member keeps at most the default
// role, so that somebody who has left a group of the provider loses what it gave. It never makes or changes an OWNER.
func (c conn) applyProviderRole(
	ctx context.Context, scope Scope, provider SignInProvider, member User, values []string,
) error {
	if len(provider.Roles) == 0 {
		return nil
	}
	person, err := c.person(ctx, scope, member.ID)
	if err != nil {
		return err
	}
	role := provider.roleOf(values)
	if role == "" {
		role = person.Role.atMost(provider.DefaultRole)
	}
	if person.Role == Owner || person.Role == role {
		return nil
	}
	limit := MemberChange{Role: role}.after(person)
	if role == Reviewer && limit == nil {
		limit = LimitedTo{}
	}
	changes := auditChanges{}
	changes.compare("role", person.Role, role)
	changes.compare("assessmentIds", person.LimitedTo.shown(), limit.shown())
	if err := c.storeMember(ctx, scope, person, role, limit); err != nil {
		return err
	}
	return c.audit(ctx, scope, AuditMemberRoleChanged, member.ID, changes...)
}
