package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"assay/store/storetest"
)

// Each statement that reads emails uses an index, whatever its arguments are. The test reads
// the statements from the source of the package.
func TestEmailsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	statements := statementsOn(t, "emails")
	if len(statements) < 15 {
		t.Fatalf("the source has %d statements on emails, which cannot be all", len(statements))
	}
	scan := regexp.MustCompile(`^SCAN (emails|e|q)\b`) // the table, or one of its aliases
	storetest.Each(t, func(t *testing.T, database string) {
		address := storetest.URL(t, database)
		storetest.OpenURL(t, address, storetest.NewClock().Now)
		pool := openPool(t, address)
		if database == "sqlite" {
			for _, statement := range statements {
				for _, step := range explainSQLite(t, pool, statement) {
					if scan.MatchString(step) && !strings.Contains(step, "USING") {
						t.Errorf("%s\nin\n%s", step, statement)
					}
				}
			}
			return
		}

		fillEmails(t, pool)
		for _, statement := range statements {
			for _, step := range explainPostgres(t, pool, statement) {
				if strings.Contains(step, "Seq Scan on emails") {
					t.Errorf("%s\nin\n%s", step, statement)
				}
			}
		}
	})
}

// fillEmails inserts so many emails that PostgreSQL prefers an index wherever one fits: to
// 2,000 sessions and 100 members of 10 organizations, 1,000 of them queued.
func fillEmails(t *testing.T, pool *sqlx.DB) {
	t.Helper()
	for _, statement := range []string{`
		INSERT INTO emails (id, organization_id, kind, session_id, user_id, subject_id, status, lane, ready, run_at, lease,
			attempt, created_at, ended_at)
		SELECT 'eml_' || lpad(n::text, 6, '0'), 'org_' || n % 10,
			CASE WHEN n % 3 > 0 THEN 'INVITE' ELSE 'PASSWORD_CHANGED' END,
			CASE WHEN n % 3 > 0 THEN 'ses_' || n % 2000 END, CASE WHEN n % 3 = 0 THEN 'usr_' || n % 100 END, NULL,
			CASE WHEN n % 20 = 0 THEN 'QUEUED' ELSE 'SENT' END, 'org_' || n % 10, n % 40 = 0,
			now() + (n || ' seconds')::interval, '', 0, now() - (n || ' seconds')::interval,
			CASE WHEN n % 20 > 0 THEN now() - (n || ' seconds')::interval END
		FROM generate_series(1, 20000) n`, `ANALYZE emails`} {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

// statementsOn returns the statements of the package that read rows of a table. The parts
// that depend on the database are left out: they lock rows.
func statementsOn(t *testing.T, table string) (statements []string) {
	t.Helper()
	files := token.NewFileSet()
	//nolint:staticcheck // the files need no types
	packages, err := parser.ParseDir(files, ".", func(file fs.FileInfo) bool {
		return !strings.HasSuffix(file.Name(), "_test.go")
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]ast.Expr{} // of constants
	ast.Inspect(packages["store"], func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok && len(spec.Values) == len(spec.Names) {
			for i, name := range spec.Names {
				values[name.Name] = spec.Values[i]
			}
		}
		return true
	})
	reads := regexp.MustCompile(`(?s)^\s*(SELECT|DELETE|UPDATE|WITH)\b.*\b(FROM|JOIN|UPDATE) ` + table + `\b`)
	updates := regexp.MustCompile(`^\s*UPDATE ` + table + `\b`)
	ast.Inspect(packages["store"], func(node ast.Node) bool {
		expression, ok := node.(ast.Expr)
		if !ok {
			return true
		}
		statement := textOf(expression, values)
		if !reads.MatchString(statement) && !updates.MatchString(statement) {
			return true
		}
		if !slices.Contains(statements, statement) {
			statements = append(statements, statement)
		}
		return false
	})
	return statements
}

// textOf is the text of an expression of constants. Other parts are empty. The limit of a batch is as small as the
// tables of the tests.
func textOf(expression ast.Expr, values map[string]ast.Expr) string {
	switch e := expression.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.Ident:
		if value, ok := values[e.Name]; ok {
			return textOf(value, values)
		}
	case *ast.CallExpr:
		if name, ok := e.Fun.(*ast.Ident); ok && name.Name == "atMost" {
			return " LIMIT 20"
		}
	case *ast.BinaryExpr:
		return textOf(e.X, values) + textOf(e.Y, values)
	}
	return ""
}
