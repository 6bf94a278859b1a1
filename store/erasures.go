package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assay/store/journal"
)

// recordErasure notes an erasure for the journal, in the transaction of the erasure, and writes it to the journal after
// the commit. If the process ends in between, UnscopedWriteErasures writes it.
func (c conn) recordErasure(ctx context.Context, erased journal.Erasure) error {
	if _, err := c.Exec(ctx, `
		INSERT INTO pending_erasures (id, organization_id, kind, erased_at, created_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (id) DO NOTHING`,
		erased.ID, erased.OrganizationID, erased.Kind, erased.At, c.store.Now()); err != nil {
		return err
	}
	c.AfterCommit(func() { c.store.erasuresWritten(context.WithoutCancel(ctx), erased) })
	return nil
}

// erasuresWritten writes committed erasures to the journal. A failure is logged, because the erasure itself has
// succeeded, and the job tries again.
func (s *Store) erasuresWritten(ctx context.Context, erased ...journal.Erasure) {
	if err := s.writeErasures(ctx, erased); err != nil {
		s.opts.Log.ErrorContext(ctx, "an erasure is not in the journal, retrying later", "error", err)
	}
}

// writeErasures writes pending erasures to the journal and to the log, and then removes their rows. If it is
// interrupted, or runs twice at once, the journal has a line twice, which changes nothing.
func (s *Store) writeErasures(ctx context.Context, erased []journal.Erasure) error {
	if s.opts.Erasures != nil {
		if err := s.opts.Erasures.Append(erased...); err != nil {
			return err
		}
	}
	ids := make([]string, len(erased))
	for i, e := range erased {
		ids[i] = e.ID
		message := "candidate data erased"
		if e.Kind == journal.Organization {
			message = "organization data erased"
		}
		s.opts.Log.InfoContext(ctx, message, e.Attrs()...) // journal.Read understands the line
	}
	encoded, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	return s.write(ctx, func(c conn) error {
		_, err := c.Exec(ctx, `DELETE FROM pending_erasures WHERE `+s.db.IsOneOf("id"), string(encoded))
		return err
	})
}

// UnscopedWriteErasures writes a batch of erasures that are not yet in the journal, the oldest first: those of a
// process that has ended after the commit, or of a time when the journal could not be written. more reports that others
// can wait.
func (s *Store) UnscopedWriteErasures(ctx context.Context) (more bool, err error) {
	var pending []struct {
		ID             string       `db:"id"`
		OrganizationID string       `db:"organization_id"`
		Kind           journal.Kind `db:"kind"`
		ErasedAt       Time         `db:"erased_at"`
	}
	if err := s.read().List(ctx, &pending, oldestErasures, purgeBatch); err != nil || len(pending) == 0 {
		return false, err
	}
	erased := make([]journal.Erasure, len(pending))
	for i, row := range pending {
		erased[i] = journal.Erasure{Kind: row.Kind, OrganizationID: row.OrganizationID, ID: row.ID, At: row.ErasedAt.Time}
	}
	return len(pending) == purgeBatch, s.writeErasures(ctx, erased)
}

const oldestErasures = `SELECT id, organization_id, kind, erased_at FROM pending_erasures ORDER BY created_at LIMIT ?`

// UnscopedOldestErasure is since when the oldest erasure has waited for the journal; nil if none waits.
func (s *Store) UnscopedOldestErasure(ctx context.Context) (*time.Time, error) {
	var oldest *Time
	err := s.db.DispatcherRead().Row(ctx, []any{&oldest}, `SELECT MIN(created_at) FROM pending_erasures`)
	return timePtr(oldest), err
}

// ErasedAgain counts what UnscopedEraseAgain has erased.
type ErasedAgain struct{ Sessions, Organizations int }

// UnscopedEraseAgain erases what the journal has and the database has not erased, because a backup from before was
// restored. It uses a transaction for each session, and several for an organization. Unknown ids are ignored. The time
// of an erasure stays that of the first one. A legal hold does not stop it: it did not exist at that time.
//
// The restored database has never emitted candidate.erased for these sessions, so it emits it, with the first time. An
// endpoint that has already received the event receives another one for the same session.
func (s *Store) UnscopedEraseAgain(ctx context.Context, erasures []journal.Erasure) (done ErasedAgain, err error) {
	defer func() {
		if done != (ErasedAgain{}) {
			s.credentials.forget()
			s.copies.erasures.Add(1)
			s.removeErasedCopies(ctx)
		}
	}()
	if len(erasures) == 0 {
		return done, nil
	}
	at := map[string]time.Time{}
	var ids []string
	for _, e := range erasures {
		if _, isKnown := at[e.ID]; !isKnown {
			ids, at[e.ID] = append(ids, e.ID), e.At
		}
	}
	encoded, err := json.Marshal(ids)
	if err != nil {
		return done, err
	}

	var organizations []string
	if err := s.read().List(ctx, &organizations, s.organizationsToErase(), string(encoded)); err != nil {
		return done, err
	}
	for _, id := range organizations {
		if err := s.eraseOrganizationAgain(ctx, Scope{OrganizationID: id}, at[id]); err != nil {
			return done, fmt.Errorf("erase the organization %s: %w", id, err)
		}
		done.Organizations++
	}

	var sessions []struct {
		ID             string `db:"id"`
		OrganizationID string `db:"organization_id"`
	}
	if err := s.read().List(ctx, &sessions, s.sessionsToErase(), string(encoded)); err != nil {
		return done, err
	}
	for _, session := range sessions {
		scope := Scope{OrganizationID: session.OrganizationID}
		if err := s.eraseSessionAgain(ctx, scope, session.ID, at[session.ID]); err != nil {
			return done, fmt.Errorf("erase the session %s: %w", session.ID, err)
		}
		done.Sessions++
	}
	return done, nil
}

// organizationsToErase is the statement that finds the organizations of a list that have data. An erased one has no
// name.
func (s *Store) organizationsToErase() string {
	return `SELECT id FROM organizations WHERE ` + s.db.IsOneOf("id") + ` AND name <> '' ORDER BY id`
}

// sessionsToErase is the statement that finds the sessions of a list that have data.
func (s *Store) sessionsToErase() string {
	return `SELECT id, organization_id FROM candidate_sessions WHERE ` + s.db.IsOneOf("id") +
		` AND erased_at IS NULL ORDER BY id`
}

func (s *Store) eraseSessionAgain(ctx context.Context, scope Scope, id string, at time.Time) error {
	return s.write(ctx, func(c conn) error {
		session, err := c.lockForErasure(ctx, scope, id)
		if errors.Is(err, errNoSession) || err == nil && session.ErasedAt != nil {
			return nil // another replica has erased it
		}
		if err != nil {
			return err
		}
		// Passed deadlines are not applied: the score of an interrupted session would be one that nobody has seen.
		return c.eraseLocked(ctx, scope, session, s.Now(), at)
	})
}

func (s *Store) eraseOrganizationAgain(ctx context.Context, scope Scope, at time.Time) error {
	if err := s.write(ctx, func(c conn) error {
		if err := c.lockOrganization(ctx, scope); err != nil {
			return err
		}
		return c.closeWithPeople(ctx, scope, s.Now(), at)
	}); err != nil {
		return err
	}
	return s.eraseOrganization(ctx, scope, at)
}
