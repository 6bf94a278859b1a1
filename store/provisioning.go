package store

import (
	"context"
	"errors"
	"strings"

	"assay/store/internal/db"
)

// ProvisioningScope is the scope of API keys for the identity provider of an organization, which creates, changes, and
// deactivates its members. A key with it has no other scope.
const ProvisioningScope = "members:provision"

// ProvisionedMember is a member or an invited person, as the identity provider of the organization sees them.
type ProvisionedMember struct {
	Person
	ExternalID *string `db:"external_id"` // the provider's id of the person
	GivenName  *string `db:"given_name"`  // as the provider sent it; see Person.Name for the shown name
	FamilyName *string `db:"family_name"`
}

const (
	provisionedUsers = `SELECT id, name, email, ` + roleColumn + `, ` + limitColumn + `, FALSE AS invited, deactivated_at,
		created_at, updated_at, external_id, given_name, family_name
		FROM users LEFT JOIN provisioned_members ON member_id = id`
	provisionedInvitations = `SELECT id, name, email, ` + roleColumn + `, ` + limitColumn + `, TRUE AS invited,
		deactivated_at, created_at, updated_at, external_id, given_name, family_name
		FROM invitations LEFT JOIN provisioned_members ON member_id = id`
)

// ProvisionedFilter selects members. A nil field does not narrow the list.
type ProvisionedFilter struct {
	Email      *string
	ExternalID *string
}

// ProvisionedPage is a part of a list whose pages have numbers, as SCIM has them.
type ProvisionedPage struct {
	Offset, Limit int
}

// ListProvisioned returns members and invited people, oldest first, and how many there are on all pages.
func (s *Store) ListProvisioned(
	ctx context.Context, scope Scope, filter ProvisionedFilter, page ProvisionedPage,
) ([]ProvisionedMember, int, error) {
	users := ` WHERE users.organization_id = ? AND removed_at IS NULL`
	invitations := ` WHERE invitations.organization_id = ?`
	ofUsers, ofInvitations := []any{scope.OrganizationID}, []any{scope.OrganizationID}
	if filter.Email != nil {
		// Only one membership of a person has the address as its key.
		users += ` AND person_id = (SELECT a.person_id FROM users a WHERE a.email_key = ?)`
		invitations += ` AND email_key = ?`
		ofUsers = append(ofUsers, emailKey(*filter.Email))
		ofInvitations = append(ofInvitations, emailKey(*filter.Email))
	}
	if filter.ExternalID != nil {
		const hasID = ` AND id IN (SELECT member_id FROM provisioned_members WHERE organization_id = ? AND external_id = ?)`
		users, invitations = users+hasID, invitations+hasID
		ofUsers = append(ofUsers, scope.OrganizationID, *filter.ExternalID)
		ofInvitations = append(ofInvitations, scope.OrganizationID, *filter.ExternalID)
	}
	var total int
	if err := s.read().Get(ctx, &total, `SELECT (SELECT COUNT(*) FROM users`+users+`) +
		(SELECT COUNT(*) FROM invitations`+invitations+`)`, append(ofUsers, ofInvitations...)...); err != nil {
		return nil, 0, err
	}
	var members []ProvisionedMember
	if page.Limit == 0 || page.Offset >= total {
		return members, total, nil
	}
	args := append(append(ofUsers, ofInvitations...), page.Limit, page.Offset)
	err := s.read().List(ctx, &members, provisionedUsers+users+` UNION ALL `+provisionedInvitations+invitations+`
		ORDER BY id LIMIT ? OFFSET ?`, args...)
	return members, total, err
}

// RetrieveProvisioned returns a member or an invited person. Refusal: not_found.
func (s *Store) RetrieveProvisioned(ctx context.Context, scope Scope, id string) (ProvisionedMember, error) {
	return s.read().provisioned(ctx, scope, id)
}

func (c conn) provisioned(ctx context.Context, scope Scope, id string) (ProvisionedMember, error) {
	var member ProvisionedMember
	err := c.Get(ctx, &member, provisionedUsers+` WHERE users.organization_id = ? AND id = ? AND removed_at IS NULL
		UNION ALL `+provisionedInvitations+` WHERE invitations.organization_id = ? AND id = ?`,
		scope.OrganizationID, id, scope.OrganizationID, id)
	return member, orRefuse(err, errNoMember)
}

// ProvisionedChange is what an identity provider says of a person. A field that is nil or not set does not change.
type ProvisionedChange struct {
	Email      *string
	Name       *string
	GivenName  Change[string]
	FamilyName Change[string]
	ExternalID Change[string]
	Role       Change[Role] // nil for no role of the provider
	Active     *bool
}

// name returns the name of a person after the change.
func (in ProvisionedChange) name(before ProvisionedMember) string {
	if in.Name != nil {
		return *in.Name
	}
	joined := joinedName(in.GivenName.or(before.GivenName), in.FamilyName.or(before.FamilyName))
	if joined == "" || joined == joinedName(before.GivenName, before.FamilyName) {
		return before.Name // the person can have changed it
	}
	return joined
}

// role returns the role of a person after the change. A person without a role of the provider has no more rights than
// a MEMBER.
func (in ProvisionedChange) role(before Role) Role {
	switch {
	case !in.Role.Set:
		return before
	case in.Role.Value != nil:
		return *in.Role.Value
	case before == Admin, before == Editor:
		return Member
	}
	return before
}

// or returns the new value, or the one before if the field is absent.
func (c Change[T]) or(before *T) *T {
	if c.Set {
		return c.Value
	}
	return before
}

func joinedName(names ...*string) string {
	var parts []string
	for _, name := range names {
		if name != nil {
			parts = append(parts, *name)
		}
	}
	return strings.Join(parts, " ")
}

// Provision adds the person whose address is in said, for the identity provider: a member, if the provider of the
// organization signs in the people of the domain, or an invitation, which is sent by email as in CreateMember.
// Refusals: insufficient_role for an OWNER, email_not_confirmed, member_quota_exceeded, already_member, *Limited.
func (s *Store) Provision(ctx context.Context, scope Scope, said ProvisionedChange) (ProvisionedMember, error) {
	nameless, _, _ := strings.Cut(*said.Email, "@")
	in := NewMember{
		Name: said.name(ProvisionedMember{Person: Person{Name: nameless}}), Email: *said.Email, Role: said.role(Member),
	}
	if err := mayGrant(scope, in.Role); err != nil {
		return ProvisionedMember{}, err
	}
	in.LimitedTo = provisionedLimit(in.Role, nil)
	var member ProvisionedMember
	err := s.write(ctx, func(c conn) error {
		if err := c.requireProved(ctx, scope); err != nil {
			return err
		}
		if err := c.requireMemberRoom(ctx, scope); err != nil {
			return err
		}
		if err := c.provisionable(ctx, scope, in.Email); err != nil {
			return err
		}
		invited, err := c.insertInvitation(ctx, scope, in)
		if err != nil {
			return err
		}
		if err := c.storeProvisioned(ctx, scope, ProvisionedMember{Person: invited.Person}, said); err != nil {
			return err
		}
		entry, err := c.auditID(ctx, scope, AuditMemberAdded, invited.ID, valueOf("role", in.Role))
		if err != nil {
			return err
		}
		added, err := c.joinProvisioned(ctx, scope, invited.Person)
		if err != nil {
			return err
		}
		switch {
		case said.Active != nil && !*said.Active:
			err = c.deactivate(ctx, scope, added)
		case added.Invited:
			err = c.queueInvitation(ctx, added, scope, entry)
		}
		if err != nil {
			return err
		}
		member, err = c.provisioned(ctx, scope, added.ID)
		return err
	})
	return member, err
}

// joinProvisioned makes a new invitation a membership without a password, if the sign-in provider of the organization
// signs in the people of the domain. A person with an account stays invited, because a membership would show
// the name of the account, which another organization may know alone. The first sign-in with the provider accepts it.
func (c conn) joinProvisioned(ctx context.Context, scope Scope, invited Person) (Person, error) {
	var signsIn bool
	if err := c.Get(ctx, &signsIn, `SELECT EXISTS (
		SELECT 1 FROM sign_in_domains d JOIN sign_in_providers p ON p.organization_id = d.organization_id
		WHERE d.organization_id = ? AND d.domain = ? AND d.verified_at IS NOT NULL)`,
		scope.OrganizationID, domainOf(invited.Email)); err != nil || !signsIn {
		return invited, err
	}
	now := c.store.Now()
	_, err := c.insertWithoutPassword(ctx, User{
		ID: invited.ID, OrganizationID: scope.OrganizationID, PersonID: personOf(invited.ID), Name: invited.Name,
		Email: invited.Email, PasswordHash: c.store.passwords.decoy, Role: invited.Role,
	}, emailKey(invited.Email), invited.LimitedTo, now)
	if errors.Is(err, RefusedAccount) {
		return invited, nil
	}
	if err != nil {
		return Person{}, err
	}
	if err := c.deleteInvitation(ctx, scope, invited.ID, now); err != nil {
		return Person{}, err
	}
	if err := c.audit(ctx, scope, AuditMemberJoined, invited.ID); err != nil {
		return Person{}, err
	}
	return c.person(ctx, scope, invited.ID)
}

// provisionable refuses an address outside the verified domains of the organization, if it has any.
func (c conn) provisionable(ctx context.Context, scope Scope, email string) error {
	var permitted bool
	err := c.Get(ctx, &permitted, `SELECT
		NOT EXISTS (SELECT 1 FROM sign_in_domains WHERE organization_id = ? AND verified_at IS NOT NULL)
		OR EXISTS (SELECT 1 FROM sign_in_domains WHERE organization_id = ? AND domain = ? AND verified_at IS NOT NULL)`,
		scope.OrganizationID, scope.OrganizationID, domainOf(email))
	if err == nil && !permitted {
		return errForeignDomain
	}
	return err
}

// provisionedLimit is the limit of a person with a role of the provider. A REVIEWER sees only assessments that a person
// has chosen, so a new one sees none.
func provisionedLimit(role Role, before LimitedTo) LimitedTo {
	switch {
	case !role.canBeLimited():
		return nil
	case role == Reviewer && before == nil:
		return LimitedTo{}
	}
	return before
}

// UpdateProvisioned changes a person as the identity provider says, with immediate effect. A deactivated member keeps
// the id and the role, and can be activated again.
// Refusals: not_found, insufficient_role for an OWNER, invalid_request for another address, already_member, *Limited.
func (s *Store) UpdateProvisioned(
	ctx context.Context, scope Scope, id string, in ProvisionedChange,
) (ProvisionedMember, error) {
	defer s.credentials.forget()
	if in.Role.Value != nil {
		if err := mayGrant(scope, *in.Role.Value); err != nil {
			return ProvisionedMember{}, err
		}
	}
	var member ProvisionedMember
	err := s.write(ctx, func(c conn) error {
		if _, err := c.lockMember(ctx, scope, id); err != nil {
			return err
		}
		before, err := c.provisioned(ctx, scope, id)
		if err != nil {
			return err
		}
		if in.Email != nil && emailKey(*in.Email) != emailKey(before.Email) {
			return errAddressFixed
		}
		if err := c.provisionRole(ctx, scope, before.Person, in); err != nil {
			return err
		}
		if err := c.provisionNames(ctx, scope, before, in); err != nil {
			return err
		}
		if active := before.DeactivatedAt == nil; in.Active != nil && *in.Active != active {
			change := c.deactivate
			if *in.Active {
				change = c.reactivate
			}
			if err := change(ctx, scope, before.Person); err != nil {
				return err
			}
		}
		member, err = c.provisioned(ctx, scope, id)
		return err
	})
	return member, err
}

func (c conn) provisionRole(ctx context.Context, scope Scope, person Person, in ProvisionedChange) error {
	role := in.role(person.Role)
	if role == person.Role {
		return nil
	}
	limit := provisionedLimit(role, person.LimitedTo)
	if err := c.storeMember(ctx, scope, person, role, limit); err != nil {
		return err
	}
	changes := auditChanges{}
	changes.compare("role", person.Role, role)
	changes.compare("assessmentIds", person.LimitedTo.shown(), limit.shown())
	entry, err := c.auditID(ctx, scope, AuditMemberRoleChanged, person.ID, changes...)
	if err != nil {
		return err
	}
	if !person.Invited {
		return c.queueNotice(ctx, EmailRoleChanged, scope.OrganizationID, person.ID, entry)
	}
	if person.DeactivatedAt != nil {
		return nil
	}
	// The link was sent for the old role, and nobody else would send a new one.
	renewed, err := c.renewInvitation(ctx, scope, person.ID)
	if err != nil {
		return err
	}
	return c.queueInvitation(ctx, renewed.Person, scope, entry)
}

// provisionNames stores the names and the external id. The name that others see belongs to the person: it stays if the
// person is a member of another organization, too.
func (c conn) provisionNames(ctx context.Context, scope Scope, before ProvisionedMember, in ProvisionedChange) error {
	name := in.name(before)
	changes := auditChanges{}
	changes.compare("name", before.Name, name)
	changes.compare("givenName", given(before.GivenName), given(in.GivenName.or(before.GivenName)))
	changes.compare("familyName", given(before.FamilyName), given(in.FamilyName.or(before.FamilyName)))
	changes.compare("externalId", given(before.ExternalID), given(in.ExternalID.or(before.ExternalID)))
	if len(changes) == 0 {
		return nil
	}
	if err := c.storeProvisioned(ctx, scope, before, in); err != nil {
		return err
	}
	update := `UPDATE users SET name = CASE WHEN EXISTS (SELECT 1 FROM users o
			WHERE o.person_id = users.person_id AND o.id <> users.id) THEN name ELSE ? END, updated_at = ?
		WHERE organization_id = ? AND id = ?`
	if before.Invited {
		update = `UPDATE invitations SET name = ?, updated_at = ? WHERE organization_id = ? AND id = ?`
	}
	if _, err := c.Exec(ctx, update, name, c.store.Now(), scope.OrganizationID, before.ID); err != nil {
		return err
	}
	return c.audit(ctx, scope, AuditMemberChanged, before.ID, changes...)
}

func (c conn) storeProvisioned(ctx context.Context, scope Scope, before ProvisionedMember, in ProvisionedChange) error {
	_, err := c.Exec(ctx, `
		INSERT INTO provisioned_members (member_id, organization_id, external_id, given_name, family_name)
		VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (member_id) DO UPDATE SET external_id = excluded.external_id, given_name = excluded.given_name,
			family_name = excluded.family_name`,
		before.ID, scope.OrganizationID, in.ExternalID.or(before.ExternalID), in.GivenName.or(before.GivenName),
		in.FamilyName.or(before.FamilyName))
	if db.IsUnique(err, "provisioned_members_external_id", "provisioned_members.organization_id",
		"provisioned_members.external_id") {
		return errExternalIDTaken
	}
	return err
}

// endProvisioning forgets what the provider said of a person without a membership or an invitation.
func (c conn) endProvisioning(ctx context.Context, scope Scope, id string) error {
	_, err := c.Exec(ctx, `
		DELETE FROM provisioned_members WHERE organization_id = ? AND member_id = ? AND NOT EXISTS (
			SELECT 1 FROM users WHERE id = member_id AND removed_at IS NULL)`, scope.OrganizationID, id)
	return err
}
