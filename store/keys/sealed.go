package keys

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
)

// sealedVersion is the first byte of an encrypted value of a row: the version of its format.
const sealedVersion = 1

// ErrSealed means that neither the current nor a previous master secret decrypts
// the stored value.
var ErrSealed = errors.New("keys: cannot decrypt with the current or a previous master secret")

// seal encrypts a text for its row, with AES-256-GCM. The key belongs to the row, and the row's id is the associated
// data, so that a value that is copied into another row cannot be decrypted there. use is a constant of the purpose.
func (k *Ring) seal(purpose, use, id, text string) ([]byte, error) {
	aead, err := derivedCipher(k.Signing(purpose), use+id)
	if err != nil {
		return nil, err
	}
	nonce := RandomBytes(aead.NonceSize())
	return aead.Seal(append([]byte{sealedVersion}, nonce...), nonce, []byte(text), []byte(id)), nil
}

// open decrypts the result of seal. It also returns the index of the key that opened it; 0 is the current one.
func (k *Ring) open(purpose, use, id string, sealed []byte) (text string, key int, err error) {
	for i, key := range k.Verifying(purpose) {
		aead, err := derivedCipher(key, use+id)
		if err != nil {
			return "", i, err
		}
		if len(sealed) < 1+aead.NonceSize() || sealed[0] != sealedVersion {
			return "", i, ErrSealed
		}
		nonce, sealedText := sealed[1:1+aead.NonceSize()], sealed[1+aead.NonceSize():]
		if text, err := aead.Open(nil, nonce, sealedText, []byte(id)); err == nil {
			return string(text), i, nil
		}
	}
	return "", 0, ErrSealed
}

// reseal encrypts with the current master secret what an earlier one encrypted.
func (k *Ring) reseal(purpose, use, id string, sealed []byte) ([]byte, error) {
	text, key, err := k.open(purpose, use, id, sealed)
	if err != nil || key == 0 {
		return sealed, err
	}
	return k.seal(purpose, use, id, text)
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
