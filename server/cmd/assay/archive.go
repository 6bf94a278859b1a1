package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assay/store"
	"assay/store/archive"
	"assay/store/journal"
)

// archivePassphrase is where the passphrase of an archive comes from. Other users of the machine would see the value of
// a flag.
type archivePassphrase struct {
	PassphraseFile string             `name:"passphrase-file" help:"File with the passphrase, instead of the variable."`
	Passphrase     passphraseVariable `hidden:"" env:"ASSAY_ARCHIVE_PASSPHRASE" help:"Passphrase of the archive."`
}

// passphraseVariable is a text that only the variable sets.
type passphraseVariable string

const passphraseName = "ASSAY_ARCHIVE_PASSPHRASE"

// read returns the passphrase.
func (a archivePassphrase) read() (string, error) {
	passphrase := os.Getenv(passphraseName)
	if string(a.Passphrase) != passphrase {
		return "", misconfigured{errors.New("--passphrase shows the passphrase to other users of the machine: " +
			"use " + passphraseName + " or --passphrase-file")}
	}
	if err := readValue(passphraseName, a.PassphraseFile, &passphrase); err != nil {
		return "", misconfigured{fmt.Errorf("--passphrase-file: %w", err)}
	}
	if passphrase == "" {
		return "", misconfigured{errors.New("the passphrase of the archive is missing: set " + passphraseName +
			", or name a file with --passphrase-file")}
	}
	if err := archive.CheckPassphrase(passphrase); err != nil {
		return "", misconfigured{err}
	}
	return passphrase, nil
}

type exportCommand struct {
	config            `embed:""`
	archivePassphrase `embed:""`

	Organization string `help:"Export this organization, by its id."`
	All          bool   `help:"Export the whole installation."`
	Out          string `required:"" help:"File to write. It must not exist."`
}

// Run writes an archive. The file has its name only when it is complete.
func (c exportCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	if (c.Organization == "") != c.All {
		return misconfigured{errors.New("name either --organization or --all")}
	}
	passphrase, err := c.read()
	if err != nil {
		return err
	}
	if _, err := os.Stat(c.Out); !errors.Is(err, fs.ErrNotExist) {
		return misconfigured{fmt.Errorf("--out: %s exists already", c.Out)}
	}
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	database, err := openUnmigrated(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	if err := canExport(ctx, database); err != nil {
		return err
	}
	done, err := writeWhole(c.Out, func(file io.Writer) (store.Archived, error) {
		return database.UnscopedExport(ctx, file, store.ArchiveOptions{
			OrganizationID: c.Organization, Passphrase: passphrase, Report: reportArchive(os.Stderr),
		})
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s has %d organizations: %d rows of %d tables.\n", c.Out, done.Organizations, done.Rows,
		done.Tables)
	return err
}

// canExport refuses a database of another release, and one with a part of an organization.
func canExport(ctx context.Context, database *store.Store) error {
	switch pending, err := database.PendingMigrations(ctx); {
	case err != nil:
		return err
	case pending > 0:
		return fmt.Errorf("the database lacks %d migrations: run assay migrate up", pending)
	}
	unfinished, err := database.UnscopedUnfinishedImport(ctx)
	if err == nil && unfinished {
		err = store.ErrUnfinishedImport
	}
	return err
}

// writeWhole writes a file under another name, which it replaces when the file is complete and on the disk.
func writeWhole(name string, write func(io.Writer) (store.Archived, error)) (done store.Archived, err error) {
	part := name + ".part"
	file, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return done, err
	}
	done, err = write(file)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return done, errors.Join(err, os.Remove(part))
	}
	if err := os.Rename(part, name); err != nil {
		return done, err
	}
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return done, err
	}
	return done, errors.Join(dir.Sync(), dir.Close())
}

// reportArchive prints a line for each table that has rows.
func reportArchive(stderr io.Writer) func(store.ArchiveProgress) {
	return func(p store.ArchiveProgress) {
		if p.Rows > 0 {
			_, _ = fmt.Fprintf(stderr, "%s %s: %d rows\n", p.Step, p.Table, p.Rows)
		}
	}
}

type importCommand struct {
	config            `embed:""`
	archivePassphrase `embed:""`

	In      string `help:"Archive to import."`
	Discard bool   `help:"Delete the rows of an unfinished import instead."`
}

// Run imports an archive, or discards an unfinished import.
func (c importCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	if (c.In == "") != c.Discard {
		return misconfigured{errors.New("name either --in or --discard")}
	}
	if c.Discard {
		return c.discard(ctx, stdout)
	}
	passphrase, err := c.read()
	if err != nil {
		return err
	}
	file, err := os.Open(c.In)
	if err != nil {
		return misconfigured{fmt.Errorf("--in: %w", err)}
	}
	defer func() { _ = file.Close() }()
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	if set.erasureJournal != "" {
		set.journal = journal.New(set.erasureJournal)
	}
	database, err := openStore(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	done, err := database.UnscopedImport(ctx, file, store.ArchiveOptions{
		Passphrase: passphrase, Report: reportArchive(os.Stderr),
	})
	if err != nil {
		return err
	}
	if err := eraseImported(ctx, set, database); err != nil {
		return err
	}
	text := "Imported and verified: %d organizations, %d rows of %d tables.\n"
	if done.Already {
		text = "Already imported: the database has the %d organizations, and the same %d rows of %d tables.\n"
	}
	_, err = fmt.Fprintf(stdout, text, done.Organizations, done.Rows, done.Tables)
	return err
}

// eraseImported erases again what the archive has brought back, although the journal of erasures has it.
func eraseImported(ctx context.Context, set settings, database *store.Store) error {
	if set.erasureJournal == "" {
		return nil
	}
	_, done, err := applyErasures(ctx, database, set.erasureJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if done != (store.ErasedAgain{}) {
		set.log.WarnContext(ctx, "data that the archive had brought back was erased again",
			"sessions", done.Sessions, "organizations", done.Organizations)
	}
	return err
}

func (c importCommand) discard(ctx context.Context, stdout io.Writer) (err error) {
	database, err := c.openMigrated(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	text := "No import was unfinished.\n"
	if unfinished, err := database.UnscopedUnfinishedImport(ctx); err != nil {
		return err
	} else if unfinished {
		text = "The rows of the unfinished import are deleted.\n"
	}
	if err := database.UnscopedDiscardImport(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprint(stdout, text)
	return err
}

const (
	// importPause is the time between two looks for an unfinished import.
	importPause = time.Second
	// importReminder is the time between two lines in the log about it.
	importReminder = time.Minute
)

// openComplete opens the database for a service, as soon as no import is unfinished: jobs and candidates must not use a
// part of an organization.
func openComplete(ctx context.Context, set settings) (*store.Store, error) {
	database, err := openStore(ctx, set)
	if err != nil {
		return nil, err
	}
	for waited := time.Duration(0); ; waited += importPause {
		unfinished, err := database.UnscopedUnfinishedImport(ctx)
		if err != nil {
			return nil, errors.Join(err, database.Close())
		}
		if !unfinished {
			return database, nil
		}
		if waited%importReminder == 0 {
			set.log.WarnContext(ctx, "the service waits until no import is unfinished: "+
				"run assay import again with the same archive, or assay import --discard")
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), database.Close())
		case <-time.After(importPause):
		}
	}
}
