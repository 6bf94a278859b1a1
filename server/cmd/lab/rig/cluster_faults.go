package rig

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Freeze stops every process of the server with SIGSTOP. Connections stay open,
// and nothing is answered on them.
func (c *Cluster) Freeze(ctx context.Context) (err error) {
	admin, err := sql.Open("postgres", c.URL())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, admin.Close()) }()
	held, err := admin.Conn(ctx) // before the postmaster stops, which accepts connections
	if err != nil {
		return err
	}
	defer func() { _ = held.Close() }()
	postmaster, err := c.postmaster()
	if err != nil {
		return err
	}
	c.frozen = []int{postmaster}
	if err := syscall.Kill(postmaster, syscall.SIGSTOP); err != nil {
		return err
	}

	rows, err := held.QueryContext(ctx, `SELECT pid FROM pg_stat_activity`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var pid int
		if err := rows.Scan(&pid); err != nil {
			return err
		}
		c.frozen = append(c.frozen, pid)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return c.signal(c.frozen[1:], syscall.SIGSTOP)
}

// Thaw lets a frozen server continue.
func (c *Cluster) Thaw() error {
	err := c.signal(c.frozen, syscall.SIGCONT)
	c.frozen = nil
	return err
}

// signal sends a signal to the processes that still exist.
func (c *Cluster) signal(processes []int, signal syscall.Signal) error {
	var failures error
	for _, pid := range processes {
		if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			failures = errors.Join(failures, err)
		}
	}
	return failures
}

func (c *Cluster) postmaster() (pid int, err error) {
	content, err := os.ReadFile(c.dir + "/data/postmaster.pid")
	if err != nil {
		return 0, err
	}
	line, _, _ := strings.Cut(string(content), "\n")
	return strconv.Atoi(line)
}

// Standby makes a streaming standby of c in dir and starts it.
func (c *Cluster) Standby(ctx context.Context, dir string) (*Cluster, error) {
	standby := &Cluster{bin: c.bin, dir: dir, as: c.as}
	if err := standby.makeDir(); err != nil {
		return nil, err
	}
	if err := standby.run(ctx, "pg_basebackup", "--host="+c.dir, "--username=assay",
		"--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf"); err != nil {
		return nil, err
	}
	return standby, standby.Start(ctx)
}

// Promote makes a standby the primary.
func (c *Cluster) Promote(ctx context.Context) error {
	return c.run(ctx, "pg_ctl", "--wait", "promote")
}

// Follow makes a stopped server a standby of primary and starts it.
func (c *Cluster) Follow(ctx context.Context, primary *Cluster) error {
	settings := filepath.Join(c.dir, "data", "postgresql.auto.conf")
	content, err := os.ReadFile(settings)
	if err != nil {
		return err
	}
	content = fmt.Appendf(content, "primary_conninfo = 'user=assay host=%s'\n", primary.dir)
	signal := filepath.Join(c.dir, "data", "standby.signal")
	if err := errors.Join(c.write(settings, content), c.write(signal, nil)); err != nil {
		return err
	}
	return c.Start(ctx)
}

// write writes a file that the server's user owns.
func (c *Cluster) write(file string, content []byte) error {
	//nolint:gosec // in a folder of our own
	if err := os.WriteFile(file, content, 0o600); err != nil || c.as == nil {
		return err
	}
	return os.Chown(file, int(c.as.Uid), int(c.as.Gid))
}
