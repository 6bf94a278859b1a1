package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/internal/db"
)

const (
	// deletionGrace is the time between the request to delete an organization and its deletion.
	deletionGrace = 30 * 24 * time.Hour

	// closingTime is the time between the end of all access and the erasure. Requests that were accepted before the end
	// are finished by then, so they write nothing behind the erasure.
	closingTime = credentialLifetime + 2*db.MaxWriteTime
)

// Deletion is the scheduled deletion of an organization.
type Deletion struct {
	RequestedAt     Time
	RequestedByName string
	DeleteAt        Time
}

// Deletion returns the scheduled deletion, or nil if none is scheduled.
func (o Organization) Deletion() *Deletion {
	if o.DeleteAt == nil || o.DeletionRequestedAt == nil {
		return nil
	}
	return &Deletion{
		RequestedAt: *o.DeletionRequestedAt, RequestedByName: value(o.DeletionRequestedByName), DeleteAt: *o.DeleteAt,
	}
}

// ScheduleOrganizationDeletion schedules the deletion of the organization, and tells each OWNER. A scheduled deletion
// keeps its time. Refusals: invalid_request for another name, legal_hold.
func (s *Store) ScheduleOrganizationDeletion(ctx context.Context, scope Scope, name string) (Organization, error) {
	return s.changeDeletion(ctx, scope, func(c conn, before Organization) error {
		if name != before.Name {
			return errWrongOrganizationName
		}
		if before.DeleteAt != nil {
			return nil
		}
		if err := c.refuseHeldOrganization(ctx, scope); err != nil {
			return err
		}
		now := s.Now()
		deleteAt := now.Add(deletionGrace)
		if _, err := c.Exec(ctx, `
			UPDATE organizations SET delete_at = ?, deletion_requested_at = ?, deletion_requested_by = ?, updated_at = ?
			WHERE id = ?`, deleteAt, now, scope.UserID, now, scope.OrganizationID); err != nil {
			return err
		}
		entry, err := c.auditID(ctx, scope, AuditDeletionScheduled, scope.OrganizationID,
			valueOf("deleteAt", WireTime(deleteAt)))
		if err != nil {
			return err
		}
		return c.queueOwnerNotices(ctx, EmailDeletionScheduled, scope.OrganizationID, entry)
	})
}

// CancelOrganizationDeletion cancels the scheduled deletion of the organization, if there is one.
func (s *Store) CancelOrganizationDeletion(ctx context.Context, scope Scope) (Organization, error) {
	return s.changeDeletion(ctx, scope, func(c conn, before Organization) error {
		if before.DeleteAt == nil {
			return nil
		}
		if _, err := c.Exec(ctx, `
			UPDATE organizations SET delete_at = NULL, deletion_requested_at = NULL, deletion_requested_by = NULL,
				updated_at = ?
			WHERE id = ?`, s.Now(), scope.OrganizationID); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditDeletionCancelled, scope.OrganizationID)
	})
}

// changeDeletion runs change with the locked organization, and returns the organization afterwards.
func (s *Store) changeDeletion(
	ctx context.Context, scope Scope, change func(c conn, before Organization) error,
) (Organization, error) {
	var changed Organization
	err := s.write(ctx, func(c conn) error {
		if err := c.lockOrganization(ctx, scope); err != nil {
			return err
		}
		before, err := c.organization(ctx, scope)
		if err != nil {
			return err
		}
		if err := change(c, before); err != nil {
			return err
		}
		changed, err = c.organization(ctx, scope)
		return err
	})
	if err == nil {
		changed.Usage, err = s.usage(ctx, scope)
	}
	return changed, err
}

// UnscopedCloseOrganizations closes one organization whose scheduled deletion is due: all accounts and all access end.
// UnscopedEraseOrganizations then erases its data. more reports that another one can wait. While there is a legal hold,
// the deletion waits.
func (s *Store) UnscopedCloseOrganizations(ctx context.Context) (more bool, err error) {
	var id string
	err = s.db.ReadMany().Get(ctx, &id, `
		SELECT o.id FROM organizations o WHERE o.delete_at IS NOT NULL AND o.delete_at <= ?
			AND NOT EXISTS (SELECT 1 FROM legal_holds h WHERE h.organization_id = o.id AND h.released_at IS NULL)
		ORDER BY o.delete_at LIMIT 1`, s.Now())
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer s.credentials.forget()
	err = s.write(ctx, func(c conn) error {
		scope := Scope{OrganizationID: id}
		if err := c.lockOrganization(ctx, scope); err != nil {
			return err
		}
		organization, err := c.organization(ctx, scope)
		now := s.Now()
		if err != nil || organization.DeleteAt == nil || organization.DeleteAt.After(now) { // cancelled meanwhile
			return err
		}
		if err := c.refuseHeldOrganization(ctx, scope); err != nil {
			return err
		}
		return c.closeWithPeople(ctx, scope, now, now.Add(closingTime))
	})
	if errors.Is(err, errLegalHold) { // it was set meanwhile
		return false, nil
	}
	return err == nil, err
}

// closeWithPeople ends the accounts of a locked organization, and closes it.
func (c conn) closeWithPeople(ctx context.Context, scope Scope, now, eraseAt time.Time) error {
	var people []string
	if err := c.List(ctx, &people, `SELECT id FROM users WHERE organization_id = ? AND removed_at IS NULL ORDER BY id`,
		scope.OrganizationID); err != nil {
		return err
	}
	for _, id := range people {
		if err := c.endAccount(ctx, scope, id, now); err != nil {
			return err
		}
	}
	return c.closeOrganization(ctx, scope, now, eraseAt)
}

// refuseHeldOrganization refuses the deletion of a locked organization that has a legal hold.
func (c conn) refuseHeldOrganization(ctx context.Context, scope Scope) error {
	var held bool
	err := c.Get(ctx, &held, `
		SELECT EXISTS (SELECT 1 FROM legal_holds WHERE organization_id = ? AND released_at IS NULL)`,
		scope.OrganizationID)
	if err == nil && held {
		err = errLegalHold
	}
	return err
}
