package main

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"assay/store/storetest"
)

// The command removes the second factors of a person while the service runs. Then the password alone signs in.
func TestResetSecondFactor(t *testing.T) {
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
		field := func(body, name string) string {
			_, value, _ := strings.Cut(body, `"`+name+`":"`)
			value, _, _ = strings.Cut(value, `"`)
			return value
		}
		login := func() answer {
			return send(t, "POST", base+"/v1/auth/login", `{"email":"ana@quay.example","password":"`+ownerPassword+`"}`,
				"Content-Type", "application/json")
		}
		token := field(login().body, "accessToken")
		own := func(path, body string) string {
			t.Helper()
			got := send(t, "POST", base+"/v1/me/second-factors"+path, body, "Content-Type", "application/json",
				"Authorization", "Bearer "+token)
			if got.status != 200 {
				t.Fatalf("%s: %d %s", path, got.status, got.body)
			}
			return got.body
		}
		begun := own("", `{"type":"TOTP","name":"Phone","password":"`+ownerPassword+`"}`)
		code, err := totp.GenerateCode(field(begun, "secret"), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		own("/"+field(begun, "id")+"/confirm", `{"code":"`+code+`"}`)
		if got := login(); got.status != 401 {
			t.Fatalf("the password alone got %d %s", got.status, got.body)
		}

		reset := func(email string) *process {
			p := startWith(t, nil, variables, "reset-second-factor", email)
			p.wait()
			return p
		}
		if said := reset("ANA@quay.example").stdout.String(); !strings.Contains(said, "The password alone signs in.") {
			t.Errorf("it printed %q", said)
		}
		if got := login(); got.status != 200 {
			t.Errorf("the password got %d %s", got.status, got.body)
		}
		if said := reset("ana@quay.example").stdout.String(); !strings.Contains(said, "has no second factor.") {
			t.Errorf("the second time, it printed %q", said)
		}
		unknown := reset("nobody@quay.example")
		if status := unknown.command.ProcessState.ExitCode(); status != 1 ||
			!strings.Contains(unknown.stderr.String(), `no account has the address "nobody@quay.example"`) {
			t.Errorf("it ended with %d and printed %q", status, &unknown.stderr)
		}
	})
}
