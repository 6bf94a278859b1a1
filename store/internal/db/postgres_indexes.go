package db

import (
	"context"
	"fmt"
	"strings"
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
func (e *postgresEngine) finishIndexes(ctx context.Context, db *DB) error {
	var missing []struct{ Index, Table, Partition, Definition string }
	if err := db.Read().List(ctx, &missing, missingIndexes); err != nil {
		return err
	}
	for _, m := range missing {
		_, columns, _ := strings.Cut(m.Definition, " USING ")
		name := m.Partition + strings.TrimPrefix(m.Index, m.Table)
		for _, statement := range []string{
			`DROP INDEX CONCURRENTLY IF EXISTS ` + name, // what a failed build has left
			fmt.Sprintf(`CREATE INDEX CONCURRENTLY %s ON %s USING %s`, name, m.Partition, columns),
			fmt.Sprintf(`ALTER INDEX %s ATTACH PARTITION %s`, m.Index, name),
		} {
			if _, err := db.writer.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("index %s: %w", name, err)
			}
		}
	}
	return nil
}
