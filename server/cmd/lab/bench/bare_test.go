package bench

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"assay/server"
	"assay/server/cmd/lab/rig"
	"assay/store"
	"assay/store/storetest"
)

// TestBareDoesWhatTheStoreDoes sends each scenario's request to the real server
// and to the bare handler. Both must run the same SELECT of a list, or write the same
// number of rows to the same tables, with a value in the same columns.
func TestBareDoesWhatTheStoreDoes(t *testing.T) {
	// An assessment and a result come from memory, and have no statement to compare.
	selects := map[string]string{"assessment": "", "unchanged": "", "list": selectSessions, "result": "", "poll": ""}
	storetest.Each(t, func(t *testing.T, database string) {
		ctx := t.Context()
		databaseURL := storetest.URL(t, database)
		toServer, d := serve(t, databaseURL)
		if database == "postgres" { // so that ran can tell the bare handler's connections from the store's
			databaseURL += "&application_name=bare"
		}
		b, err := newBare(ctx, databaseURL, d.ID, d.AssessmentID)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.close() })
		bareServer := httptest.NewServer(b.routes())
		t.Cleanup(bareServer.Close)
		db := sqlx.NewDb(b.writer, map[bool]string{false: "sqlite", true: "postgres"}[b.postgres])

		for _, sc := range scenarios {
			server, bare, err := sc.requests(ctx, d)
			if err != nil {
				t.Fatal(err)
			}
			if sc.name == "answer" { // an answer that is replaced would not change the number of rows
				db.MustExecContext(ctx, `DELETE FROM answers`)
			}
			// The reads of results are audited a second later, or when the audit log is read.
			exchange(t, toServer, rig.Request("GET", "/v1/audit-log", d.Owner, nil))
			before := content(t, db)
			exchange(t, toServer, server(0))
			between := content(t, db)
			exchange(t, bareServer.Listener.Addr().String(), bare(1))
			stored, written := added(before, between), added(between, content(t, db))
			if !maps.Equal(stored, written) {
				t.Errorf("%s: the store wrote %v, the bare handler %v", sc.name, stored, written)
			}
			text, reads := selects[sc.name]
			if reads == (len(stored) > 0) {
				t.Errorf("%s: the store wrote %v", sc.name, stored)
			}
			if text != "" && b.postgres && !ran(t, db, text, func() { exchange(t, toServer, server(0)) }) {
				t.Errorf("%s: the store does not run\n%s", sc.name, text)
			}
		}
	})
}

// serve serves a store on the database, with an endpoint and a small dataset.
func serve(t *testing.T, databaseURL string) (addr string, _ *dataset) {
	s := storetest.OpenURL(t, databaseURL, time.Now, func(opts *store.Options) { opts.AllowInsecureWebhooks = true })
	log := slog.New(slog.DiscardHandler)
	handler, err := server.New(server.Options{Store: s, BaseURL: "http://assay.test", Now: time.Now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(handler)
	t.Cleanup(listening.Close)
	addr = listening.Listener.Addr().String()
	d, err := newDataset(t.Context(), addr, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.API.Call(t.Context(), http.MethodPost, "/v1/webhooks", d.Owner, rig.Object{
		"url": "http://127.0.0.1:9/", "events": []string{"candidate.invited"},
	}, nil); err != nil {
		t.Fatal(err)
	}
	return addr, d
}

func exchange(t *testing.T, addr string, request []byte) {
	t.Helper()
	conn, err := rig.Dial(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if status, body, _, err := conn.Exchange(request); err != nil || status/100 != 2 && status != http.StatusNotModified {
		t.Fatalf("%s\n%d %s %v", request, status, body, err)
	}
}

// content counts the rows of each table and the values of each column.
func content(t *testing.T, db *sqlx.DB) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, table := range []string{
		"answers", "assessments", "audit_log", "candidate_sessions", "events", "idempotency_keys", "statistics_queue",
		"webhook_attempts", "webhook_deliveries", "webhook_endpoints", "webhook_queue",
	} {
		if err := count(t.Context(), db, table, counts); err != nil {
			t.Fatal(err)
		}
	}
	return counts
}

func count(ctx context.Context, db *sqlx.DB, table string, counts map[string]int) error {
	rows, err := db.QueryxContext(ctx, `SELECT * FROM `+table)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		row := map[string]any{}
		if err := rows.MapScan(row); err != nil {
			return err
		}
		counts[table]++
		for column, value := range row {
			if value != nil {
				counts[table+"."+column]++
			}
		}
	}
	return rows.Err()
}

// added returns the counts that differ.
func added(before, after map[string]int) map[string]int {
	difference := map[string]int{}
	for name, n := range after {
		if n != before[name] {
			difference[name] = n - before[name]
		}
	}
	return difference
}

var space = regexp.MustCompile(`\s+`)

// ran reports whether request makes a connection of the store run the statement.
// PostgreSQL keeps the last statement of each connection.
func ran(t *testing.T, db *sqlx.DB, text string, request func()) bool {
	t.Helper()
	want := strings.TrimSpace(space.ReplaceAllString(sqlx.Rebind(sqlx.DOLLAR, text), " "))
	request()
	var texts []string
	err := db.SelectContext(t.Context(), &texts,
		`SELECT query FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'bare'`)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(texts, func(ran string) bool {
		return strings.TrimSpace(space.ReplaceAllString(ran, " ")) == want
	})
}

// TestPragmasAreTheStores looks for the store's pragmas in its source.
func TestPragmasAreTheStores(t *testing.T) {
	pragma := regexp.MustCompile(`_pragma=(\w+)\((\w*)`)
	stores := map[string]string{}
	err := fs.WalkDir(os.DirFS("../../../../store"), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile("../../../../store/" + path)
		for _, found := range pragma.FindAllSubmatch(source, -1) {
			stores[string(found[1])] = string(found[2])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	delete(stores, "query_only") // the readers' own
	for name, value := range stores {
		if !bytes.Contains([]byte(sqlitePragmas), fmt.Appendf(nil, "_pragma=%s(%s", name, value)) {
			t.Errorf("the store sets %s to %s", name, value)
		}
	}
	if len(stores) < 4 {
		t.Errorf("only %d pragmas were found in the store", len(stores))
	}
}
