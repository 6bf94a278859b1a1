package keys

// webhookSecret is the use of the key that encrypts the signing secret of an endpoint.
const webhookSecret = "webhook secret of "

// SealSecret encrypts an endpoint's signing secret for its row.
func (k *Ring) SealSecret(webhookID, secret string) ([]byte, error) {
	return k.seal(PurposeWebhookSecret, webhookSecret, webhookID, secret)
}

// OpenSecret decrypts the result of SealSecret, with the key of the current or
// a previous master secret. Error: ErrSealed.
func (k *Ring) OpenSecret(webhookID string, sealed []byte) (string, error) {
	secret, _, err := k.open(PurposeWebhookSecret, webhookSecret, webhookID, sealed)
	return secret, err
}

// ResealSecret returns the secret encrypted with the current master secret. If the
// value is encrypted with it already, it does not change. Error: ErrSealed.
func (k *Ring) ResealSecret(webhookID string, sealed []byte) ([]byte, error) {
	return k.reseal(PurposeWebhookSecret, webhookSecret, webhookID, sealed)
}
