// Package web holds the browser code: TypeScript in src, bundled by bundle into
// dist, which is committed and embedded.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"path"
	"sync"

	"github.com/klauspost/compress/gzip"
)

//go:embed dist
var dist embed.FS

// Page is a page of the browser code.
type Page struct {
	// Folder is the name of the folder of the page's files, as the HTML refers to them.
	Folder string
	// Shell is the HTML of the page, with its styles.
	Shell []byte
	// ShellGzip is Shell, compressed at the first call.
	ShellGzip func() []byte
	// StyleSource is the source of the styles in Shell for a Content-Security-Policy:
	// their hash (CSP Level 3, section 2.3.1).
	StyleSource string
	// Files are the files that the page loads, and the licenses of the packages in them.
	Files []File
}

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

// Take returns the candidate page.
func Take() (*Page, error) { return page("take") }

// Account returns the page on which a person sets a password: with an invitation, or
// with the link of a reset.
func Account() (*Page, error) { return page("account") }

// App returns the dashboard. Its HTML is for the address /app.
func App() (*Page, error) { return page("app") }

func page(folder string) (*Page, error) {
	shell := folder + ".html"
	entries, err := dist.ReadDir("dist/" + folder)
	if err != nil {
		return nil, err
	}
	found := &Page{Folder: folder}
	for _, entry := range entries {
		content, err := fs.ReadFile(dist, "dist/"+folder+"/"+entry.Name())
		if err != nil {
			return nil, err
		}
		if entry.Name() == shell {
			found.Shell = content
			continue
		}
		found.Files = append(found.Files, File{
			Name:    entry.Name(),
			Kind:    kinds[path.Ext(entry.Name())],
			Content: content,
			Hashed:  path.Ext(entry.Name()) != ".txt",
			Gzip:    sync.OnceValue(func() []byte { return Compressed(content) }),
		})
	}
	if found.Shell == nil {
		return nil, fmt.Errorf("dist/%s lacks %s", folder, shell)
	}
	found.ShellGzip = sync.OnceValue(func() []byte { return Compressed(found.Shell) })
	found.StyleSource = styleSource(found.Shell)
	return found, nil
}

func styleSource(shell []byte) string {
	_, after, _ := bytes.Cut(shell, []byte("<style>"))
	styles, _, _ := bytes.Cut(after, []byte("</style>"))
	sum := sha256.Sum256(styles)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Compressed returns the content in gzip's format, as small as possible.
func Compressed(content []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	_, _ = w.Write(content)                                 // a buffer never fails
	_ = w.Close()
	return out.Bytes()
}
