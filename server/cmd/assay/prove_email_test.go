package main

import (
	"strings"
	"testing"

	"assay/store/storetest"
)

// The command confirms an address beside a running service, whose email does not arrive. An organization that the
// operator has created needs no confirmation.
func TestProveEmail(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		variables := []string{
			"ASSAY_DATABASE_URL=" + storetest.URL(t, database), "ASSAY_SECRET=" + testSecret, "ASSAY_ADMIN_ADDR=off",
			"ASSAY_REGISTRATION=open", "ASSAY_SMTP_URL=smtp://127.0.0.1:1", "ASSAY_MAIL_FROM=assay@assay.example",
		}
		for _, name := range []string{"first", "second"} {
			created := createOrganization(t, variables, ownerPassword,
				"--name", "Quay", "--owner-name", "Ana", "--owner-email", name+"@quay.example")
			if status := created.command.ProcessState.ExitCode(); status != 0 {
				t.Fatalf("create-organization: %d %s", status, &created.stderr)
			}
		}
		base := start(t, variables, "serve", "--addr", "127.0.0.1:0").printed(`listens on (\S+)`)
		json := []string{"Content-Type", "application/json"}
		ask := func(method, path, body string, more ...string) string {
			t.Helper()
			got := send(t, method, base+path, body, append(json, more...)...)
			if got.status > 201 {
				t.Fatalf("%s: %d %s", path, got.status, got.body)
			}
			return got.body
		}
		mustConfirm := func(email string) bool {
			t.Helper()
			login := ask("POST", "/v1/auth/login", `{"email":"`+email+`","password":"`+ownerPassword+`"}`)
			_, token, _ := strings.Cut(login, `"accessToken":"`)
			token, _, _ = strings.Cut(token, `"`)
			me := ask("GET", "/v1/me", "", "Authorization", "Bearer "+token)
			if !strings.Contains(me, `"mustConfirmEmail":`) {
				t.Fatalf("the person is %s", me)
			}
			return strings.Contains(me, `"mustConfirmEmail":true`)
		}
		if mustConfirm("second@quay.example") {
			t.Error("the owner of an organization that the operator has created must confirm the address")
		}

		ask("POST", "/v1/auth/register", `{"organizationName":"Sand","name":"Bo","email":"bo@quay.example","password":"`+
			ownerPassword+`"}`, "Via", "1.1 proxy")
		if !mustConfirm("bo@quay.example") {
			t.Error("a person who has registered need not confirm the address")
		}
		prove := func(email string) *process {
			p := startWith(t, nil, variables, "prove-email", email)
			p.wait()
			return p
		}
		if said := prove("BO@quay.example").stdout.String(); !strings.Contains(said, "is confirmed") {
			t.Errorf("it printed %q", said)
		}
		if mustConfirm("bo@quay.example") {
			t.Error("the command has not confirmed the address")
		}
		unknown := prove("nobody@quay.example")
		if status := unknown.command.ProcessState.ExitCode(); status != 1 ||
			!strings.Contains(unknown.stderr.String(), `no account has the address "nobody@quay.example"`) {
			t.Errorf("it ended with %d and printed %q", status, &unknown.stderr)
		}
	})
}
