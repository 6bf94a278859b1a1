package keys

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
)

// SealedOutcome is the stored outcome of a request with an Idempotency-Key. It
// can be neither read nor guessed without the master secret and the key itself:
// a request may contain a password or a candidate's address, and its response
// may contain a secret that is shown only once, such as an API key.
type SealedOutcome struct {
	Fingerprint []byte `db:"fingerprint"` // of the request
	Outcome     []byte `db:"outcome"`     // encrypted; nil when erased
}

var (
	// ErrOutcomeOfOther means that a request with other content used the same key.
	ErrOutcomeOfOther = errors.New("keys: the stored outcome belongs to another request")
	// ErrOutcomeErased means that the outcome of this request has been erased.
	ErrOutcomeErased = errors.New("keys: the stored outcome has been erased")
)

// SealOutcome encrypts the outcome of a request. name is unique to the request's
// Idempotency-Key and contains it; request is the hash of the request's content.
func (k *Ring) SealOutcome(name string, request [sha256.Size]byte, outcome []byte) (SealedOutcome, error) {
	seal, err := newOutcomeSeal(k.Signing(PurposeOutcome), name, request)
	if err != nil {
		return SealedOutcome{}, err
	}
	nonce := RandomBytes(seal.aead.NonceSize())
	return SealedOutcome{Fingerprint: seal.fingerprint, Outcome: seal.aead.Seal(nonce, nonce, outcome, nil)}, nil
}

// OpenOutcome decrypts the result of SealOutcome for the same name and request,
// with the key of the current or a previous master secret. Errors:
// ErrOutcomeOfOther, ErrOutcomeErased, and ErrSealed when no key opens it.
func (k *Ring) OpenOutcome(name string, request [sha256.Size]byte, sealed SealedOutcome) ([]byte, error) {
	for _, key := range k.Verifying(PurposeOutcome) {
		seal, err := newOutcomeSeal(key, name, request)
		if err != nil {
			return nil, err
		}
		same := hmac.Equal(seal.fingerprint, sealed.Fingerprint)
		if same && sealed.Outcome == nil {
			return nil, ErrOutcomeErased
		}
		if outcome, opens := seal.open(sealed.Outcome); opens {
			if !same {
				return nil, ErrOutcomeOfOther
			}
			return outcome, nil
		}
	}
	if sealed.Outcome == nil {
		return nil, ErrOutcomeOfOther
	}
	return nil, ErrSealed
}

// outcomeSeal belongs to one request under one master secret.
type outcomeSeal struct {
	fingerprint []byte
	aead        cipher.AEAD
}

func newOutcomeSeal(key []byte, name string, request [sha256.Size]byte) (outcomeSeal, error) {
	fingerprint, err := hkdf.Key(sha256.New, key, nil, "request of "+name+"\x00"+string(request[:]), keyLength)
	if err != nil {
		return outcomeSeal{}, err
	}
	aead, err := derivedCipher(key, "outcome of "+name)
	return outcomeSeal{fingerprint, aead}, err
}

func (s outcomeSeal) open(sealed []byte) ([]byte, bool) {
	size := s.aead.NonceSize()
	if len(sealed) < size {
		return nil, false
	}
	outcome, err := s.aead.Open(nil, sealed[:size], sealed[size:], nil)
	return outcome, err == nil
}
