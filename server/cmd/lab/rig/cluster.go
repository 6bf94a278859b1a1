package rig

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// Cluster is a PostgreSQL server for one run, which may crash. It writes to disk
// as a production server does, and listens on a Unix socket only.
type Cluster struct {
	bin, dir string
	as       *syscall.Credential // nil for the user of this process
	frozen   []int               // processes that Freeze stopped
}

// NewCluster makes and starts a cluster in dir. The path goes into a URL
// unescaped, and into a socket's address of at most 107 bytes.
func NewCluster(ctx context.Context, dir string) (*Cluster, error) {
	c := &Cluster{dir: dir}
	var err error
	if c.bin, err = postgresBin(); err != nil {
		return nil, err
	}
	if os.Getuid() == 0 { // PostgreSQL refuses to run as root
		if c.as, err = serverUser(); err != nil {
			return nil, err
		}
	}
	if err := c.makeDir(); err != nil {
		return nil, err
	}
	err = c.run(ctx, "initdb", "--username=assay", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
	if err != nil {
		return nil, err
	}
	return c, c.Start(ctx)
}

// makeDir makes the cluster's folder.
func (c *Cluster) makeDir() error {
	if err := os.Mkdir(c.dir, 0o700); err != nil || c.as == nil {
		return err
	}
	return os.Chown(c.dir, int(c.as.Uid), int(c.as.Gid))
}

// URL is the address of the database postgres, for a superuser.
func (c *Cluster) URL() string {
	return "postgres://assay@/postgres?host=" + c.dir + "&sslmode=disable"
}

// Start starts a stopped server and waits until it accepts connections.
func (c *Cluster) Start(ctx context.Context) error {
	options := "-c unix_socket_directories=" + c.dir +
		" -c listen_addresses='' -c max_connections=200 -c fsync=on -c synchronous_commit=on"
	return c.run(ctx, "pg_ctl", "--wait", "--log="+c.dir+"/log", "--options="+options, "start")
}

// Crash ends all processes at once and starts the server again. It then
// recovers from the write-ahead log.
func (c *Cluster) Crash(ctx context.Context) error {
	return c.run(ctx, "pg_ctl", "--wait", "--log="+c.dir+"/log", "--mode=immediate", "restart")
}

// Halt ends all processes at once.
func (c *Cluster) Halt(ctx context.Context) error {
	return c.run(ctx, "pg_ctl", "--wait", "--mode=immediate", "stop")
}

// Close shuts the server down in order, after a standby has received everything.
func (c *Cluster) Close(ctx context.Context) error {
	return c.run(ctx, "pg_ctl", "--wait", "--mode=fast", "stop")
}

// Stop ends the server, frozen or not, if it runs. It also works after the run
// was interrupted.
func (c *Cluster) Stop() error {
	_ = c.Thaw() // a frozen process cannot end
	if _, err := c.postmaster(); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return c.run(context.Background(), "pg_ctl", "--mode=immediate", "stop")
}

// run runs one of PostgreSQL's programs on the cluster's data.
func (c *Cluster) run(ctx context.Context, program string, args ...string) error {
	args = append([]string{"--pgdata=" + c.dir + "/data"}, args...)
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, program), args...) //nolint:gosec // PostgreSQL's own programs
	cmd.Dir = "/"                                                           // the server's user may not enter ours
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.as, Setpgid: true} // Ctrl-C reaches this process only
	cmd.WaitDelay = time.Second                                             // the server inherits pg_ctl's output
	if output, err := cmd.CombinedOutput(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("%s: %w\n%s", program, err, output)
	}
	return nil
}

// serverUser is the user that PostgreSQL runs as when this process is root.
func serverUser() (*syscall.Credential, error) {
	found, err := user.Lookup("postgres")
	if err != nil {
		if found, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, err := strconv.ParseUint(found.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(found.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

// postgresBin is the folder of the newest installed PostgreSQL's programs.
func postgresBin() (string, error) {
	var found []string
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin/initdb", "/usr/pgsql-*/bin/initdb", "/usr/local/pgsql/bin/initdb",
		"/opt/homebrew/opt/postgresql*/bin/initdb", "/usr/local/opt/postgresql*/bin/initdb",
	} {
		matches, err := filepath.Glob(pattern)
		if err != nil {
			return "", err
		}
		found = append(found, matches...)
	}
	if len(found) > 0 {
		return filepath.Dir(slices.Max(found)), nil
	}
	onPath, err := exec.LookPath("initdb")
	if err != nil {
		return "", errors.New("no PostgreSQL server was found: run this with make, which installs one")
	}
	onPath, err = filepath.EvalSymlinks(onPath)
	return filepath.Dir(onPath), err
}
