package pages

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the files of /docs
	"encoding/hex"
	"net/http"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/server/request"
)

//go:generate docs/update

var (
	//go:embed docs/scalar.js.gz
	docsReader []byte
	//go:embed docs/search.js
	docsSearch []byte
	//go:embed docs/start.js
	docsStart []byte
	//go:embed docs/LICENSE.txt
	docsLicense []byte
)

// docsFiles are the files that the documentation page links to.
var docsFiles = map[string]struct {
	kind    string
	content []byte
}{
	"guide.md":                      {"text/markdown; charset=UTF-8", gen.Guide},
	"assay.postman_collection.json": {echo.MIMEApplicationJSON, gen.Collection},
	"assay.http":                    {echo.MIMETextPlainCharsetUTF8, gen.HTTPFile},
	"LICENSE.txt":                   {echo.MIMETextPlainCharsetUTF8, docsLicense},
}

// docsPolicy lets /docs load from this server only. Scalar, which shows the
// reference, sets inline styles and has its icons in data URLs.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// script is a file of /docs. Its name contains its hash, so a browser may cache
// it forever.
type script struct {
	name string
	gzip []byte
}

// docsScripts are compressed at the first request, to keep the start fast.
var docsScripts = sync.OnceValue(func() (made struct{ reader, search, start script }) {
	made.reader = script{"reader-" + contentHash(docsReader) + ".js", docsReader}
	made.search = script{"search-" + contentHash(docsSearch) + ".js", gzipped(docsSearch)}
	made.start = script{"start-" + contentHash(docsStart) + ".js", gzipped(docsStart)}
	return made
})

func contentHash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// registerDocs adds the guide and the reference.
func (s *site) registerDocs() {
	s.path.Page("/docs", func(c echo.Context) error {
		made := docsScripts()
		return showPage(c, docsPolicy, "docs.html", struct{ Reader, Search, Start string }{
			made.reader.name, made.search.name, made.start.name,
		})
	})
	for name, file := range docsFiles {
		s.path.Page("/docs/"+name, compressed(file.kind, file.content))
	}
	s.path.Page("/docs/:script", serveScript)
}

func serveScript(c echo.Context) error {
	made := docsScripts()
	for _, script := range []script{made.reader, made.search, made.start} {
		if c.Param("script") == script.name {
			return script.serve(c)
		}
	}
	return request.ErrNothingHere
}

func (s script) serve(c echo.Context) error {
	const kind = "text/javascript; charset=UTF-8"
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	if request.OffersGzip(c) {
		return whole(c, kind, s.gzip)
	}
	plain, err := gzip.NewReader(bytes.NewReader(s.gzip))
	if err != nil {
		return err
	}
	return c.Stream(http.StatusOK, kind, plain)
}

// compressed serves constant content. It compresses it once, for the clients
// that accept gzip.
func compressed(kind string, plain []byte) echo.HandlerFunc {
	packed := sync.OnceValue(func() []byte { return gzipped(plain) })
	return func(c echo.Context) error {
		if request.OffersGzip(c) {
			return whole(c, kind, packed())
		}
		return whole(c, kind, plain)
	}
}

// whole sets Content-Length, which net/http does not do for a response to HEAD.
func whole(c echo.Context, kind string, content []byte) error {
	c.Response().Header().Set(echo.HeaderContentLength, strconv.Itoa(len(content)))
	return c.Blob(http.StatusOK, kind, content)
}

func gzipped(plain []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(plain) // a buffer never fails
	_ = w.Close()
	return out.Bytes()
}
