// Package web holds the browser code: TypeScript in src, bundled by bundle into
// dist, which is committed and embedded.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"path"
	"sync"

	"github.com/klauspost/compress/gzip"
)

//go:embed dist
var dist embed.FS

// TakeShell is the HTML of the candidate page, with its styles. It refers to the files of TakeFiles.
//
//go:embed dist/take.html
var TakeShell []byte

// TakeShellGzip is TakeShell, compressed at the first call.
var TakeShellGzip = sync.OnceValue(func() []byte { return compressed(TakeShell) })

// TakeStyleSource is the source of the styles in TakeShell for a
// Content-Security-Policy: their hash (CSP Level 3, section 2.3.1).
var TakeStyleSource = sync.OnceValue(func() string {
	_, after, _ := bytes.Cut(TakeShell, []byte("<style>"))
	styles, _, _ := bytes.Cut(after, []byte("</style>"))
	sum := sha256.Sum256(styles)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
})

// File is a file of a page.
type File struct {
	Name    string // without a folder
	Kind    string // media type
	Content []byte
	// Hashed reports whether the name contains the hash of the content, so that a
	// browser can keep the file forever.
	Hashed bool
	// Gzip compresses the content at the first call.
	Gzip func() []byte
}

// kinds maps the extensions of files to media types. The table of the operating
// system differs between machines.
var kinds = map[string]string{
	".js":   "text/javascript; charset=UTF-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=UTF-8",
}

// TakeFiles returns the files that the candidate page loads, and the licenses of
// the packages in them.
func TakeFiles() ([]File, error) {
	entries, err := dist.ReadDir("dist")
	if err != nil {
		return nil, err
	}
	var files []File
	for _, entry := range entries {
		if entry.Name() == "take.html" {
			continue
		}
		content, err := fs.ReadFile(dist, "dist/"+entry.Name())
		if err != nil {
			return nil, err
		}
		files = append(files, File{
			Name:    entry.Name(),
			Kind:    kinds[path.Ext(entry.Name())],
			Content: content,
			Hashed:  path.Ext(entry.Name()) != ".txt",
			Gzip:    sync.OnceValue(func() []byte { return compressed(content) }),
		})
	}
	return files, nil
}

func compressed(content []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	_, _ = w.Write(content)                                 // a buffer never fails
	_ = w.Close()
	return out.Bytes()
}
