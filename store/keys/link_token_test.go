package keys

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"testing"
)

const linkTestID = "rst_01hzzzzzzzzzzzzzzzzzzzzzzz"

// LinkToken is deterministic, and ParseLinkToken returns what went into it, also after the
// secret has become a previous one. No other secret or purpose accepts the token.
func TestLinkToken(t *testing.T) {
	t.Parallel()
	old := keysFrom(t, keysTestSecret)
	next := keysFrom(t, keysTestSecret+" 2", keysTestSecret)
	other := keysFrom(t, keysTestSecret+" 3")
	for purpose, prefix := range linkPrefixes {
		token := old.LinkToken(purpose, linkTestID)
		if token != old.LinkToken(purpose, linkTestID) || !strings.HasPrefix(token, prefix+linkTestID+"_") {
			t.Errorf("the token is %s", token)
		}
		for _, ring := range []*Ring{old, next} {
			if id, ok := ring.ParseLinkToken(purpose, token); !ok || id != linkTestID {
				t.Errorf("%s parses to %q, %t", token, id, ok)
			}
		}
		if _, ok := other.ParseLinkToken(purpose, token); ok {
			t.Errorf("%s is accepted with another secret", token)
		}
		for another := range linkPrefixes {
			forged := linkPrefixes[another] + strings.TrimPrefix(token, prefix)
			if _, ok := old.ParseLinkToken(another, forged); ok && another != purpose {
				t.Errorf("%s is accepted for %s", forged, another)
			}
		}
	}
}

// Each token has exactly one valid form.
func TestParseLinkTokenRefusesOtherForms(t *testing.T) {
	t.Parallel()
	keys := keysFrom(t, keysTestSecret)
	token := keys.LinkToken(PurposePasswordReset, linkTestID)
	signature := token[len(token)-43:]
	unprefixed := hmac.New(sha256.New, keys.Signing(PurposeAccessToken))
	unprefixed.Write([]byte(linkTestID))
	forms := []string{
		"", "pwr_", "pwr__" + signature[1:], signature, linkTestID, token + "=", token + "\n", " " + token, token + "\x00",
		token[:len(token)-1], token + token, strings.ToUpper(token), "pwr_" + linkTestID + "_",
		"pwr_" + linkTestID + "_" + strings.Repeat("A", 43), "pwr_" + linkTestID + "x_" + signature,
		"pwr_" + linkTestID + signature,
		"pwr_" + linkTestID + "_" + base64.RawURLEncoding.EncodeToString(unprefixed.Sum(nil)),
		"pwr_" + linkTestID + "_" + strings.Repeat("A", 1<<20) + "_" + signature,
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for _, c := range alphabet { // some encode the same bytes for a lenient decoder
		if last := token[:len(token)-1] + string(c); last != token {
			forms = append(forms, last)
		}
	}
	for _, form := range forms {
		if id, ok := keys.ParseLinkToken(PurposePasswordReset, form); ok || id != "" {
			t.Errorf("%.80q is accepted as %q", form, id)
		}
	}
}

// Each id and generation has a token of its own, for each secret, in the form of the tokens
// that earlier versions made.
func TestInvitationTokens(t *testing.T) {
	t.Parallel()
	old, next := keysFrom(t, keysTestSecret), keysFrom(t, keysTestSecret+" 2", keysTestSecret)
	seen := map[string]bool{}
	for _, id := range []string{"usr_01hzzzzzzzzzzzzzzzzzzzzzzz", "usr_01hzzzzzzzzzzzzzzzzzzzzzzy"} {
		for _, generation := range []int{1, 2, 11} {
			tokens, earlier := next.InvitationTokens(id, generation), old.InvitationTokens(id, generation)
			if len(tokens) != 2 || tokens[1] != earlier[0] || !slices.Equal(tokens, next.InvitationTokens(id, generation)) {
				t.Errorf("the tokens are %q and %q", tokens, earlier)
			}
			for _, token := range tokens {
				if seen[token] || len(token) != 68 || strings.Trim(token[4:], "0123456789abcdef") != "" {
					t.Errorf("the token is %q", token)
				}
				seen[token] = true
			}
		}
	}
}

// ParseLinkToken must accept only results of LinkToken.
func FuzzParseLinkToken(f *testing.F) {
	keys, err := New(keysTestSecret)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(keys.LinkToken(PurposePasswordReset, linkTestID), linkTestID, uint8(30))
	f.Add("pwr_", "", uint8(0))
	f.Add("uns_"+linkTestID+"_"+strings.Repeat("A", 43), "_", uint8(5))
	f.Fuzz(func(t *testing.T, text, id string, at uint8) {
		for _, purpose := range []string{PurposePasswordReset, PurposeUnsubscribe} {
			if parsed, ok := keys.ParseLinkToken(purpose, text); ok && keys.LinkToken(purpose, parsed) != text {
				t.Errorf("%q is accepted for %s", text, parsed)
			}
			made := keys.LinkToken(purpose, id)
			valid := id != "" && len(made) <= maxLinkToken
			if parsed, ok := keys.ParseLinkToken(purpose, made); ok != valid || ok && parsed != id {
				t.Errorf("%q, made for %q, is parsed as %q, %t", made, id, parsed, ok)
			}
			i := int(at) % len(made)
			for _, changed := range []string{made[:i], made[:i] + made[i+1:], made[:i] + string(made[i]^1) + made[i+1:]} {
				if _, ok := keys.ParseLinkToken(purpose, changed); ok {
					t.Errorf("%q is accepted, a changed form of %q", changed, made)
				}
			}
		}
	})
}
