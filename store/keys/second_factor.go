package keys

// The uses of the keys that encrypt what proves a second factor.
const (
	totpSecret   = "TOTP secret of "
	recoveryCode = "recovery code of "
)

// SealTOTP encrypts the secret of an authenticator app for its row.
func (k *Ring) SealTOTP(factorID, secret string) ([]byte, error) {
	return k.seal(PurposeSecondFactor, totpSecret, factorID, secret)
}

// OpenTOTP decrypts the result of SealTOTP, with the key of the current or a previous master secret. Error: ErrSealed.
func (k *Ring) OpenTOTP(factorID string, sealed []byte) (string, error) {
	secret, _, err := k.open(PurposeSecondFactor, totpSecret, factorID, sealed)
	return secret, err
}

// ResealTOTP returns the secret encrypted with the current master secret. If the value is encrypted with it already, it
// does not change. Error: ErrSealed.
func (k *Ring) ResealTOTP(factorID string, sealed []byte) ([]byte, error) {
	return k.reseal(PurposeSecondFactor, totpSecret, factorID, sealed)
}

// SealRecoveryCode encrypts the hash of a recovery code for its row.
func (k *Ring) SealRecoveryCode(id, hash string) ([]byte, error) {
	return k.seal(PurposeSecondFactor, recoveryCode, id, hash)
}

// OpenRecoveryCode decrypts the result of SealRecoveryCode, with the key of the current or a previous master secret.
// Error: ErrSealed.
func (k *Ring) OpenRecoveryCode(id string, sealed []byte) (string, error) {
	hash, _, err := k.open(PurposeSecondFactor, recoveryCode, id, sealed)
	return hash, err
}

// ResealRecoveryCode is ResealTOTP for the hash of a recovery code.
func (k *Ring) ResealRecoveryCode(id string, sealed []byte) ([]byte, error) {
	return k.reseal(PurposeSecondFactor, recoveryCode, id, sealed)
}
