package keys

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// InviteToken is deterministic, and ParseInviteToken returns what went into it.
func TestInviteTokenRoundTrip(t *testing.T) {
	t.Parallel()
	keys := keysFrom(t, keysTestSecret)
	for _, generation := range []int{0, 1, 2, 10, 4711, 999_999_999} {
		token := keys.InviteToken(keysTestSessionID, generation)
		if token != keys.InviteToken(keysTestSessionID, generation) {
			t.Error("two calls return different tokens")
		}
		prefix := fmt.Sprintf("inv_01hzzzzzzzzzzzzzzzzzzzzzzz_%d_", generation)
		if !strings.HasPrefix(token, prefix) || len(token) != len(prefix)+43 {
			t.Errorf("the token is %s, want the prefix %s and 43 characters", token, prefix)
		}
		sessionID, got, ok := keys.ParseInviteToken(token)
		if !ok || sessionID != keysTestSessionID || got != generation {
			t.Errorf("%s parses to %q, %d, %t", token, sessionID, got, ok)
		}
	}
}

// A token remains valid when its secret becomes a previous one. Other secrets refuse it.
func TestInviteTokenRotation(t *testing.T) {
	t.Parallel()
	old := keysFrom(t, keysTestSecret)
	next := keysFrom(t, keysTestSecret+" 2", keysTestSecret)
	other := keysFrom(t, keysTestSecret+" 3")
	token := old.InviteToken(keysTestSessionID, 3)
	if _, _, ok := next.ParseInviteToken(token); !ok {
		t.Error("a token of the previous secret is refused")
	}
	if _, _, ok := other.ParseInviteToken(token); ok {
		t.Error("a token of an unknown secret is accepted")
	}
	if _, _, ok := old.ParseInviteToken(next.InviteToken(keysTestSessionID, 3)); ok {
		t.Error("a token of a later secret is accepted")
	}
}

// Each token has exactly one valid form. All others are refused, even when signed.
func TestParseInviteTokenRefusesOtherForms(t *testing.T) {
	t.Parallel()
	keys := keysFrom(t, keysTestSecret)
	const ulid = "01hzzzzzzzzzzzzzzzzzzzzzzz"
	token := keys.InviteToken(keysTestSessionID, 12)
	signature := token[len(token)-43:]

	signed := func(purpose, sessionID, number string) string {
		mac := hmac.New(sha256.New, keys.Signing(purpose))
		mac.Write([]byte(sessionID + "\x00" + number))
		return "inv_" + strings.TrimPrefix(sessionID, "ses_") + "_" + number + "_" +
			base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	if signed(PurposeInviteToken, keysTestSessionID, "12") != token {
		t.Fatal("the helper of this test does not sign as InviteToken does")
	}

	hostile := map[string]string{
		"empty":                     "",
		"prefix only":               "inv_",
		"no generation":             "inv_" + ulid,
		"no signature":              "inv_" + ulid + "_12",
		"empty signature":           "inv_" + ulid + "_12_",
		"empty generation":          "inv_" + ulid + "__" + signature,
		"upper-case prefix":         "INV_" + token[4:],
		"other prefix":              "ses_" + token[4:],
		"upper-case ulid":           "inv_" + strings.ToUpper(ulid) + token[30:],
		"signed upper-case ulid":    signed(PurposeInviteToken, "ses_"+strings.ToUpper(ulid), "12"),
		"ulid with u":               signed(PurposeInviteToken, "ses_01hzzzzzzzzzzzzzzzzzzzzzzu", "12"),
		"ulid too short":            signed(PurposeInviteToken, keysTestSessionID[:29], "12"),
		"ulid too long":             signed(PurposeInviteToken, keysTestSessionID+"0", "12"),
		"leading zero":              signed(PurposeInviteToken, keysTestSessionID, "012"),
		"plus sign":                 signed(PurposeInviteToken, keysTestSessionID, "+12"),
		"negative":                  signed(PurposeInviteToken, keysTestSessionID, "-12"),
		"minus zero":                signed(PurposeInviteToken, keysTestSessionID, "-0"),
		"hexadecimal":               signed(PurposeInviteToken, keysTestSessionID, "0xc"),
		"space":                     signed(PurposeInviteToken, keysTestSessionID, " 12"),
		"unicode digits":            signed(PurposeInviteToken, keysTestSessionID, "１２"),
		"generation too long":       signed(PurposeInviteToken, keysTestSessionID, "1000000000"),
		"generation beyond 64 bits": signed(PurposeInviteToken, keysTestSessionID, "18446744073709551628"),
		"other generation":          "inv_" + ulid + "_13_" + signature,
		"other session":             "inv_01hzzzzzzzzzzzzzzzzzzzzzzy_12_" + signature,
		"key of another purpose":    signed(PurposeAccessToken, keysTestSessionID, "12"),
		"truncated":                 token[:len(token)-1],
		"padded":                    token + "=",
		"trailing newline":          token + "\n",
		"leading space":             " " + token,
		"newline in the signature":  token[:len(token)-1] + "\n",
		"NUL":                       token + "\x00",
		"fifth part":                token + "_x",
		"long":                      token + strings.Repeat("A", 1<<20),
		"long generation":           "inv_" + ulid + "_" + strings.Repeat("1", 1<<20) + "_" + signature,
		"zero signature":            "inv_" + ulid + "_12_" + strings.Repeat("A", 43),
	}
	// Some of these last characters encode the same bytes for a lenient decoder.
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for _, c := range alphabet {
		if last := token[:len(token)-1] + string(c); last != token {
			hostile["last character "+string(c)] = last
		}
	}

	for name, form := range hostile {
		if sessionID, generation, ok := keys.ParseInviteToken(form); ok || sessionID != "" || generation != 0 {
			t.Errorf("%s: accepted as %q, %d", name, sessionID, generation)
		}
	}
}
