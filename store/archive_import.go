package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"assay/store/archive"
	"assay/store/internal/db"
)

// ErrImportRefused means that an archive cannot be imported into this database. A repetition cannot change it.
var ErrImportRefused = errors.New("the import is refused")

// ErrUnfinishedImport means that an import of an archive is under way, or was interrupted.
var ErrUnfinishedImport = errors.New(
	"an import is unfinished: run assay import again with the same archive, or assay import --discard")

func refuseImport(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrImportRefused, fmt.Errorf(format, args...))
}

// archiveImport is one import.
type archiveImport struct {
	store    *Store
	opts     ArchiveOptions
	manifest archive.Manifest
	sums     []archive.Sum
	members  *archive.Summer   // of the members of one organization, see withoutAccount
	memberOf map[string]string // the ids of the members of one organization, by those of their people
	imported int64             // rows that an earlier process has imported
}

// UnscopedImport writes the rows of an archive that UnscopedExport has made, on either database, with the same schema.
// It first reads the whole archive, and at the end compares each table with what the database then has. It uses many
// short transactions. An interrupted import is unfinished (see UnscopedUnfinishedImport), and the next one with the
// same archive continues it. If everything is in the database already, it changes nothing.
//
// Errors: those of package archive, ErrImportRefused, ErrUnfinishedImport. A refused import leaves nothing.
func (s *Store) UnscopedImport(ctx context.Context, in io.ReadSeeker, opts ArchiveOptions) (Archived, error) {
	i := &archiveImport{store: s, opts: opts}
	if err := i.check(ctx, in); err != nil {
		return Archived{}, err
	}
	done := archivedOf(i.manifest, i.sums)
	present, err := i.begin(ctx)
	if err != nil {
		return done, err
	}
	if present {
		done.Already = true
		return done, i.compare(ctx, in)
	}
	err = i.write(ctx, in)
	if errors.Is(err, ErrImportRefused) {
		return done, errors.Join(err, s.UnscopedDiscardImport(ctx))
	}
	if err == nil {
		err = i.verify(ctx)
	}
	if err == nil {
		err = i.end(ctx)
	}
	return done, err
}

// read calls row for each row of the archive.
func (i *archiveImport) read(
	ctx context.Context, in io.ReadSeeker, row func(table archive.Table, line []byte) error,
) ([]archive.Sum, error) {
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	reader, err := archive.NewReader(in, i.opts.Passphrase)
	if err != nil {
		return nil, err
	}
	i.manifest = reader.Manifest
	return reader.Each(ctx, func(table int, line []byte) error { return row(reader.Manifest.Tables[table], line) })
}

// check reads the whole archive, so that a damaged one changes nothing, and compares its schema.
func (i *archiveImport) check(ctx context.Context, in io.ReadSeeker) (err error) {
	i.members, i.memberOf = archive.NewSummer("users"), map[string]string{}
	if i.sums, err = i.read(ctx, in, func(table archive.Table, line []byte) error {
		if table.Name != "users" {
			return nil
		}
		if err := i.noteMember(table, line); err != nil {
			return err
		}
		line, err := withoutAccount(table, i.manifest.All, line)
		i.members.Add(line)
		return err
	}); err != nil {
		return err
	}
	if !i.manifest.All && len(i.manifest.Organizations) != 1 {
		return fmt.Errorf("%w: it has %d organizations", archive.ErrDamaged, len(i.manifest.Organizations))
	}
	schema, err := i.store.db.SchemaOf(ctx, i.store.db.Read())
	if err != nil {
		return err
	}
	if i.manifest.Schema != schema {
		return refuseImport("the archive has schema %05d of assay %s, and the database %05d: import it with assay %s, "+
			"and upgrade then", i.manifest.Schema, i.manifest.Release, schema, i.manifest.Release)
	}
	if !slices.EqualFunc(i.manifest.Tables, archivedTables(i.manifest.All), sameTable) {
		return refuseImport("assay %s has written other tables or columns than this release", i.manifest.Release)
	}
	return nil
}

func sameTable(a, b archive.Table) bool {
	return a.Name == b.Name && slices.Equal(a.Key, b.Key) && slices.Equal(a.Columns, b.Columns)
}

// verify reads the rows of the archive back from the database.
func (i *archiveImport) verify(ctx context.Context) error {
	other, err := i.differs(ctx, "verified", func(archive.Table) bool { return true })
	if err == nil && other != nil {
		err = fmt.Errorf("after the import, the table %s differs from the archive, because another process writes to the "+
			"database: stop it, run assay import --discard, and import again", other.Name)
	}
	return err
}

// compare refuses an archive whose rows differ from the rows of the database.
func (i *archiveImport) compare(ctx context.Context, in io.ReadSeeker) error {
	other, err := i.differs(ctx, "compared", func(table archive.Table) bool { return !ofInstallation[table.Name] })
	if err != nil || other == nil {
		return err
	}
	_, err = i.read(ctx, in, func(table archive.Table, line []byte) error {
		if table.Name != other.Name {
			return nil
		}
		row, err := archive.ParseRow(line, table.Columns)
		if err != nil {
			return err
		}
		present, err := i.store.read().presentLine(ctx, table, row)
		if err == nil && present != nil {
			var same bool
			if same, err = isSameRow(table, i.manifest.All, present, line); same {
				return nil
			}
		}
		switch {
		case err != nil:
			return err
		case present == nil:
			return refuseImport("%s; the database lacks %s", errInUse, rowName(table, row))
		}
		return refuseImport("%s; the database has other content for %s", errInUse, rowName(table, row))
	})
	if err == nil {
		err = refuseImport("%s; the database has more rows of %s", errInUse, other.Name)
	}
	return err
}

const errInUse = "an organization of the archive exists, and is in use"

// differs returns the first table whose rows differ between the database and the archive, or nil.
func (i *archiveImport) differs(
	ctx context.Context, step string, compared func(archive.Table) bool,
) (other *archive.Table, err error) {
	organizationID := ""
	if !i.manifest.All {
		organizationID = i.manifest.Organizations[0].ID
	}
	err = i.store.db.Snapshot(ctx, func(base db.Conn) error {
		for n, table := range i.manifest.Tables {
			if !compared(table) || !i.manifest.All && isOfAccounts(table) {
				continue
			}
			summer, progress := archive.NewSummer(table.Name), newArchiveReport(i.opts.Report, step, table.Name)
			if err := i.store.archiveRows(ctx, conn{base, i.store}, table, organizationID, func(line []byte) error {
				line, err := withoutAccount(table, i.manifest.All, line)
				summer.Add(line)
				progress.add(1)
				return err
			}); err != nil {
				return err
			}
			progress.end()
			want := i.sums[n]
			if table.Name == "users" {
				want = i.members.Sum()
			}
			if summer.Sum() != want {
				other = &table
				return nil
			}
		}
		return nil
	})
	return other, err
}

// importBatch bounds the rows and the bytes of one transaction.
const (
	importBatch      = 512
	importBatchBytes = 1 << 20
)

// importRow is a row of an archive that waits for its transaction.
type importRow struct {
	line   []byte
	values []any
}

// write imports the rows behind those that an earlier process has imported, and as many as it can in each transaction.
func (i *archiveImport) write(ctx context.Context, in io.ReadSeeker) error {
	var batch []importRow
	var bytesOf int
	var of archive.Table
	progress := newArchiveReport(nil, "", "")
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := i.writeBatch(ctx, of, batch)
		progress.add(int64(len(batch)))
		batch, bytesOf = batch[:0], 0
		return err
	}
	skipped := i.imported // i.imported counts on
	_, err := i.read(ctx, in, func(table archive.Table, line []byte) error {
		if skipped > 0 {
			skipped--
			return nil
		}
		if table.Name != of.Name {
			if err := flush(); err != nil {
				return err
			}
			progress.endIf(of.Name)
			of, progress = table, newArchiveReport(i.opts.Report, "imported", table.Name)
		}
		values, err := archive.ParseRow(line, table.Columns)
		if err != nil {
			return err
		}
		batch = append(batch, importRow{bytes.Clone(line), values})
		if bytesOf += len(line); len(batch) < importBatch && bytesOf < importBatchBytes {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	progress.endIf(of.Name)
	return err
}

// writeBatch writes rows in one transaction. If that takes too long, it writes each half in one.
func (i *archiveImport) writeBatch(ctx context.Context, table archive.Table, batch []importRow) error {
	once := func() error {
		return i.store.write(ctx, func(c conn) error {
			rows, err := i.ofPeople(ctx, c, table, batch)
			if err != nil {
				return err
			}
			if err := c.insertArchived(ctx, table, rows); err != nil {
				return err
			}
			return c.noteImported(ctx, i.manifest.ID, i.imported, int64(len(batch)))
		})
	}
	err := once()
	if len(batch) == 1 && err != nil && tookTooLong(ctx, err) {
		err = i.patiently(ctx, once)
	}
	if half := len(batch) / 2; half > 0 && err != nil && tookTooLong(ctx, err) {
		if err := i.writeBatch(ctx, table, batch[:half]); err != nil {
			return err
		}
		return i.writeBatch(ctx, table, batch[half:])
	}
	if err == nil {
		i.imported += int64(len(batch))
	}
	return err
}

// organizationIDs are the ids in a manifest as a JSON array.
func organizationIDs(manifest archive.Manifest) (string, error) {
	ids := make([]string, 0, len(manifest.Organizations))
	for _, organization := range manifest.Organizations {
		ids = append(ids, organization.ID)
	}
	encoded, err := json.Marshal(ids)
	return string(encoded), err
}
