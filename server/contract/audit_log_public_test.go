package contract

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// A key with audit:read reads and exports what an owner does, with each filter. A key with all other scopes does not,
// and no key sees the log of another organization.
func TestPublicAuditLog(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		key, strange := o.key("audit:read"), stranger.key("audit:read")
		isAudit := func(scope string) bool { return scope == "audit:read" }
		without := o.key(slices.DeleteFunc(slices.Clone(allScopes), isAudit)...)
		session := o.invite(o.publish(oneQuestion())).text("data.id")
		a.erase(o.owner, session).want(204)
		a.do("GET", "/v1/public/audit-log", key, nil).want(200) // its first use is an entry
		for _, path := range []string{"", "/changes", "/export"} {
			a.do("GET", "/v1/public/audit-log"+path, without, nil).want(403, "insufficient_scope")
			a.do("GET", "/v1/public/audit-log"+path, o.owner, nil).want(401, "unauthenticated")
		}

		for _, filter := range []string{"", "action=SESSION_INVITED", "actorId=" + a.userID(o.owner), "resourceId=" + session,
			"action=SESSION_INVITED&resourceId=" + session, "until=" + wire(a.clock.Now())} {
			want, _ := a.pages("/v1/audit-log?limit=100&"+filter, o.owner, "id")
			got, _ := a.pages("/v1/public/audit-log?limit=2&"+filter, key, "id")
			if len(want) == 0 && !strings.HasPrefix(filter, "until") || !slices.Equal(got, want) {
				t.Errorf("%s: the key reads %v, the owner %v", filter, got, want)
			}
			var exported []string
			for _, row := range a.do("GET", "/v1/public/audit-log/export?"+filter, key, nil).want(200).csv()[1:] {
				if row[2] != "AUDIT_LOG_EXPORTED" {
					exported = append(exported, row[0])
				}
			}
			want = slices.DeleteFunc(want, func(id string) bool { return slices.Contains(o.exports(), id) })
			if !slices.Equal(exported, want) {
				t.Errorf("%s: the key exports %v, the owner reads %v", filter, exported, want)
			}
		}
		first, owners := a.do("GET", "/v1/public/audit-log?limit=100", key, nil).want(200), o.audit(100)
		if fmt.Sprint(first.at("data")) != fmt.Sprint(owners.at("data")) {
			t.Errorf("the key reads %s\nthe owner %s", first.body, owners.body)
		}
		me := a.do("GET", "/v1/public/me", key, nil).want(200).text("data.id")
		first.wantFields(object{"data.0.action": "AUDIT_LOG_EXPORTED", "data.0.actor.type": "API_KEY", "data.0.actor.id": me})

		for _, list := range []string{"/v1/public/audit-log?limit=100", "/v1/public/audit-log/export"} {
			if got := a.do("GET", list, strange, nil).want(200); strings.Contains(string(got.body), session) {
				t.Errorf("another organization reads %s", got.body)
			}
		}
	})
}

// exports returns the ids of the entries of exports.
func (o *tenant) exports() []string {
	o.api.t.Helper()
	ids, _ := o.api.pages("/v1/audit-log?limit=100&action=AUDIT_LOG_EXPORTED", o.owner, "id")
	return ids
}

// logFollower is a SIEM: it keeps each entry that it reads by its id.
type logFollower struct {
	api    *api
	key    credential
	cursor string
	copy   map[string]string
	order  []string
}

// read reads to the end, in pages of the size.
func (f *logFollower) read(size int) {
	f.api.t.Helper()
	for more := true; more; {
		path := fmt.Sprintf("/v1/public/audit-log/changes?limit=%d", size)
		if f.cursor != "" {
			path += "&cursor=" + url.QueryEscape(f.cursor)
		}
		page := f.api.do("GET", path, f.key, nil).want(200)
		for _, item := range page.list("data.items") {
			id := item.(object)["id"].(string)
			f.copy[id] = fmt.Sprint(item)
			f.order = append(f.order, id)
		}
		f.cursor, more = page.text("data.cursor"), page.at("data.hasMore") == true
	}
}

// wantAll reads until the copy is the whole log. PostgreSQL lists no change of the last second.
func (f *logFollower) wantAll(o *tenant) {
	f.api.t.Helper()
	for until := time.Now().Add(10 * time.Second); ; {
		f.read(7)
		log, missed := map[string]string{}, ""
		for path := "/v1/audit-log?limit=100"; path != ""; {
			page := f.api.do("GET", path, o.owner, nil).want(200)
			for _, item := range page.list("data") {
				log[item.(object)["id"].(string)] = fmt.Sprint(item)
			}
			link, _, _ := strings.Cut(page.header.Get("Link"), ">")
			path = strings.TrimPrefix(link, "<https://assay.test")
		}
		for id, entry := range log {
			if f.copy[id] != entry {
				missed = fmt.Sprintf("of %s the copy has %q, want %q", id, f.copy[id], entry)
			}
		}
		if missed == "" && len(log) == len(f.copy) {
			return
		}
		if time.Now().After(until) {
			f.api.t.Fatalf("the copy has %d entries, the log %d; %s", len(f.copy), len(log), missed)
		}
	}
}

// A client that follows the log has each entry in the end: one with an old id that becomes visible after newer ones,
// one that is written a second after its request, and one that further edits change. A list that is at its end stays
// there.
func TestFollowingTheAuditLog(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		stranger.invite(stranger.publish(oneQuestion()))
		f := &logFollower{api: a, key: o.key("audit:read"), copy: map[string]string{}}
		draft := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		edit := func(changes object) { a.do("PATCH", "/v1/assessments/"+draft, o.owner, changes).want(200) }
		edit(object{"passingScore": 60})
		f.wantAll(o)
		if a.clock.Advance(time.Minute); f.order[0] != o.oldestEntry() {
			t.Errorf("the list begins with %s, and not with the oldest entry %s", f.order[0], o.oldestEntry())
		}
		read := len(f.order)
		if f.read(100); len(f.order) != read {
			t.Errorf("at the end, the list has %v", f.order[read:])
		}

		// A slow replica has made its id ten minutes ago.
		late := "aud_" + strings.TrimPrefix(draft, "asm_")
		commit := storetest.Change(t, a.database, `
			INSERT INTO audit_log (id, organization_id, action, actor_type, resource_id, ip, request_id, created_at)
			SELECT '`+late+`', id, 'SIGNED_IN', 'ANONYMOUS', id, '', '', created_at
			FROM organizations WHERE id = '`+o.organizationID+`'`)
		if storetest.IsSQLite(a.database) { // nothing else can write meanwhile
			commit()
		}
		a.clock.Advance(time.Minute)
		edit(object{"passingScore": 70, "timeLimitMinutes": 30}) // changes the entry that has been read
		a.do("POST", "/v1/api-keys", o.member("MEMBER").who, object{"name": "x", "scopes": allScopes}).
			want(403, "insufficient_role") // written later
		for range 30 {
			a.login(o.email)
		}
		f.read(5)
		commit()
		f.wantAll(o)
		if edits := strings.Count(strings.Join(f.order, " "), o.editOf(draft)); edits != 2 {
			t.Errorf("the entry of the edits was listed %d times, want 2", edits)
		}
		if _, there := f.copy[late]; !there {
			t.Error("the late entry is missing")
		}
		a.do("GET", "/v1/public/audit-log/changes?cursor="+late, f.key, nil).want(400, "cursor_invalid")
	})
}

// oldestEntry returns the id of the organization's first entry.
func (o *tenant) oldestEntry() string {
	o.api.t.Helper()
	ids, _ := o.api.pages("/v1/audit-log?limit=100", o.owner, "id")
	return ids[len(ids)-1]
}

// editOf returns the id of the entry of a draft's edits.
func (o *tenant) editOf(draft string) string {
	o.api.t.Helper()
	list := o.api.do("GET", "/v1/audit-log?action=ASSESSMENT_UPDATED&resourceId="+draft, o.owner, nil).want(200)
	return list.text("data.0.id")
}
