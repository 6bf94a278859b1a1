package keys

import (
	"crypto/subtle"
	"encoding/hex"
)

// setupTokenBytes is the length of a setup token: 128 bits, too many to guess.
const setupTokenBytes = 16

// SetupToken returns the token that permits the first registration of a service:
// setup_<32 hexadecimal digits>. It is the same on every replica and after a restart.
func (k *Ring) SetupToken() string { return setupToken(k.Signing(PurposeSetupToken)) }

func setupToken(key []byte) string { return "setup_" + hex.EncodeToString(key[:setupTokenBytes]) }

// IsSetupToken reports whether SetupToken made the token, with the current or a
// previous secret.
func (k *Ring) IsSetupToken(token string) bool {
	valid := 0
	for _, key := range k.Verifying(PurposeSetupToken) {
		valid |= subtle.ConstantTimeCompare([]byte(token), []byte(setupToken(key)))
	}
	return valid == 1
}
