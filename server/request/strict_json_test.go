package request

import (
	"fmt"
	"math"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// nestedJSON wraps a value n times in an opening and a closing text.
func nestedJSON(opening, value, closing string, n int) string {
	return strings.Repeat(opening, n) + value + strings.Repeat(closing, n)
}

// decodeStrict returns the same values as encoding/json, up to 32 levels deep.
func TestDecodeStrictAccepts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		body string
		want any
	}{
		{`null`, nil},
		{`true`, true},
		{`false`, false},
		{`0`, 0.0},
		{`-0`, math.Copysign(0, -1)},
		{`1.5e3`, 1500.0},
		{`-12`, -12.0},
		{`1e-400`, 0.0},
		{`1.7976931348623157e308`, math.MaxFloat64},
		{`9007199254740993`, 9007199254740992.0},
		{`""`, ""},
		{`"a"`, "a"},
		{`"\"\\\/\b\f\n\r\t\u0041"`, "\"\\/\b\f\n\r\tA"},
		{`"\u0001\u001f"`, "\x01\x1f"},
		{`"é漢😀"`, "é漢😀"},
		{`"\uD83D\uDE00"`, "😀"},
		{`"\ud83d\ude00\uffff\ufeff"`, "😀\uffff\ufeff"},
		{`"\\u0000"`, `\u0000`},
		{`"\\ud800"`, `\ud800`},
		{"\"\ufffd\x7f\ufeff\"", "\ufffd\x7f\ufeff"},
		{`[]`, []any{}},
		{`{}`, map[string]any{}},
		{" \t\r\n[ 1 , \"a\" , null ] \n", []any{1.0, "a", nil}},
		{`{"a":1,"A":2,"a\t":3,"":4}`, map[string]any{"a": 1.0, "A": 2.0, "a\t": 3.0, "": 4.0}},
		{`{"\u00e9":1,"e\u0301":2}`, map[string]any{"\u00e9": 1.0, "e\u0301": 2.0}},
		{`{"a":{"a":{"a":[{"a":1},{"a":1}]}}}`, map[string]any{"a": map[string]any{"a": map[string]any{
			"a": []any{map[string]any{"a": 1.0}, map[string]any{"a": 1.0}},
		}}}},
		{`{"__proto__":{},"a/b":1,"a~b":2}`, map[string]any{"__proto__": map[string]any{}, "a/b": 1.0, "a~b": 2.0}},
	} {
		got, fault := decodeStrict([]byte(test.body))
		if fault != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %#v, fault %+v, want %#v", test.body, got, fault, test.want)
		}
		if number, ok := got.(float64); ok && math.Signbit(number) != strings.HasPrefix(test.body, "-") {
			t.Errorf("%s: the sign of the number is wrong", test.body)
		}
	}

	for name, body := range map[string]string{
		"32 arrays":      nestedJSON("[", "", "]", 32),
		"32 objects":     nestedJSON(`{"a":`, "1", "}", 32),
		"32 of both":     nestedJSON(`[{"a":`, "1", "}]", 16),
		"32 deep, twice": "[" + nestedJSON("[", "", "]", 31) + "," + nestedJSON("[", "", "]", 31) + "]",
		"many objects":   "[" + strings.Repeat(`{"a":1},`, 1000) + "{}]",
	} {
		if _, fault := decodeStrict([]byte(body)); fault != nil {
			t.Errorf("%s: rejected: %+v", name, fault)
		}
	}
}

// decodeStrict rejects a body with the code and the JSON pointer of its first fault.
// A pointer that is too long stops at its last complete part.
func TestDecodeStrictRejects(t *testing.T) {
	t.Parallel()
	longName := strings.Repeat("n", 300)
	for _, test := range []struct{ body, code, pointer string }{
		{"", "invalid_json", ""},
		{" \n\t ", "invalid_json", ""},
		{"\ufeff{}", "invalid_json", ""},
		{"\ufeff", "invalid_json", ""},
		{" \ufeff{}", "invalid_json", ""},
		{"{}\ufeff", "invalid_json", ""},
		{"{} {}", "invalid_json", ""},
		{"1 2", "invalid_json", ""},
		{"{}x", "invalid_json", ""},
		{"[1]]", "invalid_json", ""},
		{"{},", "invalid_json", ""},
		{"null null", "invalid_json", ""},
		{"{", "invalid_json", ""},
		{"[", "invalid_json", ""},
		{"[1", "invalid_json", ""},
		{"[1,", "invalid_json", ""},
		{"]", "invalid_json", ""},
		{"}", "invalid_json", ""},
		{",", "invalid_json", ""},
		{":", "invalid_json", ""},
		{"[}", "invalid_json", "/0"},
		{"{]", "invalid_json", ""},
		{`{"a":1]`, "invalid_json", ""},
		{`{"a"}`, "invalid_json", "/a"},
		{`{"a":}`, "invalid_json", "/a"},
		{`{"a":1,}`, "invalid_json", ""},
		{`{"a" 1}`, "invalid_json", "/a"},
		{`{"a":1 "b":2}`, "invalid_json", ""},
		{`{a:1}`, "invalid_json", ""},
		{`{'a':1}`, "invalid_json", ""},
		{`{1:1}`, "invalid_json", ""},
		{`{null:1}`, "invalid_json", ""},
		{`{[]:1}`, "invalid_json", ""},
		{`{"a":{"b":[0,x]}}`, "invalid_json", "/a/b/1"},
		{`[1,]`, "invalid_json", ""},
		{`[,1]`, "invalid_json", ""},
		{`[1 2]`, "invalid_json", ""},
		{`[1,,2]`, "invalid_json", "/1"},
		{"tru", "invalid_json", ""},
		{"True", "invalid_json", ""},
		{"nul", "invalid_json", ""},
		{"NaN", "invalid_json", ""},
		{"Infinity", "invalid_json", ""},
		{"-", "invalid_json", ""},
		{"+1", "invalid_json", ""},
		{"01", "invalid_json", ""},
		{"1.", "invalid_json", ""},
		{".5", "invalid_json", ""},
		{"1e", "invalid_json", ""},
		{"0x10", "invalid_json", ""},
		{"1_000", "invalid_json", ""},
		{"// x\n1", "invalid_json", ""},
		{"1 /* x */", "invalid_json", ""},
		{`"a`, "invalid_json", ""},
		{`"\`, "invalid_json", ""},
		{`"\x41"`, "invalid_json", ""},
		{`"\u12"`, "invalid_json", ""},
		{`"\u12G4"`, "invalid_json", ""},
		{`"\U0041"`, "invalid_json", ""},
		{"\"a\nb\"", "invalid_json", ""},
		{"\"a\tb\"", "invalid_json", ""},
		{"\"\x1f\"", "invalid_json", ""},
		{"'a'", "invalid_json", ""},
		{"undefined", "invalid_json", ""},
		{"a=1&b=2", "invalid_json", ""},
		{"<xml/>", "invalid_json", ""},

		{`{"a":1,"a":2}`, "duplicate", "/a"},
		{`{"a":1,"b":2,"a":1}`, "duplicate", "/a"},
		{`{"":1,"":1}`, "duplicate", "/"},
		{`{"a":1,"\u0061":2}`, "duplicate", "/a"},
		{`{"\u0061":1,"a":2}`, "duplicate", "/a"},
		{`{"é":1,"\u00E9":2}`, "duplicate", "/é"},
		{`{"😀":1,"\ud83d\ude00":2}`, "duplicate", "/😀"},
		{`{"a/b":1,"a\/b":2}`, "duplicate", "/a~1b"},
		{`{"a~":1,"a~":2}`, "duplicate", "/a~0"},
		{`{"a":[0,{"b":{"c":1,"c":1}}]}`, "duplicate", "/a/1/b/c"},
		{`{"a":1,"a":`, "duplicate", "/a"},

		{`"\u0000"`, "invalid_encoding", ""},
		{`["a","b\u0000c"]`, "invalid_encoding", "/1"},
		{`{"a":{"b":"\u0000"}}`, "invalid_encoding", "/a/b"},
		{"\"a\x00b\"", "invalid_encoding", ""},
		{`{"a\u0000":1}`, "invalid_encoding", ""},
		{`{"a":{"\u0000":1}}`, "invalid_encoding", "/a"},
		{`{"a":[{"\u0000":1}]}`, "invalid_encoding", "/a/0"},
		{"{\"a\x00\":1}", "invalid_encoding", ""},
		{"{}\x00", "invalid_encoding", ""},
		{"\x00", "invalid_encoding", ""},
		{"\"\xff\"", "invalid_encoding", ""},
		{"{\"a\":\"x\xffy\"}", "invalid_encoding", "/a"},
		{"{\"a\xff\":1}", "invalid_encoding", ""},
		{"\"\xc0\x80\"", "invalid_encoding", ""},
		{"\"\xc1\xbf\"", "invalid_encoding", ""},
		{"\"\xe0\x80\x80\"", "invalid_encoding", ""},
		{"\"\xed\xa0\x80\"", "invalid_encoding", ""},
		{"\"\xed\xa0\xbd\xed\xb8\x80\"", "invalid_encoding", ""},
		{"\"\xf4\x90\x80\x80\"", "invalid_encoding", ""},
		{"\"\xf8\x88\x80\x80\x80\"", "invalid_encoding", ""},
		{"\"\xc3\"", "invalid_encoding", ""},
		{"\"\xc3", "invalid_encoding", ""},
		{"\xff\xfe{\x00}\x00", "invalid_encoding", ""},
		{"{\x00}\x00", "invalid_encoding", ""},
		{"\"caf\xe9\"", "invalid_encoding", ""},
		{"[1,\xff]", "invalid_encoding", "/1"},
		{`"\ud800"`, "invalid_encoding", ""},
		{`"\uD800\u0041"`, "invalid_encoding", ""},
		{`"\uDC00"`, "invalid_encoding", ""},
		{`"\uDE00\uD83D"`, "invalid_encoding", ""},
		{`"\uD83D\uD83D\uDE00"`, "invalid_encoding", ""},
		{`"\uD83Dx"`, "invalid_encoding", ""},
		{`"\uD83D\n"`, "invalid_encoding", ""},
		{`{"a":["\udfff"]}`, "invalid_encoding", "/a/0"},
		{`{"\ud800":1}`, "invalid_encoding", ""},
		{`"\uD83D`, "invalid_encoding", ""},

		{"1e400", "too_large", ""},
		{"-1e400", "too_large", ""},
		{"1e999999999999", "too_large", ""},
		{`{"a":[1,1.8e308]}`, "too_large", "/a/1"},
		{strings.Repeat("9", 400), "too_large", ""},

		{nestedJSON("[", "", "]", 33), "too_deep", strings.Repeat("/0", 32)},
		{nestedJSON(`{"a":`, "1", "}", 33), "too_deep", strings.Repeat("/a", 32)},
		{nestedJSON("[", "", "", 33), "too_deep", strings.Repeat("/0", 32)},
		{nestedJSON(`[{"a":`, "[]", "}]", 16), "too_deep", strings.Repeat("/0/a", 16)},

		{`{"` + longName + `":x}`, "invalid_json", ""},
		{`{"a":{"` + longName + `":{"b":1,"b":2}}}`, "duplicate", "/a"},
		{`{"` + longName[:200] + `":{"` + longName[:200] + `":1e400}}`, "too_large", "/" + longName[:200]},
		{`{"` + strings.Repeat("~", 128) + `":1e400}`, "too_large", ""},
		{`{"` + strings.Repeat("é", 127) + `":1e400}`, "too_large", "/" + strings.Repeat("é", 127)},
		{`{"` + strings.Repeat("é", 128) + `":1e400}`, "too_large", ""},
	} {
		value, fault := decodeStrict([]byte(test.body))
		if fault == nil || value != nil {
			t.Errorf("%.60q: accepted as %v", test.body, value)
			continue
		}
		if fault.Code != test.code || fault.Pointer != test.pointer {
			t.Errorf("%.60q: %s at %q, want %s at %q", test.body, fault.Code, fault.Pointer, test.code, test.pointer)
		}
		checkFault(t, fault)
	}
}

// checkFault checks the bounds that every fault of a body obeys.
func checkFault(t *testing.T, fault *jsonFault) {
	t.Helper()
	if len(fault.Pointer) > 256 || !utf8.ValidString(fault.Pointer) || !jsontext.Pointer(fault.Pointer).IsValid() ||
		strings.Contains(fault.Pointer, "\x00") {
		t.Errorf("the pointer is too long or malformed: %q", fault.Pointer)
	}
	if fault.Detail == "" || !utf8.ValidString(fault.Detail) || len(fault.Detail) > 100 {
		t.Errorf("the detail is empty, too long or malformed: %q", fault.Detail)
	}
}

// A fault never contains a value of the body, because the value may be a password.
func TestDecodeStrictFaultsOmitValues(t *testing.T) {
	t.Parallel()
	const secret = "hunter2-9e400"
	for _, body := range []string{
		`{"password":"` + secret, `{"password":` + secret + `}`, secret,
		`{"password":"` + secret + `","password":"` + secret + `"}`, `{"password":"` + secret + `\u0000"}`,
		`{"password":"` + secret + `\ud800"}`, `{"password":"` + secret + "\xff\"}", `{"password":"` + secret + "\n\"}",
		`{"password":"` + secret + `\q"}`, `{"password":"` + secret + `"} ` + secret, `{"password":"` + secret + `" "`,
		`{"password":9e400}`, `["` + secret + `",]`, "\ufeff" + secret,
	} {
		_, fault := decodeStrict([]byte(body))
		if fault == nil {
			t.Errorf("%q: accepted", body)
			continue
		}
		if text := fmt.Sprintf("%+v", *fault); strings.Contains(text, "hunter2") || strings.Contains(text, "9e400") {
			t.Errorf("%q: the fault contains a value: %s", body, text)
		}
	}
}

// The number of allocations for a rejected body does not grow with its size. The test
// is not parallel, because AllocsPerRun counts the allocations of all goroutines.
func TestDecodeStrictAllocations(t *testing.T) {
	const mib = 1 << 20
	for name, body := range map[string]string{
		"arrays":             strings.Repeat("[", mib),
		"objects":            strings.Repeat(`{"a":`, mib/5),
		"one name, again":    "{" + strings.Repeat(`"":0,`, mib/5),
		"long name, too big": `{"` + strings.Repeat("~", mib) + `":1e400}`,
		"long string":        `"` + strings.Repeat("a", mib),
		"long number":        strings.Repeat("9", mib),
		"white space":        strings.Repeat(" ", mib),
	} {
		allocations := testing.AllocsPerRun(1, func() {
			if _, fault := decodeStrict([]byte(body)); fault == nil {
				t.Errorf("%s: accepted", name)
			}
		})
		if allocations > 300 {
			t.Errorf("%s: %.0f allocations, want at most 300", name, allocations)
		}
	}
}

func BenchmarkDecodeStrict(b *testing.B) {
	const mib = 1 << 20
	var names strings.Builder
	for i := range mib / 10 {
		fmt.Fprintf(&names, `"%x":0,`, i)
	}
	for name, body := range map[string]string{
		"typical":        `{"email":"ada@example.com","password":"correct horse battery staple"}`,
		"distinct names": "{" + names.String() + `"":0}`,
		"small objects":  "[" + strings.Repeat(`{"":0},`, mib/7) + "0]",
		"empty arrays":   "[" + strings.Repeat(`[],`, mib/3) + "0]",
		"zeros":          "[" + strings.Repeat(`0,`, mib/2) + "0]",
		"arrays":         strings.Repeat("[", mib),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				_, _ = decodeStrict([]byte(body))
			}
		})
	}
}

// queryFault accepts only what net/url parses completely, and names the faulty parameter.
func TestQueryFault(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		"", "a=1", "a=1&b=2", "a", "a=", "=a", "&&", "a=%20+b", "a=%C3%A9", "a=é", "a=1=2", "a=%3B", "a=%26", "a=b%0Ac",
		"a[]=1", "a=%F0%9F%98%80",
	} {
		if fault := queryFault(raw); fault != nil {
			t.Errorf("%q: rejected: %+v", raw, fault)
		}
		if _, err := url.ParseQuery(raw); err != nil {
			t.Errorf("%q is accepted, but net/url drops a part of it: %v", raw, err)
		}
	}

	for raw, pointer := range map[string]string{
		"a=%":                                   "a",
		"a=%2":                                  "a",
		"a=%zz":                                 "a",
		"ok=1&a=%00":                            "a",
		"a=\x00":                                "a",
		"a=%FF":                                 "a",
		"a=\xff":                                "a",
		"a=%C3":                                 "a",
		"a=%C0%80":                              "a",
		"a=%ED%A0%80":                           "a",
		"b%20c=%00":                             "b c",
		"%00=1":                                 "",
		"%FF=1":                                 "",
		"%zz=1":                                 "",
		"%=1":                                   "",
		"a=1;b=2":                               "",
		"a;b":                                   "",
		"a=1&&b=2&;":                            "",
		strings.Repeat("a", 257) + "=%00":       "",
		strings.Repeat("a", 256) + "=%00":       strings.Repeat("a", 256),
		strings.Repeat("a=1&", 1<<18) + "b=%00": "b",
	} {
		fault := queryFault(raw)
		if fault == nil || fault.Code != "invalid_encoding" || fault.Pointer != pointer || fault.Detail == "" {
			t.Errorf("%.40q: %+v, want %q", raw, fault, pointer)
		}
	}
}

// checkText accepts valid UTF-8 without NUL, which is what both databases can store.
func TestCheckText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": true, "a": true, "é😀": true, "\ufffd": true, "\x01\n\x7f": true, "\ufeff": true,
		"\x00": false, "a\x00": false, "\xff": false, "\xc0\x80": false, "\xed\xa0\x80": false, "\xc3": false,
	} {
		if got := checkText(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
