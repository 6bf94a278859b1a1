package keys

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
)

// sealedVersion is the first byte of an encrypted webhook secret: the version of
// its format.
const sealedVersion = 1

// ErrSealed means that neither the current nor a previous master secret decrypts
// the stored value.
var ErrSealed = errors.New("keys: cannot decrypt with the current or a previous master secret")

// SealSecret encrypts an endpoint's signing secret for its row, with AES-256-GCM.
// The key belongs to the row, and the row's id is the associated data, so that a
// value that is copied into another row cannot be decrypted there.
func (k *Ring) SealSecret(webhookID, secret string) ([]byte, error) {
	aead, err := secretCipher(k.Signing(PurposeWebhookSecret), webhookID)
	if err != nil {
		return nil, err
	}
	nonce := RandomBytes(aead.NonceSize())
	return aead.Seal(append([]byte{sealedVersion}, nonce...), nonce, []byte(secret), []byte(webhookID)), nil
}

// OpenSecret decrypts the result of SealSecret, with the key of the current or
// a previous master secret. Error: ErrSealed.
func (k *Ring) OpenSecret(webhookID string, sealed []byte) (string, error) {
	secret, _, err := k.openSecret(webhookID, sealed)
	return secret, err
}

// ResealSecret returns the secret encrypted with the current master secret. If the
// value is encrypted with it already, it does not change. Error: ErrSealed.
func (k *Ring) ResealSecret(webhookID string, sealed []byte) ([]byte, error) {
	secret, key, err := k.openSecret(webhookID, sealed)
	if err != nil || key == 0 {
		return sealed, err
	}
	return k.SealSecret(webhookID, secret)
}

// openSecret also returns the index of the key that opened it; 0 is the current one.
func (k *Ring) openSecret(webhookID string, sealed []byte) (secret string, key int, err error) {
	for i, key := range k.Verifying(PurposeWebhookSecret) {
		aead, err := secretCipher(key, webhookID)
		if err != nil {
			return "", i, err
		}
		if len(sealed) < 1+aead.NonceSize() || sealed[0] != sealedVersion {
			return "", i, ErrSealed
		}
		nonce, sealedText := sealed[1:1+aead.NonceSize()], sealed[1+aead.NonceSize():]
		if secret, err := aead.Open(nil, nonce, sealedText, []byte(webhookID)); err == nil {
			return string(secret), i, nil
		}
	}
	return "", 0, ErrSealed
}

func secretCipher(key []byte, webhookID string) (cipher.AEAD, error) {
	return derivedCipher(key, "webhook secret of "+webhookID)
}

// derivedCipher is AES-256-GCM under a key derived from key for one use.
func derivedCipher(key []byte, use string) (cipher.AEAD, error) {
	own, err := hkdf.Key(sha256.New, key, nil, use, keyLength)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(own)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// RandomBytes returns n cryptographically random bytes.
func RandomBytes(n int) []byte {
	random := make([]byte, n)
	_, _ = rand.Read(random) // never fails (crypto/rand)
	return random
}
