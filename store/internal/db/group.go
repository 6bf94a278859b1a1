package db

import (
	"context"
	"errors"
)

// groupedWrite is one write that waits for a group, or is in one. The writes of a
// group share one transaction, and so one fsync. The caller that works runs each
// write in a savepoint of its own, in the order of arrival. If the transaction ends
// before its commit, each caller runs its write again, alone.
type groupedWrite struct {
	run func(context.Context, Conn) error

	alone    bool // the transaction has ended without a commit, whatever run returned
	err      error
	panicked any
	tx       *transaction
}

// WriteGrouped is Write for a short transaction that can share its commit with
// others. fn must use the context that it receives: in a group, the end of one
// request does not interrupt a statement, because that would roll back all writes of
// the group. On PostgreSQL, where commits share an fsync by themselves, it is Write.
func (d *DB) WriteGrouped(ctx context.Context, fn func(context.Context, Conn) error) error {
	alone := func() error { return d.Write(ctx, func(c Conn) error { return fn(ctx, c) }) }
	if d.groups == nil {
		return alone()
	}
	ctx, cancel := bounded(ctx) // includes the wait, and a second run
	defer cancel()
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &groupedWrite{run: fn}
	if !d.groups.Do(ctx, w, func(take func() []*groupedWrite) { d.runGroup(ctx, take) }) {
		return ctx.Err()
	}
	switch {
	case w.panicked != nil:
		panic(w.panicked)
	case w.alone:
		return alone()
	}
	var commit commitThenRefuse
	if w.err != nil && !errors.As(w.err, &commit) {
		return w.err
	}
	for _, after := range w.tx.afterCommit {
		after()
	}
	return commit.error
}

// runGroup runs the writes that wait when the connection is free.
func (d *DB) runGroup(ctx context.Context, take func() []*groupedWrite) {
	ctx, cancel := bounded(context.WithoutCancel(ctx))
	defer cancel()
	began := d.now()
	defer d.writes.add(began)()
	opened, err := d.writer.BeginTxx(ctx, nil)
	group := take() // not before: others may have waited for the connection as well
	committed, failed := false, false
	defer func() {
		for _, w := range group {
			w.alone = !committed && !failed && w.panicked == nil
		}
	}()
	if err != nil {
		return
	}
	defer func() {
		if !committed {
			_ = opened.Rollback() // each write runs again, and reports what is wrong
		}
	}()

	var unprepared []string
	deadline, _ := ctx.Deadline()
	for _, w := range group {
		w.tx = &transaction{Tx: opened, deadline: deadline}
		c := Conn{db: d, pool: d.writer, tx: w.tx}
		if len(group) == 1 {
			failed = !w.call(ctx, c) // the transaction was its own
		}
		if failed || len(group) > 1 && !w.inSavepoint(ctx, c) {
			return
		}
		unprepared = append(unprepared, w.tx.unprepared...)
	}
	if d.now().Sub(began) > MaxWriteTime/2 || opened.Commit() != nil {
		return
	}
	committed = true
	d.prepareLater(ctx, d.writer, unprepared)
}

// call runs the write and reports whether its changes can be committed.
func (w *groupedWrite) call(ctx context.Context, c Conn) (commit bool) {
	defer func() { w.panicked = recover() }()
	w.err = w.run(ctx, c)
	return w.err == nil || errors.As(w.err, new(commitThenRefuse))
}

// inSavepoint runs the write, and undoes its changes if it fails. It returns false
// when the transaction has ended, because then there is no savepoint any more.
func (w *groupedWrite) inSavepoint(ctx context.Context, c Conn) (intact bool) {
	if _, err := c.Exec(ctx, `SAVEPOINT grouped`); err != nil {
		return false
	}
	if !w.call(ctx, c) {
		if _, err := c.Exec(ctx, `ROLLBACK TO grouped`); err != nil {
			return false
		}
	}
	_, err := c.Exec(ctx, `RELEASE grouped`)
	return err == nil
}
