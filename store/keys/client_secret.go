package keys

// clientSecret is the use of the keys that encrypt the client secrets of sign-in providers.
const clientSecret = "client secret of "

// SealClientSecret encrypts the client secret of a sign-in provider for its row.
func (k *Ring) SealClientSecret(providerID, secret string) ([]byte, error) {
	return k.seal(PurposeSignInProvider, clientSecret, providerID, secret)
}

// OpenClientSecret decrypts the result of SealClientSecret, with the key of the current or a previous master secret.
// Error: ErrSealed.
func (k *Ring) OpenClientSecret(providerID string, sealed []byte) (string, error) {
	secret, _, err := k.open(PurposeSignInProvider, clientSecret, providerID, sealed)
	return secret, err
}

// ResealClientSecret returns the secret encrypted with the current master secret. If the value is encrypted with it
// already, it does not change. Error: ErrSealed.
func (k *Ring) ResealClientSecret(providerID string, sealed []byte) ([]byte, error) {
	return k.reseal(PurposeSignInProvider, clientSecret, providerID, sealed)
}
