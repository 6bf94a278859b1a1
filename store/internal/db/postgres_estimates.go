package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lib/pq"
)

// Estimates are how many values PostgreSQL expects in columns by which rows are found, by table and column. When nearly
// all rows have one value, its statistics know no other. It then expects every row to have the value of a query, and
// follows the primary key instead of the column's index: for the ten newest rows of a small tenant it reads the whole
// table.
type Estimates map[string]map[string]int

// presentEstimates are the columns of a table and of its partitions, each with its estimate. The other options of a
// column do not matter: some releases of PostgreSQL set options of their own on each column.
const presentEstimates = `
	SELECT c.oid::regclass::text AS name, a.attname AS column, EXISTS (SELECT 1 FROM pg_stats s
			WHERE s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname) AS analyzed,
		COALESCE((SELECT option_value FROM pg_options_to_table(a.attoptions) WHERE option_name = 'n_distinct'), '')
			AS estimate
	FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
	WHERE (c.oid = to_regclass(?) OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass(?)))
		AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
	ORDER BY c.oid, a.attnum`

// setEstimates sets the estimates that a table and its partitions lack, or that have changed. They apply from the
// next ANALYZE, so a table that has statistics is analyzed. A table that is locked for longer
// than lockTimeout, for example by a manual VACUUM, is left to the next run, as is a
// partition that another process has just dropped.
func (e *postgresEngine) setEstimates(ctx context.Context, db *DB, table string) error {
	var present []struct {
		Name, Column, Estimate string
		Analyzed               bool
	}
	if err := db.ReadMany().List(ctx, &present, presentEstimates, table, table); err != nil {
		return err
	}
	statements, analyzed := map[string][]string{}, map[string]bool{}
	for _, p := range present {
		if values, ok := db.estimates[table][p.Column]; ok && p.Estimate != strconv.Itoa(values) {
			statements[p.Name] = append(statements[p.Name],
				fmt.Sprintf(`ALTER TABLE %s ALTER COLUMN %s SET (n_distinct = %d)`, p.Name, p.Column, values))
			analyzed[p.Name] = p.Analyzed
		}
	}
	began := db.now()
	for _, name := range slices.Sorted(maps.Keys(statements)) {
		// Sent together, they are one transaction.
		together := append([]string{`SET LOCAL lock_timeout = '` + lockTimeout + `'`}, statements[name]...)
		if analyzed[name] {
			together = append(together, `ANALYZE `+name)
		}
		_, err := db.writer.ExecContext(ctx, strings.Join(together, "; "))
		var postgres *pq.Error
		if errors.As(err, &postgres) && (postgres.Code == codeLockTimeout || postgres.Code == codeNoTable) {
			continue
		}
		if err != nil {
			return fmt.Errorf("estimates of %s: %w", name, err)
		}
	}
	if took := db.now().Sub(began); took > migrationReport {
		db.log.InfoContext(ctx, "analyzed a table", "table", table, "partitions", len(statements), "duration", took)
	}
	return nil
}

const codeNoTable = "42P01"
