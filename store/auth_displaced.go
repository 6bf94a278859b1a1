package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// displacedRetention is how long the data of an organization are kept after an invitation has taken the address of its
// only member: an operator can still read them for that person.
const displacedRetention = 30 * 24 * time.Hour

// displace takes an address from an unproved account, for its owner who accepts an invitation elsewhere. The account
// ends in all its organizations. An organization without another member is closed, and its data are erased later. A
// proved account keeps its address, and so does the only OWNER of an organization with other members.
func (c conn) displace(ctx context.Context, scope Scope, email string, now time.Time) error {
	account, err := c.accountOf(ctx, email)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !account.Unproved {
		return nil
	}
	if err != nil {
		return err
	}
	locked, err := c.lockOrganizationsOf(ctx, account.PersonID)
	if err != nil {
		return err
	}
	if err := c.lockPerson(ctx, account.PersonID); errors.Is(err, errUnauthenticated) { // displaced meanwhile
		return nil
	} else if err != nil {
		return err
	}
	var members []User
	if err := c.List(ctx, &members, memberOf+`
		WHERE person_id = ? AND removed_at IS NULL AND unproved ORDER BY organization_id`, account.PersonID); err != nil {
		return err
	}
	alone := map[string]bool{}
	for _, member := range members {
		var others struct {
			People int `db:"people"`
			Owners int `db:"owners"`
		}
		if err := c.Get(ctx, &others, `
			SELECT COUNT(*) AS people, COALESCE(SUM(CASE WHEN role = 'OWNER' THEN 1 ELSE 0 END), 0) AS owners FROM users
			WHERE organization_id = ? AND id <> ? AND removed_at IS NULL`,
			member.OrganizationID, member.ID); err != nil {
			return err
		}
		isKept := others.People > 0 && others.Owners == 0 || member.OrganizationID == scope.OrganizationID
		if isKept || !slices.Contains(locked, member.OrganizationID) { // or joined meanwhile
			return nil
		}
		alone[member.ID] = others.People == 0
	}
	for _, member := range members {
		theirs := Scope{OrganizationID: member.OrganizationID, Origin: scope.Origin}
		if err := c.endAccount(ctx, theirs, member.ID, now); err != nil {
			return err
		}
		if alone[member.ID] {
			err = c.closeOrganization(ctx, theirs, now, now.Add(displacedRetention))
		} else {
			err = c.audit(ctx, theirs, AuditMemberRemoved, member.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// closeOrganization ends everything with which an organization without people could still be reached, or reach others.
// Its data are erased from eraseAt on.
func (c conn) closeOrganization(ctx context.Context, scope Scope, now, eraseAt time.Time) error {
	if _, err := c.endAllAccess(ctx, scope, now); err != nil {
		return err
	}
	for _, statement := range []struct {
		query string
		args  []any
	}{
		{`UPDATE registration_links SET is_open = FALSE WHERE organization_id = ?`, nil},
		{`UPDATE emails SET status = 'CANCELLED', ready = FALSE, lease = '', ended_at = ?
			WHERE status = 'QUEUED' AND organization_id = ?`, []any{now}},
		{`UPDATE organizations SET closed_at = ?, erase_at = ?, delete_at = NULL WHERE id = ?`, []any{now, eraseAt}},
	} {
		if _, err := c.Exec(ctx, statement.query, append(statement.args, scope.OrganizationID)...); err != nil {
			return err
		}
	}
	c.AfterCommit(func() {
		c.store.opts.Log.InfoContext(ctx, "organization closed", "organization", scope.OrganizationID,
			"erased_from", WireTime(eraseAt))
	})
	return nil
}

// EndedAccess counts what was ended because it was made before an address was proved.
type EndedAccess struct {
	APIKeys  int
	Members  int // and invitations
	Webhooks int // and connections to other systems
}

// endUnprovedOf is endUnproved in all organizations of a person, whose locks the transaction has.
func (c conn) endUnprovedOf(ctx context.Context, scope Scope, user User, now time.Time) (EndedAccess, error) {
	members, err := c.memberships(ctx, user.PersonID)
	if err != nil {
		return EndedAccess{}, err
	}
	var all EndedAccess
	for _, member := range members {
		ended, err := c.endUnproved(ctx, scope.as(member), member, now)
		if err != nil {
			return EndedAccess{}, err
		}
		all.APIKeys += ended.APIKeys
		all.Members += ended.Members
		all.Webhooks += ended.Webhooks
	}
	return all, nil
}

// endUnproved ends what was made in the organization of an OWNER before the OWNER's address was proved: every API key,
// webhook endpoint, connection, invitation, and other member. Somebody else can have made them. It ends nothing in an
// organization with a member whose address is proved, because then that member answers for them.
func (c conn) endUnproved(ctx context.Context, scope Scope, user User, now time.Time) (EndedAccess, error) {
	if user.Role != Owner {
		return EndedAccess{}, nil
	}
	if proved, err := c.provedOrganization(ctx, scope); proved || err != nil {
		return EndedAccess{}, err
	}
	ended, err := c.endAllAccess(ctx, scope, now)
	if err != nil {
		return EndedAccess{}, err
	}
	var people []string
	if err := c.List(ctx, &people, `SELECT id FROM users WHERE organization_id = ? AND id <> ? AND removed_at IS NULL`,
		scope.OrganizationID, user.ID); err != nil {
		return EndedAccess{}, err
	}
	for _, id := range people {
		if err := c.endAccount(ctx, scope, id, now); err != nil {
			return EndedAccess{}, err
		}
		if err := c.audit(ctx, scope, AuditMemberRemoved, id); err != nil {
			return EndedAccess{}, err
		}
	}
	ended.Members += len(people)
	return ended, nil
}

// endAllAccess ends every API key, webhook endpoint, connection to another system, and invitation of an organization.
// The job of the cancelled deliveries cancels the deliveries of the endpoints, which are not sent meanwhile.
func (c conn) endAllAccess(ctx context.Context, scope Scope, now time.Time) (EndedAccess, error) {
	var ended EndedAccess
	for _, kind := range []struct {
		list  string
		end   func(id string) error
		count *int
	}{
		{`SELECT id FROM api_keys WHERE organization_id = ? AND revoked_at IS NULL`, func(id string) error {
			if _, err := c.Exec(ctx, `UPDATE api_keys SET revoked_at = ? WHERE organization_id = ? AND id = ?`,
				now, scope.OrganizationID, id); err != nil {
				return err
			}
			return c.audit(ctx, scope, AuditAPIKeyRevoked, id)
		}, &ended.APIKeys},
		{`SELECT id FROM webhook_endpoints WHERE organization_id = ? AND deleted_at IS NULL`, func(id string) error {
			if err := c.deleteEndpoint(ctx, scope, id, now); err != nil {
				return err
			}
			return c.audit(ctx, scope, AuditWebhookDeleted, id)
		}, &ended.Webhooks},
		{`SELECT id FROM integrations WHERE organization_id = ?`, func(id string) error {
			return c.disconnect(ctx, scope, id)
		}, &ended.Webhooks},
		{`SELECT id FROM invitations WHERE organization_id = ?`, func(id string) error {
			if err := c.deleteInvitation(ctx, scope, id, now); err != nil {
				return err
			}
			return c.audit(ctx, scope, AuditMemberRemoved, id)
		}, &ended.Members},
	} {
		var ids []string
		if err := c.List(ctx, &ids, kind.list, scope.OrganizationID); err != nil {
			return EndedAccess{}, err
		}
		for _, id := range ids {
			if err := kind.end(id); err != nil {
				return EndedAccess{}, err
			}
		}
		*kind.count += len(ids)
	}
	return ended, nil
}
