package clients

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/descope/virtualwebauthn"
)

// keyholder is the address of the person of passkey.
const keyholder = "keyholder@example.com"

// passkey registers a person, gives them a passkey, and returns their recovery codes.
func (s *server) passkey(t *testing.T, password string) (recoveryCodes []string) {
	t.Helper()
	token := s.post(t, "/v1/auth/register", "", `{"organizationName": "Difference Engines", "name": "Mary Somerville",
		"email": "`+keyholder+`", "password": "`+password+`"}`)["accessToken"].(string)
	begun := s.post(t, "/v1/me/second-factors", token,
		`{"type": "PASSKEY", "name": "Key", "password": "`+password+`"}`)
	options, err := virtualwebauthn.ParseAttestationOptions(begun["publicKey"].(string))
	if err != nil {
		t.Fatal(err)
	}
	port := s.url[strings.LastIndex(s.url, ":"):]
	page := virtualwebauthn.RelyingParty{
		ID: options.RelyingPartyID, Name: options.RelyingPartyName, Origin: "http://localhost" + port,
	}
	device := virtualwebauthn.NewAuthenticator()
	device.Options.UserHandle = []byte(options.UserID)
	// An elliptic curve key of this library has a coordinate that is too short in 1 of 128 cases.
	attested := virtualwebauthn.CreateAttestationResponse(
		page, device, virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeRSA), *options)
	body, err := json.Marshal(map[string]string{"passkey": attested})
	if err != nil {
		t.Fatal(err)
	}
	confirmed := s.post(t, "/v1/me/second-factors/"+begun["id"].(string)+"/confirm", token, string(body))
	for _, code := range confirmed["recoveryCodes"].([]any) {
		recoveryCodes = append(recoveryCodes, code.(string))
	}
	return recoveryCodes
}
