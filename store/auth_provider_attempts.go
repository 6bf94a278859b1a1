package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"

	"assay/store/keys"
)

// attemptLifetime is how long a person can take at the provider.
const attemptLifetime = 10 * time.Minute

// StartProviderSignIn returns the address that starts the sign-in for the domain of an address, or nil if there is
// none. It does not depend on whether the address has an account.
func (s *Store) StartProviderSignIn(ctx context.Context, _ Scope, email string) (*string, error) {
	var organizationID string
	err := s.read().Get(ctx, &organizationID, `
		SELECT p.organization_id FROM sign_in_domains d JOIN sign_in_providers p ON p.organization_id = d.organization_id
		WHERE d.domain = ? AND d.verified_at IS NOT NULL`, domainOf(email))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // no address
	}
	if err != nil {
		return nil, err
	}
	return new(s.ProviderStartURL(organizationID)), nil
}

// ProviderStartURL is the address that starts the sign-in with the provider of an organization.
func (s *Store) ProviderStartURL(organizationID string) string {
	return s.opts.BaseURL + ProviderStartPath + "?organization=" + organizationID
}

// ProviderCallbackURL is the redirect URI of all providers.
func (s *Store) ProviderCallbackURL() string { return s.opts.BaseURL + ProviderCallbackPath }

// ProviderClient is what a sign-in needs of a provider. The secret must not be logged.
type ProviderClient struct {
	ProviderID     string
	OrganizationID string
	Issuer         string
	ClientID       string
	ClientSecret   string
	Scopes         []string
	RoleClaim      string // "" for none
}

// UnscopedProviderClient returns the client of an organization's provider. Refusal: not_found.
func (s *Store) UnscopedProviderClient(ctx context.Context, organizationID string) (ProviderClient, error) {
	provider, err := s.read().signInProvider(ctx, Scope{OrganizationID: organizationID}, "")
	if err != nil {
		return ProviderClient{}, err
	}
	if provider.ID == "" {
		return ProviderClient{}, errNoOrganization
	}
	secret, err := s.opts.Keys.OpenClientSecret(provider.ID, provider.SealedSecret)
	if errors.Is(err, keys.ErrSealed) { // the provider refuses "", until an OWNER stores the secret again
		s.opts.Log.WarnContext(ctx, "no master secret decrypts a client secret", "organization", organizationID)
	} else if err != nil {
		return ProviderClient{}, err
	}
	client := ProviderClient{
		ProviderID: provider.ID, OrganizationID: provider.OrganizationID, Issuer: provider.Issuer,
		ClientID: provider.ClientID, ClientSecret: secret, Scopes: provider.Scopes(),
	}
	if provider.RoleClaim != nil {
		client.RoleClaim = *provider.RoleClaim
	}
	return client, nil
}

// ProviderAttempt is a sign-in that a browser has started. The nonce and the verifier follow from the secret in the
// browser's cookie, so that a copy of the database completes no sign-in.
type ProviderAttempt struct {
	State  string // 256 bits, sent to the provider
	Secret string // 256 bits, only in the cookie
}

// Nonce is the nonce of the ID token (OpenID Connect Core, section 3.1.2.1).
func (a ProviderAttempt) Nonce() string { return derived("nonce", a.Secret) }

// Verifier is the code verifier (RFC 7636, section 4.1).
func (a ProviderAttempt) Verifier() string { return derived("verifier", a.Secret) }

func derived(use, secret string) string {
	sum := sha256.Sum256([]byte(use + ":" + secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func hashedText(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// UnscopedProviderOrganization returns the name of an organization that has a provider. Refusal: not_found.
func (s *Store) UnscopedProviderOrganization(ctx context.Context, organizationID string) (name string, err error) {
	err = s.read().Get(ctx, &name, `
		SELECT o.name FROM sign_in_providers p JOIN organizations o ON o.id = p.organization_id
		WHERE p.organization_id = ?`, organizationID)
	return name, orRefuse(err, errNoOrganization)
}

// StartedSignIn is a sign-in with a provider that a browser has started.
type StartedSignIn struct {
	Client      ProviderClient
	ReturnTo    string // the page to open afterwards
	FormerLogin string // the id of the browser's login before; "" for none
}

// UnscopedBeginProviderSignIn stores a new attempt, so that any replica can complete it.
func (s *Store) UnscopedBeginProviderSignIn(ctx context.Context, started StartedSignIn) (ProviderAttempt, error) {
	attempt := ProviderAttempt{
		State:  base64.RawURLEncoding.EncodeToString(keys.RandomBytes(32)),
		Secret: base64.RawURLEncoding.EncodeToString(keys.RandomBytes(32)),
	}
	_, err := s.autocommit().Exec(ctx, `
		INSERT INTO sign_in_attempts (state_hash, browser_hash, organization_id, provider_id, return_to, former_login,
			expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		hashedText(attempt.State), hashedText(attempt.Secret), started.Client.OrganizationID, started.Client.ProviderID,
		started.ReturnTo, started.FormerLogin, s.Now().Add(attemptLifetime))
	return attempt, err
}

// UnscopedTakeProviderSignIn ends an attempt of the browser. It works once. Refusal: unauthenticated for an attempt
// that belongs to another browser, was used, or has expired, and for a provider that was changed.
func (s *Store) UnscopedTakeProviderSignIn(ctx context.Context, attempt ProviderAttempt) (StartedSignIn, error) {
	var row struct {
		OrganizationID string `db:"organization_id"`
		ProviderID     string `db:"provider_id"`
		ReturnTo       string `db:"return_to"`
		FormerLogin    string `db:"former_login"`
	}
	if err := s.autocommit().Get(ctx, &row, `
		DELETE FROM sign_in_attempts WHERE state_hash = ? AND browser_hash = ? AND expires_at > ?
		RETURNING organization_id, provider_id, return_to, former_login`,
		hashedText(attempt.State), hashedText(attempt.Secret), s.Now()); err != nil {
		return StartedSignIn{}, orRefuse(err, errUnauthenticated)
	}
	client, err := s.UnscopedProviderClient(ctx, row.OrganizationID)
	if err == nil && client.ProviderID != row.ProviderID || isNotFound(err) {
		err = errUnauthenticated
	}
	return StartedSignIn{Client: client, ReturnTo: row.ReturnTo, FormerLogin: row.FormerLogin}, err
}

// UnscopedEndFormerLogin signs out the login that a browser had before a sign-in with a provider. It would stay in the
// person's list for days.
func (s *Store) UnscopedEndFormerLogin(ctx context.Context, from Origin, loginID string) error {
	var row struct {
		OrganizationID string `db:"organization_id"`
		UserID         string `db:"user_id"`
	}
	err := s.read().Get(ctx, &row, `SELECT organization_id, user_id FROM logins WHERE id = ?`, loginID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.Logout(ctx, Scope{OrganizationID: row.OrganizationID, UserID: row.UserID, LoginID: loginID, Origin: from})
}

// UnscopedProviderSignInFailed audits a sign-in that failed, with a reason without secrets and personal data. Anybody
// can make one fail, so a network adds no more entries than with wrong passwords.
func (s *Store) UnscopedProviderSignInFailed(ctx context.Context, from Origin, organizationID, reason string) error {
	err := s.count(ctx, s.opts.SignInLimits.LoginIP, "provider@"+from.Network())
	if limited := (*Limited)(nil); errors.As(err, &limited) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.write(ctx, func(c conn) error {
		return c.audit(ctx, Scope{OrganizationID: organizationID, Origin: from}, AuditProviderSignInFailed, organizationID,
			valueOf("reason", reason))
	})
}
