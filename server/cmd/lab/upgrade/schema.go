package upgrade

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/server/cmd/lab/rig"
)

// schemaQueries return one line for each object of a schema. Partitions of days depend on the day, and the tables and
// functions scale_… belong to the fill.
var schemaQueries = map[string]string{
	"sqlite": `SELECT type || ' ' || name || ' ' || COALESCE(sql, '') FROM sqlite_master
		WHERE name NOT LIKE 'scale\_%' ESCAPE '\' AND name NOT LIKE 'sqlite\_autoindex\_scale%' ESCAPE '\'`,
	"postgres": `
		WITH tables AS (SELECT c.* FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
			AND c.relname NOT LIKE 'scale\_%')
		SELECT 'column ' || t.relname || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' '
			|| CASE WHEN a.attnotnull THEN 'NOT NULL ' ELSE '' END || COALESCE(pg_get_expr(d.adbin, d.adrelid), '') || ' '
			|| COALESCE(array_to_string(a.attoptions, ','), '') || ' ' || a.attidentity::text || a.attgenerated::text || ' '
			|| COALESCE((SELECT collname FROM pg_collation WHERE oid = a.attcollation), '')
		FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid 
			LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
		WHERE t.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
		UNION ALL
		SELECT 'table ' || t.relname || ' ' || t.relkind::text || ' ' || COALESCE(array_to_string(t.reloptions, ','), '')
		FROM tables t WHERE t.relkind IN ('r', 'p')
		UNION ALL
		SELECT 'index ' || pg_get_indexdef(i.indexrelid) || ' valid ' || i.indisvalid::text
		FROM pg_index i JOIN tables t ON t.oid = i.indrelid
		UNION ALL
		SELECT 'constraint ' || t.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
			|| ' valid ' || k.convalidated::text
		FROM pg_constraint k JOIN tables t ON t.oid = k.conrelid
		UNION ALL
		SELECT 'trigger ' || pg_get_triggerdef(g.oid) || ' ' || g.tgenabled::text
		FROM pg_trigger g JOIN tables t ON t.oid = g.tgrelid WHERE NOT g.tgisinternal
		UNION ALL
		SELECT 'function ' || pg_get_functiondef(p.oid) FROM pg_proc p
		WHERE p.pronamespace = 'public'::regnamespace AND p.proname NOT LIKE 'scale\_%'
		UNION ALL
		SELECT 'migration ' || version_id FROM goose_db_version WHERE is_applied
		UNION ALL
		SELECT 'support ' || version || ' ' || oldest FROM schema_support`,
}

// sameSchema compares the schema of an upgraded database with that of a new one. Of the partitions, it compares which
// indexes each has.
func sameSchema(ctx context.Context, fresh, upgraded *rig.Database, when string) error {
	want, err := schema(ctx, fresh)
	if err != nil {
		return err
	}
	got, err := schema(ctx, upgraded)
	if err != nil {
		return err
	}
	var faults []string
	for _, line := range slices.Sorted(maps.Keys(want)) {
		if !got[line] {
			faults = append(faults, "missing "+when+": "+line)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(got)) {
		if !want[line] {
			faults = append(faults, "unexpected "+when+": "+line)
		}
	}
	return rig.Verdict(faults)
}

// partitionIndexes are the definitions of the indexes of each partition, without its name. All partitions of a table
// must have the same.
const partitionIndexes = `
	SELECT DISTINCT 'partition of ' || parent.relname || ': '
		|| regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', '')
		|| ' valid ' || i.indisvalid::text || ' of ' || (SELECT COUNT(*) FROM pg_index o WHERE o.indrelid = i.indrelid)
	FROM pg_inherits h JOIN pg_class parent ON parent.oid = h.inhparent JOIN pg_index i ON i.indrelid = h.inhrelid
	WHERE parent.relkind = 'p'`

func schema(ctx context.Context, db *rig.Database) (map[string]bool, error) {
	lines, err := db.Strings(ctx, schemaQueries[db.Kind])
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if db.Kind == "postgres" {
		ofPartitions, err := db.Strings(ctx, partitionIndexes)
		if err != nil {
			return nil, fmt.Errorf("schema: %w", err)
		}
		lines = append(lines, ofPartitions...)
	}
	all := map[string]bool{}
	for _, line := range lines {
		all[strings.Join(strings.Fields(line), " ")] = true
	}
	return all, nil
}
