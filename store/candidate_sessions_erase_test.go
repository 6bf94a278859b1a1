package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/store/keys"
	"assay/store/rules"
)

// erasures is a store on a SQLite file with a candidate and a table of words. Only few
// of many erased rows leave copies in the file. The words make sure that there are
// copies, because inviting as many candidates would take too long.
type erasures struct {
	*Store
	t    *testing.T
	path string
	log  *bytes.Buffer

	scope        Scope
	session      string   // the candidate's, whose name is the first of erased
	erased, kept []string // words that are to be erased, and others
}

const (
	marker     = "planted-" // begins the words
	wordLength = len(marker) + 16
	wordRows   = 6000
)

func newErasures(t *testing.T) *erasures {
	t.Helper()
	secrets, err := keys.New("storetest-secret-storetest-secret")
	if err != nil {
		t.Fatal(err)
	}
	e := &erasures{t: t, path: t.TempDir() + "/assay.db", log: &bytes.Buffer{}}
	e.Store, err = Open(t.Context(), Options{
		DatabaseURL: "sqlite:" + e.path, Keys: secrets, Now: time.Now, Passwords: PasswordCost{MemoryKiB: 64, Passes: 1},
		Log: slog.New(slog.NewTextHandler(e.log, nil)),
	})
	e.must(err)
	t.Cleanup(func() { e.must(e.Close()) })
	e.must(e.Migrate(t.Context()))
	e.plantWords()
	e.plantCandidate()
	return e
}

func (e *erasures) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

func (e *erasures) execute(query string, args ...any) {
	e.t.Helper()
	_, err := e.autocommit().Exec(e.t.Context(), query, args...)
	e.must(err)
}

// plantWords writes rows and erases half of them. SQLite splits and merges pages
// of the index and leaves copies of some rows in free space, which secure_delete
// does not overwrite. The words are the same in every run, and so are the copies.
func (e *erasures) plantWords() {
	e.t.Helper()
	random := mathrand.New(mathrand.NewPCG(1, 2))
	var words, rows []string
	for range wordRows {
		word := fmt.Sprintf("%s%016x", marker, random.Uint64())
		words = append(words, word)
		rows = append(rows, strings.Repeat(word, 1+random.IntN(15)))
	}
	e.erased, e.kept = words[:wordRows/2], words[wordRows/2:]
	planted, err := json.Marshal(rows)
	e.must(err)
	e.execute(`CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL) STRICT`)
	e.execute(`CREATE INDEX words_word ON words (word)`)
	e.execute(`INSERT INTO words SELECT key, value FROM json_each(?)`, string(planted))
	e.execute(`UPDATE words SET word = '' WHERE id < ?`, wordRows/2)
	if _, err := e.vacuum(e.t.Context(), 0); err != nil { // empties the log only
		e.t.Fatal(err)
	}
	e.wantCopies()
}

// plantCandidate invites a candidate.
func (e *erasures) plantCandidate() {
	e.t.Helper()
	ctx := e.t.Context()
	in, err := e.Register(ctx, Scope{}, Registration{
		OrganizationName: "Quay", Name: "Ana", Email: "ana@quay.example", Password: "a long and good pass phrase",
	})
	e.must(err)
	e.scope = Scope{OrganizationID: in.Organization.ID, UserID: in.User.ID, Role: Owner}
	two := 2.0
	definition := rules.Definition{
		Stages: []rules.Stage{{Title: "One", Questions: []rules.Question{
			{Type: rules.Numeric, Prompt: "How many ends has a rope?", Points: 1, Answer: &two},
		}}},
	}
	assessment, err := e.CreateAssessment(ctx, e.scope, NewAssessment{Title: "Knots", Definition: definition})
	e.must(err)
	_, err = e.PublishAssessment(ctx, e.scope, assessment.ID)
	e.must(err)
	name := marker + strings.Repeat("c", wordLength-len(marker))
	invited, err := e.CreateCandidateSession(ctx, e.scope, Invite{
		AssessmentID: assessment.ID, CandidateName: name, CandidateEmail: name + "@example.com",
	})
	e.must(err)
	e.session, e.erased = invited.Session.ID, slices.Insert(slices.Clone(e.erased), 0, name)
}

func (e *erasures) erase() {
	e.t.Helper()
	if err := e.EraseCandidateData(e.t.Context(), e.scope, e.session); err != nil {
		e.t.Fatalf("the erasure fails: %v", err)
	}
	session, err := e.RetrieveCandidateSession(e.t.Context(), e.scope, e.session)
	if err != nil || session.ErasedAt == nil {
		e.t.Errorf("the session is not erased: %v", err)
	}
}

// remaining counts which of the words are in the file or its log.
func (e *erasures) remaining(words []string) (n int) {
	e.t.Helper()
	content, err := os.ReadFile(e.path)
	e.must(err)
	log, err := os.ReadFile(e.path + "-wal")
	e.must(err)
	found := map[string]bool{}
	for _, part := range bytes.Split(slices.Concat(content, log), []byte(marker))[1:] {
		found[marker+string(part[:min(len(part), wordLength-len(marker))])] = true
	}
	for _, word := range words {
		if found[word] {
			n++
		}
	}
	return n
}

func (e *erasures) logSize() int64 {
	e.t.Helper()
	info, err := os.Stat(e.path + "-wal")
	e.must(err)
	return info.Size()
}

// wantCopies checks that there are copies of erased words. Otherwise the test proves nothing.
func (e *erasures) wantCopies() {
	e.t.Helper()
	n := e.remaining(e.erased)
	if n == 0 {
		e.t.Fatal("SQLite has left no copies of erased words, so the test proves nothing")
	}
	e.t.Logf("%d of %d erased words remain", n, len(e.erased))
}

// wantNoCopies checks that none of the erased words remains, and all of the others.
func (e *erasures) wantNoCopies() {
	e.t.Helper()
	if n := e.remaining(e.erased); n != 0 {
		e.t.Errorf("%d of %d erased words remain", n, len(e.erased))
	}
	if n := e.remaining(e.kept); n != len(e.kept) {
		e.t.Errorf("%d of %d words remain that were not erased", n, len(e.kept))
	}
	if n := e.logSize(); n != 0 {
		e.t.Errorf("the log has %d bytes", n)
	}
	var integrity string
	if err := e.read().Get(e.t.Context(), &integrity, `PRAGMA integrity_check`); err != nil || integrity != "ok" {
		e.t.Errorf("integrity: %s %v", integrity, err)
	}
	var rows []string
	err := e.read().List(e.t.Context(), &rows, `SELECT word FROM words WHERE id >= ? ORDER BY id`, wordRows/2)
	if err != nil || len(rows) != len(e.kept) {
		e.t.Fatalf("%d rows: %v", len(rows), err)
	}
	for i, row := range rows {
		if strings.ReplaceAll(row, e.kept[i], "") != "" {
			e.t.Errorf("%s has become %s", e.kept[i], row)
		}
	}
}

func TestErasureLeavesNoCopies(t *testing.T) {
	t.Parallel()
	e := newErasures(t)
	for range 2 { // the second time there is nothing to erase
		e.erase()
		e.wantNoCopies()
	}
}

// A large file must be vacuumed only on request of the operator, because a vacuum
// blocks writes.
func TestVacuumRemovesTheCopiesOfALargeFile(t *testing.T) {
	t.Parallel()
	e := newErasures(t)
	info, err := os.Stat(e.path)
	e.must(err)
	e.maxAutomaticVacuum = info.Size() - 1
	e.erase()
	e.wantCopies()
	if n := e.logSize(); n != 0 {
		t.Errorf("the log has %d bytes", n)
	}
	if emptied, err := e.Vacuum(t.Context()); err != nil || !emptied {
		t.Fatalf("emptied: %v, error %v", emptied, err)
	}
	e.wantNoCopies()
}

// A long read keeps the write-ahead log in use. The erasure must end without waiting
// for the read, and must not delay other writes by much. The first purge after the
// read must remove the copies.
func TestErasureBesideALongRead(t *testing.T) {
	t.Parallel()
	const longestErasure, longestWrite = 10 * time.Second, 5 * time.Second // on a busy machine
	e := newErasures(t)
	reading, err := e.read().Rows(t.Context(), `SELECT id FROM words`)
	e.must(err)
	defer func() { _ = reading.Close() }()
	if !reading.Next() { // further rows follow
		t.Fatal(reading.Err())
	}

	var writing sync.WaitGroup
	erased, slowest := make(chan struct{}), time.Duration(0)
	writing.Go(func() {
		for {
			began := time.Now()
			const write = `UPDATE organizations SET invite_expiry_days = invite_expiry_days + 1`
			if _, err := e.autocommit().Exec(t.Context(), write); err != nil {
				t.Error(err)
			}
			slowest = max(slowest, time.Since(began))
			select {
			case <-erased:
				return
			case <-time.After(time.Millisecond):
			}
		}
	})
	began := time.Now()
	e.erase()
	took := time.Since(began)
	close(erased)
	writing.Wait()
	t.Logf("the erasure took %s, the slowest write meanwhile %s", took, slowest)
	if took > longestErasure || slowest > longestWrite {
		t.Errorf("the erasure took %s, and a write %s", took, slowest)
	}
	e.wantCopies()
	if log := e.log.String(); !strings.Contains(log, "level=WARN") || strings.Contains(log, "level=ERROR") {
		t.Errorf("the log does not warn that copies remain: %s", log)
	}

	e.must(errors.Join(reading.Err(), reading.Close()))
	e.must(e.UnscopedRemoveErasedCopies(t.Context()))
	e.wantNoCopies()
	var timeout int
	if err := e.autocommit().Get(t.Context(), &timeout, `PRAGMA busy_timeout`); err != nil || timeout != 10_000 {
		t.Errorf("the writer waits for locks for %d ms, want 10000: %v", timeout, err)
	}
}

// A failed vacuum must not fail the erasure, which is already committed. The log must
// be emptied, and the next purge must remove the copies.
func TestErasureWhoseVacuumFails(t *testing.T) {
	t.Parallel()
	e := newErasures(t)
	const mostAttached = 10 // databases; VACUUM attaches one more
	for i := range mostAttached {
		e.execute(fmt.Sprintf(`ATTACH ':memory:' AS other%d`, i))
	}
	e.erase()
	e.wantCopies()
	if n := e.logSize(); n != 0 {
		t.Errorf("the log has %d bytes", n)
	}
	log := e.log.String()
	if !strings.Contains(log, "level=ERROR") || !strings.Contains(log, "too many attached databases") {
		t.Errorf("the failure is not logged: %s", log)
	}
	for i := range mostAttached {
		e.execute(fmt.Sprintf(`DETACH other%d`, i))
	}
	e.must(e.UnscopedRemoveErasedCopies(t.Context()))
	e.wantNoCopies()
}
