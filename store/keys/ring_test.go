package keys

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
)

const (
	keysTestSecret    = "a master secret of the tests, long enough"
	keysTestSessionID = "ses_01hzzzzzzzzzzzzzzzzzzzzzzz"
)

var keyPurposes = []string{
	PurposeAccessToken, PurposeRefreshToken, PurposeResultToken, PurposeInviteToken, PurposeWebhookSecret,
}

func keysFrom(t *testing.T, master string, previous ...string) *Ring {
	t.Helper()
	keys, err := New(master, previous...)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return keys
}

func TestNewKeysRefusesShortSecrets(t *testing.T) {
	t.Parallel()
	short := strings.Repeat("x", 31)
	for _, test := range []struct {
		name, master string
		previous     []string
		variable     string
	}{
		{"empty", "", nil, "ASSAY_SECRET "},
		{"only white space", strings.Repeat(" ", 64), nil, "ASSAY_SECRET "},
		{"31 characters", short, nil, "ASSAY_SECRET "},
		{"31 characters and white space", " " + short + "\n\t", nil, "ASSAY_SECRET "},
		{"31 characters of two bytes", strings.Repeat("é", 31), nil, "ASSAY_SECRET "},
		{"short previous", keysTestSecret, []string{short}, "ASSAY_SECRET_PREVIOUS:"},
		{"short second previous", keysTestSecret, []string{keysTestSecret + "2", short}, "ASSAY_SECRET_PREVIOUS:"},
	} {
		keys, err := New(test.master, test.previous...)
		switch {
		case err == nil || keys != nil:
			t.Errorf("%s: accepted", test.name)
		case !strings.Contains(err.Error(), test.variable):
			t.Errorf("%s: error %q does not name %s", test.name, err, test.variable)
		case strings.Contains(err.Error(), "xxx"):
			t.Errorf("%s: error %q shows the secret", test.name, err)
		}
	}
	keysFrom(t, strings.Repeat("x", 32))
}

func TestKeysAreDerivedPerPurpose(t *testing.T) {
	t.Parallel()
	keys := keysFrom(t, keysTestSecret)
	seen := make(map[string]string)
	for _, purpose := range keyPurposes {
		key := keys.Signing(purpose)
		if len(key) != 32 {
			t.Errorf("%s: key of %d bytes", purpose, len(key))
		}
		if other, dup := seen[string(key)]; dup {
			t.Errorf("%s and %s share a key", purpose, other)
		}
		seen[string(key)] = purpose
		if got := keys.Verifying(purpose); len(got) != 1 || !bytes.Equal(got[0], key) {
			t.Errorf("%s: a token signed now would not verify", purpose)
		}
	}
}

// The derivation must stay what it is for ever: a change would sign everybody
// out, break every invite link and lose the webhook secrets. The reference is
// HKDF written out after RFC 5869, sections 2.2 and 2.3.
func TestKeysKeepTheirDerivation(t *testing.T) {
	t.Parallel()
	hash := func(key, message []byte) []byte {
		mac := hmac.New(sha256.New, key)
		mac.Write(message)
		return mac.Sum(nil)
	}
	pseudorandomKey := hash(make([]byte, sha256.Size), []byte(keysTestSecret))
	keys := keysFrom(t, keysTestSecret)
	for _, purpose := range keyPurposes {
		want := hash(pseudorandomKey, []byte("assay/v1/"+purpose+"\x01"))
		if !bytes.Equal(keys.Signing(purpose), want) {
			t.Errorf("%s: key %x, want %x", purpose, keys.Signing(purpose), want)
		}
	}

	const golden = "776bdb6ea261c335d4588999bf3a3ceb"
	if got := hex.EncodeToString(keys.Signing(PurposeAccessToken)[:16]); got != golden {
		t.Errorf("access key begins with %s, want %s", got, golden)
	}
}

func TestKeysTrimAndDropDuplicates(t *testing.T) {
	t.Parallel()
	second, third := keysTestSecret+" 2", keysTestSecret+" 3"
	keys := keysFrom(t, " "+keysTestSecret+"\n", second, "", "  ", keysTestSecret, third+"\r\n", second, "\t"+third)
	want := [][]byte{
		keysFrom(t, keysTestSecret).Signing(PurposeInviteToken),
		keysFrom(t, second).Signing(PurposeInviteToken),
		keysFrom(t, third).Signing(PurposeInviteToken),
	}
	if got := keys.Verifying(PurposeInviteToken); !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("verifying keys are %x, want %x", got, want)
	}
	if !bytes.Equal(keys.Signing(PurposeInviteToken), want[0]) {
		t.Error("a previous secret signs")
	}
}

func TestUnknownPurposeNeverYieldsAnEmptyKey(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(){
		"signing":     func() { keysFrom(t, keysTestSecret).Signing("typo") },
		"verifying":   func() { keysFrom(t, keysTestSecret).Verifying("") },
		"zero value":  func() { new(Ring).Signing(PurposeAccessToken) },
		"zero invite": func() { new(Ring).ParseInviteToken(keysFrom(t, keysTestSecret).InviteToken(keysTestSessionID, 1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func TestKeysDoNotPrint(t *testing.T) {
	t.Parallel()
	keys := keysFrom(t, keysTestSecret)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%o"} {
		for _, value := range []any{keys, *keys} {
			if got := fmt.Sprintf(verb, value); got != redactedKeys {
				t.Errorf("%s of %T prints %q", verb, value, got)
			}
		}
	}
	if keys.String() != redactedKeys || keys.GoString() != redactedKeys {
		t.Error("String or GoString shows something")
	}

	var text, object bytes.Buffer
	slog.New(slog.NewTextHandler(&text, nil)).Info("x", "keys", keys)
	slog.New(slog.NewJSONHandler(&object, nil)).Info("x", "keys", keys, "copy", *keys)
	encoded, err := json.Marshal(struct{ Ring *Ring }{keys})
	if err != nil {
		t.Fatal(err)
	}
	for _, output := range []string{text.String(), object.String()} {
		if !strings.Contains(output, redactedKeys) {
			t.Errorf("logged %s", output)
		}
	}
	if string(encoded) != `{"Ring":{}}` {
		t.Errorf("JSON is %s", encoded)
	}
}

func TestInviteTokenRoundTrip(t *testing.T) {
	t.Parallel()
	keys := keysFrom(t, keysTestSecret)
	for _, generation := range []int{0, 1, 2, 10, 4711, 999_999_999} {
		token := keys.InviteToken(keysTestSessionID, generation)
		if token != keys.InviteToken(keysTestSessionID, generation) {
			t.Error("two calls give two tokens")
		}
		prefix := fmt.Sprintf("inv_01hzzzzzzzzzzzzzzzzzzzzzzz_%d_", generation)
		if !strings.HasPrefix(token, prefix) || len(token) != len(prefix)+43 {
			t.Errorf("token is %s", token)
		}
		sessionID, got, ok := keys.ParseInviteToken(token)
		if !ok || sessionID != keysTestSessionID || got != generation {
			t.Errorf("%s parses to %q, %d, %t", token, sessionID, got, ok)
		}
	}
}

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

func TestParseInviteTokenRefusesOtherForms(t *testing.T) {
	t.Parallel()
	keys := keysFrom(t, keysTestSecret)
	const ulid = "01hzzzzzzzzzzzzzzzzzzzzzzz"
	token := keys.InviteToken(keysTestSessionID, 12)
	signature := token[len(token)-43:]
	signed := func(purpose, sessionID, number string) string {
		mac := hmac.New(sha256.New, keys.Signing(purpose))
		mac.Write([]byte(sessionID + "\x00" + number))
		return "inv_" + strings.TrimPrefix(sessionID, "ses_") + "_" + number + "_" + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	if signed(PurposeInviteToken, keysTestSessionID, "12") != token {
		t.Fatal("the helper signs in another way")
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
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for _, c := range alphabet { // includes the spellings that a lax decoder takes for the same bytes
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
