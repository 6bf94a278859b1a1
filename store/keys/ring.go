// Package keys derives keys from the master secret, and uses them: for the tokens
// in candidates' links, and for secrets and responses that are stored encrypted.
package keys

import (
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The purposes of derived keys. Their text is part of the derivation: a change
// would invalidate every token, or lose every ciphertext, of the purpose.
const (
	PurposeAccessToken    = "access-token"
	PurposeRefreshToken   = "refresh-token"
	PurposeResultToken    = "result-token"
	PurposeInviteToken    = "invite-token"
	PurposeWebhookSecret  = "webhook-secret"      // encrypts the signing secrets of webhook endpoints
	PurposeOutcome        = "idempotency-outcome" // encrypts the stored responses of requests with an Idempotency-Key
	PurposeSetupToken     = "setup-token"         // permits the first registration
	PurposeInvitation     = "member-invitation"   // the links of invitations to an organization
	PurposePasswordReset  = "password-reset"
	PurposeUnsubscribe    = "unsubscribe"               // ends the emails of one kind to one person
	PurposeConfirmation   = "registration-confirmation" // proves the address of a person who becomes a candidate
	PurposeEmailProof     = "email-proof"               // proves the address of an account
	PurposeInviteProof    = "invitation-proof"          // proves that an invitation was opened in its email
	PurposeResultLink     = "result-link"               // the links to results that need no account
	PurposeGroupAnswers   = "group-answers"             // encrypts the answers of candidates to voluntary questions
	PurposeSignInProvider = "sign-in-provider"          // encrypts the client secrets of sign-in providers
	PurposeSecondFactor   = "second-factor"             // encrypts secrets of authenticator apps and recovery codes
)

const (
	minSecretLength = 32 // characters of a master secret
	keyLength       = 32 // bytes of a derived key: HMAC-SHA256 (RFC 2104, section 3), AES-256
)

// Ring holds one key for each purpose, derived from the master secret with
// HKDF-SHA256 (RFC 5869), and the same for each previous master secret. It does
// not keep the master secrets. A Ring never changes, and prints and logs as
// "[redacted]".
type Ring struct {
	derived map[string][][]byte // by purpose; the current key first
	invites []*inviteSigner     // of PurposeInviteToken, in the same order
}

// New derives all keys from the master secret. Keys of the previous secrets
// verify and decrypt, but never sign. New trims white space around a secret
// (files end in a newline) and ignores empty and repeated previous secrets. A
// secret under 32 characters is an error that names its variable.
func New(master string, previous ...string) (*Ring, error) {
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
			faults = append(faults,
				fmt.Errorf("ASSAY_SECRET_PREVIOUS: each secret must have at least %d characters", minSecretLength))
			break
		}
		secrets = append(secrets, secret)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}

	ring := &Ring{derived: make(map[string][][]byte)}
	for _, secret := range secrets {
		if err := ring.derive(secret); err != nil {
			return nil, err
		}
	}
	for _, key := range ring.Verifying(PurposeInviteToken) {
		ring.invites = append(ring.invites, newInviteSigner(key))
	}
	return ring, nil
}

// derive adds one key for each purpose. It uses no salt, because replicas share
// only the secret. RFC 5869, section 3.1, permits that.
func (k *Ring) derive(secret string) error {
	pseudorandomKey, err := hkdf.Extract(sha256.New, []byte(secret), nil)
	if err != nil {
		return fmt.Errorf("derive keys: %w", err)
	}
	for _, purpose := range []string{
		PurposeAccessToken, PurposeRefreshToken, PurposeResultToken, PurposeInviteToken, PurposeWebhookSecret,
		PurposeOutcome, PurposeSetupToken, PurposeInvitation, PurposePasswordReset, PurposeUnsubscribe,
		PurposeConfirmation, PurposeEmailProof, PurposeInviteProof, PurposeResultLink, PurposeGroupAnswers,
		PurposeSecondFactor, PurposeSignInProvider,
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
func (k *Ring) Signing(purpose string) []byte {
	return k.Verifying(purpose)[0]
}

// Verifying returns the keys of a purpose that verify or decrypt: the current
// key first, then the keys of the previous secrets. Callers must not change them.
// It panics for a purpose that is not one of the constants, because a missing key
// would become an empty HMAC key, with which anybody can sign.
func (k *Ring) Verifying(purpose string) [][]byte {
	keys := k.derived[purpose]
	if len(keys) == 0 {
		panic("keys: no key for the purpose " + strconv.Quote(purpose))
	}
	return keys
}

const redactedKeys = "[redacted]"

// Format prints no key for any verb. String alone would not cover %d.
func (Ring) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redactedKeys) }

// String prints no key.
func (Ring) String() string { return redactedKeys }

// GoString prints no key.
func (Ring) GoString() string { return redactedKeys }

// LogValue logs no key.
func (Ring) LogValue() slog.Value { return slog.StringValue(redactedKeys) }
