package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"assay/store"
	"assay/store/journal"
)

// openErased opens the database, and erases again what the journal has and the database does not, before anything is
// served or sent. The process adds its own erasures to the journal if writes is true.
func openErased(ctx context.Context, set settings, writes bool) (*store.Store, error) {
	if set.erasureJournal == "" {
		return openComplete(ctx, set)
	}
	file := journal.New(set.erasureJournal)
	if writes {
		set.journal = file
	}
	database, err := openComplete(ctx, set)
	if err != nil {
		return nil, err
	}
	if err := eraseAgain(ctx, set, database, file); err != nil {
		return nil, errors.Join(err, database.Close())
	}
	return database, nil
}

// eraseAgain reads the whole journal. If nothing is to be repeated, 10,000 erasures take about 0.2 s.
func eraseAgain(ctx context.Context, set settings, database *store.Store, file *journal.Journal) error {
	isNew, err := prepare(set, file)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, journal.ErrNoFile) {
			err = misconfigured{err}
		}
		return fmt.Errorf("ASSAY_ERASURE_JOURNAL: %w", err)
	}
	if isNew {
		return warnOfNewJournal(ctx, set, database)
	}
	began := time.Now()
	read, done, err := applyErasures(ctx, database, set.erasureJournal)
	if err == nil && read.Others > 0 {
		err = fmt.Errorf("%s: line %d: %w", set.erasureJournal, read.FirstOther, journal.ErrLine)
	}
	if err != nil {
		if errors.Is(err, journal.ErrLine) {
			err = misconfigured{err}
		}
		return fmt.Errorf("the journal of erasures could not be applied, and the service does not start without it, "+
			"because it would serve erased data: %w", err)
	}
	if done != (store.ErasedAgain{}) {
		set.log.WarnContext(ctx, "data that a restored backup had brought back was erased again",
			"sessions", done.Sessions, "organizations", done.Organizations)
	}
	if read.EndsTorn {
		set.log.WarnContext(ctx, "the last line of the journal of erasures was cut off by a crash; if the database was "+
			"restored, look for the erasure in the log of that time", "file", set.erasureJournal)
	}
	set.log.InfoContext(ctx, "the journal of erasures was applied", "file", set.erasureJournal,
		"erasures", read.Erasures, "cutLines", read.Torn, "duration", time.Since(began))
	return nil
}

// prepare reports whether the journal did not exist before, and creates it if the process writes to it.
func prepare(set settings, file *journal.Journal) (isNew bool, err error) {
	if set.journal != nil {
		return file.Create()
	}
	_, err = os.Stat(set.erasureJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return false, err
}

// warnOfNewJournal warns if the database is older than its journal, so that the journal may have been forgotten.
func warnOfNewJournal(ctx context.Context, set settings, database *store.Store) error {
	registration, err := database.UnscopedRegistration(ctx)
	if err == nil && !registration.FirstRun {
		set.log.WarnContext(ctx, "the journal of erasures did not exist and is empty; after a restore, stop the service, "+
			"and put the journal back, because erased data has come back", "file", set.erasureJournal)
	}
	return err
}

// erasureBatch is how many erasures are looked up with one statement.
const erasureBatch = 1000

// applyErasures erases again what the lines of a file have and the database does not.
func applyErasures(
	ctx context.Context, database *store.Store, file string,
) (read journal.Contents, done store.ErasedAgain, err error) {
	batch := make([]journal.Erasure, 0, erasureBatch)
	apply := func() error {
		again, err := database.UnscopedEraseAgain(ctx, batch)
		done.Sessions += again.Sessions
		done.Organizations += again.Organizations
		batch = batch[:0]
		return err
	}
	read, err = journal.ReadFile(file, func(e journal.Erasure) error {
		if batch = append(batch, e); len(batch) < erasureBatch {
			return nil
		}
		return apply()
	})
	if err == nil {
		err = apply()
	}
	return read, done, err
}

type erasuresCommands struct {
	Apply applyErasuresCommand `cmd:"" help:"Erase what the database has and the files say was erased."`
	List  listErasuresCommand  `cmd:"" help:"List the erasures of the journal, or of other files."`
}

type applyErasuresCommand struct {
	config `embed:""`

	Journal []string `required:"" sep:"none" help:"File with lines of a journal, or of the log in JSON."`
	More    []string `arg:"" optional:"" help:"Further files."`
}

// Run erases again what the files have and the database does not.
func (c applyErasuresCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	if set.erasureJournal != "" {
		set.journal = journal.New(set.erasureJournal)
	}
	database, err := set.openMigrated(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	for _, file := range slices.Concat(c.Journal, c.More) {
		read, done, err := applyErasures(ctx, database, file)
		_, _ = fmt.Fprintf(stdout, "%s: %d erasures; erased again: %d sessions, %d organizations.%s\n",
			file, read.Erasures, done.Sessions, done.Organizations, otherLines(read))
		if err != nil {
			return err
		}
	}
	return nil
}

// otherLines says what else a file contains. Lines of a log in another form look like lines without erasures.
func otherLines(read journal.Contents) string {
	if read.Others+read.Torn == 0 {
		return ""
	}
	return fmt.Sprintf(" %d other lines, and %d that were cut off. A log must be in JSON (ASSAY_LOG_FORMAT=json).",
		read.Others, read.Torn)
}

type listErasuresCommand struct {
	config `embed:""`

	Journal []string `sep:"none" help:"File with lines of a journal, or of the log in JSON; the journal by default."`
}

// Run prints the erasures, oldest first. It does not open the database.
func (c listErasuresCommand) Run(stdout io.Writer) error {
	files := c.Journal
	if len(files) == 0 {
		set, err := c.check(os.Stderr)
		if err != nil {
			return err
		}
		if set.erasureJournal == "" {
			return errors.New("ASSAY_ERASURE_JOURNAL is not set: name a file with --journal")
		}
		files = []string{set.erasureJournal}
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "TIME\tKIND\tORGANIZATION\tID")
	for _, file := range files {
		if _, err := journal.ReadFile(file, func(e journal.Erasure) error {
			_, err := fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", store.WireTime(e.At), e.Kind, e.OrganizationID, e.ID)
			return err
		}); err != nil {
			return err
		}
	}
	return table.Flush()
}
