package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"filippo.io/age"
)

const (
	manifestName  = "manifest.json"
	checksumsName = "checksums.json"

	// partBytes is the size at which a file of rows ends. The writer has one such file in memory.
	partBytes = 1 << 20

	privateMode = 0o600
)

// partName is the name of a file of rows. Numbers begin with 1.
func partName(table string, number int) string {
	return fmt.Sprintf("tables/%s/%05d.jsonl", table, number)
}

// Writer writes an archive. It has a bounded part of it in memory.
type Writer struct {
	manifest   Manifest
	tar        *tar.Writer
	compressed *gzip.Writer
	encrypted  io.WriteCloser
	table      int // index in manifest.Tables, -1 before the first one
	part       bytes.Buffer
	parts      int // of the table
	summer     *Summer
	sums       []Sum
	madeAt     time.Time
}

// NewWriter begins an archive with its manifest. workFactor is the logarithm of the cost of trying a passphrase; 0 is
// the default of age, which takes about a second and 256 MiB. Error: ErrShortPassphrase.
func NewWriter(out io.Writer, passphrase string, workFactor int, manifest Manifest) (*Writer, error) {
	if err := CheckPassphrase(passphrase); err != nil {
		return nil, err
	}
	recipient, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, err
	}
	if workFactor > 0 {
		recipient.SetWorkFactor(workFactor)
	}
	encrypted, err := age.Encrypt(out, recipient)
	if err != nil {
		return nil, err
	}
	compressed, err := gzip.NewWriterLevel(encrypted, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	manifest.Format = Format
	w := &Writer{
		manifest: manifest, tar: tar.NewWriter(compressed), compressed: compressed, encrypted: encrypted, table: -1,
		madeAt: manifest.MadeAt,
	}
	return w, w.writeJSON(manifestName, manifest)
}

func (w *Writer) writeJSON(name string, value any) error {
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return w.write(name, append(content, '\n'))
}

func (w *Writer) write(name string, content []byte) error {
	err := w.tar.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg, Name: name, Size: int64(len(content)), Mode: privateMode, ModTime: w.madeAt,
	})
	if err == nil {
		_, err = w.tar.Write(content)
	}
	return err
}

// Next begins the next table of the manifest, and returns it.
func (w *Writer) Next() (Table, error) {
	if err := w.endTable(); err != nil {
		return Table{}, err
	}
	w.table++
	table := w.manifest.Tables[w.table]
	w.parts, w.summer = 0, NewSummer(table.Name)
	return table, nil
}

// Add adds a row to the table: a line without its end.
func (w *Writer) Add(line []byte) error {
	w.summer.Add(line)
	w.part.Write(line)
	w.part.WriteByte('\n')
	if w.part.Len() < partBytes {
		return nil
	}
	return w.endPart()
}

func (w *Writer) endPart() error {
	if w.part.Len() == 0 {
		return nil
	}
	w.parts++
	err := w.write(partName(w.manifest.Tables[w.table].Name, w.parts), w.part.Bytes())
	w.part.Reset()
	return err
}

func (w *Writer) endTable() error {
	if w.summer == nil {
		return nil
	}
	err := w.endPart()
	w.sums = append(w.sums, w.summer.Sum())
	w.summer = nil
	return err
}

// Close ends the archive, and returns the sums of its tables. Without it, a reader finds the archive damaged.
func (w *Writer) Close() ([]Sum, error) {
	err := w.endTable()
	if len(w.sums) != len(w.manifest.Tables) {
		err = errors.Join(err, errors.New("archive: a table is missing"))
	}
	if err != nil {
		return nil, err
	}
	if err := w.writeJSON(checksumsName, w.sums); err != nil {
		return nil, err
	}
	return w.sums, errors.Join(w.tar.Close(), w.compressed.Close(), w.encrypted.Close())
}
