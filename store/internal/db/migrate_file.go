package db

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// migration is a file of store/migrations in the words of one database.
type migration struct {
	version       int64
	name          string // of the file
	inTransaction bool
	statements    []migrationStatement
	oldest        int64 // the oldest schema whose binary can use this one, or 0
}

// migrationStatement is a statement of a migration. With a batched table, it has two placeholders and runs for ranges
// of its ids, each in a transaction of its own: for the ids above the first argument, up to the second.
type migrationStatement struct {
	text    string
	batched string
}

// A statement that PostgreSQL runs in no transaction, or that has transactions of its own.
var standsAlone = regexp.MustCompile(`(?i)\bCONCURRENTLY\b|\bCOMMIT;`)

func (s migrationStatement) standsAlone() bool { return standsAlone.MatchString(s.text) }

// title is the statement in a line of the log.
func (s migrationStatement) title() string {
	const most = 80
	words := strings.Join(strings.Fields(s.text), " ")
	return words[:min(len(words), most)]
}

// migrations reads all files, oldest first.
func (d *DB) migrations(files fs.FS) ([]migration, error) {
	translated, err := d.translate(files)
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(translated, "*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	all := make([]migration, len(names))
	for i, name := range names {
		content, err := fs.ReadFile(translated, name)
		if err != nil {
			return nil, err
		}
		if all[i], err = parseMigration(name, string(content)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return all, nil
}

// versionsOf are the numbers of the files in ascending order.
func versionsOf(files fs.FS) ([]int64, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, err
	}
	versions := make([]int64, len(names))
	for i, name := range names {
		if versions[i], err = versionOf(name); err != nil {
			return nil, err
		}
	}
	if len(versions) == 0 {
		return nil, errors.New("db: there are no migrations")
	}
	slices.Sort(versions)
	return versions, nil
}

func versionOf(name string) (int64, error) {
	number, _, _ := strings.Cut(name, "_")
	version, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the migration %s does not begin with its number", name)
	}
	return version, nil
}

// schemaNumber is the number of a migration as its file has it.
func schemaNumber(version int64) string { return fmt.Sprintf("%05d", version) }

func newest(all []migration) int64 {
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].version
}

func withoutVersions(all []migration, applied []int64) []migration {
	return slices.DeleteFunc(slices.Clone(all), func(m migration) bool { return slices.Contains(applied, m.version) })
}

// The lines of a migration that are no SQL. Those of goose are in its documentation; "+oldest NUMBER" and
// "+batch TABLE" are in store/internal/db/README.md.
const (
	lineUp             = "-- +goose Up"
	lineDown           = "-- +goose Down"
	lineNoTransaction  = "-- +goose NO TRANSACTION"
	lineStatementBegin = "-- +goose StatementBegin"
	lineStatementEnd   = "-- +goose StatementEnd"
	lineOldest         = "-- +oldest "
	lineBatch          = "-- +batch "
)

// parseMigration reads the part of a file that applies it. A statement ends with a semicolon at the end of a line, or
// with StatementEnd.
func parseMigration(name, content string) (m migration, err error) {
	m = migration{name: name, inTransaction: true}
	if m.version, err = versionOf(name); err != nil {
		return m, err
	}
	var statement strings.Builder
	var up, block bool
	var batched string
	end := func() {
		if text := strings.TrimSpace(statement.String()); text != "" {
			m.statements = append(m.statements, migrationStatement{strings.TrimSuffix(text, ";"), batched})
		}
		statement.Reset()
		batched = ""
	}
	for line := range strings.Lines(content) {
		line = strings.TrimRight(line, "\n")
		switch number, isOldest := strings.CutPrefix(line, lineOldest); {
		case isOldest:
			if m.oldest, err = strconv.ParseInt(number, 10, 64); err != nil {
				return m, fmt.Errorf("%q has no number", line)
			}
		case line == lineNoTransaction:
			m.inTransaction = false
		case line == lineUp:
			up = true
		case line == lineDown:
			up = false
		case !up:
		case line == lineStatementBegin:
			block = true
		case line == lineStatementEnd:
			block = false
			end()
		case strings.HasPrefix(line, lineBatch):
			batched = strings.TrimPrefix(line, lineBatch)
		case !block && strings.HasPrefix(strings.TrimSpace(line), "--"):
		default:
			statement.WriteString(line + "\n")
			if code, _, _ := strings.Cut(line, " --"); !block && strings.HasSuffix(strings.TrimSpace(code), ";") {
				end()
			}
		}
	}
	if strings.TrimSpace(statement.String()) != "" {
		return m, errors.New("the last statement has no end")
	}
	return m, nil
}

// postgresOnly and sqliteOnly are the blocks of a migration that are for one database.
var (
	postgresOnly = regexp.MustCompile(`(?s)-- \+only postgres\n.*?-- \+end\n`)
	sqliteOnly   = regexp.MustCompile(`(?s)-- \+only sqlite\n.*?-- \+end\n`)
)

// translated is a file system whose migrations are in the words of one database.
type translated struct {
	fs.FS
	translate func(content string) string
}

// Open implements fs.FS.
func (t translated) Open(name string) (fs.File, error) {
	file, err := t.FS.Open(name)
	if err != nil || path.Ext(name) != ".sql" {
		return file, err
	}
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return translatedFile{file, strings.NewReader(t.translate(string(content)))}, nil
}

type translatedFile struct {
	fs.File
	content io.Reader
}

// Read implements fs.File.
func (f translatedFile) Read(p []byte) (int, error) { return f.content.Read(p) }
