package store

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

// Passkeys (Web Authentication, level 3) are second factors here: the password comes before. So the browser need not
// verify the person again, and the authenticator need not store the account.

// passkeyUser is a person as go-webauthn sees them. The user handle is the id of the person, so an organization
// cannot be recognized by it.
type passkeyUser struct {
	user        User
	credentials []webauthn.Credential
}

// WebAuthnID implements webauthn.User.
func (u passkeyUser) WebAuthnID() []byte { return []byte(u.user.PersonID) }

// WebAuthnName implements webauthn.User.
func (u passkeyUser) WebAuthnName() string { return u.user.Email }

// WebAuthnDisplayName implements webauthn.User.
func (u passkeyUser) WebAuthnDisplayName() string { return u.user.Name }

// WebAuthnCredentials implements webauthn.User.
func (u passkeyUser) WebAuthnCredentials() []webauthn.Credential { return u.credentials }

// newPasskeyUser is the person with the passkeys among the factors.
func newPasskeyUser(user User, factors []secondFactor) (passkeyUser, error) {
	u := passkeyUser{user: user}
	for _, factor := range factors {
		if factor.Type != Passkey || factor.Credential == nil {
			continue
		}
		var credential webauthn.Credential
		if err := json.Unmarshal([]byte(*factor.Credential), &credential); err != nil {
			return passkeyUser{}, fmt.Errorf("passkey %s: %w", factor.ID, err)
		}
		u.credentials = append(u.credentials, credential)
	}
	return u, nil
}

// relyingParty is this service. Refusal: invalid_request if its address has no domain name, which passkeys need.
func (s *Store) relyingParty() (*webauthn.WebAuthn, error) {
	base, err := url.Parse(s.opts.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("the base URL: %w", err)
	}
	// Browsers leave the default port out (RFC 6454, section 6.2).
	host := strings.TrimSuffix(base.Host, map[string]string{"http": ":80", "https": ":443"}[base.Scheme])
	party, err := webauthn.New(&webauthn.Config{
		RPID: strings.ToLower(base.Hostname()), RPDisplayName: totpIssuer, RPOrigins: []string{base.Scheme + "://" + host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementDiscouraged, UserVerification: protocol.VerificationPreferred,
		},
		// Password managers add results that nobody has requested. They are not used.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil, errInvalid.with(fault("/type", "invalid_value",
			"cannot be PASSKEY, because the address of this service has no domain name"))
	}
	return party, nil
}

// ceremonyOptions are the options for the browser, and what its response is compared with, both as JSON.
type ceremonyOptions struct{ options, ceremony string }

func newCeremony(options any, session *webauthn.SessionData) (ceremonyOptions, error) {
	encoded, err := json.Marshal(options)
	if err != nil {
		return ceremonyOptions{}, err
	}
	kept, err := json.Marshal(session)
	return ceremonyOptions{string(encoded), string(kept)}, err
}

// beginPasskey begins to add a passkey. The browser excludes authenticators that have one already.
func (s *Store) beginPasskey(user User, factors []secondFactor) (ceremonyOptions, error) {
	party, err := s.relyingParty()
	if err != nil {
		return ceremonyOptions{}, err
	}
	person, err := newPasskeyUser(user, factors)
	if err != nil {
		return ceremonyOptions{}, err
	}
	creation, session, err := party.BeginRegistration(person,
		webauthn.WithExclusions(webauthn.Credentials(person.credentials).CredentialDescriptors()))
	if err != nil {
		return ceremonyOptions{}, err
	}
	return newCeremony(creation.Response, session)
}

// finishPasskey returns the credential in the response of the browser, or nil if the response is wrong.
func (s *Store) finishPasskey(
	user User, factors []secondFactor, ceremony *string, response string,
) *webauthn.Credential {
	party, err := s.relyingParty()
	if err != nil || ceremony == nil { // an import of an archive has ended it
		return nil
	}
	person, err := newPasskeyUser(user, factors)
	if err != nil {
		return nil
	}
	var session webauthn.SessionData
	if json.Unmarshal([]byte(*ceremony), &session) != nil {
		return nil
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(response))
	if err != nil {
		return nil
	}
	credential, err := party.CreateCredential(person, session, parsed)
	if err != nil {
		return nil
	}
	credential.Attestation = webauthn.CredentialAttestation{} // nothing checks it later
	return credential
}

// askForPasskey begins to ask for a passkey. It returns nil for a person without one.
func (s *Store) askForPasskey(user User, factors []secondFactor) (*ceremonyOptions, error) {
	person, err := newPasskeyUser(user, factors)
	if err != nil || len(person.credentials) == 0 {
		return nil, err
	}
	party, err := s.relyingParty()
	if err != nil {
		return nil, err
	}
	assertion, session, err := party.BeginLogin(person)
	if err != nil {
		return nil, err
	}
	asked, err := newCeremony(assertion.Response, session)
	return &asked, err
}

// usePasskey accepts the assertion of a passkey. The caller has ended the ceremony, so that it is accepted once. A
// counter that goes back means that the passkey was copied.
func (c conn) usePasskey(
	ctx context.Context, user User, factors []secondFactor, ceremony *string, response string,
) (bool, error) {
	person, err := newPasskeyUser(user, factors)
	if err != nil || ceremony == nil {
		return false, err
	}
	party, err := c.store.relyingParty()
	if err != nil {
		return false, err
	}
	var session webauthn.SessionData
	if err := json.Unmarshal([]byte(*ceremony), &session); err != nil {
		return false, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(response))
	if err != nil {
		return false, nil //nolint:nilerr // a wrong proof
	}
	credential, err := party.ValidateLogin(person, session, parsed)
	if err != nil {
		return false, nil //nolint:nilerr // a wrong proof
	}
	id := passkeyID(credential)
	if credential.Authenticator.CloneWarning {
		c.store.opts.Log.WarnContext(ctx, "the counter of a passkey went back", "person", user.PersonID)
		return false, nil
	}
	encoded, err := json.Marshal(credential)
	if err != nil {
		return false, err
	}
	used, err := c.Exec(ctx, `
		UPDATE second_factors SET credential = ?, last_used_at = ?
		WHERE person_id = ? AND credential_id = ? AND confirmed_at IS NOT NULL`,
		string(encoded), c.store.Now(), user.PersonID, id)
	return used == 1, err
}

func passkeyID(credential *webauthn.Credential) string {
	return base64.RawURLEncoding.EncodeToString(credential.ID)
}
