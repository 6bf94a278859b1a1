package main

import (
	"regexp"
	"strings"
	"testing"

	"assay/store/storetest"
)

// The command shows why an organization does not write to an address, beside a running service, and ends it.
func TestSuppressedEmails(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		address := storetest.URL(t, database)
		variables := []string{"ASSAY_DATABASE_URL=" + address, "ASSAY_SECRET=" + testSecret, "ASSAY_ADMIN_ADDR=off"}
		for _, name := range []string{"Quay", "Harbor"} {
			created := createOrganization(t, variables, ownerPassword,
				"--name", name, "--owner-name", "Ana", "--owner-email", strings.ToLower(name)+"@quay.example")
			if status := created.command.ProcessState.ExitCode(); status != 0 {
				t.Fatalf("create-organization: %d %s", status, &created.stderr)
			}
		}
		start(t, variables, "serve", "--addr", "127.0.0.1:0").printed(`listens on (\S+)`)
		storetest.Suppress(t, address, "66c02bd9d207ad38bf09d36df133a69e") // SHA-256 of mei@candidate.example, the first half
		run := func(args ...string) []string {
			t.Helper()
			p := startWith(t, nil, variables, append([]string{"suppressed-emails", "Mei@candidate.example"}, args...)...)
			if status := p.wait(); status.ExitStatus() != 0 {
				t.Fatalf("%v: %s", status, &p.stderr)
			}
			return strings.Split(strings.TrimSpace(p.stdout.String()), "\n")[1:]
		}
		if rows := run(); len(rows) != 2 || !strings.Contains(rows[0], "UNSUBSCRIBED") {
			t.Errorf("the list is %q", rows)
		}
		id := regexp.MustCompile(`(org_\w+)  "Quay"`).FindStringSubmatch(strings.Join(run(), " "))[1]
		if rows := run("--end", "--organization", id); len(rows) != 1 || !strings.HasSuffix(rows[0], "ended") {
			t.Errorf("%q", rows)
		}
		if rows := run(); len(rows) != 1 || strings.Contains(rows[0], id) {
			t.Errorf("the list is %q after one has ended", rows)
		}
		if rows := run("--end"); len(rows) != 1 || storetest.Count(t, address, "email_suppressions") != 0 {
			t.Errorf("%q", rows)
		}
	})
}
