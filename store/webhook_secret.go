package store

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
)

// sealedVersion is the first byte of a sealed secret, for formats to come.
const sealedVersion = 1

var errSealed = errors.New("store: a webhook secret cannot be decrypted with the master secret or the previous ones")

// sealSecret encrypts an endpoint's signing secret for its row: AES-256-GCM
// under a key of the row's own, with the row's id as associated data, so that
// what is copied into another row opens nothing there.
func (k *Keys) sealSecret(webhookID, secret string) ([]byte, error) {
	aead, err := secretCipher(k.Signing(PurposeWebhookSecret), webhookID)
	if err != nil {
		return nil, err
	}
	nonce, err := randomBytes(aead.NonceSize())
	if err != nil {
		return nil, err
	}
	return aead.Seal(append([]byte{sealedVersion}, nonce...), nonce, []byte(secret), []byte(webhookID)), nil
}

// openSecret decrypts what sealSecret made, under the current master secret or
// a previous one.
func (k *Keys) openSecret(webhookID string, sealed []byte) (string, error) {
	secret, _, err := k.unseal(webhookID, sealed)
	return secret, err
}

// resealSecret returns what the current master secret sealed as it is, and what
// a previous one sealed, sealed with the current one.
func (k *Keys) resealSecret(webhookID string, sealed []byte) ([]byte, error) {
	secret, key, err := k.unseal(webhookID, sealed)
	if err != nil || key == 0 {
		return sealed, err
	}
	return k.sealSecret(webhookID, secret)
}

// unseal also tells which of the keys opened it; 0 is the current one.
func (k *Keys) unseal(webhookID string, sealed []byte) (secret string, key int, err error) {
	for i, key := range k.Verifying(PurposeWebhookSecret) {
		aead, err := secretCipher(key, webhookID)
		if err != nil {
			return "", i, err
		}
		if len(sealed) < 1+aead.NonceSize() || sealed[0] != sealedVersion {
			return "", i, errSealed
		}
		nonce, sealedText := sealed[1:1+aead.NonceSize()], sealed[1+aead.NonceSize():]
		if secret, err := aead.Open(nil, nonce, sealedText, []byte(webhookID)); err == nil {
			return string(secret), i, nil
		}
	}
	return "", 0, errSealed
}

func secretCipher(key []byte, webhookID string) (cipher.AEAD, error) {
	rowKey, err := hkdf.Key(sha256.New, key, nil, "webhook secret of "+webhookID, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(rowKey)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

const standardSecretPrefix = "whsec_"

// newWebhookSecret makes a secret in the form of the Standard Webhooks
// specification: whsec_ and the base64 of 32 bytes.
func newWebhookSecret() (string, error) {
	random, err := randomBytes(32)
	return standardSecretPrefix + base64.StdEncoding.EncodeToString(random), err
}

// checkSecret refuses a whsec_ secret whose rest is not base64: its signatures
// could be verified by nobody.
func checkSecret(secret string) *FieldError {
	rest, standard := strings.CutPrefix(secret, standardSecretPrefix)
	if !standard {
		return nil
	}
	if key, err := base64.StdEncoding.DecodeString(rest); err != nil || len(key) == 0 {
		return &FieldError{Pointer: "/secret", Code: "invalid_format", Detail: "begins with whsec_, but the rest is not base64"}
	}
	return nil
}
