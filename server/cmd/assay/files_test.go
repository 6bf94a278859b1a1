//go:build unix

package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// A process that has no file descriptors left says so on the connections that it has, answers no request with a 500,
// stays alive, and recovers.
func TestNoFilesLeft(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		variables := []string{
			"ASSAY_DATA_DIR=" + filepath.Join(t.TempDir(), "data"), "ASSAY_SECRET=" + testSecret,
			"ASSAY_ADDR=127.0.0.1:0", "ASSAY_ADMIN_ADDR=off", "ASSAY_LOG_FORMAT=json",
		}
		if database == "postgres" {
			variables = append(variables, "ASSAY_DATABASE_URL="+storetest.URL(t, database))
		}
		p := startCommand(t, nil, variables, exec.Command("sh", "-c", `ulimit -n 64 && exec "$0" serve`, os.Args[0]))
		addr := strings.TrimPrefix(p.printed(`listens on (\S+)`), "http://")
		kept, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = kept.Close() }()
		reader := bufio.NewReader(kept)
		ask := func(path string) answer {
			t.Helper()
			_ = kept.SetDeadline(time.Now().Add(patience))
			if _, err := fmt.Fprintf(kept, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, addr); err != nil {
				t.Fatal(err)
			}
			response, err := http.ReadResponse(reader, nil)
			if err != nil {
				t.Fatal(err)
			}
			body := make([]byte, 4096)
			n, _ := response.Body.Read(body)
			_ = response.Body.Close()
			return answer{status: response.StatusCode, body: string(body[:n])}
		}
		poll(t, "readiness", func() bool { return ask("/readyz").status == 200 })

		var others []net.Conn
		for range 80 {
			other, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			others = append(others, other)
		}
		poll(t, "no files", func() bool {
			got := ask("/readyz")
			return got.status == 503 && strings.Contains(got.body, `"detail":"no-free-files: `)
		})
		for _, path := range []string{"/healthz", "/v1/auth/me", "/openapi.json"} {
			if got := ask(path); got.status == 500 {
				t.Errorf("%s: %d %s", path, got.status, got.body)
			}
		}
		for _, other := range others {
			_ = other.Close()
		}
		poll(t, "recovery", func() bool { return ask("/readyz").status == 200 })
		for _, want := range []string{`"msg":"not ready","condition":"no-free-files"`, `"msg":"ready again"`} {
			poll(t, want, func() bool { return strings.Count(p.stderr.String(), want) == 1 })
		}
	})
}
