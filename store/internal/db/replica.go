package db

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"
)

const (
	// maxStaleness is how far a read replica may be behind. Otherwise the primary is read.
	maxStaleness = 10 * time.Second

	replicaBeat        = time.Second
	replicaTimeout     = 2 * time.Second
	replicaConnections = 10
)

// replica is a streaming standby that serves reads which may be out of date.
type replica struct {
	pool   *sqlx.DB
	usable atomic.Bool
	// fallbacks counts the reads that were repeated on the primary.
	fallbacks atomic.Uint64
	stop      context.CancelFunc
	stopped   sync.WaitGroup
}

// written is how far the primary had written its log at a time.
type written struct {
	at       time.Time
	position int64
}

// openReplica connects to the replica when it is first used, so that the service also
// starts without it.
func (d *DB) openReplica(databaseURL, application string, transactionPooling bool) error {
	engine, err := newPostgresEngine(databaseURL, application, transactionPooling)
	if err != nil {
		return err
	}
	pool, err := engine.open(settings, replicaConnections)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	d.replica = &replica{pool: pool, stop: stop}
	d.replica.stopped.Go(func() { d.watchReplica(ctx) })
	return nil
}

func (r *replica) close() error {
	r.stop()
	r.stopped.Wait()
	return r.pool.Close()
}

// watchReplica compares the replica with what the primary had written at several times.
// The time of the last replayed transaction would not do: it is old when nothing is
// written, and it says nothing about what a replica without a connection has missed.
func (d *DB) watchReplica(ctx context.Context) {
	var samples []written
	beat := time.NewTicker(replicaBeat)
	defer beat.Stop()
	for {
		fresh, err := d.sampleReplica(ctx, &samples)
		if ctx.Err() != nil {
			return
		}
		usable := err == nil && d.now().Sub(fresh) <= maxStaleness
		if d.replica.usable.Swap(usable) != usable {
			level := slog.LevelInfo
			if !usable {
				level = slog.LevelWarn
			}
			d.log.LogAttrs(ctx, level, "read replica", slog.Bool("used", usable), slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
		}
	}
}

// sampleReplica returns the latest time whose writes the replica has.
func (d *DB) sampleReplica(ctx context.Context, samples *[]written) (fresh time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, replicaTimeout)
	defer cancel()
	sample := written{at: d.now()}
	err = d.reader.QueryRowContext(ctx, `SELECT CAST(pg_current_wal_lsn() - '0/0' AS BIGINT)`).Scan(&sample.position)
	if err != nil {
		return fresh, err
	}
	var replayed sql.NullInt64 // null on a primary
	err = d.replica.pool.QueryRowContext(ctx, `
		SELECT CASE WHEN pg_is_in_recovery() THEN CAST(pg_last_wal_replay_lsn() - '0/0' AS BIGINT) END`).Scan(&replayed)
	if err != nil {
		return fresh, err
	}
	if !replayed.Valid {
		return fresh, errNoReplica
	}
	*samples = append(*samples, sample)
	for len(*samples) > 0 && sample.at.Sub((*samples)[0].at) > 2*maxStaleness {
		*samples = (*samples)[1:]
	}
	for _, earlier := range *samples {
		if earlier.position <= replayed.Int64 {
			fresh = earlier.at
		}
	}
	return fresh, nil
}

var errNoReplica = errors.New("db: the server of the read URL is no standby")

// Stale is Read for a caller to whom data may be out of date by maxStaleness. It uses
// the read replica, if there is one that is not further behind.
func (d *DB) Stale() Conn {
	if d.replica == nil || !d.replica.usable.Load() {
		return d.Read()
	}
	return Conn{db: d, through: d.fromReplica}
}

// fromReplica runs fn on the replica, and on the primary if that fails, for example because
// the replica has stopped or lacks a table.
func (d *DB) fromReplica(ctx context.Context, fn func(Conn) error) error {
	err := fn(Conn{db: d, pool: d.replica.pool})
	if err == nil || errors.Is(err, sql.ErrNoRows) || ctx.Err() != nil {
		return err
	}
	d.log.WarnContext(ctx, "a read failed on the read replica, repeating it on the primary", "error", err)
	d.replica.usable.Store(false)
	d.replica.fallbacks.Add(1)
	return fn(d.Read())
}
