package keys

import (
	"regexp"
	"strings"
	"testing"
)

// The setup token depends on the master secret alone, and has one form. It remains
// valid when its secret becomes a previous one.
func TestSetupToken(t *testing.T) {
	t.Parallel()
	old, same := keysFrom(t, keysTestSecret), keysFrom(t, keysTestSecret)
	next, other := keysFrom(t, keysTestSecret+" 2", keysTestSecret), keysFrom(t, keysTestSecret+" 3")
	token := old.SetupToken()
	if !regexp.MustCompile(`^setup_[0-9a-f]{32}$`).MatchString(token) || token != same.SetupToken() {
		t.Errorf("the tokens are %s and %s", token, same.SetupToken())
	}
	if !old.IsSetupToken(token) || !next.IsSetupToken(token) || other.IsSetupToken(token) || next.SetupToken() == token {
		t.Error("a rotation of the master secret is wrong")
	}
	for _, form := range []string{
		"", "setup_", token[:len(token)-1], token + "0", token + "\n", " " + token, strings.ToUpper(token), token[6:],
		"setup_" + strings.Repeat("0", 32), strings.Repeat("x", 1<<20),
	} {
		if old.IsSetupToken(form) {
			t.Errorf("%.60q is accepted", form)
		}
	}
}
