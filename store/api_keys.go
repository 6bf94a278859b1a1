package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"assay/store/keys"
)

// APIKey is a key of an integration. Only its hash is stored.
type APIKey struct {
	ID         string `db:"id"`
	Name       string `db:"name"`
	Prefix     string `db:"prefix"` // "pk_live_" and four more characters
	Last4      string `db:"last4"`
	ScopeList  string `db:"scopes"` // space-separated
	CreatedAt  Time   `db:"created_at"`
	ExpiresAt  *Time  `db:"expires_at"`
	LastUsedAt *Time  `db:"last_used_at"`
	RevokedAt  *Time  `db:"revoked_at"`
}

// Scopes returns the scopes of the key.
func (k APIKey) Scopes() []string { return strings.Fields(k.ScopeList) }

// NewAPIKey is the input of CreateAPIKey.
type NewAPIKey struct {
	Name      string
	Scopes    []string
	ExpiresAt *time.Time
}

const (
	apiKeyPrefix = "pk_live_"
	apiKeyLength = len(apiKeyPrefix) + 64
	// lastUsedInterval is the precision of lastUsedAt. Without it, every request would write.
	lastUsedInterval = time.Minute
)

// CreatedAPIKey is a new key with its secret, which is shown once.
type CreatedAPIKey struct {
	APIKey
	Secret string // in clear; must not be logged
}

// CreateAPIKey creates a key and returns it in clear, only this once. Refusals:
// invalid_request for an expiry in the past or ProvisioningScope with others, api_key_quota_exceeded,
// secret_already_shown.
func (s *Store) CreateAPIKey(ctx context.Context, scope Scope, in NewAPIKey) (CreatedAPIKey, error) {
	if slices.Contains(in.Scopes, ProvisioningScope) && len(in.Scopes) > 1 {
		return CreatedAPIKey{}, errScopeAlone
	}
	secret := apiKeyPrefix + hex.EncodeToString(keys.RandomBytes(32))
	var created CreatedAPIKey
	err := onceShown(ctx, s, scope, &created.ID, func(c conn) error {
		now := s.Now()
		if in.ExpiresAt != nil && !in.ExpiresAt.After(now) {
			return errExpiryInPast
		}
		if err := c.requireAPIKeyRoom(ctx, scope); err != nil {
			return err
		}
		created = CreatedAPIKey{Secret: secret, APIKey: APIKey{
			ID: s.NewID("key"), Name: in.Name, ScopeList: strings.Join(in.Scopes, " "), CreatedAt: Time{now},
			Prefix: secret[:len(apiKeyPrefix)+4], Last4: secret[len(secret)-4:],
		}}
		if in.ExpiresAt != nil {
			created.ExpiresAt = &Time{in.ExpiresAt.UTC().Truncate(time.Millisecond)}
		}
		if _, err := c.Exec(ctx, `
			INSERT INTO api_keys (id, organization_id, name, key_hash, prefix, last4, scopes, created_by, created_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			created.ID, scope.OrganizationID, created.Name, hashAPIKey(secret), created.Prefix, created.Last4,
			created.ScopeList, scope.UserID, now, timePtr(created.ExpiresAt)); err != nil {
			return err
		}
		var changes auditChanges
		changes.compare("scopes", nil, created.ScopeList)
		changes.compare("expiresAt", nil, given(timePtr(created.ExpiresAt)))
		return c.audit(ctx, scope, AuditAPIKeyCreated, created.ID, changes...)
	})
	return created, err
}

const apiKeyColumns = `SELECT id, name, prefix, last4, scopes, created_at, expires_at, last_used_at, revoked_at
	FROM api_keys`

// ListAPIKeys returns a page of keys, including revoked ones, and whether there are more.
func (s *Store) ListAPIKeys(ctx context.Context, scope Scope, page Page) ([]APIKey, bool, error) {
	query, args := filterOf(scope, page).newestFirst(apiKeyColumns, page)
	var keys []APIKey
	if err := s.read().List(ctx, &keys, query, args...); err != nil {
		return nil, false, err
	}
	keys, more := cut(keys, page.Limit)
	return keys, more, nil
}

// RetrieveAPIKey returns one key.
func (s *Store) RetrieveAPIKey(ctx context.Context, scope Scope, id string) (APIKey, error) {
	var key APIKey
	err := s.read().Get(ctx, &key, apiKeyColumns+` WHERE organization_id = ? AND id = ?`, scope.OrganizationID, id)
	return key, orRefuse(err, errNoAPIKey)
}

// PublicMe is an API key with its organization.
type PublicMe struct {
	APIKey
	OrganizationID   string `db:"organization_id"`
	OrganizationName string `db:"organization_name"`
}

// RetrievePublicMe returns the key of the caller. Refusal: not_found.
func (s *Store) RetrievePublicMe(ctx context.Context, scope Scope) (PublicMe, error) {
	var me PublicMe
	err := s.read().Get(ctx, &me, `
		SELECT k.id, k.name, k.prefix, k.last4, k.scopes, k.created_at, k.expires_at,
			o.id AS organization_id, o.name AS organization_name
		FROM api_keys k JOIN organizations o ON o.id = k.organization_id
		WHERE k.organization_id = ? AND k.id = ?`, scope.OrganizationID, scope.APIKeyID)
	return me, orRefuse(err, errNoAPIKey)
}

// RevokeAPIKey ends a key: immediately on this replica, within credentialLifetime
// on others. Revoking it again changes nothing. Refusal: not_found.
func (s *Store) RevokeAPIKey(ctx context.Context, scope Scope, id string) error {
	defer s.credentials.forget()
	return s.write(ctx, func(c conn) error {
		touched, err := c.Exec(ctx, `
			UPDATE api_keys SET revoked_at = ? WHERE organization_id = ? AND id = ? AND revoked_at IS NULL`,
			s.Now(), scope.OrganizationID, id)
		if err != nil {
			return err
		}
		if touched == 0 { // revoked already, or unknown
			var known bool
			err := c.Get(ctx, &known, `SELECT TRUE FROM api_keys WHERE organization_id = ? AND id = ?`, scope.OrganizationID, id)
			return orRefuse(err, errNoAPIKey)
		}
		return c.audit(ctx, scope, AuditAPIKeyRevoked, id)
	})
}

// UnscopedAPIKey returns the scope of a key in clear. Refusal: unauthenticated for
// a key that is unknown, revoked, or expired. The use of a revoked or expired key and
// the first use of a key are audited.
func (s *Store) UnscopedAPIKey(ctx context.Context, from Origin, secret string) (Scope, error) {
	if len(secret) != apiKeyLength || !strings.HasPrefix(secret, apiKeyPrefix) {
		return Scope{}, errUnauthenticated
	}
	hash := hashAPIKey(secret)
	return s.scope(ctx, string(hash), credentialLifetime, func(ctx context.Context) (Scope, error) {
		var row struct {
			ID             string `db:"id"`
			OrganizationID string `db:"organization_id"`
			Scopes         string `db:"scopes"`
			ExpiresAt      *Time  `db:"expires_at"`
			LastUsedAt     *Time  `db:"last_used_at"`
			RevokedAt      *Time  `db:"revoked_at"`
		}
		now := s.Now()
		err := s.read().Get(ctx, &row, `
			SELECT id, organization_id, scopes, expires_at, last_used_at, revoked_at FROM api_keys WHERE key_hash = ?`, hash)
		if errors.Is(err, sql.ErrNoRows) {
			return Scope{}, errUnauthenticated
		}
		if err != nil {
			return Scope{}, err
		}
		if row.RevokedAt != nil || row.ExpiresAt != nil && !now.Before(row.ExpiresAt.Time) {
			s.auditRefusal(Scope{OrganizationID: row.OrganizationID, Origin: from}, AuditAPIKeyRefused, row.ID, row.ID)
			return Scope{}, errUnauthenticated
		}
		scope := Scope{OrganizationID: row.OrganizationID, APIKeyID: row.ID, Scopes: strings.Fields(row.Scopes)}
		if row.LastUsedAt == nil || now.Sub(row.LastUsedAt.Time) >= lastUsedInterval {
			user := scope
			user.Origin = from
			s.recordUse(ctx, user, now)
		}
		if row.ExpiresAt != nil {
			scope.until = row.ExpiresAt.Time
		}
		return scope, nil
	})
}

// recordUse updates lastUsedAt, and audits the first use. A failure does not refuse the request.
func (s *Store) recordUse(ctx context.Context, scope Scope, now time.Time) {
	err := s.write(ctx, func(c conn) error {
		first, err := c.Exec(ctx, `
			UPDATE api_keys SET last_used_at = ? WHERE organization_id = ? AND id = ? AND last_used_at IS NULL`,
			now, scope.OrganizationID, scope.APIKeyID)
		if err != nil {
			return err
		}
		if first > 0 {
			return c.audit(ctx, scope, AuditAPIKeyFirstUsed, scope.APIKeyID)
		}
		_, err = c.Exec(ctx, `
			UPDATE api_keys SET last_used_at = ? WHERE organization_id = ? AND id = ? AND last_used_at <= ?`,
			now, scope.OrganizationID, scope.APIKeyID, now.Add(-lastUsedInterval))
		return err
	})
	if err != nil {
		s.opts.Log.WarnContext(ctx, "last use of an API key not recorded", "key", scope.APIKeyID, "error", err)
	}
}

func hashAPIKey(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
