package main

import (
	"strings"
	"testing"

	"assay/store/storetest"
)

// The command verifies a domain that one organization has added, while the service runs.
func TestVerifyDomain(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		variables := []string{
			"ASSAY_DATABASE_URL=" + storetest.URL(t, database), "ASSAY_SECRET=" + testSecret, "ASSAY_ADMIN_ADDR=off",
			"ASSAY_REGISTRATION=open",
		}
		base := start(t, variables, "serve", "--addr", "127.0.0.1:0").printed(`listens on (\S+)`)
		field := func(body, name string) string {
			_, value, _ := strings.Cut(body, `"`+name+`":"`)
			value, _, _ = strings.Cut(value, `"`)
			return value
		}
		organization := func(name string) (id, token string) {
			made := send(t, "POST", base+"/v1/auth/register", `{"organizationName":"`+name+`","name":"Ana","email":"ana@`+name+
				`.example","password":"`+ownerPassword+`"}`, "Content-Type", "application/json")
			if made.status != 201 {
				t.Fatalf("register: %d %s", made.status, made.body)
			}
			_, after, _ := strings.Cut(made.body, `"organization":`)
			return field(after, "id"), field(made.body, "accessToken")
		}
		domains := func(method, token, body string) string {
			return send(t, method, base+"/v1/organization/domains", body, "Content-Type", "application/json",
				"Authorization", "Bearer "+token).body
		}
		quay, quayToken := organization("quay")
		_, pierToken := organization("pier")
		verify := func(status int, said string, arguments ...string) {
			t.Helper()
			p := startWith(t, nil, variables, append([]string{"verify-domain"}, arguments...)...)
			p.wait()
			printed := p.stdout.String() + p.stderr.String()
			if got := p.command.ProcessState.ExitCode(); got != status || !strings.Contains(printed, said) {
				t.Errorf("verify-domain %v: %d, and it printed %s", arguments, got, printed)
			}
		}

		verify(1, `verify the domain "quay.example"`, "quay.example")
		domains("POST", quayToken, `{"domain":"quay.example"}`)
		domains("POST", pierToken, `{"domain":"quay.example"}`)
		verify(1, `verify the domain "quay.example"`, "quay.example") // of which organization?
		verify(0, "The domain quay.example is verified.", "quay.example", "--organization", quay)
		if got := domains("GET", quayToken, ""); !strings.Contains(got, `"state":"VERIFIED"`) {
			t.Errorf("the organization sees %s", got)
		}
		if got := domains("GET", pierToken, ""); strings.Contains(got, `"state":"VERIFIED"`) {
			t.Errorf("the other organization sees %s", got)
		}
		log := send(t, "GET", base+"/v1/audit-log?limit=1", "", "Authorization", "Bearer "+quayToken).body
		if !strings.Contains(log, "SIGN_IN_DOMAIN_VERIFIED") {
			t.Errorf("the audit log has %s", log)
		}
	})
}
