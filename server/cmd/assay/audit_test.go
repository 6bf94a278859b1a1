package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// assay audit lists the failed sign-ins at unknown accounts, newest first, and nothing
// of organizations.
func TestAudit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if status, _, stderr := runText("migrate", "up", "--data-dir", dir); status != 0 {
		t.Fatalf("migrate up: %d %s", status, stderr)
	}
	database := storetest.OpenURL(t, "sqlite:"+filepath.Join(dir, "assay.db"), time.Now)
	at := func(request string) store.Scope {
		return store.Scope{Origin: store.Origin{IP: "203.0.113.7", RequestID: request}}
	}
	if _, err := database.Register(t.Context(), at("req_register"), store.Registration{
		OrganizationName: "O", Name: "N", Email: "known@example.com", Password: "correct horse battery staple",
	}); err != nil {
		t.Fatal(err)
	}
	for _, attempt := range [][2]string{{"unknown1@example.com", "req_1"}, {"known@example.com", "req_2"},
		{"unknown2@example.com", "req_3"}} {
		if _, err := database.Login(t.Context(), at(attempt[1]),
			store.Credentials{Email: attempt[0], Password: "wrong"}); err == nil {
			t.Fatal("a sign-in with a wrong password succeeded")
		}
	}

	lines := func(args ...string) []string {
		t.Helper()
		status, stdout, stderr := runText(append([]string{"audit", "--data-dir", dir}, args...)...)
		if status != 0 {
			t.Fatalf("audit: %d %s", status, stderr)
		}
		if strings.Contains(stdout, "@") || strings.Contains(stdout, "req_2") || strings.Contains(stdout, "req_register") {
			t.Errorf("the output contains an address, or an entry of an organization:\n%s", stdout)
		}
		return strings.Split(strings.TrimSpace(stdout), "\n")
	}
	if got := lines(); len(got) != 3 || !strings.HasPrefix(got[0], "TIME") || !strings.Contains(got[1], "req_3") ||
		!strings.Contains(got[2], "req_1") || !strings.Contains(got[2], "203.0.113.7") {
		t.Errorf("audit printed %q", got)
	}
	if got := lines("--limit", "1"); len(got) != 2 || !strings.Contains(got[1], "req_3") {
		t.Errorf("audit --limit 1 printed %q", got)
	}
	if got := lines("--since", "1ns"); len(got) != 1 {
		t.Errorf("audit --since 1ns printed %q", got)
	}
	var entry failedSignIn
	if err := json.Unmarshal([]byte(lines("--json")[1]), &entry); err != nil || entry.RequestID != "req_1" ||
		entry.IP != "203.0.113.7" || time.Since(mustParse(t, entry.CreatedAt)) > time.Hour {
		t.Errorf("audit --json printed %+v, %v", entry, err)
	}
	for _, wrong := range [][]string{{"--since=-1h"}, {"--since", "0s"}, {"--limit", "0"}, {"--limit", "100001"}} {
		if status, _, stderr := runText(append([]string{"audit", "--data-dir", dir}, wrong...)...); status != 1 {
			t.Errorf("audit %v: %d %s", wrong, status, stderr)
		}
	}
}

func mustParse(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
