package journal

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func erasure(n int) Erasure {
	return Erasure{
		Kind: Session, OrganizationID: "org_1", ID: fmt.Sprint("ses_", n),
		At: time.Date(2026, 11, 28, 18, 0, n, 0, time.UTC),
	}
}

// text returns the content of a journal.
func text(t *testing.T, j *Journal) string {
	t.Helper()
	content, err := os.ReadFile(j.path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// read returns all erasures of a text.
func read(t *testing.T, content string) (all []Erasure, contents Contents, err error) {
	t.Helper()
	contents, err = Read(strings.NewReader(content), func(e Erasure) error {
		all = append(all, e)
		return nil
	})
	return all, contents, err
}

func TestAppend(t *testing.T) {
	t.Parallel()
	j := New(filepath.Join(t.TempDir(), "erasures"))
	for i, want := range []bool{true, false} {
		if isNew, err := j.Create(); err != nil || isNew != want {
			t.Errorf("opened for the %d. time: new %t, %v", i+1, isNew, err)
		}
	}
	organization := Erasure{Organization, "org_1", "org_1", time.Date(2026, 11, 28, 19, 0, 0, 5e6, time.UTC)}
	if err := errors.Join(j.Append(erasure(1), erasure(2)), j.Append(organization)); err != nil {
		t.Fatal(err)
	}
	want := `{"erasure":1,"kind":"session","organization":"org_1","id":"ses_1","at":"2026-11-28T18:00:01Z"}
{"erasure":1,"kind":"session","organization":"org_1","id":"ses_2","at":"2026-11-28T18:00:02Z"}
{"erasure":1,"kind":"organization","organization":"org_1","id":"org_1","at":"2026-11-28T19:00:00.005Z"}
`
	if got := text(t, j); got != want {
		t.Errorf("the journal is\n%s", got)
	}
	all, contents, err := read(t, want)
	if err != nil || !slices.Equal(all, []Erasure{erasure(1), erasure(2), organization}) ||
		contents != (Contents{Erasures: 3}) {
		t.Errorf("%v, %v, %v", all, contents, err)
	}
	if info, err := os.Stat(j.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read it: %v, %v", info.Mode(), err)
	}
}

// A line that was cut off at any place hides neither the lines before nor the ones after it.
func TestTornLine(t *testing.T) {
	t.Parallel()
	j := New(filepath.Join(t.TempDir(), "erasures"))
	if err := j.Append(erasure(1), erasure(2)); err != nil {
		t.Fatal(err)
	}
	whole := text(t, j)
	first := strings.Index(whole, "\n") + 1
	for end := first; end <= len(whole); end++ {
		if err := os.WriteFile(j.path, []byte(whole[:end]), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := j.Append(erasure(3)); err != nil {
			t.Fatal(err)
		}
		want := []Erasure{erasure(1), erasure(3)}
		if end >= len(whole)-1 {
			want = []Erasure{erasure(1), erasure(2), erasure(3)}
		}
		all, contents, err := read(t, text(t, j))
		if err != nil || !slices.Equal(all, want) || contents.Others > 0 ||
			contents.Torn != 3-len(want) && end > first || contents.EndsTorn {
			t.Errorf("cut off after %q: %v, %+v, %v", whole[first:end], all, contents, err)
		}
	}
	all, contents, err := read(t, whole+strings.Repeat("\x00", 4096))
	if err != nil || len(all) != 2 || contents.Torn != 1 || !contents.EndsTorn {
		t.Errorf("zeros at the end: %v, %+v, %v", all, contents, err)
	}
}

// The lines of a log in JSON can be between those of a journal.
func TestLinesOfALog(t *testing.T) {
	t.Parallel()
	var content bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&content, nil))
	log.Info("request", "route", "/v1/events")
	log.Info("candidate data erased", erasure(1).Attrs()...)
	content.WriteString(`{"erasure": "1", "kind": "session", "organization": "org_1", "id": "ses_2", ` +
		`"at": "2026-11-28T18:00:02Z"}
time=2026-11-28T18:00:00Z level=INFO msg="candidate data erased" erasure=1 kind=session
{"msg":"x","erasure":{"of":"paint"}}
{"msg":"x","text":"an \"erasure\""}
` + strings.Repeat("x", 3*maxLine) + "\n")
	log.Info("candidate data erased", erasure(3).Attrs()...)
	all, contents, err := read(t, content.String())
	if err != nil || !slices.Equal(all, []Erasure{erasure(1), erasure(2), erasure(3)}) ||
		contents != (Contents{Erasures: 3, Others: 5, FirstOther: 1}) {
		t.Errorf("%v, %+v, %v", all, contents, err)
	}
}

// An erasure that cannot be read must not be overlooked.
func TestUnreadableErasures(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"erasure":2,"kind":"session","organization":"org_1","id":"ses_1","at":"2026-11-28T18:00:00Z"}`,
		`{"erasure":1,"kind":"session","organization":"org_1","id":"ses_1"}`,
		`{"erasure":1,"kind":"session","organization":"org_1","at":"2026-11-28T18:00:00Z"}`,
		`{"erasure":1,"kind":"session","id":"ses_1","at":"2026-11-28T18:00:00Z"}`,
		`{"erasure":1,"kind":"account","organization":"org_1","id":"usr_1","at":"2026-11-28T18:00:00Z"}`,
		`{"erasure":1,"kind":"session","organization":"org_1","id":7,"at":"2026-11-28T18:00:00Z"}`,
		`{"erasure":1,"kind":"session","organization":"org_1","id":"ses_1","at":"2026-11-28T18:00:00Z"}}`,
		`{"erasure":1,"kind":"session","organiz{"erasure":1,"kind":"session","organization":"org_1","id":"ses_1"}`,
		`{"time":"x","msg":"candidate data erased","erasure":2,"kind":"session","organization":"org_1","id":"ses_1"}`,
	} {
		if all, _, err := read(t, "\n"+line+"\n"); !errors.Is(err, ErrLine) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v, %v", line, all, err)
		}
	}
}

func TestUnwritableJournal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for path, want := range map[string]error{
		dir: ErrNoFile, os.DevNull: ErrNoFile, filepath.Join(dir, "none", "erasures"): os.ErrNotExist,
	} {
		if _, err := New(path).Create(); !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Replicas that share a disk append at the same time.
func TestAppendTogether(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "erasures")
	var appending sync.WaitGroup
	for i := range 20 {
		appending.Go(func() {
			if err := New(path).Append(erasure(2*i), erasure(2*i+1)); err != nil {
				t.Error(err)
			}
		})
	}
	appending.Wait()
	seen := map[string]bool{}
	contents, err := ReadFile(path, func(e Erasure) error {
		seen[e.ID] = true
		return nil
	})
	if err != nil || len(seen) != 40 || contents != (Contents{Erasures: 40}) {
		t.Errorf("%d erasures, %+v, %v", len(seen), contents, err)
	}
}

// The file can grow while it is read, because what it causes is appended to it.
func TestReadFileEndsBeforeWhatItCauses(t *testing.T) {
	t.Parallel()
	j := New(filepath.Join(t.TempDir(), "erasures"))
	if err := j.Append(erasure(1), erasure(2)); err != nil {
		t.Fatal(err)
	}
	contents, err := ReadFile(j.path, func(e Erasure) error { return j.Append(e) })
	if err != nil || contents.Erasures != 2 {
		t.Errorf("%+v, %v", contents, err)
	}
}
