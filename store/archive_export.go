package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"assay/store/archive"
	"assay/store/internal/db"
)

// ArchiveOptions are the options of UnscopedExport and UnscopedImport.
type ArchiveOptions struct {
	// OrganizationID is the organization to export, or empty for the whole installation.
	OrganizationID string
	Passphrase     string
	// WorkFactor is that of archive.NewWriter.
	WorkFactor int
	// Report is called when a table is complete, and between. It can be nil.
	Report func(ArchiveProgress)
}

// ArchiveProgress says how far an export or an import is.
type ArchiveProgress struct {
	Step  string // "exported", "imported", "verified", or "compared"
	Table string
	Rows  int64 // of the table so far
}

// Archived is the result of an export or an import.
type Archived struct {
	Organizations int
	Tables        int
	Rows          int64
	// Already is true if the database had everything, so that the import has changed nothing.
	Already bool
}

// ErrNothingToExport means that the organization to export does not exist.
var ErrNothingToExport = errors.New("no organization has the id")

// UnscopedExport writes an archive with everything that an organization, or the whole installation, has in one snapshot
// of the database. Secrets of endpoints and connections are in it without the encryption by the master secret. It reads
// some tables from end to end, and uses memory for a part of the archive and one row.
func (s *Store) UnscopedExport(ctx context.Context, out io.Writer, opts ArchiveOptions) (done Archived, err error) {
	err = s.db.Snapshot(ctx, func(base db.Conn) error {
		c := conn{base, s}
		manifest, err := c.manifest(ctx, opts.OrganizationID)
		if err != nil {
			return err
		}
		writer, err := archive.NewWriter(out, opts.Passphrase, opts.WorkFactor, manifest)
		if err != nil {
			return err
		}
		for range manifest.Tables {
			table, err := writer.Next()
			if err != nil {
				return err
			}
			progress := newArchiveReport(opts.Report, "exported", table.Name)
			if err := s.archiveRows(ctx, c, table, opts.OrganizationID, func(line []byte) error {
				progress.add(1)
				return writer.Add(line)
			}); err != nil {
				return err
			}
			progress.end()
		}
		sums, err := writer.Close()
		done = archivedOf(manifest, sums)
		return err
	})
	return done, err
}

func archivedOf(manifest archive.Manifest, sums []archive.Sum) Archived {
	done := Archived{Organizations: len(manifest.Organizations), Tables: len(sums)}
	for _, sum := range sums {
		done.Rows += sum.Rows
	}
	return done
}

// manifest describes the archive of an organization, or of the installation.
func (c conn) manifest(ctx context.Context, organizationID string) (archive.Manifest, error) {
	s := c.store
	manifest := archive.Manifest{
		ID: s.NewID("arc"), Release: s.opts.Release, MadeAt: s.Now(), Database: s.db.Kind(), All: organizationID == "",
		Organizations: []archive.Organization{}, Tables: archivedTables(organizationID == ""),
	}
	var err error
	if manifest.Schema, err = s.db.SchemaOf(ctx, c.Conn); err != nil {
		return manifest, err
	}
	query, args := `SELECT id, name FROM organizations ORDER BY id`, []any{}
	if !manifest.All {
		query, args = `SELECT id, name FROM organizations WHERE id = ?`, []any{organizationID}
	}
	if err := c.List(ctx, &manifest.Organizations, query, args...); err != nil {
		return manifest, err
	}
	if !manifest.All && len(manifest.Organizations) == 0 {
		return manifest, fmt.Errorf("%w %s", ErrNothingToExport, organizationID)
	}
	err = c.Get(ctx, &manifest.WordsPosition, `SELECT session_id FROM candidate_session_words_position`)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return manifest, err
}

// archivedTables are the tables of an archive of the installation, or of one organization.
func archivedTables(all bool) (tables []archive.Table) {
	for _, table := range archived {
		if all || !ofInstallation[table.Name] {
			tables = append(tables, table)
		}
	}
	return tables
}

// archiveReportRows is how many rows there are between two reports.
const archiveReportRows = 50_000

// archiveReport reports the progress of one table.
type archiveReport struct {
	report   func(ArchiveProgress)
	progress ArchiveProgress
	reported int64
}

func newArchiveReport(report func(ArchiveProgress), step, table string) *archiveReport {
	return &archiveReport{report, ArchiveProgress{Step: step, Table: table}, 0}
}

func (r *archiveReport) add(rows int64) {
	r.progress.Rows += rows
	if r.progress.Rows-r.reported >= archiveReportRows {
		r.end()
	}
}

func (r *archiveReport) end() {
	r.reported = r.progress.Rows
	if r.report != nil {
		r.report(r.progress)
	}
}

// endIf reports the end of a table, if there was one.
func (r *archiveReport) endIf(table string) {
	if table != "" {
		r.end()
	}
}
