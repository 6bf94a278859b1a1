package storetest

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Found is what a search of a whole database gave.
type Found struct {
	Texts    map[string]bool // those that stand somewhere, also in part
	Searched int             // bytes
}

// Search looks for texts in all that is stored of a database that URL made: on
// SQLite in every byte of its files, free ones too, and on PostgreSQL in what
// pg_dump writes. Texts should be random: a piece of one is taken for it.
func Search(t testing.TB, databaseURL string, texts ...string) Found {
	t.Helper()
	stored := dump
	if strings.HasPrefix(databaseURL, "sqlite:") {
		stored = files
	}
	content := stored(t, databaseURL)
	wanted := map[piece][]string{}
	for _, text := range texts {
		for _, part := range pieces(t, text) {
			wanted[part] = append(wanted[part], text)
		}
	}
	found := Found{Texts: map[string]bool{}, Searched: len(content)}
	for at := 0; at+pieceLength <= len(content); at++ {
		for _, text := range wanted[piece(content[at:at+pieceLength])] {
			found.Texts[text] = true
		}
	}
	return found
}

// Whoever overwrites a text in part leaves a part. Ten random characters are
// met by chance in no database.
const (
	pieceLength = 10
	pieceStride = 8
)

type piece [pieceLength]byte

func pieces(t testing.TB, text string) []piece {
	t.Helper()
	if len(text) < pieceLength {
		t.Fatalf("%q is too short to be searched for", text)
	}
	parts := []piece{piece([]byte(text[len(text)-pieceLength:]))}
	for at := 0; at+pieceLength <= len(text); at += pieceStride {
		parts = append(parts, piece([]byte(text[at:at+pieceLength])))
	}
	return parts
}

// files are the database's file and the two beside it, as they are at the moment.
func files(t testing.TB, databaseURL string) []byte {
	t.Helper()
	var all []byte
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		content, err := os.ReadFile(strings.TrimPrefix(databaseURL, "sqlite:") + suffix)
		if err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			t.Fatal(err)
		}
		all = append(all, content...)
	}
	return all
}

func dump(t testing.TB, databaseURL string) []byte {
	t.Helper()
	command := exec.CommandContext(context.Background(), pgDump(t, databaseURL), "--dbname="+databaseURL)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	content, err := command.Output()
	if err != nil {
		t.Fatalf("pg_dump: %v\n%s", err, complaint.Bytes())
	}
	for _, binary := range binaries.FindAllSubmatch(content, -1) {
		decoded, err := hex.DecodeString(string(binary[1]))
		if err != nil {
			t.Fatal(err)
		}
		content = append(content, decoded...)
	}
	return content
}

// binaries are values of binary columns, of which pg_dump writes the digits.
var binaries = regexp.MustCompile(`\\\\x((?:[0-9a-f]{2})+)`)

// pgDump is the one of the server itself, which never is too old for it, or
// that on the PATH, where the server is on another machine.
func pgDump(t testing.TB, databaseURL string) string {
	t.Helper()
	db, err := sql.Open("postgres", databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var directory string
	if err := db.QueryRowContext(context.Background(),
		`SELECT setting FROM pg_config WHERE name = 'BINDIR'`).Scan(&directory); err == nil {
		if beside := filepath.Join(directory, "pg_dump"); exec.CommandContext(context.Background(), beside,
			"--version").Run() == nil {
			return beside
		}
	}
	path, err := exec.LookPath("pg_dump")
	if err != nil {
		t.Fatalf("no pg_dump, neither in the server's %q nor on the PATH: %v", directory, err)
	}
	return path
}
