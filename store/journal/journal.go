// Package journal is the record of erasures outside the database, so that a restored backup does not bring erased
// people back. It is a file to which lines are only added. A line has ids and times, and no personal data.
//
// Each line is a JSON object:
//
//	{"erasure":1,"kind":"session","organization":"org_…","id":"ses_…","at":"2026-11-28T18:00:00Z"}
//
// The field erasure is the version of the form. A line of the log in JSON that has the same fields is read as well: see
// Erasure.Attrs.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// Version is the form of the lines that this release writes.
const Version = 1

// Kind is what was erased.
type Kind string

// The kinds of erasures.
const (
	Session      Kind = "session"      // the data of a candidate
	Organization Kind = "organization" // an organization with everything that it had
)

// Erasure is one erasure.
type Erasure struct {
	Kind           Kind
	OrganizationID string
	ID             string // of the session, or of the organization
	At             time.Time
}

// line is an Erasure as it is written.
type line struct {
	Version        int       `json:"erasure"`
	Kind           Kind      `json:"kind"`
	OrganizationID string    `json:"organization"`
	ID             string    `json:"id"`
	At             time.Time `json:"at"`
}

// Attrs are the attributes of a line of the log that Read understands.
func (e Erasure) Attrs() []any {
	return []any{
		"erasure", Version, "kind", string(e.Kind), "organization", e.OrganizationID, "id", e.ID, "at", e.At.UTC(),
	}
}

// ErrNoFile means that the path of the journal is something other than a file.
var ErrNoFile = errors.New("it is not a regular file")

// Journal is a file of erasures. It is safe for concurrent use, also by several processes. It keeps no file open:
// writes to a file that was moved away would be lost.
type Journal struct {
	path string
	mu   sync.Mutex
}

// New returns the journal in a file, which Create or Append creates if it does not exist.
func New(path string) *Journal { return &Journal{path: path} }

// Create creates the file if it does not exist, and fails if it cannot be written.
func (j *Journal) Create() (isNew bool, err error) {
	_, err = os.Stat(j.path)
	isNew = errors.Is(err, fs.ErrNotExist)
	return isNew, j.Append()
}

// Append adds a line for each erasure. When it returns nil, the lines survive a power cut.
func (j *Journal) Append(erasures ...Erasure) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.append(erasures); err != nil {
		return fmt.Errorf("the journal of erasures cannot be written: %w", err)
	}
	return nil
}

func (j *Journal) append(erasures []Erasure) (err error) {
	if info, err := os.Stat(j.path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", j.path, ErrNoFile)
	}
	file, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	if size := info.Size(); size > 0 {
		last := make([]byte, 1)
		if _, err := file.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' { // a crash or a full disk has cut the last line off
			lines.WriteByte('\n')
		}
	}
	encoder := json.NewEncoder(&lines) // ends each value with a newline
	for _, e := range erasures {
		if err := encoder.Encode(line{Version, e.Kind, e.OrganizationID, e.ID, e.At.UTC()}); err != nil {
			return err
		}
	}
	if _, err := file.Write(lines.Bytes()); err != nil { // one write, so that lines of several processes do not mix
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if info.Size() > 0 {
		return nil
	}
	return syncFolder(filepath.Dir(j.path))
}

// syncFolder makes the name of a new file survive a power cut. Windows does it by itself.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
