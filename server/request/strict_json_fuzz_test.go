package request

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// decodeStrict accepts a body if and only if encoding/json and the stricter rules
// accept it, and returns the same value as encoding/json. Whatever it reports as
// invalid_json, encoding/json rejects too. An accepted value survives encoding and
// decoding again.
func FuzzDecodeStrict(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-0,1.5e3,true,false,null,"\ud83d\ude00\n",{"":{}}]}`, `{"a":1,"\u0061":2}`, `"\ud800"`, `"\u0000"`,
		"\"\xff\"", "1e400", "\ufeff1", "1 2", `{"a":1,}`, `[1,`, nestedJSON("[", "", "]", 32), nestedJSON("[", "", "]", 33),
		`{"a~/":1e400}`, "\"\xc3", `"\uD83D\uD83D"`, `"\\ud800"`, "{\"a\x00\":1}", "[}", `{"\ud800":1,"\ufffd":2}`, `5e-324`,
		`"\u2028<&>"`,
	} {
		f.Add([]byte(seed))
	}

	f.Fuzz(func(t *testing.T, body []byte) {
		got, fault := decodeStrict(body)
		if want := allowed(body); want != (fault == nil) {
			t.Fatalf("%q: acceptable %t, but the fault is %+v", body, want, fault)
		}
		if fault != nil {
			checkFault(t, fault)
			if fault.Code == faultInvalidJSON && json.Valid(body) {
				t.Errorf("%q is valid JSON, but rejected as invalid_json: %+v", body, fault)
			}
			return
		}

		var want any
		if err := json.Unmarshal(body, &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: decodeStrict returns %#v, encoding/json %#v (%v)", body, got, want, err)
		}
		again, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if reread, fault := decodeStrict(again); fault != nil || !reflect.DeepEqual(reread, got) {
			t.Errorf("%q, encoded again as %q: %#v, %+v", body, again, reread, fault)
		}
	})
}

// allowed reports whether decodeStrict should accept a body. It uses encoding/json only.
func allowed(body []byte) bool {
	if !utf8.Valid(body) || !json.Valid(body) || loneSurrogate(string(body)) {
		return false
	}
	tokens := json.NewDecoder(bytes.NewReader(body))
	tokens.UseNumber()
	return allowedValue(tokens, 0)
}

// allowedValue reports whether the next value of a valid body obeys the stricter rules.
func allowedValue(tokens *json.Decoder, depth int) bool {
	token, err := tokens.Token()
	if err != nil {
		return false
	}
	switch value := token.(type) {
	case string:
		return !strings.Contains(value, "\x00")
	case json.Number:
		_, err := strconv.ParseFloat(value.String(), 64)
		return err == nil
	case json.Delim:
		names := map[string]bool{}
		for tokens.More() {
			if value == '{' {
				name, err := tokens.Token()
				text, _ := name.(string)
				if err != nil || names[text] || strings.Contains(text, "\x00") {
					return false
				}
				names[text] = true
			}

			if !allowedValue(tokens, depth+1) {
				return false
			}
		}

		_, err := tokens.Token()
		return err == nil && depth < maxJSONDepth
	}

	return true
}

// loneSurrogate reports whether the escapes of valid JSON contain half of a
// surrogate pair. In valid JSON, backslashes occur only in strings.
func loneSurrogate(body string) bool {
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		i++
		if body[i] != 'u' {
			continue
		}
		unit := body[i+1 : i+5]
		i += 4
		switch half := strings.ToLower(unit); {
		case half >= "d800" && half <= "dbff":
			if i+6 >= len(body) || body[i+1] != '\\' || body[i+2] != 'u' {
				return true
			}
			if other := strings.ToLower(body[i+3 : i+7]); other < "dc00" || other > "dfff" {
				return true
			}
			i += 6
		case half >= "dc00" && half <= "dfff":
			return true
		}
	}

	return false
}
