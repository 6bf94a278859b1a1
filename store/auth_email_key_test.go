package store

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// An address has one key however it is typed, and two mailboxes have two keys.
func TestEmailKey(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"ada@example.com", "Ada@EXAMPLE.com"},
		{"x@xn--bcher-kva.example", "x@bücher.example", "x@BÜCHER.example", "X@bu\u0308cher.example",
			"x@XN--BCHER-KVA.example"},
		{"gräce@example.com", "gra\u0308ce@example.com", "GRÄCE@example.com"},
		{"用户@例子.测试", "用户@例子。测试", "用户@xn--fsqu00a.xn--0zwm56d"},
	} {
		for _, address := range same {
			if emailKey(address) != emailKey(same[0]) {
				t.Errorf("%+q has the key %+q, and %+q has %+q", address, emailKey(address), same[0], emailKey(same[0]))
			}
		}
	}
	for _, pair := range [][2]string{
		{"ada@example.com", "adä@example.com"}, {"ada@example.com", "аda@example.com"}, {"ss@example.com", "ß@example.com"},
		{"i@example.com", "ı@example.com"}, {"x@bücher.example", "x@bucher.example"}, {"a.b@example.com", "ab@example.com"},
	} {
		if emailKey(pair[0]) == emailKey(pair[1]) {
			t.Errorf("%+q and %+q have the key %+q", pair[0], pair[1], emailKey(pair[0]))
		}
	}
}

// Keys that version 1.0 has stored are those of today: they are of addresses in ASCII.
func TestEmailKeysOfASCIIAreStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		address := rapid.StringMatching(`[!-?A-~]{1,20}@[A-Za-z0-9.-]{1,30}`).Draw(t, "address")
		if emailKey(address) != strings.ToLower(address) || emailKey(emailKey(address)) != emailKey(address) {
			t.Errorf("the key of %q is %q", address, emailKey(address))
		}
	})
}
