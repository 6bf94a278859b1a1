package store_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"assay/store"
	"assay/store/storetest"
)

// eachPlanner runs a test on both databases with a function that explains statements. fill are statements that add
// so many rows that PostgreSQL prefers an index wherever one fits.
func eachPlanner(
	t *testing.T, fill []string, test func(t *testing.T, s *store.Store, plan func(statement string) string),
) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, database string) {
		address := storetest.URL(t, database)
		s := storetest.OpenURL(t, address, storetest.NewClock().Now)
		pool, explain := openPool(t, address), explainSQLite
		if database == "postgres" {
			explain = explainPostgres
			for _, statement := range fill {
				if _, err := pool.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
		}
		test(t, s, func(statement string) string { return strings.Join(explain(t, pool, statement), "\n") })
	})
}

// scans reports whether a plan reads a whole table.
func scans(plan, table string) bool {
	return strings.Contains(plan, "SCAN "+table) || strings.Contains(plan, "Seq Scan on "+table)
}

func explainSQLite(t *testing.T, pool *sqlx.DB, statement string) (steps []string) {
	t.Helper()
	rows, err := pool.QueryxContext(t.Context(), `EXPLAIN QUERY PLAN `+statement,
		make([]any, strings.Count(statement, "?"))...)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, statement)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		step, err := rows.SliceScan()
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, fmt.Sprint(step[3]))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}

// explainPostgres returns the plan for unknown arguments. It permits plans that the service's connections forbid, such
// as reading a whole table, so that a test can see where PostgreSQL would prefer one.
func explainPostgres(t *testing.T, pool *sqlx.DB, statement string) (steps []string) {
	t.Helper()
	tx, err := pool.BeginTxx(t.Context(), &sql.TxOptions{ReadOnly: false})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	arguments := strings.Repeat(", NULL", strings.Count(statement, "?"))
	if arguments != "" {
		arguments = "(" + arguments[2:] + ")"
	}
	for _, prepare := range []string{
		`SET LOCAL plan_cache_mode = force_generic_plan`, `PREPARE one AS ` + sqlx.Rebind(sqlx.DOLLAR, statement),
	} {
		if _, err := tx.ExecContext(t.Context(), prepare); err != nil {
			t.Fatalf("%v\nin\n%s", err, statement)
		}
	}
	if err := tx.SelectContext(t.Context(), &steps, `EXPLAIN EXECUTE one`+arguments); err != nil {
		t.Fatalf("%v\nin\n%s", err, statement)
	}
	if _, err := tx.ExecContext(t.Context(), `DEALLOCATE one`); err != nil {
		t.Fatal(err)
	}
	return steps
}

func openPool(t *testing.T, address string) *sqlx.DB {
	t.Helper()
	driver, source := "postgres", address
	if file, isSQLite := strings.CutPrefix(address, "sqlite:"); isSQLite {
		driver, source = "sqlite", "file:"+file
	}
	pool, err := sqlx.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	return pool
}
