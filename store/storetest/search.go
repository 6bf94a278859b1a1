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

// Found is the result of a search of a whole database.
type Found struct {
	Texts    map[string]bool // the texts that were found, in whole or in part
	Searched int             // number of bytes
}

// Search looks for texts in everything that a database stores. On SQLite it reads
// every byte of the files, including free pages, and on PostgreSQL the output of
// pg_dump. A piece of a text counts as the text, so texts should be random.
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

// Search looks for pieces of texts, because a text can be overwritten in part. Ten
// random characters do not occur in a database by chance.
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

// files returns the content of the database file, its log, and its other files.
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
	var message bytes.Buffer
	command.Stderr = &message
	content, err := command.Output()
	if err != nil {
		t.Fatalf("pg_dump: %v\n%s", err, message.Bytes())
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

// binaries matches values of binary columns, which pg_dump writes in hexadecimal.
var binaries = regexp.MustCompile(`\\\\x((?:[0-9a-f]{2})+)`)

// pgDump returns the path of the server's own pg_dump, whose version fits. If the
// server is on another machine, it returns the pg_dump on the PATH.
func pgDump(t testing.TB, databaseURL string) string {
	t.Helper()
	db, err := sql.Open("postgres", databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()

	ctx := context.Background()
	var directory string
	err = db.QueryRowContext(ctx, `SELECT setting FROM pg_config WHERE name = 'BINDIR'`).Scan(&directory)
	if err == nil {
		own := filepath.Join(directory, "pg_dump")
		if exec.CommandContext(ctx, own, "--version").Run() == nil {
			return own
		}
	}
	path, err := exec.LookPath("pg_dump")
	if err != nil {
		t.Fatalf("pg_dump is neither in the server's directory %q nor on the PATH: %v", directory, err)
	}
	return path
}
