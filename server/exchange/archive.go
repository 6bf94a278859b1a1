package exchange

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"path"
	"strings"
)

// The bounds of a package. A package of 500 questions with a picture in each has about 1,100 files. The largest ratio
// of XML that was seen in packages is 30.
const (
	maxEntries    = 5000
	maxEntryBytes = 16 << 20
	maxTotalBytes = 64 << 20
	maxRatio      = 200
	maxNameBytes  = 500
)

// archive is a ZIP file in memory. Its files are decompressed when they are read.
type archive struct {
	files map[string]*zip.File // by their cleaned names
	names []string             // in the order of the archive
	read  int64                // bytes that have been decompressed
	most  int64                // that can be decompressed
}

var errTooMuch = errors.New("the package contains more than its bounds permit")

// isArchive reports whether the content begins like a ZIP file, or like an empty one.
func isArchive(content []byte) bool {
	return bytes.HasPrefix(content, []byte("PK\x03\x04")) || bytes.HasPrefix(content, []byte("PK\x05\x06"))
}

// openArchive reads the directory of a ZIP file. Names that leave the package, repeated names, and encrypted files are
// left out: their files are missing, which the reader reports where it needs them.
func openArchive(content []byte) (*archive, error) {
	reader, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, ErrDamaged
	}
	if len(reader.File) > maxEntries {
		return nil, ErrTooLarge
	}
	a := &archive{most: maxTotalBytes, files: make(map[string]*zip.File, len(reader.File))}
	for _, file := range reader.File {
		name := cleanName(file.Name)
		const encrypted = 1
		if name == "" || file.FileInfo().IsDir() || file.Flags&encrypted != 0 || a.files[name] != nil {
			continue
		}
		a.files[name] = file
		a.names = append(a.names, name)
	}
	return a, nil
}

// cleanName returns the name of a file within a package: relative, with slashes. It returns "" for a name that would
// leave the package.
func cleanName(name string) string {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	name = strings.TrimPrefix(name, "./")
	if name == "." || name == ".." || strings.HasPrefix(name, "../") || strings.HasPrefix(name, "/") ||
		len(name) > maxNameBytes {
		return ""
	}
	return name
}

// file returns the content of a file. The declared sizes are not believed: the bounds hold for what is decompressed.
func (a *archive) file(name string) ([]byte, error) {
	file := a.files[name]
	if file == nil {
		return nil, errors.New("the package has no file " + name)
	}
	bound := min(maxEntryBytes, a.most-a.read, maxRatio*int64(file.CompressedSize64)+4096)
	opened, err := file.Open()
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(opened, bound+1))
	a.read += int64(len(content))
	if err == nil && int64(len(content)) > bound {
		err = errTooMuch
	}
	return content, errors.Join(err, opened.Close())
}

// find returns the name of a file in the archive for an address in one of its files: relative to that file, to the
// root, or in a folder of pictures that the name leaves out. It returns "" if there is none.
func (a *archive) find(from, address string) string {
	if a == nil {
		return ""
	}
	for _, name := range []string{path.Join(path.Dir(from), address), address, "web_resources/" + address} {
		if name = cleanName(name); a.files[name] != nil {
			return name
		}
	}
	return ""
}
