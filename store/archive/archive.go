// Package archive reads and writes archives of organizations: a tar file, compressed by gzip and encrypted by age with
// a passphrase (age-encryption.org/v1, scrypt). It knows no database and no table. Its README describes the format.
package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"time"
	"unicode/utf8"
)

// Format is the version of the format. A reader refuses a later one.
const Format = 1

// MinPassphrase is the number of characters that a passphrase has at least.
const MinPassphrase = 12

var (
	// ErrShortPassphrase means that a passphrase has fewer than MinPassphrase characters.
	ErrShortPassphrase = fmt.Errorf("archive: the passphrase has fewer than %d characters", MinPassphrase)
	// ErrPassphrase means that the archive was made with another passphrase.
	ErrPassphrase = errors.New("archive: the passphrase is wrong")
	// ErrDamaged means that the file is not an archive, or is truncated or changed.
	ErrDamaged = errors.New("archive: the file is damaged")
	// ErrNewerFormat means that a later release has made the archive.
	ErrNewerFormat = errors.New("archive: a later release has made the archive")
)

// damaged is an ErrDamaged with its cause.
func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrDamaged, fmt.Errorf(format, args...))
}

// Manifest is the first file of an archive: manifest.json.
type Manifest struct {
	Format        int            `json:"format"`
	ID            string         `json:"id"`      // random, of this archive
	Release       string         `json:"release"` // that made it
	Schema        int64          `json:"schema"`  // the newest migration of the database
	MadeAt        time.Time      `json:"madeAt"`
	Database      string         `json:"database"`     // postgres or sqlite; the content does not depend on it
	All           bool           `json:"installation"` // everything, and not one organization
	Organizations []Organization `json:"organizations"`
	// WordsPosition is the session up to which the words of the search are in the archive.
	WordsPosition string  `json:"wordsPosition"`
	Tables        []Table `json:"tables"` // in the order of their rows in the archive
}

// Organization is an organization whose rows are in the archive.
type Organization struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Table describes the rows of a table. They are in the order of the key.
type Table struct {
	Name    string   `json:"name"`
	Key     []string `json:"key"`
	Columns []Column `json:"columns"` // in the order of the values of a row
}

// Column returns the index of a column, or -1.
func (t Table) Column(name string) int {
	for i, column := range t.Columns {
		if column.Name == name {
			return i
		}
	}
	return -1
}

// Column is a column and the type of its values.
type Column struct {
	Name string `json:"name"`
	Kind Kind   `json:"type"`
}

// Sum is what checksums.json, the last file, says of one table.
type Sum struct {
	Table  string `json:"table"`
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"` // of the table's files, one after the other
}

// Summer computes the Sum of a table.
type Summer struct {
	table string
	rows  int64
	hash  hash.Hash
}

// NewSummer returns the Summer of a table.
func NewSummer(table string) *Summer { return &Summer{table: table, hash: sha256.New()} }

// Add adds a row, which is a line without its end.
func (s *Summer) Add(line []byte) {
	s.rows++
	_, _ = s.hash.Write(line) // never fails (hash.Hash)
	_, _ = s.hash.Write([]byte{'\n'})
}

// Sum returns the sum of the rows so far.
func (s *Summer) Sum() Sum {
	return Sum{Table: s.table, Rows: s.rows, SHA256: hex.EncodeToString(s.hash.Sum(nil))}
}

// CheckPassphrase refuses a passphrase that is too short.
func CheckPassphrase(passphrase string) error {
	if utf8.RuneCountInString(passphrase) < MinPassphrase {
		return ErrShortPassphrase
	}
	return nil
}
