package keys

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
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

func TestNewRefusesShortSecrets(t *testing.T) {
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
	keysFrom(t, strings.Repeat("x", 32)) // the minimum length is accepted
}

// Every purpose must have a key of its own, which signs and verifies.
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
			t.Errorf("%s: the signing key is not the verifying key", purpose)
		}
	}
}

// The derivation must never change. A change would invalidate all sign-ins and
// invite links, and no webhook secret could be decrypted. The reference is HKDF
// in RFC 5869, sections 2.2 and 2.3.
func TestKeyDerivationIsUnchanged(t *testing.T) {
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

// New trims the secrets and ignores empty and repeated secrets. Only the current
// secret signs.
func TestNewTrimsAndDeduplicatesSecrets(t *testing.T) {
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
		t.Error("the signing key is not that of the current secret")
	}
}

// An unknown purpose and an empty ring must panic. An empty key would sign tokens
// that anyone can forge.
func TestUnknownPurposePanics(t *testing.T) {
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

// Keys must not appear in output, logs, or JSON.
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
		t.Error("String or GoString shows keys")
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
			t.Errorf("the log output is %s", output)
		}
	}
	if string(encoded) != `{"Ring":{}}` {
		t.Errorf("JSON is %s", encoded)
	}
}
