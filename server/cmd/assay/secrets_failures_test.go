package main

import (
	"fmt"
	"strings"
	"time"

	"assay/store/storetest"
	"assay/store/storetest/proxy"
)

// throughFailures uses secrets correctly while the database fails in several ways.
func (w *leakTest) throughFailures(c *credentialSet, between *proxy.Proxy) {
	w.Helper()
	use := func(failure string) (failed int) {
		for i, p := range []place{
			{method: "POST", path: "/v1/auth/login", body: `{"email":"` + c.email + `","password":"` + c.password + `"}`},
			{method: "POST", path: "/v1/auth/refresh", body: `{"refreshToken":"` + c.refresh + `"}`},
			{method: "GET", path: "/v1/me", headers: c.owner()},
			{method: "GET", path: "/v1/public/results/" + c.result, headers: c.keyed()},
			{method: "GET", path: "/v1/candidate/session", headers: c.taking()},
			{method: "POST", path: "/v1/auth/accept-invitation",
				body: `{"token":"` + c.invitation + `","password":"` + w.secrets["wrong password"] + `"}`},
			{method: "POST", path: "/v1/webhooks", body: `{"url":"` + c.receiver +
				`","events":["candidate.invited"],"secret":"` + w.secrets["given webhook secret"] + `"}`,
				headers: append(c.owner(), "Idempotency-Key", w.secrets["idempotency key"]+failure)},
			{method: "POST", path: "/v1/me/password", body: `{"currentPassword":"` + c.password + `","newPassword":"` +
				c.other + `"}`, headers: c.owner()},
			{method: "GET", path: "/readyz"},
		} {
			// A successful response here can contain its own secret.
			got, whole := w.exchange(p.method, p.path, p.body, p.headers)
			if got.status == 204 { // the password
				c.password, c.other = c.other, c.password
			}
			if strings.HasSuffix(p.path, "/refresh") && got.status == 200 { // an old token would soon end the sign-in
				c.refresh, _ = w.field(got.body, "refreshToken", "([^\"]+)")
			}
			if got.status >= 500 {
				failed++
				w.keep(fmt.Sprintf("request %d, %s", i, failure), whole)
			}
		}
		return failed
	}
	time.Sleep(time.Second) // credentials are cached for one second
	for _, table := range []string{"users", "logins", "api_keys", "candidate_sessions", "webhook_endpoints", "audit_log"} {
		renamed := table + "_renamed"
		storetest.Change(w, w.database, `ALTER TABLE `+table+` RENAME TO `+renamed)()
		if failed := use("without " + table); failed == 0 {
			w.Errorf("nothing failed without %s", table)
		}
		storetest.Change(w, w.database, `ALTER TABLE `+renamed+` RENAME TO `+table)()
		time.Sleep(time.Second)
	}
	for _, table := range []string{"audit_log", "idempotency_keys"} {
		end := storetest.Refuse(w, w.database, table)
		if failed := use(table + " refuses"); failed == 0 {
			w.Errorf("nothing failed with %s refusing", table)
		}
		end()
	}
	if between == nil {
		return
	}
	between.Cut()
	use("connections cut")
	if err := between.Close(); err != nil {
		w.Log(err)
	}
	if failed := use("without PostgreSQL"); failed < 8 {
		w.Errorf("%d failed without PostgreSQL", failed)
	}
}
