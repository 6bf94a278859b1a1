package store

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The purposes a key is derived for. Their text goes into the derivation:
// changing one ends every token, or loses every ciphertext, of that purpose.
const (
	PurposeAccessToken   = "access-token"
	PurposeRefreshToken  = "refresh-token"
	PurposeResultToken   = "result-token"
	PurposeInviteToken   = "invite-token"
	PurposeWebhookSecret = "webhook-secret"      // encrypts the signing secrets of webhook endpoints
	PurposeOutcome       = "idempotency-outcome" // encrypts what requests with an Idempotency-Key gave
)

const (
	minSecretLength = 32 // characters of a master secret
	keyLength       = 32 // bytes of a derived key: HMAC-SHA256 (RFC 2104, section 3), AES-256

	sessionIDPrefix     = "ses_"
	inviteTokenPrefix   = "inv_"
	ulidLength          = 26
	crockfordAlphabet   = "0123456789abcdefghjkmnpqrstvwxyz" // lower case, without i, l, o and u
	maxGenerationDigits = 9                                  // fits an int of 32 bits
)

// Keys holds one key per purpose, derived from the master secret with
// HKDF-SHA256 (RFC 5869), and the same for each previous master secret. The
// master secrets themselves are not kept. A Keys never changes, and shows
// nothing of itself when printed or logged.
type Keys struct {
	derived map[string][][]byte // by purpose; the current key first
}

// NewKeys derives all keys from the master secret. Keys of the previous ones
// verify and decrypt, but never sign. White space around a secret is dropped
// (files end in a newline), and so are empty and repeated previous ones. A
// secret under 32 characters is an error that names its variable.
func NewKeys(master string, previous ...string) (*Keys, error) {
	secrets := []string{strings.TrimSpace(master)}
	var faults []error
	if utf8.RuneCountInString(secrets[0]) < minSecretLength {
		faults = append(faults, fmt.Errorf("ASSAY_SECRET must have at least %d characters", minSecretLength))
	}
	for _, secret := range previous {
		secret = strings.TrimSpace(secret)
		if secret == "" || slices.Contains(secrets, secret) {
			continue
		}
		if utf8.RuneCountInString(secret) < minSecretLength {
			faults = append(faults, fmt.Errorf("ASSAY_SECRET_PREVIOUS: each secret must have at least %d characters", minSecretLength))
			break
		}
		secrets = append(secrets, secret)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}

	keys := &Keys{derived: make(map[string][][]byte)}
	for _, secret := range secrets {
		if err := keys.derive(secret); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// derive adds one key for each purpose. No salt is used: replicas share
// nothing but the secret, and RFC 5869, section 3.1, allows to go without.
func (k *Keys) derive(secret string) error {
	pseudorandomKey, err := hkdf.Extract(sha256.New, []byte(secret), nil)
	if err != nil {
		return fmt.Errorf("derive keys: %w", err)
	}
	for _, purpose := range []string{
		PurposeAccessToken, PurposeRefreshToken, PurposeResultToken, PurposeInviteToken, PurposeWebhookSecret,
		PurposeOutcome,
	} {
		key, err := hkdf.Expand(sha256.New, pseudorandomKey, "assay/v1/"+purpose, keyLength)
		if err != nil {
			return fmt.Errorf("derive keys: %w", err)
		}
		k.derived[purpose] = append(k.derived[purpose], key)
	}
	return nil
}

// Signing returns the current key of a purpose, 32 bytes, for signing or
// encrypting. Callers must not change it.
func (k *Keys) Signing(purpose string) []byte {
	return k.Verifying(purpose)[0]
}

// Verifying returns the keys of a purpose that verify or decrypt: the current
// one first, then those of the previous secrets. Callers must not change them.
// It panics for a purpose that is none of the constants, because an empty list
// would end as an empty HMAC key, which anybody can sign with.
func (k *Keys) Verifying(purpose string) [][]byte {
	keys := k.derived[purpose]
	if len(keys) == 0 {
		panic("store: no key for the purpose " + strconv.Quote(purpose))
	}
	return keys
}

// InviteToken returns the bearer token of a candidate's invite:
// inv_<ulid of the session id>_<generation>_<HMAC-SHA256, base64url>. It is the
// same at each call, so that the invite link can be shown again, and it dies
// when the session's generation moves on.
func (k *Keys) InviteToken(sessionID string, generation int) string {
	return inviteToken(k.Signing(PurposeInviteToken), sessionID, generation)
}

func inviteToken(key []byte, sessionID string, generation int) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(sessionID + "\x00" + strconv.Itoa(generation)))
	return unsignedInvite(sessionID, generation) + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// unsignedInvite is what of an invite token anybody may know.
func unsignedInvite(sessionID string, generation int) string {
	return inviteTokenPrefix + strings.TrimPrefix(sessionID, sessionIDPrefix) + "_" + strconv.Itoa(generation) + "_"
}

// ParseInviteToken returns the session and the generation that an invite token
// was made for, or false for anything that InviteToken did not make with the
// current or a previous secret. Whether that generation is still the session's
// own is for the caller to check.
func (k *Keys) ParseInviteToken(token string) (sessionID string, generation int, ok bool) {
	sessionID, generation, ok = splitInviteToken(token)
	if !ok {
		return "", 0, false
	}
	// The whole text is compared, not the decoded signature: one token has one
	// spelling, whatever base64 or the digits of a number would tolerate.
	for _, key := range k.Verifying(PurposeInviteToken) {
		want := inviteToken(key, sessionID, generation)
		if subtle.ConstantTimeCompare([]byte(token), []byte(want)) == 1 {
			return sessionID, generation, true
		}
	}
	return "", 0, false
}

// splitInviteToken reads the unsigned parts of an invite token and bounds its
// length before anything is hashed.
func splitInviteToken(token string) (sessionID string, generation int, ok bool) {
	rest, ok := strings.CutPrefix(token, inviteTokenPrefix)
	if !ok || len(rest) <= ulidLength || rest[ulidLength] != '_' {
		return "", 0, false
	}
	ulid, rest := rest[:ulidLength], rest[ulidLength+1:]
	if strings.Trim(ulid, crockfordAlphabet) != "" {
		return "", 0, false
	}
	number, signature, ok := strings.Cut(rest, "_")
	if !ok || len(number) > maxGenerationDigits || len(signature) != base64.RawURLEncoding.EncodedLen(sha256.Size) {
		return "", 0, false
	}
	generation, err := strconv.Atoi(number)
	if err != nil || generation < 0 {
		return "", 0, false
	}
	return sessionIDPrefix + ulid, generation, true
}

const redactedKeys = "[redacted]"

// Format prints no key, whatever the verb; String alone would leave %d.
func (Keys) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redactedKeys) }

// String prints no key.
func (Keys) String() string { return redactedKeys }

// GoString prints no key.
func (Keys) GoString() string { return redactedKeys }

// LogValue logs no key.
func (Keys) LogValue() slog.Value { return slog.StringValue(redactedKeys) }
