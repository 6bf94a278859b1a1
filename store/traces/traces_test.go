package traces

import (
	"strings"
	"testing"
)

const valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

func TestParse(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		valid: valid,
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
		// Unknown flags are ignored, and a later version is read as far as it is known.
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff":        valid,
		"cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01":        valid,
		"cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-future": valid,
		"01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-":       valid,

		"":                                  "",
		"00":                                "",
		strings.ToUpper(valid):              "",
		" " + valid:                         "",
		valid + " ":                         "",
		valid + "-":                         "",
		valid + "-00":                       "",
		valid + "," + valid:                 "",
		valid[:len(valid)-1]:                "",
		"ff" + valid[2:]:                    "",
		"0" + valid:                         "",
		"0g" + valid[2:]:                    "",
		strings.ReplaceAll(valid, "-", "_"): "",
		strings.Replace(valid, "0af7", "-af7", 1):                                "",
		"00-" + strings.Repeat("0", 32) + "-b7ad6b7169203331-01":                 "",
		"00-0af7651916cd43dd8448eb211c80319c-" + strings.Repeat("0", 16) + "-01": "",
		"00-0af7651916cd43dd8448eb211c8031-b7ad6b71692033310000-01":              "",
		"00-0af7651916cd43dd8448eb211c80319z-b7ad6b7169203331-01":                "",
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333Z-01":                "",
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x":                "",
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1":                 "",
		"cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.future":         "",
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0\x00":             "",
		"00-é af7651916cd43dd8448eb211c8031-b7ad6b7169203331-01":                 "",
	} {
		parent, ok := Parse(value)
		if got := Format(parent); got != want || ok != (want != "") {
			t.Errorf("%q is %q (%t), want %q", value, got, ok, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(valid)
	f.Add("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-future")
	f.Fuzz(func(t *testing.T, value string) {
		parent, ok := Parse(value)
		if ok != parent.IsValid() {
			t.Fatalf("%q is valid: %t, %t", value, ok, parent.IsValid())
		}
		if again, ok := Parse(Format(parent)); ok && !again.Equal(parent) {
			t.Fatalf("%q is %v, then %v", value, parent, again)
		}
	})
}

func TestChild(t *testing.T) {
	t.Parallel()
	if got := Child(t.Context()); got != "" {
		t.Errorf("without a trace, the header is %q", got)
	}
	ctx := With(t.Context(), valid)
	first, second := Child(ctx), Child(ctx)
	if Of(ctx) != valid || first == second || first == valid ||
		first[:36] != valid[:36] || !strings.HasSuffix(first, "-01") {
		t.Errorf("%q, %q, %q", Of(ctx), first, second)
	}
}
