package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// health is what the statements of all requests have met.
type health struct {
	met map[Condition]*atomic.Int64
	// full is set when a write found no space. A probe must then find some: the row that it usually writes takes space
	// which the database already has.
	full atomic.Bool
	// damaged is the first error that reported damage of a SQLite file, which remains until the process restarts.
	damaged atomic.Pointer[error]
	// lost is set while SQLite's file is not the one that was opened. What is written to it then is lost with the
	// process, so all statements fail.
	lost atomic.Pointer[error]
}

func newHealth() *health {
	h := &health{met: map[Condition]*atomic.Int64{}}
	for _, condition := range Conditions() {
		h.met[condition] = &atomic.Int64{}
	}
	return h
}

// Met returns how many statements have failed in the condition.
func (d *DB) Met(condition Condition) int64 { return d.health.met[condition].Load() }

// note records the condition that the error of a statement reports. It returns the error, with its cause if SQLite's
// file is lost: SQLite then reports that a table does not exist, or that the file is damaged.
func (d *DB) note(err error) error {
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return err
	}
	condition := ConditionOf(err)
	var lite *sqlite.Error
	if errors.As(err, &lite) && (condition != "" || lite.Code() == sqlitelib.SQLITE_ERROR) {
		if lost := d.checkFile(); lost != nil {
			err, condition = fmt.Errorf("%w: %w", lost, err), FileLost
		}
	}
	if condition == "" {
		return err
	}
	d.health.met[condition].Add(1)
	switch {
	case condition == DiskFull:
		d.health.full.Store(true)
	case condition == Damaged && lite != nil:
		d.health.damaged.CompareAndSwap(nil, &err)
	}
	return err
}

// checkFile compares the SQLite file with the one that was opened, and makes all statements fail while it is another.
func (d *DB) checkFile() error {
	engine, isSQLite := d.engine.(sqliteEngine)
	if !isSQLite {
		return nil
	}
	lost := engine.lost()
	if lost == nil {
		d.health.lost.Store(nil)
		return nil
	}
	d.health.lost.Store(&lost)
	return lost
}

// Probe returns an error that ConditionOf knows if the database cannot be written. The function read reads from the
// database, and write writes one row.
func (d *DB) Probe(ctx context.Context, read, write func(context.Context) error) error {
	if err := d.checkFile(); err != nil {
		return err
	}
	if err := d.health.damaged.Load(); err != nil {
		return *err
	}
	// This process needs a file for each connection.
	spare, err := os.Open(os.DevNull)
	if err != nil {
		return fmt.Errorf("open a file: %w", err)
	}
	_ = spare.Close()
	if err := read(ctx); err != nil {
		return err
	}
	if err := write(ctx); err != nil {
		return err
	}
	// SQLite writes to a file that was deleted as if it were there.
	if err := d.checkFile(); err != nil {
		return err
	}
	wasFull := d.health.full.Load()
	if err := d.probeSpace(ctx, d, wasFull); err != nil {
		return fmt.Errorf("find space: %w", err)
	}
	if wasFull {
		d.health.full.Store(false)
	}
	return nil
}
