package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"assay/store"
)

// The guide has the same values.
func TestDefaultQuotas(t *testing.T) {
	want := store.Quotas{
		Webhooks: 50, APIKeys: 100, Members: 500, Assessments: 5000, DefinitionBytes: 268435456,
		LiveSessions: 1000000, QueuedDeliveries: 1000000, Emails: 50000, NewEmails: 200, Questions: 10000,
		MediaBytes: 268435456,
	}
	for name, changes := range map[string][]string{
		"none": nil, "empty": {}, "as they are": {"webhooks=50", "members=500"},
	} {
		if got, faults := parseQuotas(changes); len(faults) > 0 || got != want {
			t.Errorf("%s: %+v, %v", name, got, faults)
		}
	}
	guide, err := os.ReadFile("../../../gen/guide/60-rate-limits.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		"webhook endpoints | 50 |", "API keys that work | 100 |", "members and open invitations | 500 |",
		"assessments | 5,000 |", "size of all assessments and of the question bank | 256 MiB |",
		"size of all pictures | 256 MiB |", "questions in the bank | 10,000 |", "INVITED or IN_PROGRESS | 1,000,000 |",
		"queued webhook deliveries | 1,000,000 |", "emails in 24 hours | 50,000 |", "where anybody can register one | 200 |",
	} {
		if !strings.Contains(string(guide), row) {
			t.Errorf("the guide lacks %q", row)
		}
	}
}

func TestQuotaForms(t *testing.T) {
	for form, change := range map[string]func(*store.Quotas){
		"off":                   func(q *store.Quotas) { *q = store.Quotas{} },
		" off ":                 func(q *store.Quotas) { *q = store.Quotas{} },
		"webhooks=1":            func(q *store.Quotas) { q.Webhooks = 1 },
		" api-keys=1000 ":       func(q *store.Quotas) { q.APIKeys = 1000 },
		"members=7,webhooks=9":  func(q *store.Quotas) { q.Members, q.Webhooks = 7, 9 },
		"assessments=10":        func(q *store.Quotas) { q.Assessments = 10 },
		"definition-bytes=1024": func(q *store.Quotas) { q.DefinitionBytes = 1024 },
		"live-sessions=2000000, queued-deliveries=1000000000000": func(q *store.Quotas) {
			q.LiveSessions, q.QueuedDeliveries = 2000000, 1000000000000
		},
		"emails=1,new-emails=2": func(q *store.Quotas) { q.Emails, q.NewEmails = 1, 2 },
	} {
		want := defaultQuotas()
		change(&want)
		c := goodConfig(t)
		c.Secret, c.Quotas = testSecret, strings.Split(form, ",") // as kong splits them
		if set, err := c.check(io.Discard); err != nil || set.quotas != want {
			t.Errorf("%q: %+v, %v", form, set.quotas, err)
		}
	}
}

func TestQuotaFaults(t *testing.T) {
	for _, form := range []string{
		"", " ", "of", "OFF", "on", "0", "none", "off,off", "off,webhooks=1", "webhooks=1,off",
		"webhooks", "webhooks=", "webhooks=0", "webhooks=-1", "webhooks=+1", "webhooks=1.5", "webhooks=1e3", "webhooks=1_000",
		"webhooks=0x10", "webhooks=1000000000001", "webhooks=99999999999999999999", "webhooks=off", "webhooks=1/1m",
		"webhooks= 1", "webhooks =1", "WEBHOOKS=1", "webhook=1", "=1", "sessions=1", "definition-bytes=256MiB",
		"webhooks=1,webhooks=2", "webhooks=1;members=2", "webhooks=1 members=2",
	} {
		c := goodConfig(t)
		c.Secret, c.Quotas = testSecret, strings.Split(form, ",")
		_, err := c.check(io.Discard)
		if err == nil {
			t.Errorf("%q: accepted", form)
			continue
		}
		for line := range strings.Lines(err.Error()) {
			if !strings.HasPrefix(line, "ASSAY_QUOTAS: ") {
				t.Errorf("%q: %q", form, line)
			}
		}
	}
}

// All errors are reported, as for other variables.
func TestAllQuotaFaultsAreReportedAtOnce(t *testing.T) {
	wantFaults(t, "ASSAY_QUOTAS", "members=6", "webhooks=0", "nothing=1", "live-sessions=x")
}

// The running service applies the quotas.
func TestQuotasAreApplied(t *testing.T) {
	t.Parallel()
	for quotas, limit := range map[string]string{"webhooks=3": "3", "": "50", "off": "null"} {
		p := start(t, []string{"ASSAY_QUOTAS=" + quotas}, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off",
			"--database-url", "sqlite::memory:")
		got := send(t, "POST", p.printed(`listens on (\S+)`)+"/v1/auth/register", `{"organizationName": "Analytical Engines",
			"name": "Ada Lovelace", "email": "ada@example.com", "password": "a long and good pass phrase"}`,
			"Content-Type", "application/json")
		want := fmt.Sprintf(`"webhooks":{"limit":%s,"used":0}`, limit)
		if got.status != 201 || !strings.Contains(got.body, want) {
			t.Errorf("%q: %d %s, want %s", quotas, got.status, got.body, want)
		}
	}
}
