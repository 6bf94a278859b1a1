package archive

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

const passphrase = "a passphrase for tests"

var every = NewTable("every", "id", "id text n:int flag:bool ratio:float at:time content:bytes sealed:secret")

// rows have the values that are easily changed on the way.
func rows() [][]any {
	at := time.Date(2026, 11, 28, 18, 44, 55, 123456000, time.UTC)
	return [][]any{
		{"a", "", int64(0), false, 0.0, at, []byte{}, ""},
		{"b", "\"\\\n\t\x01\x7f<>&é😀\u2028", int64(math.MaxInt64), true, 0.1, time.UnixMicro(0).UTC(), []byte{0, 255}, "s"},
		{"c", "x", int64(math.MinInt64), true, -1e-300, at, bytes.Repeat([]byte("picture"), 100_000), "s"},
		{"d", nil, nil, nil, nil, nil, nil, nil},
		{"e", "x", int64(1 << 53), false, math.MaxFloat64, at, []byte("x"), "s"},
		{"f", "x", int64(-1), false, 100.0 / 3, at, []byte("x"), "s"},
	}
}

// archived returns an archive with the rows in one table, and another table without rows.
func archived(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, passphrase, 2, Manifest{
		ID: "arc_1", Schema: 59, MadeAt: time.Unix(0, 0), Tables: []Table{NewTable("none", "id", "id"), every},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		table, err := w.Next()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows() {
			if table.Name != "every" {
				continue
			}
			line, err := AppendRow(nil, table.Columns, row)
			if err == nil {
				err = w.Add(line)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// read returns the rows of an archive.
func read(t *testing.T, in io.Reader, passphrase string) (read [][]any, err error) {
	t.Helper()
	r, err := NewReader(in, passphrase)
	if err != nil {
		return nil, err
	}
	_, err = r.Each(t.Context(), func(table int, line []byte) error {
		row, err := ParseRow(line, r.Manifest.Tables[table].Columns)
		read = append(read, row)
		return err
	})
	return read, err
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	got, err := read(t, bytes.NewReader(archived(t)), passphrase)
	if err != nil || len(got) != len(rows()) {
		t.Fatalf("%d rows: %v", len(got), err)
	}
	for i, want := range rows() {
		first, err := AppendRow(nil, every.Columns, want)
		if err != nil {
			t.Fatal(err)
		}
		again, err := AppendRow(nil, every.Columns, got[i])
		if err != nil || !bytes.Equal(first, again) {
			t.Errorf("row %d is %.200s, want %.200s (%v)", i, again, first, err)
		}
		for j, value := range want {
			if content, ok := value.([]byte); ok {
				if !bytes.Equal(content, got[i][j].([]byte)) {
					t.Errorf("row %d, column %d: other bytes", i, j)
				}
			} else if value != got[i][j] {
				t.Errorf("row %d, column %d: %v, want %v", i, j, got[i][j], value)
			}
		}
	}
}

// A file that is cut off or changed is refused, even after its first rows were read.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	content := archived(t)
	for _, length := range []int{0, 1, 100, 300, len(content) / 2, len(content) - 17, len(content) - 1} {
		if _, err := read(t, bytes.NewReader(content[:length]), passphrase); !errors.Is(err, ErrDamaged) {
			t.Errorf("%d of %d bytes: %v", length, len(content), err)
		}
	}
	for _, at := range []int{0, 250, len(content) / 2, len(content) - 1} {
		changed := bytes.Clone(content)
		changed[at] ^= 4
		if _, err := read(t, bytes.NewReader(changed), passphrase); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d is another one: %v", at, err)
		}
	}
	if _, err := read(t, strings.NewReader(string(content)+"x"), passphrase); !errors.Is(err, ErrDamaged) {
		t.Errorf("a byte more: %v", err)
	}
}

func TestPassphrases(t *testing.T) {
	t.Parallel()
	content := archived(t)
	for _, other := range []string{"", passphrase + "x", strings.ToUpper(passphrase)} {
		if _, err := read(t, bytes.NewReader(content), other); !errors.Is(err, ErrPassphrase) {
			t.Errorf("%q: %v", other, err)
		}
	}
	for short, want := range map[string]error{
		"": ErrShortPassphrase, "elevenchars": ErrShortPassphrase, "elf Zeichén": ErrShortPassphrase,
		"twelve chars": nil, "zwölf Zeiche": nil,
	} {
		if _, err := NewWriter(io.Discard, short, 2, Manifest{}); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", short, err, want)
		}
	}
}

// A value that its column cannot have is refused, and not changed.
func TestWrongValues(t *testing.T) {
	t.Parallel()
	columns := every.Columns[1:]
	row := func(change func([]any)) []any {
		values := slices.Clone(rows()[0][1:])
		change(values)
		return values
	}
	for name, values := range map[string][]any{
		"text":  row(func(v []any) { v[0] = "\xff" }),
		"float": row(func(v []any) { v[3] = math.NaN() }),
	} {
		if line, err := AppendRow(nil, columns, values); err == nil {
			t.Errorf("%s: %s", name, line)
		}
	}
	for _, line := range []string{
		``, `{}`, `[]`, `["x",1,true,1,"2026-11-28T18:44:55.000000Z","","s",null]`,
		`[1,1,true,1,"2026-11-28T18:44:55.000000Z","","s"]`,
		`["x",1.5,true,1,"2026-11-28T18:44:55.000000Z","","s"]`, `["x","1",true,1,"2026-11-28T18:44:55.000000Z","","s"]`,
		`["x",1,1,1,"2026-11-28T18:44:55.000000Z","","s"]`, `["x",1,true,"1","2026-11-28T18:44:55.000000Z","","s"]`,
		`["x",1,true,1,"2026-11-28T18:44:55+01:00","","s"]`, `["x",1,true,1,"2026-11-28T18:44:55.000000Z","*","s"]`,
	} {
		if values, err := ParseRow([]byte(line), columns); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v %v", line, values, err)
		}
	}
	for _, kind := range []Kind{Text, Int, Bool, Float, Time, Bytes, Secret} {
		if value, err := kind.Stored(struct{}{}); err == nil {
			t.Errorf("%s: %v", kind, value)
		}
	}
	if value, err := Bool.Stored(int64(2)); err == nil {
		t.Errorf("2 is %v", value)
	}
}
