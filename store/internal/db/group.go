package db

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// maxGroup bounds how many writes share one transaction, and so how long the first one waits for the others.
const maxGroup = 64

// groups lets writes that wait at the same time share one transaction, and so one
// fsync. Nobody waits for a group to fill: it consists of the writes that waited for
// the only connection that writes.
//
// One of the waiting callers runs the whole group, each write in a savepoint of its
// own and in the order of arrival. A caller continues after the commit. If the
// transaction ends before it, each caller runs its write again, alone.
type groups struct {
	turn    chan struct{} // held by the caller that runs a group
	mu      sync.Mutex
	waiting []*groupedWrite
}

func newGroups() *groups { return &groups{turn: make(chan struct{}, 1)} }

// groupedWrite is one write that waits for a group, or is in one.
type groupedWrite struct {
	run   func(context.Context, Conn) error
	taken atomic.Bool   // by a group, or by the caller that no longer waits
	done  chan struct{} // closed when the fields below are set

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
	w := &groupedWrite{run: fn, done: make(chan struct{})}
	d.groups.add(w)
	if !d.await(ctx, w) {
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

// await waits until w has run, in a group of another caller or in one that this
// caller runs. It returns false if ctx ends while w waits: then w never runs.
func (d *DB) await(ctx context.Context, w *groupedWrite) bool {
	select {
	case <-w.done:
		return true
	case d.groups.turn <- struct{}{}:
		d.runGroup(ctx, w)
		<-d.groups.turn
	case <-ctx.Done():
		if w.taken.CompareAndSwap(false, true) {
			return false
		}
	}
	<-w.done
	return true
}

func (g *groups) add(w *groupedWrite) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, w)
}

// take returns the writes that have waited longest, and first, if it still waits, in
// any case: its caller runs this group and no other.
func (g *groups) take(first *groupedWrite) (group []*groupedWrite) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if first.taken.CompareAndSwap(false, true) {
		group = append(group, first)
	}
	taken := 0
	for _, w := range g.waiting {
		if len(group) == maxGroup {
			break
		}
		if w.taken.CompareAndSwap(false, true) {
			group = append(group, w)
		}
		taken++
	}
	clear(g.waiting[:taken]) // the array can live on
	g.waiting = g.waiting[taken:]
	return group
}

// runGroup runs own and what else waits, unless another group has taken own.
func (d *DB) runGroup(ctx context.Context, own *groupedWrite) {
	select {
	case <-own.done:
		return
	default:
	}
	ctx, cancel := bounded(context.WithoutCancel(ctx))
	defer cancel()
	began := d.now()
	opened, err := d.writer.BeginTxx(ctx, nil)
	group := d.groups.take(own) // not before: others may have waited for the connection as well
	committed, failed := false, false
	defer func() {
		for _, w := range group {
			w.alone = !committed && !failed && w.panicked == nil
			close(w.done)
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
