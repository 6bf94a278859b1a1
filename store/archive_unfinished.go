package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/store/archive"
)

// UnscopedUnfinishedImport reports whether an import is under way or was interrupted. The service must not run then.
func (s *Store) UnscopedUnfinishedImport(ctx context.Context) (unfinished bool, err error) {
	err = s.read().Get(ctx, &unfinished, `SELECT EXISTS (SELECT 1 FROM unfinished_imports)`)
	return unfinished, err
}

// serviceIsRunning is the age of a heartbeat from which no service runs.
const serviceIsRunning = minOutage

// begin notes that the import is under way. present is true if the database has an organization of the archive that no
// unfinished import has written.
func (i *archiveImport) begin(ctx context.Context) (present bool, err error) {
	ids, err := organizationIDs(i.manifest)
	if err != nil {
		return false, err
	}
	err = i.requireEmpty(ctx, ids)
	if err == nil {
		err = i.patiently(ctx, func() error { return i.beginOnce(ctx, ids, &present) })
	}
	if err == nil && !present && i.imported == 0 {
		err = i.patiently(ctx, func() error { return i.store.createPartitions(ctx, -keptDays, keptDays) })
	}
	return present, err
}

func (i *archiveImport) beginOnce(ctx context.Context, ids string, present *bool) error {
	return i.store.write(ctx, func(c conn) error {
		*present, i.imported = false, 0
		var unfinished []struct {
			ID       string `db:"id"`
			Imported int64  `db:"imported"`
		}
		if err := c.List(ctx, &unfinished, `SELECT id, imported FROM unfinished_imports`); err != nil {
			return err
		}
		if len(unfinished) > 0 { // there is at most one
			if other := unfinished[0].ID; other != i.manifest.ID {
				return fmt.Errorf("%w; it is that of the archive %s, and not of %s", ErrUnfinishedImport, other, i.manifest.ID)
			}
			i.imported = unfinished[0].Imported
			return nil
		}
		if err := c.Get(ctx, present, `SELECT EXISTS (SELECT 1 FROM organizations WHERE `+
			i.store.db.IsOneOf("id")+`)`, ids); err != nil || *present {
			return err
		}
		return i.first(ctx, c, ids)
	})
}

// importAttempts bounds how often a step of an import is repeated that takes longer than a transaction may: the machine
// is busy, and nobody waits for a short answer.
const importAttempts = 10

// patiently repeats a step that takes too long.
func (i *archiveImport) patiently(ctx context.Context, step func() error) (err error) {
	for range importAttempts {
		if err = step(); err == nil || !tookTooLong(ctx, err) {
			return err
		}
	}
	return err
}

// requireEmpty refuses a database with rows in a table of an organization, for the first import of an installation.
func (i *archiveImport) requireEmpty(ctx context.Context, ids string) error {
	var begun bool
	if err := i.store.read().Get(ctx, &begun, `SELECT EXISTS (SELECT 1 FROM unfinished_imports)
		OR EXISTS (SELECT 1 FROM organizations WHERE `+i.store.db.IsOneOf("id")+`)`, ids); err != nil {
		return err
	}
	if begun || !i.manifest.All {
		return nil
	}
	for _, table := range archivedTables(false) {
		var used bool
		if err := i.store.read().Get(ctx, &used, `SELECT EXISTS (SELECT 1 FROM `+table.Name+`)`); err != nil {
			return err
		}
		if used {
			return refuseImport("the archive has a whole installation, and the table %s of the database has rows: "+
				"use a new database", table.Name)
		}
	}
	return nil
}

// keptDays is how many days of events have a partition of their own after an import. Older ones are deleted row by row.
const keptDays = 31

// first begins an import that no process has begun.
func (i *archiveImport) first(ctx context.Context, c conn, ids string) error {
	var heartbeat []Time
	if err := c.List(ctx, &heartbeat, `SELECT at FROM service_heartbeat WHERE id = 1`); err != nil {
		return err
	}
	for _, at := range heartbeat {
		if silent := c.store.Now().Sub(at.Time); silent < serviceIsRunning {
			return fmt.Errorf("the service has used the database %s ago: stop it on all machines, and import %s later",
				silent.Round(time.Second), serviceIsRunning)
		}
	}
	if i.manifest.All {
		for table := range ofInstallation {
			if _, err := c.Exec(ctx, `DELETE FROM `+table); err != nil {
				return err
			}
		}
	}
	_, err := c.Exec(ctx, `INSERT INTO unfinished_imports (id, organizations, imported, started_at) VALUES (?, ?, 0, ?)`,
		i.manifest.ID, ids, c.store.Now())
	return err
}

// noteImported counts the rows that a transaction has imported.
func (c conn) noteImported(ctx context.Context, id string, before, rows int64) error {
	noted, err := c.Exec(ctx, `UPDATE unfinished_imports SET imported = ? WHERE id = ? AND imported = ?`,
		before+rows, id, before)
	if err == nil && noted == 0 {
		err = errors.New("another process imports the archive, or has discarded the import")
	}
	return err
}

// end finishes an import whose rows are all there.
func (i *archiveImport) end(ctx context.Context) error {
	return i.patiently(ctx, func() error { return i.endOnce(ctx) })
}

func (i *archiveImport) endOnce(ctx context.Context) error {
	return i.store.write(ctx, func(c conn) error {
		// Words of later sessions than that are not in the archive. Those of sessions that have theirs are written twice.
		position := `UPDATE candidate_session_words_position SET session_id = ? WHERE session_id > ?`
		if i.manifest.All {
			position = `UPDATE candidate_session_words_position SET session_id = ? WHERE session_id <> ?`
		}
		if _, err := c.Exec(ctx, position, i.manifest.WordsPosition, i.manifest.WordsPosition); err != nil {
			return err
		}
		_, err := c.Exec(ctx, `DELETE FROM unfinished_imports WHERE id = ?`, i.manifest.ID)
		return err
	})
}

// UnscopedDiscardImport deletes the rows of an unfinished import in short transactions. Without one, it does nothing.
func (s *Store) UnscopedDiscardImport(ctx context.Context) error {
	var unfinished []struct {
		ID            string `db:"id"`
		Organizations string `db:"organizations"`
	}
	if err := s.read().List(ctx, &unfinished, `SELECT id, organizations FROM unfinished_imports`); err != nil {
		return err
	}
	for _, of := range unfinished {
		var ids []string
		if err := json.Unmarshal([]byte(of.Organizations), &ids); err != nil {
			return err
		}
		for _, id := range ids {
			if err := s.discardOrganization(ctx, Scope{OrganizationID: id}); err != nil {
				return err
			}
		}
		if err := s.write(ctx, func(c conn) error {
			_, err := c.Exec(ctx, `DELETE FROM unfinished_imports WHERE id = ?`, of.ID)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// discardOrganization deletes all rows of an organization, and its id.
func (s *Store) discardOrganization(ctx context.Context, scope Scope) error {
	for _, name := range []string{"webhook_attempts", "statistics_queue"} { // they depend on rows of other tables
		if err := s.discardRows(ctx, scope, name); err != nil {
			return err
		}
	}
	for _, step := range []func(context.Context, Scope) error{
		s.eraseSessions, s.eraseAssessments, s.eraseDeliveryRecords, s.eraseSignIns, s.discardSecondFactors, s.eraseOthers,
	} {
		if err := step(ctx, scope); err != nil {
			return err
		}
	}
	for _, table := range slices.Backward(archivedTables(false)) { // what an erasure leaves, such as ended emails
		if err := s.discardRows(ctx, scope, table.Name); err != nil {
			return err
		}
	}
	return nil
}

// discardSecondFactors deletes what belongs to the accounts that the import has made. Other accounts keep theirs.
func (s *Store) discardSecondFactors(ctx context.Context, scope Scope) error {
	for _, table := range []string{recoveryCodesTable, secondFactors} {
		if err := s.purgeBatches(ctx, fmt.Sprintf(`DELETE FROM %[1]s WHERE id IN (SELECT f.id FROM %[1]s f
			JOIN users u ON u.person_id = f.person_id WHERE u.organization_id = ? AND NOT EXISTS (
				SELECT 1 FROM users o WHERE o.person_id = u.person_id AND o.id <> u.id)`, table)+oneBatch,
			scope.OrganizationID); err != nil {
			return err
		}
	}
	return nil
}

// discardRows deletes all rows of an organization from a table.
func (s *Store) discardRows(ctx context.Context, scope Scope, name string) error {
	n := slices.IndexFunc(archived, func(table archive.Table) bool { return table.Name == name })
	key := strings.Join(archived[n].Key, ", ")
	return s.purgeBatches(ctx, fmt.Sprintf(`DELETE FROM %[1]s WHERE (%[2]s) IN (SELECT %[2]s FROM %[1]s WHERE %[3]s`,
		name, key, archivedWhere(name))+oneBatch, scope.OrganizationID)
}
