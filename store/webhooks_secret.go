package store

import (
	"encoding/base64"
	"strings"

	"assay/store/keys"

	"assay/store/rules"
)

const standardSecretPrefix = "whsec_"

// newWebhookSecret makes a secret in the form of the Standard Webhooks
// specification: whsec_ and the base64 of 32 bytes.
func newWebhookSecret() string {
	return standardSecretPrefix + base64.StdEncoding.EncodeToString(keys.RandomBytes(32))
}

// checkSecret rejects a whsec_ secret whose rest is not base64: no receiver
// could verify its signatures.
func checkSecret(secret string) *rules.Fault {
	rest, standard := strings.CutPrefix(secret, standardSecretPrefix)
	if !standard {
		return nil
	}
	if key, err := base64.StdEncoding.DecodeString(rest); err != nil || len(key) == 0 {
		return &rules.Fault{Pointer: "/secret", Code: "invalid_format", Detail: "begins with whsec_, but the rest is not base64"}
	}
	return nil
}
