package store

import (
	"context"
	"errors"
)

const (
	// dataErased is how many sessions one request erases.
	dataErased = 50

	// dataExamined is how many sessions of a person one erasure examines.
	dataExamined = 5000
)

// DataErasure is what an erasure by address did.
type DataErasure struct {
	Erased    int
	Held      int // sessions that stay because of a legal hold
	Remaining int // sessions that can still be erased
}

// EraseCandidateDataByEmail erases the sessions of the person with an address, as EraseCandidateData does, at most
// dataErased, and the registrations that wait for their confirmation. It uses several transactions: each session is
// erased in one.
func (s *Store) EraseCandidateDataByEmail(ctx context.Context, scope Scope, email string) (DataErasure, error) {
	key := emailKey(email)
	if err := s.eraseWaiting(ctx, scope, key); err != nil {
		return DataErasure{}, err
	}
	var rows []struct {
		ID   string `db:"id"`
		Held bool   `db:"held"`
	}
	if err := s.read().List(ctx, &rows, `
		SELECT s.id, `+sessionHeld+` AS held FROM candidate_sessions s
		WHERE s.organization_id = ? AND s.candidate_email_key = ? AND NOT s.test ORDER BY s.id LIMIT ?`,
		scope.OrganizationID, key, dataExamined); err != nil {
		return DataErasure{}, err
	}
	var done DataErasure
	for _, row := range rows {
		switch {
		case row.Held:
			done.Held++
			continue
		case done.Erased == dataErased:
			done.Remaining++
			continue
		}
		erased, err := s.erase(ctx, scope, row.ID, nil)
		switch {
		case errors.Is(err, errLegalHold): // it was set meanwhile
			done.Held++
		case err != nil && !errors.Is(err, errNoSession):
			return done, err
		case erased:
			done.Erased++
		}
	}
	if done.Erased > 0 {
		s.removeErasedCopies(ctx)
	}
	return done, nil
}

// ErasePublicCandidateDataByEmail is EraseCandidateDataByEmail.
func (s *Store) ErasePublicCandidateDataByEmail(ctx context.Context, scope Scope, email string) (DataErasure, error) {
	return s.EraseCandidateDataByEmail(ctx, scope, email)
}

// eraseWaiting erases the registrations of an address that were not confirmed. Their emails are then not sent.
func (s *Store) eraseWaiting(ctx context.Context, scope Scope, key string) error {
	return s.write(ctx, func(c conn) error {
		erased, err := c.Exec(ctx, `DELETE FROM registrations WHERE organization_id = ? AND email_key = ?`,
			scope.OrganizationID, key)
		if err != nil || erased == 0 {
			return err
		}
		c.AfterCommit(func() { s.copies.erasures.Add(1) })
		return c.audit(ctx, scope, AuditCandidateDataErased, scope.OrganizationID)
	})
}
