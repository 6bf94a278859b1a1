package storetest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/store"
)

// Poolings are the modes of PgBouncer that the service supports.
var Poolings = []string{"session", "transaction"}

// PgBouncer starts a PgBouncer with the pool mode in front of the PostgreSQL of the
// database, and returns the URL of the database behind it, and the option that a store
// there needs. In transaction mode it has so few connections that requests share them.
func PgBouncer(t testing.TB, mode, databaseURL string) (behind string, option func(*store.Options)) {
	t.Helper()
	parsed, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	query := parsed.Query()
	// Not below t.TempDir, whose path can be too long for a socket.
	dir, err := os.MkdirTemp("", "pgb")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil { //nolint:gosec // PgBouncer does not run as root
		t.Fatal(err)
	}
	connections := map[string]int{"session": 40, "transaction": 3}[mode]
	config := fmt.Sprintf("[databases]\n* = host=%s user=%s\n[pgbouncer]\nlisten_addr=\nlisten_port=6432\n"+
		"unix_socket_dir=%s\nunix_socket_mode=0777\nauth_type=any\npool_mode=%s\ndefault_pool_size=%d\n",
		query.Get("host"), parsed.User.Username(), dir, mode, connections)
	file := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil { //nolint:gosec // likewise
		t.Fatal(err)
	}

	path, err := exec.LookPath("pgbouncer")
	if err != nil {
		path = "/usr/sbin/pgbouncer" // Debian's place for servers
	}
	args := []string{"-q", file}
	if os.Getuid() == 0 {
		args = []string{"-q", "-u", ownerOf(t, query.Get("host")), file}
	}
	command := exec.CommandContext(context.Background(), path, args...) //nolint:gosec // made above
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM) // at once
		_ = command.Wait()
	})
	socket := filepath.Join(dir, ".s.PGSQL.6432")
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		conn, err := (&net.Dialer{}).DialContext(context.Background(), "unix", socket)
		if err == nil {
			_ = conn.Close()
			break
		}
		if time.Since(began) > 10*time.Second {
			t.Fatalf("PgBouncer does not listen: %v\n%s", err, strings.TrimSpace(output.String()))
		}
	}

	query.Set("host", dir)
	query.Set("port", "6432")
	parsed.RawQuery = query.Encode()
	return parsed.String(), func(o *store.Options) { o.TransactionPooling = mode == "transaction" }
}

// ownerOf returns the user who may use the sockets in a folder, because PgBouncer
// refuses to run as root.
func ownerOf(t testing.TB, dir string) string {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	owner, err := user.LookupId(strconv.Itoa(int(info.Sys().(*syscall.Stat_t).Uid)))
	if err != nil {
		t.Fatal(err)
	}
	return owner.Username
}
