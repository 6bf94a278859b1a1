// Package move measures assay export and assay import: it fills a database of each kind, moves it to the other kind
// with SIGKILL in the middle, imports once more, and counts the rows of all tables on both sides.
package move

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
	"assay/server/cmd/lab/scale"
)

// Command is `lab move`.
type Command struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`
	rig.Seeded       `embed:""`

	Sessions int64 `default:"100000" help:"Candidate sessions of each database."`
	Kills    int   `default:"1" help:"Kills of each import."`
}

// Run moves a database of each kind to the other kind, and prints a table.
func (c *Command) Run(ctx context.Context, out io.Writer) error {
	if c.Sessions < 1000 || c.Kills < 0 {
		return errors.New("there must be at least 1000 sessions, and kills must not be negative")
	}
	random := c.Random()
	_, _ = fmt.Fprintf(out, "%d sessions, seed %d\n", c.Sessions, c.Seed)
	rows := [][]string{{
		"from", "to", "rows", "archive", "export", "import until the kills", "import after them", "verified in",
		"import again",
	}}
	err := c.Each(ctx, c.Database, func(dir, kind string) error {
		m := &move{Command: c, out: out, random: random, dir: dir, from: kind}
		err := m.run(ctx)
		rows = append(rows, m.row())
		return err
	})
	rig.PrintTable(out, rows)
	return err
}

// move is one move.
type move struct {
	*Command
	out      io.Writer
	random   *rand.Rand
	dir      string
	from, to string
	file     string

	rows, bytes                                string
	exported, killed, completed, verify, again time.Duration
}

func (m *move) row() []string {
	return []string{
		m.from, m.to, m.rows, m.bytes, rig.Seconds(m.exported), rig.Seconds(m.killed), rig.Seconds(m.completed),
		rig.Seconds(m.verify), rig.Seconds(m.again),
	}
}

func (m *move) run(ctx context.Context) error {
	m.to = rig.Kinds[1-slices.Index(rig.Kinds, m.from)]
	from, err := rig.NewDatabase(ctx, filepath.Join(m.dir, "from"), m.from)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	to, err := rig.NewDatabase(ctx, filepath.Join(m.dir, "to"), m.to)
	if err != nil {
		return err
	}
	defer func() { _ = to.Close() }()
	old, fresh := m.service(from), m.service(to)
	fresh.Secret = old.Secret
	began := time.Now()
	if err := scale.Fill(ctx, io.Discard, from, old, m.Sessions); err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	_, _ = fmt.Fprintf(m.out, "%s: filled in %s\n", m.from, rig.Seconds(time.Since(began)))
	if err := forgetEndpoints(ctx, from); err != nil {
		return err
	}
	m.file = filepath.Join(m.dir, "all.age")
	if err := m.export(ctx, old); err != nil {
		return err
	}
	if err := m.importWithKills(ctx, fresh); err != nil {
		return err
	}
	return m.sameCounts(ctx, from, to)
}

// forgetEndpoints marks the endpoints as deleted: the fill has copied their secrets, and a secret is encrypted for one
// endpoint only.
func forgetEndpoints(ctx context.Context, on *rig.Database) error {
	db, err := on.Open()
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `UPDATE webhook_endpoints SET deleted_at = created_at`)
	return errors.Join(err, db.Close())
}

// service has the passphrase of the archive.
func (m *move) service(on *rig.Database) rig.Service {
	service := on.Service(m.Binary)
	service.Env = append(service.Env, "ASSAY_ARCHIVE_PASSPHRASE=a passphrase of the lab")
	return service
}

func (m *move) export(ctx context.Context, old rig.Service) error {
	began := time.Now()
	printed, _, err := m.command(ctx, old, "", "export", "--all", "--out", m.file)
	m.exported = time.Since(began)
	if err != nil {
		return err
	}
	if counted := regexp.MustCompile(`(\d+) rows`).FindStringSubmatch(printed); counted != nil {
		m.rows = counted[1]
	}
	info, err := os.Stat(m.file)
	if err == nil {
		m.bytes = rig.Mebibytes(info.Size())
	}
	return err
}

// importWithKills kills the import at a random table, and then lets it finish. The next one must find everything.
func (m *move) importWithKills(ctx context.Context, fresh rig.Service) error {
	began := time.Now()
	for range m.Kills {
		table := []string{"candidate_sessions", "candidate_session_words", "audit_log", "events"}[m.random.IntN(4)]
		_, killed, err := m.command(ctx, fresh, "imported "+table+":", "import", "--in", m.file)
		if err != nil {
			return err
		}
		if killed {
			_, _ = fmt.Fprintf(m.out, "%s: the import was killed in %s\n", m.from, table)
		}
	}
	m.killed = time.Since(began)
	began = time.Now()
	printed, _, err := m.command(ctx, fresh, "", "import", "--in", m.file)
	if m.completed = time.Since(began); err != nil {
		return err
	}
	if !strings.Contains(printed, "Imported and verified") {
		return fmt.Errorf("after the kills, the import printed: %s", printed)
	}
	began = time.Now()
	printed, _, err = m.command(ctx, fresh, "", "import", "--in", m.file)
	m.again = time.Since(began)
	if err == nil && !strings.Contains(printed, "Already imported") {
		err = fmt.Errorf("the second import printed: %s", printed)
	}
	return err
}

// command runs assay to its end, or kills it when it has written the text to its log.
func (m *move) command(
	ctx context.Context, service rig.Service, until string, args ...string,
) (printed string, killed bool, err error) {
	cmd := service.Command(ctx, "127.0.0.1:0", "off", args...)
	var stdout strings.Builder
	cmd.Stdout = &stdout
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return "", false, err
	}
	if err := cmd.Start(); err != nil {
		return "", false, err
	}
	log := ""
	var verifying time.Time
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		line := lines.Text()
		log += line + "\n"
		if until != "" && strings.HasPrefix(line, until) {
			_ = cmd.Process.Kill()
			killed = true
			break
		}
		if strings.HasPrefix(line, "verified") && verifying.IsZero() {
			verifying = time.Now()
		}
	}
	err = cmd.Wait()
	if !verifying.IsZero() {
		m.verify = time.Since(verifying)
	}
	if killed {
		return stdout.String(), true, nil
	}
	if err != nil {
		err = fmt.Errorf("assay %s: %w\n%s", args[0], err, log)
	}
	return stdout.String(), false, err
}

// sameCounts compares the numbers of rows. The commands have compared checksums; this shares no code with them.
func (m *move) sameCounts(ctx context.Context, from, to *rig.Database) error {
	tables, err := from.Strings(ctx, map[string]string{
		"sqlite": `SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) i ON i.name = 'organization_id'
			WHERE m.type = 'table' AND m.name NOT LIKE 'scale%'`,
		"postgres": `SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
			WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attname = 'organization_id'
				AND c.relname NOT LIKE 'scale%'`,
	}[m.from])
	if err != nil {
		return err
	}
	var faults []string
	for _, table := range append(tables, "organizations", "webhook_attempts", "statistics_queue") {
		before, err := from.Strings(ctx, `SELECT COUNT(*) FROM `+table)
		if err != nil {
			return err
		}
		after, err := to.Strings(ctx, `SELECT COUNT(*) FROM `+table)
		if err != nil {
			return err
		}
		if !slices.Equal(before, after) {
			faults = append(faults, fmt.Sprintf("%s has %s rows, and had %s", table, after, before))
		}
	}
	if len(tables) < 50 {
		faults = append(faults, fmt.Sprintf("only %d tables were compared", len(tables)))
	}
	return rig.Verdict(faults)
}
