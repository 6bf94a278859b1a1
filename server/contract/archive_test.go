package contract

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// Everything that an organization has is the same after a move to another database with another master secret, and its
// credentials and links work if the old secret is configured as a previous one.
func TestMovedOrganization(t *testing.T) {
	t.Parallel()
	for _, from := range storetest.Databases {
		for _, to := range storetest.Databases {
			for _, all := range []bool{true, false} {
				name := from + " to " + to + map[bool]string{true: ", installation", false: ", organization"}[all]
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					testMovedOrganization(t, from, to, all)
				})
			}
		}
	}
}

func testMovedOrganization(t *testing.T, from, to string, all bool) {
	clock, address := storetest.NewClock(), storetest.URL(t, from)
	a := serve(t, storetest.OpenURL(t, address, clock.Now, sendsEmail), clock)
	a.database = address
	e := a.idempotencyEstate()
	a.runJobs()
	const key = "before the move"
	calls, first := map[string]call{}, map[string]response{}
	everyIdempotentOperation(t, func(o described, oc idempotentCase) {
		calls[o.id] = e.call(o, oc)
		first[o.id] = e.sendWithKey(a, calls[o.id], key).done()
	})
	read := e.read(isMoved)
	before := withoutSignatures(read)

	opts := store.ArchiveOptions{Passphrase: "a passphrase for archives", WorkFactor: 4}
	if !all {
		opts.OrganizationID = e.organizationID
	}
	filled := map[string]bool{}
	opts.Report = func(p store.ArchiveProgress) { filled[p.Table] = filled[p.Table] || p.Rows > 0 }
	var content bytes.Buffer
	if _, err := a.store.UnscopedExport(t.Context(), &content, opts); err != nil {
		t.Fatal(err)
	}
	moved := storetest.OpenURL(t, storetest.URL(t, to), clock.Now, sendsEmail,
		storetest.Secrets(t, anotherSecret, storetest.Secret))
	if done, err := moved.UnscopedImport(t.Context(), bytes.NewReader(content.Bytes()), opts); err != nil || done.Already {
		t.Fatalf("%+v: %v", done, err)
	}
	b := serve(t, moved, clock)
	after := e
	after.cast = e.through(b)
	if now := withoutSignatures(after.read(isMoved)); now != before {
		t.Errorf("after the move: %s", difference(before, now))
	}
	b.do("GET", "/v1/candidate/session", bearer(e.invite), nil).want(200)
	b.do("GET", "/v1/public/assessments", apiKeyOf(e.key), nil).want(200)
	b.do("GET", "/v1/public/results/"+e.result, apiKeyOf(e.key), nil).want(200)
	b.refresh(e.refresh).want(200)
	for _, link := range regexp.MustCompile(`https://assay.test/result\?token=[^"]+`).FindAllString(read, 1) {
		b.visit("192.0.2.1", link, nil, "User-Agent", "Bot").want(200)
	}
	if !b.canSignIn(e.email, testPassword) {
		t.Error("the owner cannot sign in")
	}
	everyIdempotentOperation(t, func(o described, _ idempotentCase) {
		if o.id == "register" && !all {
			return // it belongs to no organization
		}
		again := after.sendWithKey(b, calls[o.id], key)
		if again.header.Get("Idempotency-Replayed") != "true" && first[o.id].shownID() == "" {
			t.Errorf("%s: %d %s is not a replay", o.id, again.status, again.body)
		}
	})
	for _, table := range []string{
		"answers", "api_keys", "assessment_statistics", "audit_log", "candidate_session_words", "emails", "events",
		"grading_answers", "idempotency_keys", "integrations", "logins", "media_contents", "question_versions",
		"result_links", "reviews", "statistics_queue", "webhook_endpoints", "webhook_queue",
	} {
		if !filled[table] {
			t.Errorf("the test moves no row of %s", table)
		}
	}
}

// runJobs runs what fills tables in the background.
func (a *api) runJobs() {
	a.t.Helper()
	if _, err := a.store.UnscopedFoldStatistics(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
	a.clock.Advance(2 * time.Minute) // words are written a minute after the invite
	if _, err := a.store.UnscopedIndexWords(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
}

// isMoved reports whether an operation reads what reading does not change: a server notes its first reads of results.
func isMoved(o described) bool {
	return !strings.Contains(o.path, "/audit-log") && !strings.HasSuffix(o.path, "/timeline")
}

// withoutSignatures removes the signatures of links, which the new master secret signs anew. A signature can begin like
// a number.
func withoutSignatures(text string) string {
	return regexp.MustCompile(`((inv|rlk|reg)_[0-9a-z]{26}_([0-9]+_)?)[A-Za-z0-9_-]{43}`).ReplaceAllString(text, "$1")
}

// difference returns the first lines in which two texts differ.
func difference(a, b string) string {
	before, after := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(before), len(after)) {
		if before[i] != after[i] {
			at := 0
			for at < min(len(before[i]), len(after[i])) && before[i][at] == after[i][at] {
				at++
			}
			from := max(0, at-100)
			return before[max(0, i-1)] + "\n" + before[i][from:min(len(before[i]), at+200)] + "\nis now\n" +
				after[i][from:min(len(after[i]), at+200)]
		}
	}
	return "one text is longer"
}
