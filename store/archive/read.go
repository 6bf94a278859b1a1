package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"filippo.io/age"
)

// maxPart bounds a file of rows. The largest row has a picture of 5 MiB in base64.
const maxPart = 64 << 20

// Reader reads an archive, one file of it at a time.
type Reader struct {
	// Manifest is the first file.
	Manifest Manifest
	tar      *tar.Reader
	plain    io.Reader // below tar

	ahead        string // the name of a file that has been read, but not used
	aheadContent []byte
}

// NewReader decrypts an archive and reads its manifest. Errors: ErrPassphrase, ErrDamaged, ErrNewerFormat.
func NewReader(in io.Reader, passphrase string) (*Reader, error) {
	identity, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, ErrPassphrase // it is empty
	}
	decrypted, err := age.Decrypt(in, identity)
	var other *age.NoIdentityMatchError
	switch {
	case errors.As(err, &other):
		return nil, ErrPassphrase
	case err != nil:
		return nil, damaged("it is not an archive: %w", err)
	}
	plain, err := gzip.NewReader(decrypted)
	if err != nil {
		return nil, damaged("%w", err)
	}
	r := &Reader{tar: tar.NewReader(plain), plain: plain}
	name, content, err := r.file(nil)
	if err != nil {
		return nil, err
	}
	if name != manifestName {
		return nil, damaged("%s is not the first file", manifestName)
	}
	if err := json.Unmarshal(content, &r.Manifest); err != nil {
		return nil, damaged("%s: %w", name, err)
	}
	if r.Manifest.Format > Format {
		return nil, fmt.Errorf("%w: assay %s, with format %d", ErrNewerFormat, r.Manifest.Release, r.Manifest.Format)
	}
	for _, table := range r.Manifest.Tables {
		for _, column := range table.Columns {
			if _, known := codecs[column.Kind]; !known {
				return nil, damaged("%s: the type %q is unknown", name, column.Kind)
			}
		}
	}
	return r, nil
}

// file returns the next file, in the buffer if it has room; io.EOF after the last one.
func (r *Reader) file(buffer []byte) (name string, content []byte, err error) {
	header, err := r.tar.Next()
	if errors.Is(err, io.EOF) {
		return "", nil, io.EOF
	}
	if err != nil {
		return "", nil, damaged("%w", err)
	}
	if header.Size > maxPart {
		return "", nil, damaged("%s has %d bytes", header.Name, header.Size)
	}
	content = slices.Grow(buffer[:0], int(header.Size))[:header.Size]
	if _, err := io.ReadFull(r.tar, content); err != nil {
		return "", nil, damaged("%s: %w", header.Name, err)
	}
	return header.Name, content, nil
}

// peek is file if the next file has the name. Otherwise it returns no name, and the next call finds the file again.
func (r *Reader) peek(buffer []byte, want string) (name string, content []byte, err error) {
	if r.ahead == "" {
		name, content, err = r.file(buffer)
		if errors.Is(err, io.EOF) {
			return "", nil, damaged("%s is missing", checksumsName)
		}
		if err != nil {
			return "", nil, err
		}
		r.ahead, r.aheadContent = name, content
	}
	if r.ahead != want {
		return "", nil, nil
	}
	r.ahead = ""
	return want, r.aheadContent, nil
}

// Each calls row for each row of the archive with the index of its table in the manifest, and a line that is valid
// until row returns. At the end it compares all tables with the checksums, and returns these. Error: ErrDamaged.
func (r *Reader) Each(ctx context.Context, row func(table int, line []byte) error) ([]Sum, error) {
	var sums []Sum
	var buffer []byte
	for i, table := range r.Manifest.Tables {
		summer := NewSummer(table.Name)
		for number := 1; ; number++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			name, content, err := r.peek(buffer, partName(table.Name, number))
			if err != nil {
				return nil, err
			}
			if name == "" { // of another table
				break
			}
			buffer = content
			for len(content) > 0 {
				line, rest, complete := bytes.Cut(content, []byte{'\n'})
				if !complete {
					return nil, damaged("%s ends within a row", name)
				}
				summer.Add(line)
				if err := row(i, line); err != nil {
					return nil, err
				}
				content = rest
			}
		}
		sums = append(sums, summer.Sum())
	}
	return sums, r.end(sums)
}

// end compares the sums with the last file, and reads the rest, whose end age authenticates.
func (r *Reader) end(sums []Sum) error {
	name, content, err := r.peek(nil, checksumsName)
	if err != nil {
		return err
	}
	if name == "" {
		return damaged("a file is not where it belongs")
	}
	var written []Sum
	if err := json.Unmarshal(content, &written); err != nil {
		return damaged("%s: %w", checksumsName, err)
	}
	if len(written) != len(sums) {
		return damaged("%s has %d tables, and the archive %d", checksumsName, len(written), len(sums))
	}
	for i, sum := range sums {
		if sum != written[i] {
			return damaged("the table %s has %d rows, and not the %d of %s, or other ones",
				sum.Table, sum.Rows, written[i].Rows, checksumsName)
		}
	}
	if _, _, err := r.file(nil); !errors.Is(err, io.EOF) {
		return errors.Join(err, damaged("it continues after %s", checksumsName))
	}
	if _, err := io.Copy(io.Discard, r.plain); err != nil {
		return damaged("%w", err)
	}
	return nil
}
