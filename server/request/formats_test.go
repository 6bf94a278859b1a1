package request

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

type formatTest struct {
	value string
	ok    bool
}

func runFormatTests(t *testing.T, format string, tests []formatTest) {
	t.Helper()
	validator := formatValidators()[format]
	for _, test := range tests {
		err := validator.Validate(test.value)
		if (err == nil) != test.ok {
			t.Errorf("%s %.80q: %v, want accepted %t", format, test.value, err, test.ok)
		}
		if err != nil && len(test.value) > 3 && strings.Contains(err.Error(), test.value) {
			t.Errorf("%s: the error %q contains the value", format, err)
		}
	}
}

// The email format accepts plain addresses only: no display names, quotes, comments or lists.
func TestFormatEmail(t *testing.T) {
	t.Parallel()
	label63 := strings.Repeat("a", 63)
	long := label63 + "." + label63 + "." + label63 + "." // 192 bytes
	runFormatTests(t, "email", []formatTest{
		{"ada@example.com", true},
		{"Ada.Lovelace+test@mail.example.co.uk", true},
		{"a@b.c", true},
		{"o'brien!#$%&*/=?^_`{|}~-@example.com", true},
		{"a@xn--bcher-kva.example", true},
		{"a@1.2.3.example", true},
		{"1@2.c3", true},
		{"a@b-c.example", true},
		{strings.Repeat("a", 64) + "@example.com", true},
		{"a@" + label63 + ".example", true},
		{strings.Repeat("a", 53) + "@" + long + "exampl.c", true}, // 254

		{"", false},
		{"ada", false},
		{"ada@", false},
		{"@example.com", false},
		{"ada@localhost", false},
		{"ada@example.com.", false},
		{"ada@.example.com", false},
		{"ada@example..com", false},
		{"ada@-example.com", false},
		{"ada@example-.com", false},
		{"ada@exa_mple.com", false},
		{"ada@exam!ple.com", false},
		{"a@1.2.3.4", false},
		{"a@example.123", false},
		{"a@[127.0.0.1]", false},
		{"a@[IPv6:::1]", false},
		{".ada@example.com", false},
		{"ada.@example.com", false},
		{"a..da@example.com", false},
		{`"ada"@example.com`, false},
		{`"a da"@example.com`, false},
		{`"a@b"@example.com`, false},
		{"Ada <ada@example.com>", false},
		{"<ada@example.com>", false},
		{"ada@example.com (Ada)", false},
		{"(Ada)ada@example.com", false},
		{"ada@example.com,bob@example.com", false},
		{"ada@example.com;bob@example.com", false},
		{"group: ada@example.com;", false},
		{"ada@bob@example.com", false},
		{" ada@example.com", false},
		{"ada@example.com ", false},
		{"ada @example.com", false},
		{"ada@ example.com", false},
		{"ada@example.com\n", false},
		{"ada@example.com\r\nBcc: eve@example.com", false},
		{"a\tda@example.com", false},
		{"a\x00da@example.com", false},
		{"a\x7fda@example.com", false},
		{"ädä@example.com", true},
		{"a\u0308da@example.com", true},
		{"用户@example.com", true},
		{"उपयोगकर्ता@उदाहरण.कॉम", true},
		{"ada@bücher.example", true},
		{"ada@BÜCHER.example", true},
		{"ada@例子.example", true},
		{"ada@example。com", true},
		{"用户@例子。测试", true},
		{strings.Repeat("ä", 32) + "@example.com", true},

		{strings.Repeat("ä", 33) + "@example.com", false}, // 66 bytes
		{"a@" + strings.Repeat("ä", 60) + ".example", false},
		{"a@" + strings.Repeat("äaöbücdé.", 20) + "example", false}, // too long in ASCII only
		{"ａda@example.com", false},
		{"ﬁ@example.com", false},
		{"a\u200bda@example.com", false},
		{"a\u00adda@example.com", false},
		{"a\u3164da@example.com", false},
		{"\u202aada@example.com\u202c", false},
		{"a\u00a0da@example.com", false},
		{"ada@exa\u00a0mple.com", false},
		{"ada@a\u200bbücher..example", false},
		{"🙂@example.com", false},
		{"a“b@example.com", false},
		{"ada@büch er.example", false},
		{"ada@-bücher.example", false},
		{"ada@bücher", false},
		{"ada@١٢٣.٤", false},
		{"ada＠example.com", false},
		{"a\xffda@example.com", false},
		{"=?utf-8?q?ada?= <ada@example.com>", false},
		{strings.Repeat("a", 65) + "@example.com", false},
		{"a@" + label63 + "a.example", false},
		{strings.Repeat("a", 54) + "@" + long + "exampl.c", false}, // 255
		{strings.Repeat("(", 1<<20) + "a@example.com", false},
	})
}

// The uri format accepts absolute http and https URLs without credentials.
func TestFormatURI(t *testing.T) {
	t.Parallel()
	runFormatTests(t, "uri", []formatTest{
		{"https://example.com", true},
		{"http://example.com/", true},
		{"HTTPS://EXAMPLE.COM/", true},
		{"https://example.com:8443/a/b?c=d&e=%20f#g", true},
		{"https://example.com?x=1;y", true},
		{"http://localhost:8080/hook", true},
		{"http://my_service:8080", true},
		{"http://127.0.0.1/", true},
		{"http://[::1]:8080/", true},
		{"http://[2001:db8::1]", true},
		{"https://xn--bcher-kva.example/%C3%BC", true},
		{"https://example.com./", true},
		{"https://example.com/a@b:c", true},
		{"https://example.com/" + strings.Repeat("a", 4096-20), true},

		{"", false},
		{"example.com", false},
		{"/relative", false},
		{"//example.com/", false},
		{"https:", false},
		{"https:/", false},
		{"https://", false},
		{"https:///path", false},
		{"https://?q", false},
		{"https:example.com", false},
		{"https:/example.com", false},
		{"ftp://example.com", false},
		{"javascript:alert(1)", false},
		{"data:text/html,x", false},
		{"file:///etc/passwd", false},
		{"ws://example.com", false},
		{"https://ada@example.com", false},
		{"https://ada:secret@example.com", false},
		{"https://@example.com", false},
		{"https://:80", false},
		{"https://example.com:", false},
		{"https://example.com:0", false},
		{"https://example.com:65536", false},
		{"https://example.com:99999", false},
		{"https://example.com:x", false},
		{"https://example.com:+80", false},
		{"https://example.com:80:80", false},
		{"https://[::1", false},
		{"https://[127.0.0.1]/", false},
		{"https://[fe80::1%25eth0]/", false},
		{"https://[x]/", false},
		{"https://::1/", false},
		{"https://.example.com", false},
		{"https://exa..mple.com", false},
		{"https://exa!mple.com", false},
		{"https://%65xample.com", false},
		{"https://b%C3%BCcher.example", false},
		{"https://bücher.example", false},
		{"https://①②⑦.⓪.⓪.①", false},
		{"https://example.com/ü", false},
		{" https://example.com", false},
		{"https://example.com ", false},
		{"https://example.com/a b", false},
		{"https://example.com/a\tb", false},
		{"https://example.com/a\nb", false},
		{"https://example.com/\x00", false},
		{"https://example.com/\x7f", false},
		{"https://example.com/\xff", false},
		{`https://example.com\@evil.example`, false},
		{`https://example.com/\evil.example`, false},
		{`https://example.com/"onclick="x`, false},
		{"https://example.com/<script>", false},
		{"https://example.com/%", false},
		{"https://example.com/%2", false},
		{"https://example.com/?a=%zz", false},
		{"https://example.com/#%zz", false},
		{"https://example.com/" + strings.Repeat("a", 4096-19), false},
	})
}

// The date-time format accepts RFC 3339 times from year 1 to 9999 in UTC, without leap seconds.
func TestFormatDateTime(t *testing.T) {
	t.Parallel()
	tests := []formatTest{
		{"2026-11-20T10:00:00Z", true},
		{"2026-11-20T10:00:00.000Z", true},
		{"2026-11-20T10:00:00.123456789123Z", true},
		{"2026-11-20T10:00:00+02:00", true},
		{"2026-11-20T10:00:00-00:00", true},
		{"2026-11-20T23:59:59+23:59", true},
		{"2024-02-29T00:00:00Z", true},
		{"2000-02-29T00:00:00Z", true},
		{"0001-01-01T00:00:00Z", true},
		{"9999-12-31T23:59:59Z", true},

		{"", false},
		{"2026-11-20", false},
		{"10:00:00Z", false},
		{"2026-11-20T10:00:00", false},
		{"2026-11-20T10:00Z", false},
		{"2026-11-20 10:00:00Z", false},
		{"2026-11-20t10:00:00Z", false},
		{"2026-11-20T10:00:00z", false},
		{"2026-11-20T10:00:00+0200", false},
		{"2026-11-20T10:00:00+2:00", false},
		{"2026-11-20T10:00:00 Z", false},
		{"2026-11-20T10:00:00ZZ", false},
		{"2026-11-20T10:00:00Z\n", false},
		{" 2026-11-20T10:00:00Z", false},
		{"2026-11-20T10:00:00UTC", false},
		{"2026-11-20T10:00:00.Z", false},
		{"2026-11-20T10:00:00,5Z", false},
		{"2026-11-20T1:00:00Z", false},
		{"2026-1-20T10:00:00Z", false},
		{"2026-02-31T00:00:00Z", false},
		{"2025-02-29T00:00:00Z", false},
		{"2100-02-29T00:00:00Z", false},
		{"2026-00-01T00:00:00Z", false},
		{"2026-13-01T00:00:00Z", false},
		{"2026-01-00T00:00:00Z", false},
		{"2026-11-31T00:00:00Z", false},
		{"2026-11-20T24:00:00Z", false},
		{"2026-11-20T10:60:00Z", false},
		{"2026-11-20T10:00:60Z", false},
		{"2016-12-31T23:59:60Z", false},
		{"2026-11-20T10:00:00+24:00", false},
		{"2026-11-20T10:00:00+02:60", false},
		{"0000-01-01T00:00:00Z", false},
		{"0000-12-31T23:59:59-01:00", false},
		{"0001-01-01T00:00:00+01:00", false},
		{"9999-12-31T23:59:59-01:00", false},
		{"10000-01-01T00:00:00Z", false},
		{"-001-01-01T00:00:00Z", false},
		{"２０２６-11-20T10:00:00Z", false},
		{"1795168800", false},
		{"now", false},
	}
	runFormatTests(t, "date-time", tests)
	for _, test := range tests { // query parameters are bound with time.Parse
		if _, err := time.Parse(time.RFC3339Nano, test.value); test.ok && err != nil {
			t.Errorf("%q is accepted here, but the query parameter binder rejects it", test.value)
		}
	}
}

// A schema uses the registered validators. The reason in its error does not contain the
// value.
func TestFormatsInSchema(t *testing.T) {
	t.Parallel()
	formats := formatValidators()
	if got := slices.Sorted(maps.Keys(formats)); !slices.Equal(got, []string{"date-time", "email", "uri"}) {
		t.Errorf("the registered formats are %v", got)
	}
	for format, bad := range map[string]string{
		"email": "s3cret-x", "uri": "s3cret-x", "date-time": "2026-02-31T00:00:00Z",
	} {
		schema := openapi3.NewStringSchema().WithFormat(format)
		err := schema.VisitJSON(bad, openapi3.WithStringFormatValidators(formats))
		if err == nil {
			t.Errorf("%s: the schema accepts %q", format, bad)
			continue
		}
		schemaError, ok := errors.AsType[*openapi3.SchemaError](err)
		if !ok || strings.Contains(schemaError.Reason, bad) {
			t.Errorf("%s: the reason contains the value: %v", format, err)
		}
	}
}
