package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // for the files of /docs
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"assay/gen"
)

//go:generate docs/update

var (
	//go:embed docs/scalar.js.gz
	docsReader []byte
	//go:embed docs/start.js
	docsStart []byte
	//go:embed docs/LICENSE.txt
	docsLicense []byte
)

// docsFiles are what the documentation offers beside its page.
var docsFiles = map[string]struct {
	kind    string
	content []byte
}{
	"guide.md":                      {"text/markdown; charset=UTF-8", gen.Guide},
	"assay.postman_collection.json": {echo.MIMEApplicationJSON, gen.Collection},
	"assay.http":                    {echo.MIMETextPlainCharsetUTF8, gen.HTTPFile},
	"LICENSE.txt":                   {echo.MIMETextPlainCharsetUTF8, docsLicense},
}

// docsPolicy lets /docs load from this server and from nowhere else. The reader
// styles elements where they stand, and has icons in data addresses.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// script is a file of /docs whose name holds its hash, so that it may be kept
// for good; it is compressed once it is asked for.
type script struct {
	name string
	gzip []byte
}

// docsScripts are made at the first visit, not at each start.
var docsScripts = sync.OnceValue(func() (made struct{ reader, start script }) {
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	_, _ = w.Write(docsStart) // a buffer takes everything
	_ = w.Close()
	made.reader = script{"reader-" + contentHash(docsReader) + ".js", docsReader}
	made.start = script{"start-" + contentHash(docsStart) + ".js", compressed.Bytes()}
	return made
})

func contentHash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// registerDocs adds the guide and the reference, which need no other server.
func (s *Server) registerDocs() {
	both := []string{http.MethodGet, http.MethodHead}
	s.echo.Match(both, "/docs", s.counted(func(c echo.Context) error {
		made := docsScripts()
		return showPage(c, docsPolicy, "docs.html", struct{ Reader, Start string }{made.reader.name, made.start.name})
	}))
	for name, file := range docsFiles {
		s.echo.Match(both, "/docs/"+name, s.counted(func(c echo.Context) error { return c.Blob(http.StatusOK, file.kind, file.content) }))
	}
	s.echo.Match(both, "/docs/:script", s.counted(serveScript))
}

func serveScript(c echo.Context) error {
	made := docsScripts()
	for _, script := range []script{made.reader, made.start} {
		if c.Param("script") == script.name {
			return script.serve(c)
		}
	}
	return echo.ErrNotFound
}

func (s script) serve(c echo.Context) error {
	header := c.Response().Header()
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set(echo.HeaderVary, echo.HeaderAcceptEncoding)
	const kind = "text/javascript; charset=UTF-8"
	if acceptsGzip(c.Request().Header.Values(echo.HeaderAcceptEncoding)) {
		header.Set(echo.HeaderContentEncoding, "gzip")
		header.Set(echo.HeaderContentLength, strconv.Itoa(len(s.gzip)))
		return c.Blob(http.StatusOK, kind, s.gzip)
	}
	plain, err := gzip.NewReader(bytes.NewReader(s.gzip))
	if err != nil {
		return err
	}
	header.Set(echo.HeaderContentType, kind)
	c.Response().WriteHeader(http.StatusOK)
	if c.Request().Method == http.MethodHead {
		return nil
	}
	_, err = io.Copy(c.Response(), plain) //nolint:gosec // what is decompressed is embedded
	return err
}

// acceptsGzip reads Accept-Encoding (RFC 9110, section 12.5.3).
func acceptsGzip(values []string) bool {
	accepted := false
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, parameter, _ := strings.Cut(item, ";")
		weight, given := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		wanted := !given || (err == nil && q > 0)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip":
			return wanted // named, it goes before the asterisk
		case "*":
			accepted = wanted
		}
	}
	return accepted
}
