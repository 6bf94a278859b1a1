package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

// missingIndexes are the partitions for which an index of their table has not been
// built yet. An index that a migration has declared with ON ONLY is invalid until it
// is built for each partition.
const missingIndexes = `
	SELECT i.indexrelid::regclass::text AS index, i.indrelid::regclass::text AS table, p.inhrelid::regclass::text
		AS partition,
		pg_get_indexdef(i.indexrelid) AS definition
	FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_inherits p ON p.inhparent = i.indrelid
	WHERE c.relkind = 'I' AND NOT i.indisvalid AND NOT EXISTS (
		SELECT 1 FROM pg_inherits a JOIN pg_index b ON b.indexrelid = a.inhrelid
		WHERE a.inhparent = i.indexrelid AND b.indrelid = p.inhrelid)
	ORDER BY p.inhrelid, i.indexrelid`

// finishIndexes builds the indexes of partitioned tables, one partition after the
// other, while others write: CREATE INDEX CONCURRENTLY does not work on a partitioned
// table. Partitions that are created later have the index from the beginning. After a
// failure, the next call continues.
func (e *postgresEngine) finishIndexes(ctx context.Context, db *DB, pool *sqlx.DB) error {
	var missing []struct{ Index, Table, Partition, Definition string }
	if err := db.ReadMany().List(ctx, &missing, missingIndexes); err != nil {
		return err
	}
	began := db.now()
	reported := began
	for i, m := range missing {
		if db.now().Sub(reported) >= migrationReport {
			reported = db.now()
			db.log.InfoContext(ctx, "building the indexes of partitions", "number", i+1, "of", len(missing))
		}
		_, columns, _ := strings.Cut(m.Definition, " USING ")
		name := m.Partition + strings.TrimPrefix(m.Index, m.Table)
		for _, statement := range []string{
			`DROP INDEX CONCURRENTLY IF EXISTS ` + name, // what a failed build has left
			fmt.Sprintf(`CREATE INDEX CONCURRENTLY %s ON %s USING %s`, name, m.Partition, columns),
		} {
			if _, err := pool.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("index %s: %w", name, err)
			}
		}
		if err := e.untilLocked(ctx, db, fmt.Sprintf(`ALTER INDEX %s ATTACH PARTITION %s`, m.Index, name)); err != nil {
			return fmt.Errorf("index %s: %w", name, err)
		}
	}
	if len(missing) > 0 {
		db.log.InfoContext(ctx, "built the indexes of partitions", "indexes", len(missing), "duration", db.now().Sub(began))
	}
	for _, index := range replacedIndexes {
		if err := e.dropIndex(ctx, db, index); err != nil {
			return fmt.Errorf("index %s: %w", index, err)
		}
	}
	for _, table := range slices.Sorted(maps.Keys(estimates)) {
		if err := e.setEstimates(ctx, db, table); err != nil {
			return err
		}
	}
	return e.dropQueueReference(ctx, db)
}

// queueReference is the foreign key of the queue to the endpoints. Each queued delivery
// would lock the row of its endpoint and look it up again, although the statement that
// queues it has just read it there, and endpoints are only marked as deleted.
const queueReference = "webhook_queue_webhook_id_fkey"

// dropQueueReference drops queueReference. If a query reads one of the tables for longer
// than lockTimeout, the next start drops it.
func (e *postgresEngine) dropQueueReference(ctx context.Context, db *DB) error {
	var exists bool
	err := db.Read().Get(ctx, &exists, `
		SELECT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = ? AND conrelid = to_regclass('webhook_queue'))`,
		queueReference)
	if err != nil || !exists {
		return err
	}
	return dropBriefly(ctx, db, `ALTER TABLE webhook_queue DROP CONSTRAINT IF EXISTS `+queueReference)
}

// replacedIndexes are indexes of partitioned tables that a migration has replaced. They
// are dropped only now: until their successor is complete, queries need them.
var replacedIndexes = []string{"webhook_deliveries_event"}

// dropIndex drops the index of a partitioned table. If a query reads the table for
// longer than lockTimeout, the next start drops it.
func (e *postgresEngine) dropIndex(ctx context.Context, db *DB, index string) error {
	var exists bool
	err := db.Read().Get(ctx, &exists, `SELECT to_regclass(?) IS NOT NULL`, index)
	if err != nil || !exists {
		return err
	}
	return dropBriefly(ctx, db, `DROP INDEX IF EXISTS `+index)
}

// dropBriefly runs a statement that locks a table, unless it waits for longer than lockTimeout.
func dropBriefly(ctx context.Context, db *DB, statement string) error {
	err := db.Write(ctx, func(c Conn) error {
		if _, err := c.tx.ExecContext(ctx, `SET LOCAL lock_timeout = '`+lockTimeout+`'`); err != nil {
			return err
		}
		_, err := c.tx.ExecContext(ctx, statement)
		return err
	})
	var postgres *pq.Error
	if errors.As(err, &postgres) && postgres.Code == codeLockTimeout {
		return nil
	}
	return err
}

// untilLocked runs a statement that locks a table. It waits only briefly for the lock, because others wait behind it,
// and tries again until it gets the lock.
func (e *postgresEngine) untilLocked(ctx context.Context, db *DB, statement string) error {
	for attempt := 0; ; attempt++ {
		// Sent together, they are one transaction.
		_, err := db.writer.ExecContext(ctx, `SET LOCAL lock_timeout = '`+lockTimeout+`'; `+statement)
		if !isLockConflict(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(min(maxLockPause, firstLockPause<<min(attempt, 10))):
		}
	}
}
