package main

import (
	"net/http"
	"strings"
	"testing"

	"assay/store/storetest"
)

// A newer release can migrate the database while this one runs. This one continues if the new schema supports it;
// otherwise it is not ready, and does not start again. Status 2 tells a process manager that a restart cannot help.
func TestDatabaseOfANewerRelease(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		address := storetest.URL(t, database)
		variables := []string{
			"ASSAY_DATABASE_URL=" + address, "ASSAY_ADDR=127.0.0.1:0", "ASSAY_ADMIN_ADDR=off",
			"ASSAY_SECRET=" + storetest.Secret,
		}
		p := start(t, variables, "serve")
		base := p.printed(`listens on (http://\S+)`)
		ready := func() int {
			response, err := http.Get(base + "/readyz")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = response.Body.Close() }()
			return response.StatusCode
		}
		poll(t, "readiness", func() bool { return ready() == http.StatusOK })

		storetest.AddMigration(t, address, 90001, 16, "v9.0.0")
		if status := ready(); status != http.StatusOK {
			t.Errorf("beside a release that supports this one: %d", status)
		}
		storetest.AddMigration(t, address, 90002, 90001, "v9.1.0")
		poll(t, "refusal of the schema", func() bool { return ready() == http.StatusServiceUnavailable })
		p.signal()
		p.wait()

		for _, args := range [][]string{{"serve"}, {"migrate", "up"}, {"dispatch"}, {"reencrypt"}} {
			again := start(t, variables, args...)
			if status := again.wait(); status.ExitStatus() != 2 {
				t.Errorf("%v exits with %d, want 2", args, status.ExitStatus())
			}
			for _, part := range []string{versionText(), "v9.1.0", "schema 90002", "schema 90001"} {
				if !strings.Contains(again.stderr.String(), part) {
					t.Errorf("%v does not name %s: %s", args, part, again.stderr.String())
				}
			}
		}
	})
}
