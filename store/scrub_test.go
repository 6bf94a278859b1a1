package store

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math"
	mathrand "math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"assay/store/keys"
)

// scrubStore is a store on a file of SQLite, with the file's path.
func scrubStore(t *testing.T) (*Store, string) {
	t.Helper()
	keys, err := keys.New("storetest-secret-storetest-secret")
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/assay.db"
	s, err := Open(t.Context(), Options{DatabaseURL: "sqlite:" + path, Keys: keys, Now: time.Now, Passwords: PasswordCost{MemoryKiB: 64, Passes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, path
}

// marker begins the words that are searched for.
const marker = "planted-"

func plantedWord() string { return marker + rand.Text() }

// standing counts which of the words stand in the database's files.
func standing(t *testing.T, path string, words []string) int {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, part := range bytes.Split(append(content, log...), []byte(marker))[1:] {
		found[marker+string(part[:min(len(part), len(words[0])-len(marker))])] = true
	}
	count := 0
	for _, word := range words {
		if found[word] {
			count++
		}
	}
	return count
}

// TestScrubLeavesNoCopies: what secure_delete leaves is gone, and all else is
// there as it was.
func TestScrubLeavesNoCopies(t *testing.T) {
	t.Parallel()
	s, path := scrubStore(t)
	const rows = 6000
	exec := func(query string, args ...any) {
		t.Helper()
		if err := s.write(t.Context(), func(c conn) error { _, err := c.exec(t.Context(), query, args...); return err }); err != nil {
			t.Fatal(err)
		}
	}
	exec(`CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL) STRICT`)
	exec(`CREATE INDEX words_word ON words (word)`)
	words := make([]string, rows)
	if err := s.write(t.Context(), func(c conn) error {
		for i := range words {
			words[i] = plantedWord()
			if _, err := c.exec(t.Context(), `INSERT INTO words VALUES (?, ?)`, i, strings.Repeat(words[i], 1+mathrand.IntN(15))); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	erased, kept := words[:rows/2], words[rows/2:]
	exec(`UPDATE words SET word = '' WHERE id < ?`, len(erased))
	if _, err := s.emptyLog(t.Context()); err != nil {
		t.Fatal(err)
	}
	left := standing(t, path, erased)
	if left == 0 {
		t.Fatal("SQLite has left nothing, so nothing can be shown here")
	}
	for range 2 {
		if err := s.scrub(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := standing(t, path, erased); n != 0 {
			t.Errorf("%d of %d erased words are still there", n, len(erased))
		}
	}
	if n := standing(t, path, kept); n != len(kept) {
		t.Errorf("%d of %d words are there that were not erased", n, len(kept))
	}
	if unclean, err := s.read().unclean(t.Context()); err != nil || len(unclean) > 0 {
		t.Errorf("pages %v are not clean: %v", unclean, err)
	}
	var integrity string
	if err := s.read().get(t.Context(), &integrity, `PRAGMA integrity_check`); err != nil || integrity != "ok" {
		t.Errorf("integrity: %s %v", integrity, err)
	}
	var there []string
	if err := s.read().list(t.Context(), &there, `SELECT word FROM words WHERE id >= ? ORDER BY id`, len(erased)); err != nil || len(there) != len(kept) {
		t.Fatalf("%d rows: %v", len(there), err)
	}
	for i, word := range there {
		if strings.ReplaceAll(word, kept[i], "") != "" {
			t.Errorf("%s has become %s", kept[i], word)
		}
	}
	t.Logf("of %d erased words SQLite left %d", len(erased), left)
}

// TestScrubWithBusyReader: who reads for long keeps the log, but neither the
// erasure nor the writers for long; the next purge makes up for it.
func TestScrubWithBusyReader(t *testing.T) {
	t.Parallel()
	s, path := scrubStore(t)
	reading, err := s.reader.QueryContext(t.Context(), `SELECT version_id FROM goose_db_version`)
	if err != nil || !reading.Next() { // and then there are more
		t.Fatal(err)
	}
	if err := s.UnscopedBeat(t.Context()); err != nil { // so that the log holds what the reader does not see
		t.Fatal(err)
	}
	began := time.Now()
	if err := s.scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("waited %s for a reader", took)
	}
	if size(t, path+"-wal") == 0 {
		t.Fatal("the log is empty, so nothing can be shown here")
	}
	if err := s.UnscopedBeat(t.Context()); err != nil { // nobody else is kept from writing
		t.Error(err)
	}
	if err := errors.Join(reading.Err(), reading.Close()); err != nil { //nolint:sqlclosecheck // the reader ends here, before the test
		t.Fatal(err)
	}
	if err := s.UnscopedPurge(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	if n := size(t, path+"-wal"); n != 0 {
		t.Errorf("the log has %d bytes after the purge", n)
	}
	var timeout int
	if err := s.writer.GetContext(t.Context(), &timeout, `PRAGMA busy_timeout`); err != nil || fmt.Sprint(timeout) != sqliteBusyTimeout {
		t.Errorf("the writer now waits %d ms: %v", timeout, err)
	}
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := fs.Stat(os.DirFS("/"), strings.TrimPrefix(path, "/"))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestCleanPage: only bytes between cells are changed, and no page is too
// strange to be looked at.
func TestCleanPage(t *testing.T) {
	t.Parallel()
	page := func(kind byte, from, to int) []byte { // with one cell pointer, one cell at to, and rubbish before it
		p := make([]byte, 512)
		p[0], p[3+1], p[5], p[6] = kind, 1, byte(to>>8), byte(to)
		for i := from; i < len(p); i++ {
			p[i] = 0xee
		}
		return p
	}
	for name, test := range map[string]struct {
		page     []byte
		from, to int // what is zero afterwards
	}{
		"leaf":            {page(13, 10, 400), 10, 400},
		"index leaf":      {page(10, 10, 400), 10, 400},
		"interior":        {page(5, 14, 400), 14, 400},
		"index interior":  {page(2, 14, 400), 14, 400},
		"nothing is free": {page(13, 10, 10), 0, 0},
		"overflow":        {page(0, 10, 400), 0, 0},
		"beyond its end":  {page(13, 10, 600), 0, 0},
		"too many cells":  {page(13, 10, 5), 0, 0},
	} {
		got := bytes.Clone(test.page)
		want := bytes.Clone(test.page)
		clear(want[test.from:test.to])
		if changed := cleanPage(got, 2); changed != (test.to > 0) || !bytes.Equal(got, want) {
			t.Errorf("%s: %v\n%x\nwant\n%x", name, changed, got, want)
		}
		if cleanPage(got, 2) {
			t.Errorf("%s: changed twice", name)
		}
	}
	blocks := page(13, 10, 300)
	copy(blocks[1:], []byte{310 >> 8, 310 & 0xff})          // the first free block
	copy(blocks[310:], []byte{350 >> 8, 350 & 0xff, 0, 20}) // 20 bytes, then another
	copy(blocks[350:], []byte{0, 0, 0, 30})                 // 30 bytes, the last
	want := bytes.Clone(blocks)
	clear(want[10:300])
	clear(want[314:330])
	clear(want[354:380])
	if !cleanPage(blocks, 2) || !bytes.Equal(blocks, want) {
		t.Errorf("free blocks:\n%x\nwant\n%x", blocks, want)
	}
	random := mathrand.New(mathrand.NewPCG(1, 2))
	for range 20_000 {
		p := make([]byte, 512)
		for i := range p {
			p[i] = byte(random.IntN(math.MaxUint8))
		}
		p[0], p[3] = []byte{2, 5, 10, 13}[random.IntN(4)], 0
		p[1], p[5] = byte(random.IntN(2)), byte(random.IntN(2))
		cleanPage(p, 2)
	}
}
