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

// Cluster is a PostgreSQL of this run's own, which may crash. It writes to disk
// as a production server does, and listens on a Unix socket only.
type Cluster struct {
	bin, dir string
	as       *syscall.Credential // nil for our own user
	frozen   []int               // processes that Freeze stopped
}

// NewCluster makes and starts it in dir, whose path goes into a URL unescaped
// and into a socket's address of 107 bytes.
func NewCluster(ctx context.Context, dir string) (*Cluster, error) {
	c := &Cluster{dir: dir}
	var err error
	if c.bin, err = postgresBin(); err != nil {
		return nil, err
	}
	if os.Getuid() == 0 { // as whom PostgreSQL refuses to run
		if c.as, err = serverUser(); err != nil {
			return nil, err
		}
	}
	if err := c.makeDir(); err != nil {
		return nil, err
	}
	if err := c.run(ctx, "initdb", "--pgdata="+dir+"/data", "--username=assay", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"); err != nil {
		return nil, err
	}
	return c, c.Start(ctx)
}

// makeDir makes the folder of everything.
func (c *Cluster) makeDir() error {
	if err := os.Mkdir(c.dir, 0o700); err != nil || c.as == nil {
		return err
	}
	return os.Chown(c.dir, int(c.as.Uid), int(c.as.Gid))
}

// Start starts what is stopped, and waits until it answers.
func (c *Cluster) Start(ctx context.Context) error {
	options := "-c unix_socket_directories=" + c.dir + " -c listen_addresses='' -c max_connections=200 -c fsync=on -c synchronous_commit=on"
	return c.run(ctx, "pg_ctl", "--pgdata="+c.dir+"/data", "--wait", "--log="+c.dir+"/log", "--options="+options, "start")
}

// URL is the address of its database, of a role that may do everything.
func (c *Cluster) URL() string {
	return "postgres://assay@/postgres?host=" + c.dir + "&sslmode=disable"
}

// Crash ends all of its processes at once, without a word to anybody, and
// starts it again, which recovers from the write-ahead log.
func (c *Cluster) Crash(ctx context.Context) error {
	return c.run(ctx, "pg_ctl", "--pgdata="+c.dir+"/data", "--wait", "--log="+c.dir+"/log", "--mode=immediate", "restart")
}

// Stop ends it for good, also when the run was interrupted.
func (c *Cluster) Stop() error {
	_ = c.Thaw() // what is frozen cannot end
	if _, err := c.postmaster(); errors.Is(err, os.ErrNotExist) {
		return nil // it was halted
	}
	return c.run(context.Background(), "pg_ctl", "--pgdata="+c.dir+"/data", "--mode=immediate", "stop")
}

func (c *Cluster) run(ctx context.Context, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, program), args...) //nolint:gosec // PostgreSQL's own programs
	cmd.Dir = "/"                                                           // its user may be barred from ours
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.as, Setpgid: true} // a Ctrl-C is ours to handle
	cmd.WaitDelay = time.Second                                             // the server keeps what pg_ctl had open
	if output, err := cmd.CombinedOutput(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("%s: %w\n%s", program, err, output)
	}
	return nil
}

// serverUser is whom PostgreSQL runs as where we are root.
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

// postgresBin is the folder of PostgreSQL's programs, the newest there is.
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
		return "", errors.New("there is no PostgreSQL server here: run this with make, which installs one, or put initdb on PATH")
	}
	onPath, err = filepath.EvalSymlinks(onPath)
	return filepath.Dir(onPath), err
}
