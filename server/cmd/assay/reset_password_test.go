package main

import (
	"regexp"
	"strings"
	"testing"

	"assay/store/storetest"
)

// The command prints a link with which the person sets a new password, once, beside a
// running service without a mail server. The audit log of the organization has an entry.
func TestResetPassword(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		variables := []string{
			"ASSAY_DATABASE_URL=" + storetest.URL(t, database), "ASSAY_SECRET=" + testSecret, "ASSAY_ADMIN_ADDR=off",
		}
		created := createOrganization(t, variables, ownerPassword,
			"--name", "Quay", "--owner-name", "Ana", "--owner-email", "ana@quay.example")
		if status := created.command.ProcessState.ExitCode(); status != 0 {
			t.Fatalf("create-organization: %d %s", status, &created.stderr)
		}
		base := start(t, variables, "serve", "--addr", "127.0.0.1:0").printed(`listens on (\S+)`)
		json := []string{"Content-Type", "application/json"}
		login := func(password string) int {
			body := `{"email":"ana@quay.example","password":"` + password + `"}`
			return send(t, "POST", base+"/v1/auth/login", body, json...).status
		}

		run := func(email string) *process {
			p := startWith(t, nil, append(variables, "ASSAY_BASE_URL=https://assay.example"), "reset-password", email)
			p.wait()
			return p
		}
		printed := run("ANA@quay.example").stdout.String()
		link := regexp.MustCompile(`(?m)^  https://assay\.example/reset-password#(pwr_\S+)$`).FindStringSubmatch(printed)
		if link == nil || !strings.Contains(printed, "It works once, until 20") {
			t.Fatalf("it printed %q", printed)
		}
		reset := func() int {
			return send(t, "POST", base+"/v1/auth/reset-password",
				`{"token":"`+link[1]+`","password":"another long pass phrase"}`, json...).status
		}
		if status := reset(); status != 204 {
			t.Errorf("the link gets %d, want 204", status)
		}
		if status := reset(); status != 401 {
			t.Errorf("the used link gets %d, want 401", status)
		}
		if before, after := login(ownerPassword), login("another long pass phrase"); before != 401 || after != 200 {
			t.Errorf("the old password gets %d, the new one %d", before, after)
		}

		unknown := run("nobody@quay.example")
		if status := unknown.command.ProcessState.ExitCode(); status != 1 || unknown.stdout.String() != "" ||
			!strings.Contains(unknown.stderr.String(), `no account has the address "nobody@quay.example"`) {
			t.Errorf("it ended with %d and printed %q, %q", status, &unknown.stdout, &unknown.stderr)
		}
		if rows := storetest.Count(t, strings.TrimPrefix(variables[0], "ASSAY_DATABASE_URL="), "password_resets"); rows != 0 {
			t.Errorf("%d links remain", rows)
		}
	})
}
