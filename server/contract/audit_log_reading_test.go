package contract

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// Each filter, alone and combined, returns exactly the matching entries on all pages.
func TestAuditLogFilters(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for _, call := range o.auditedCalls() {
			a.clock.Advance(time.Second)
			call.request()
		}
		var all []object // newest first
		page := o.audit(100).list("data")
		for len(page) > 0 {
			for _, entry := range page {
				all = append(all, entry.(object))
			}
			last := all[len(all)-1]["id"].(string)
			page = a.do("GET", "/v1/audit-log?limit=100&after="+last, o.owner, nil).want(200).list("data")
		}
		if len(all) < 35 || !slices.IsSortedFunc(all,
			func(x, y object) int { return strings.Compare(y["id"].(string), x["id"].(string)) }) {
			t.Fatalf("%d entries, or not sorted with the newest first", len(all))
		}
		actor := func(entry object) any { return entry["actor"].(object)["id"] }
		resource := func(entry object) any { return entry["resource"].(object)["id"] }
		check := func(query url.Values, matches func(object) bool) {
			t.Helper()
			var want []string
			for _, entry := range all {
				if matches(entry) {
					want = append(want, entry["id"].(string))
				}
			}

			for _, limit := range []string{"1", "3", "100"} {
				query.Set("limit", limit)
				got, pages := a.pages("/v1/audit-log?"+query.Encode(), o.owner, "id")
				n := max(1, len(want))
				wanted := map[string]int{"1": n, "3": (n + 2) / 3, "100": (n + 99) / 100}[limit]
				if !slices.Equal(got, want) || pages != wanted {
					t.Errorf("%s: %d entries on %d pages, want %d on %d", query.Encode(), len(got), pages, len(want), wanted)
				}
			}
		}
		check(url.Values{}, func(object) bool { return true })
		for _, action := range enumOf(t, "AuditAction") {
			check(url.Values{"action": {action}}, func(entry object) bool { return entry["action"] == action })
		}
		for _, entry := range all {
			at := entry["createdAt"].(string)
			check(url.Values{"since": {at}}, func(other object) bool { return other["createdAt"].(string) >= at })
		}
		for _, entry := range all {
			at := entry["createdAt"].(string)
			check(url.Values{"until": {at}}, func(other object) bool { return other["createdAt"].(string) < at })
		}
		entry := all[len(all)/2]
		who, what, at := fmt.Sprint(actor(entry)), resource(entry).(string), entry["createdAt"].(string)
		check(url.Values{"actorId": {who}}, func(other object) bool { return actor(other) == who })
		check(url.Values{"resourceId": {what}}, func(other object) bool { return resource(other) == what })
		check(url.Values{"actorId": {who}, "resourceId": {what}, "action": {entry["action"].(string)}, "since": {at}},
			func(other object) bool {
				return actor(other) == who && resource(other) == what && other["action"] == entry["action"] &&
					other["createdAt"].(string) >= at
			})
		none := func(object) bool { return false }
		check(url.Values{"actorId": {a.unknownID("members")}}, none)
		check(url.Values{"resourceId": {"%"}}, none)
		check(url.Values{"since": {wire(a.store.Now().Add(time.Millisecond))}}, none)
		for _, wrong := range []string{"action=NOTHING", "action=signed_in", "since=yesterday", "limit=0", "limit=101",
			"after=", "actor=x", "actorId=", "until=x"} {
			a.do("GET", "/v1/audit-log?"+wrong, o.owner, nil).want(400, "invalid_request")
		}
	}, sendsEmail)
}

// Only the owner and the admins of an organization may read its audit log. It
// contains no entries of other organizations.
func TestAuditLogPerOrganization(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		mine, theirs := a.register(), a.register()
		m, admin := mine.member("MEMBER"), mine.member("ADMIN")
		a.do("GET", "/v1/audit-log", m.who, nil).want(403, "insufficient_role")
		a.do("GET", "/v1/audit-log", mine.key(), nil).want(401, "unauthenticated")
		wantSame(t, a.do("GET", "/v1/audit-log", admin.who, nil).want(200), a.do("GET", "/v1/audit-log", mine.owner, nil).
			want(200))
		mineBefore, theirsBefore := mine.audited(), theirs.audited()

		// A login to an unknown account belongs to no organization.
		for _, email := range []string{"nobody@example.com", "unknown", mine.organizationID, "' OR ''='"} {
			a.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": testPassword}).want(401)
		}
		if mine.audited() != mineBefore || theirs.audited() != theirsBefore {
			t.Error("a login to an unknown account is in an audit log")
		}
		failed := a.do("POST", "/v1/auth/login", anonymous, object{"email": theirs.email, "password": "x"}).want(401)
		theirs.audit(1).wantFields(object{"data.0.action": "SIGN_IN_FAILED",
			"data.0.requestId": failed.header.Get("X-Request-Id")})
		if mine.audited() != mineBefore {
			t.Error("another organization's login is in the log")
		}

		// Filters with ids of another organization find nothing.
		for _, call := range theirs.auditedCalls() {
			call.request()
		}
		for _, entry := range theirs.audit(100).list("data") {
			theirEntry := entry.(object)
			for _, query := range []url.Values{
				{"resourceId": {theirEntry["resource"].(object)["id"].(string)}},
				{"actorId": {fmt.Sprint(theirEntry["actor"].(object)["id"])}},
			} {
				if got := a.do("GET", "/v1/audit-log?"+query.Encode(), mine.owner, nil).want(200).list("data"); len(got) != 0 {
					t.Errorf("the filter %v with ids of another organization returns %v", query, got)
				}
			}
		}

		if mine.audited() != mineBefore {
			t.Error("actions of another organization are in the log")
		}
	}, sendsEmail)
}

// The audit log records the address of the connection. Headers in which a client
// states another address or request id are ignored.
func TestAuditLogAddress(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		r, err := http.NewRequestWithContext(t.Context(), "POST", a.url+"/v1/auth/login", nil)
		if err != nil {
			t.Fatal(err)
		}
		setBody(r, fmt.Sprintf(`{"email":%q,"password":"x"}`, o.email))
		forged := "req_" + strings.Repeat("0", 26)
		for name, value := range map[string]string{
			"X-Forwarded-For": "203.0.113.7", "X-Real-Ip": "203.0.113.7", "Forwarded": "for=203.0.113.7",
			"X-Request-Id": forged,
		} {
			r.Header.Set(name, value)
		}
		answer := a.send(r).want(401)
		if answer.header.Get("X-Request-Id") == forged {
			t.Error("the server used the request id that the client sent")
		}
		o.audit(1).wantFields(object{"data.0.ip": "127.0.0.1", "data.0.requestId": answer.header.Get("X-Request-Id")})
	})
}

// An audit log entry contains the names of members and API keys, and otherwise ids only:
// nothing of candidates, no email addresses, and no secrets.
func TestAuditLogContainsNoPersonalData(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		secrets := []string{"data.key", "data.secret", "data.accessToken", "data.refreshToken", "data.invitationUrl"}
		unwanted := []string{
			"@", "example.com", "Grace", "Hopper", "Engines", testPassword, otherPassword, "mbr_",
			"inv_", "pk_live", "whsec_",
			"eyJ", "/hooks", "Night-shift", "argon2",
		}

		for _, call := range o.auditedCalls() {
			answer := call.request()
			for _, path := range secrets {
				isJSON := strings.HasPrefix(answer.header.Get("Content-Type"), "application/json")
				if answer.status < 300 && isJSON && answer.text(path) != "" {
					unwanted = append(unwanted, answer.text(path))
				}
			}
		}

		log := string(o.audit(100).body)
		if !strings.Contains(log, "CANDIDATE_DATA_ERASED") || len(unwanted) < 25 {
			t.Fatalf("the log does not contain the actions: %s", log)
		}
		for _, data := range unwanted {
			if strings.Contains(log, data) {
				t.Errorf("the log contains %s", data)
			}
		}
	}, sendsEmail)
}

// The purge removes audit log entries after one year, and not before.
func TestAuditLogRetention(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		first := o.audit(1).text("data.0.id")
		purge := func() {
			t.Helper()
			if err := storetest.Purge(t.Context(), a.store, 30*24*time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		entries := func() []string {
			t.Helper()
			o.signIn()
			ids, _ := a.pages("/v1/audit-log?limit=100", o.owner, "id")
			return ids
		}
		began := a.store.Now()
		a.setClock(began.Add(200 * 24 * time.Hour))
		middle := entries()[0]
		a.setClock(began.Add(365*24*time.Hour - time.Minute))
		purge()
		if got := entries(); !slices.Contains(got, first) || !slices.Contains(got, middle) {
			t.Errorf("before one year: entries %v, want %s and %s among them", got, first, middle)
		}
		a.setClock(began.Add(365*24*time.Hour + time.Minute))
		purge()
		if got := entries(); slices.Contains(got, first) || !slices.Contains(got, middle) {
			t.Errorf("after one year: entries %v, want no %s, but %s", got, first, middle)
		}
		a.setClock(began.Add(2 * 366 * 24 * time.Hour))
		purge()
		if got := entries(); len(got) != 1 {
			t.Errorf("after two years: entries %v, want only the new login", got)
		}
		other.signIn()
		if got := other.audited(); got != 1 {
			t.Errorf("the other organization has %d entries, want 1", got)
		}
	})
}
