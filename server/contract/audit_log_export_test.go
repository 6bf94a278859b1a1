package contract

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/server/spreadsheet"
)

// export reads a CSV file.
func (r response) csv() [][]string {
	r.t.Helper()
	rows, err := csv.NewReader(strings.NewReader(string(r.body))).ReadAll()
	if err != nil {
		r.t.Fatalf("%s: %v", r.name, err)
	}
	return rows
}

// The export contains what the list contains, with the same filters, over several
// batches. It is an entry itself.
func TestAuditLogExport(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		stranger.key()
		for _, call := range o.auditedCalls() {
			call.request()
		}
		for range 520 { // more than a batch
			a.login(o.email)
		}
		for _, filter := range []string{"", "?action=SIGNED_IN", "?action=SIGNED_IN&actorId=" + a.userID(o.owner),
			"?resourceId=" + o.organizationID, "?until=" + wire(a.clock.Now())} {
			file := a.do("GET", "/v1/audit-log/export"+filter, o.owner, nil).want(200)
			if got := file.header.Get("Content-Disposition"); got != `attachment; filename="audit-log.csv"` {
				t.Errorf("Content-Disposition %s", got)
			}
			if got := file.header.Get("Content-Type"); got != "text/csv; charset=utf-8" {
				t.Errorf("Content-Type %s", got)
			}
			separator := "?"
			if filter != "" {
				separator = "&"
			}
			want, _ := a.pages("/v1/audit-log"+filter+separator+"limit=100", o.owner, "id")
			var got []string
			for _, row := range file.csv()[1:] {
				got = append(got, row[0])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d entries in the file, %d in the list", filter, len(got), len(want))
			}
		}
		o.audit(1).wantFields(object{"data.0.action": "AUDIT_LOG_EXPORTED", "data.0.resource.id": o.organizationID})
		a.do("GET", "/v1/audit-log/export", o.member("MEMBER").who, nil).want(403, "insufficient_role")
		a.do("GET", "/v1/audit-log/export?action=NOTHING", o.owner, nil).want(400, "invalid_request")
	}, sendsEmail)
}

// A spreadsheet must not run the name of a person or an API key as a formula.
func TestExportedCellsAreNoFormulas(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		for name, want := range map[string]string{
			`=HYPERLINK("https://x.example")`: `'=HYPERLINK("https://x.example")`, "+1": "'+1", "-1": "'-1",
			"@SUM(A1)": "'@SUM(A1)", `a=1, "b"`: `a=1, "b"`,
		} {
			a.do("PATCH", "/v1/me", o.owner, object{"name": name}).want(200)
			rows := a.do("GET", "/v1/audit-log/export", o.owner, nil).want(200).csv()
			if got := rows[1][slices.Index(rows[0], "actorName")]; got != want {
				t.Errorf("the name %q is exported as %q, want %q", name, got, want)
			}
		}
	})
	for text, want := range map[string]string{
		"": "", "é": "é", "1-2": "1-2", "a;b": "a;b", "a, -b": "a, '-b", "5,-3": "5,'-3",
		"a,=1": "a,'=1", "a|@A": "a|'@A", `["x","=1"]`: `["x","'=1"]`,
		"x@y.example; z@y.example": "x@y.example; z@y.example",
		"\t=1":                     "'\t'=1", "\r=1": "'\r'=1", "\n=1": "'\n'=1", "\tx": "'\tx",
		" =1": " '=1", `"=1"`: `"'=1"`,
		"＝1": "'＝1", "＋1": "'＋1", "－1": "'－1", "＠A": "'＠A", "a＝1": "a＝1",
		"a;=1": "a;'=1", "a; =1;+2": "a; '=1;'+2", `a;"=1`: `a;"'=1`, "a\t@A": "a\t'@A", "a\n-1": "a\n'-1",
		"a\r\n+1": "a\r\n'+1",
		"a;＝1":    "a;'＝1", `{"a":";=1"}`: `{"a":";'=1"}`, "'=1": "'=1", "a;'=1": "a;'=1", "\u00a0=1": "\u00a0'=1",
	} {
		if got := spreadsheet.SafeText(text); got != want {
			t.Errorf("%q is exported as %q, want %q", text, got, want)
		}
	}
}

// However a spreadsheet divides a file into cells, none begins with the sign of a formula.
func TestNoPartOfACellIsAFormula(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("a;|\t\r\n\"' ,=+-@＝＋－＠")), 0, 12, -1).Draw(t, "text")
		cell := spreadsheet.SafeText(text)
		for _, part := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(",;|\t\r\n", r) }) {
			if part = strings.TrimLeft(part, `" `); part != "" && strings.IndexAny(part, "=+-@＝＋－＠") == 0 {
				t.Fatalf("%q is exported as %q, of which %q is a formula", text, cell, part)
			}
		}
		if again := spreadsheet.SafeText(cell); again != cell && !strings.ContainsRune("\t\r\n", rune(text[0])) {
			t.Fatalf("%q changes again to %q", cell, again)
		}
	})
}

// An entry has the name of its actor, also when the person is no longer a member. API
// keys have their own names.
func TestAuditLogNamesActors(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessment := o.publish(oneQuestion())
		admin := o.member("ADMIN")
		a.do("PATCH", "/v1/me", admin.who, object{"name": "Mary Jackson"}).want(200)
		a.do("PATCH", "/v1/organization", admin.who, object{"name": "Engines"}).want(200)
		a.do("DELETE", "/v1/members/"+admin.id, o.owner, nil).want(204)
		a.do("GET", "/v1/audit-log?action=ORGANIZATION_UPDATED", o.owner, nil).want(200).wantFields(object{
			"data.0.actor": object{"type": "USER", "id": admin.id, "name": "Mary Jackson"},
		})
		a.do("POST", "/v1/public/candidate-sessions", o.key(), object{
			"assessmentId": assessment, "candidateName": "C", "candidateEmail": newEmail(),
		}).want(201)
		o.audit(1).wantFields(object{
			"data.0.action": "SESSION_INVITED", "data.0.actor.type": "API_KEY", "data.0.actor.name": "test",
		})
	})
}

// A read of a result is an entry: a person's at once, and an API key's a moment later.
// Further reads within an hour add none.
func TestResultReadsAreAudited(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		session := o.invite(o.publish(oneQuestion()))
		a.complete(session.candidate())
		id := session.text("data.id")
		reads := func() int {
			t.Helper()
			entries, _ := a.pages("/v1/audit-log?action=RESULT_READ&resourceId="+id, o.owner, "id")
			return len(entries)
		}
		a.do("GET", "/v1/candidate-sessions/"+a.store.NewID("ses")+"/result", o.owner, nil).want(404)
		for range 3 {
			o.result(key, id) // by session and by token with the key, and as the owner
		}
		if got := reads(); got != 2 {
			t.Errorf("%d entries, want one of the person and one of the API key", got)
		}
		o.result(o.key(), id)
		if got := reads(); got != 3 {
			t.Errorf("%d entries, want one more for another API key", got)
		}
	})
}
