package contract

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"assay/gen"
)

// getEncoded requests a path with an Accept-Encoding header. With this header set,
// the client of net/http does not decompress the body.
func (a *api) getEncoded(method, path, encodings string) response {
	a.t.Helper()
	r, err := http.NewRequest(method, a.url+path, nil)
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", encodings)
	return a.send(r)
}

func gunzip(t *testing.T, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

var pageScript = regexp.MustCompile(`<script src="(docs/[a-z]+-[0-9a-f]{16}\.js)"></script>`)

// The documentation page and its files come from this server only, and are compressed. The
// page's policy allows no other source.
func TestDocs(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		page := a.do("GET", "/docs", anonymous, nil).want(200)
		if kind := page.header.Get("Content-Type"); kind != "text/html; charset=UTF-8" {
			t.Errorf("/docs has the Content-Type %s", kind)
		}
		if policy := page.header.Get("Content-Security-Policy"); policy != docsPolicy {
			t.Errorf("/docs has the policy %q", policy)
		}
		for _, word := range []string{"http:", "https:", "*", "'unsafe-eval'", "script-src 'self' "} {
			if strings.Contains(docsPolicy, word) {
				t.Errorf("the policy of /docs allows other sources than this server: %s", word)
			}
		}

		// The XML namespace of an icon is not an address that a browser loads.
		text := strings.ReplaceAll(string(page.body), "xmlns='http://www.w3.org/2000/svg'", "")
		if outside := regexp.MustCompile(`(?i)(https?:)?//[a-z0-9]|@import|url\(`).FindString(text); outside != "" {
			t.Errorf("/docs refers to %q", outside)
		}
		scripts := pageScript.FindAllStringSubmatch(text, -1)
		if len(scripts) != 3 || strings.Count(text, "<script") != 3 {
			t.Fatalf("/docs has the scripts %q:\n%s", scripts, text)
		}
		for _, script := range scripts {
			path := "/" + script[1]
			packed, plain := a.getEncoded("GET", path, "br, gzip").want(200), a.getEncoded("GET", path, "identity").want(200)
			if packed.header.Get("Content-Encoding") != "gzip" || plain.header.Get("Content-Encoding") != "" {
				t.Errorf("%s: want gzip and no encoding, got the headers %v and %v", path, packed.header, plain.header)
			}
			if !bytes.Equal(gunzip(t, packed.body), plain.body) || len(plain.body) <= len(packed.body) {
				t.Errorf("%s: %d bytes, %d bytes compressed; want the same content, smaller", path, len(plain.body),
					len(packed.body))
			}
			for _, answer := range []response{packed, plain} {
				if kind := answer.header.Get("Content-Type"); kind != "text/javascript; charset=UTF-8" {
					t.Errorf("%s has the Content-Type %s", path, kind)
				}
				if answer.header.Get("Vary") != "Accept-Encoding" ||
					answer.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
					t.Errorf("%s: wrong Vary or Cache-Control in %v", path, answer.header)
				}
			}

			head := a.getEncoded("HEAD", path, "gzip").want(200)
			if len(head.body) != 0 || head.header.Get("Content-Length") != strconv.Itoa(len(packed.body)) {
				t.Errorf("HEAD %s: want no body and the Content-Length of GET, got %d bytes and %v", path, len(head.body),
					head.header)
			}
			a.do("POST", path, anonymous, nil).want(405, "method_not_allowed")
			a.do("GET", strings.Replace(path, "-", "-0", 1), anonymous, nil).want(404, "not_found")
		}

		license, err := os.ReadFile("../docs/LICENSE.txt")
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]struct {
			kind    string
			content []byte
		}{
			"/docs/guide.md":                      {"text/markdown; charset=UTF-8", gen.Guide},
			"/docs/assay.postman_collection.json": {"application/json", gen.Collection},
			"/docs/assay.http":                    {"text/plain; charset=UTF-8", gen.HTTPFile},
			"/docs/LICENSE.txt":                   {"text/plain; charset=UTF-8", license},
			"/openapi.yaml":                       {"application/yaml", gen.Document},
			"/openapi.json":                       {"application/json", gen.DocumentJSON},
			"/openapi-3.1.json":                   {"application/json", gen.DocumentJSON31},
		} {
			packed := a.getEncoded("GET", path, "gzip").want(200)
			if packed.header.Get("Content-Encoding") != "gzip" || packed.header.Get("Vary") != "Accept-Encoding" ||
				!bytes.Equal(gunzip(t, packed.body), want.content) {
				t.Errorf("%s is not compressed: %v", path, packed.header)
			}
			file := a.getEncoded("GET", path, "identity").want(200)
			if !bytes.Equal(file.body, want.content) || file.header.Get("Content-Type") != want.kind {
				t.Errorf("%s (%s) has the wrong content or Content-Type", path, file.header.Get("Content-Type"))
			}
		}
		for _, path := range []string{"/docs", "/docs/guide.md", "/docs/LICENSE.txt", "/errors", "/errors/not_found",
			"/openapi.yaml", "/openapi.json", "/openapi-3.1.json"} {
			if head := a.do("HEAD", path, anonymous, nil).want(200); len(head.body) != 0 {
				t.Errorf("HEAD %s has a body", path)
			}
			allow := a.do("POST", path, anonymous, nil).want(405, "method_not_allowed").header.Get("Allow")
			if !strings.Contains(allow, "GET") || !strings.Contains(allow, "HEAD") {
				t.Errorf("%s: Allow is %q", path, allow)
			}
		}
		for _, path := range []string{"/docs/", "/docs/x", "/docs/..", "/docs/scalar.js.gz", "/docs/guide.md/x",
			"/docs.html", "/pages/docs.html"} {
			a.do("GET", path, anonymous, nil).want(404, "not_found")
		}
	})
}
