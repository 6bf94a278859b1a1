package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"
)

// ProviderCallbackPath is where a provider sends the browser back, and ProviderStartPath is where a sign-in starts.
const (
	ProviderCallbackPath = "/sign-in/provider/callback"
	ProviderStartPath    = "/sign-in/provider/start"
)

// ProviderRole says which role a value of a claim gives.
type ProviderRole struct {
	Value string `json:"value"`
	Role  Role   `json:"role"`
}

// SignInProvider is the OpenID Connect provider of an organization. Without one, the ID is "".
type SignInProvider struct {
	ID              string  `db:"id"` // another one for another issuer or client
	OrganizationID  string  `db:"organization_id"`
	Issuer          string  `db:"issuer"`
	ClientID        string  `db:"client_id"`
	SealedSecret    []byte  `db:"client_secret"`
	ScopeList       string  `db:"scopes"`
	Required        bool    `db:"required"`
	CreateMembers   bool    `db:"create_members"`
	DefaultRole     Role    `db:"default_role"`
	RoleClaim       *string `db:"role_claim"`
	RoleList        string  `db:"roles"`
	LastSucceededAt *Time   `db:"last_succeeded_at"`

	Roles        []ProviderRole `db:"-"`
	RecoveryLeft int            `db:"-"`
}

// Scopes are the scopes that Assay asks for.
func (p SignInProvider) Scopes() []string { return strings.Fields(p.ScopeList) }

// ProviderSettings are the input of ReplaceSignInProvider.
type ProviderSettings struct {
	Issuer        string
	ClientID      string
	ClientSecret  *string // nil keeps the stored one
	Scopes        []string
	Required      bool
	CreateMembers bool
	DefaultRole   Role
	RoleClaim     *string
	Roles         []ProviderRole
}

const selectProvider = `SELECT id, organization_id, issuer, client_id, client_secret, scopes, required, create_members,
	default_role, role_claim, roles, last_succeeded_at FROM sign_in_providers WHERE organization_id = ?`

// signInProvider returns the provider of an organization, whose ID is "" if there is none.
func (c conn) signInProvider(ctx context.Context, scope Scope, lock string) (SignInProvider, error) {
	var provider SignInProvider
	err := c.Get(ctx, &provider, selectProvider+lock, scope.OrganizationID)
	if errors.Is(err, sql.ErrNoRows) {
		return SignInProvider{DefaultRole: Member}, nil
	}
	if err != nil {
		return SignInProvider{}, err
	}
	return provider, json.Unmarshal([]byte(provider.RoleList), &provider.Roles)
}

// RetrieveSignInProvider returns the provider of the organization, whose ID is "" if there is none.
func (s *Store) RetrieveSignInProvider(ctx context.Context, scope Scope) (SignInProvider, error) {
	return s.read().shownProvider(ctx, scope)
}

func (c conn) shownProvider(ctx context.Context, scope Scope) (SignInProvider, error) {
	provider, err := c.signInProvider(ctx, scope, "")
	if err != nil {
		return SignInProvider{}, err
	}
	err = c.Get(ctx, &provider.RecoveryLeft, `
		SELECT COUNT(*) FROM sign_in_recovery_codes WHERE organization_id = ? AND used_at IS NULL`, scope.OrganizationID)
	return provider, err
}

// ReplaceSignInProvider sets the provider. Another issuer or client ends the sign-ins with the earlier one, and needs
// its secret, so that a stored secret is never sent to another provider. Requiring the provider ends the sign-ins
// with a password, except that of the caller. Refusals: invalid_request, provider_untested, no_recovery_codes.
func (s *Store) ReplaceSignInProvider(ctx context.Context, scope Scope, in ProviderSettings) (SignInProvider, error) {
	in.Scopes = s.withOpenID(in.Scopes)
	if err := s.checkProvider(in); err != nil {
		return SignInProvider{}, err
	}
	defer s.credentials.forget()
	var out SignInProvider
	err := s.write(ctx, func(c conn) error {
		if err := c.lockOrganization(ctx, scope); err != nil {
			return err
		}
		before, err := c.signInProvider(ctx, scope, "")
		if err != nil {
			return err
		}
		next, err := c.storeProvider(ctx, scope, before, in)
		if err != nil {
			return err
		}
		changes := providerChanges(before, next)
		if in.ClientSecret != nil {
			changes = append(changes, AuditChange{Field: "clientSecret"})
		}
		if len(changes) > 0 {
			if err := c.audit(ctx, scope, AuditProviderChanged, scope.OrganizationID, changes...); err != nil {
				return err
			}
		}
		out, err = c.shownProvider(ctx, scope)
		return err
	})
	return out, err
}

func (s *Store) withOpenID(scopes []string) []string {
	if len(scopes) == 0 {
		return []string{"openid", "email", "profile"}
	}
	if !slices.Contains(scopes, "openid") {
		return append([]string{"openid"}, scopes...)
	}
	return scopes
}

func (s *Store) checkProvider(in ProviderSettings) error {
	issuer, err := url.Parse(in.Issuer)
	if err != nil || issuer.Host == "" || issuer.User != nil || strings.ContainsAny(in.Issuer, "?#") ||
		issuer.Scheme != "https" && (issuer.Scheme != "http" || !s.opts.AllowInsecureWebhooks) {
		return errInvalid.with(fault("/issuer", "invalid_value", "must be an https address without query and fragment"))
	}
	if len(in.Roles) > 0 && in.RoleClaim == nil {
		return errInvalid.with(fault("/roleClaim", "required", "is required with roles"))
	}
	return nil
}

// storeProvider checks and stores the settings of a locked organization.
func (c conn) storeProvider(
	ctx context.Context, scope Scope, before SignInProvider, in ProviderSettings,
) (SignInProvider, error) {
	now := c.store.Now()
	next := SignInProvider{
		ID: before.ID, Issuer: in.Issuer, ClientID: in.ClientID, SealedSecret: before.SealedSecret,
		ScopeList: strings.Join(in.Scopes, " "), Required: in.Required, CreateMembers: in.CreateMembers,
		DefaultRole: in.DefaultRole, RoleClaim: in.RoleClaim, Roles: in.Roles, LastSucceededAt: before.LastSucceededAt,
	}
	isOther := before.ID == "" || before.Issuer != in.Issuer || before.ClientID != in.ClientID
	if isOther {
		if in.ClientSecret == nil {
			return next, errInvalid.with(fault("/clientSecret", "required", "is required for another issuer or client"))
		}
		next.ID, next.LastSucceededAt = c.store.NewID("idp"), nil
	}
	if err := c.mayRequire(ctx, scope, next); err != nil {
		return next, err
	}
	if in.ClientSecret != nil {
		var err error
		if next.SealedSecret, err = c.store.opts.Keys.SealClientSecret(next.ID, *in.ClientSecret); err != nil {
			return next, err
		}
	}
	roles, err := json.Marshal(append([]ProviderRole{}, in.Roles...))
	if err != nil {
		return next, err
	}
	next.RoleList = string(roles)
	if _, err := c.Exec(ctx, `
		INSERT INTO sign_in_providers (organization_id, id, issuer, client_id, client_secret, scopes, required,
			create_members, default_role, role_claim, roles, last_succeeded_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)
		ON CONFLICT (organization_id) DO UPDATE SET id = excluded.id, issuer = excluded.issuer,
			client_id = excluded.client_id, client_secret = excluded.client_secret, scopes = excluded.scopes,
			required = excluded.required, create_members = excluded.create_members, default_role = excluded.default_role,
			role_claim = excluded.role_claim, roles = excluded.roles, updated_at = excluded.updated_at,
			last_succeeded_at = CASE WHEN sign_in_providers.id = excluded.id THEN sign_in_providers.last_succeeded_at END`,
		scope.OrganizationID, next.ID, next.Issuer, next.ClientID, next.SealedSecret, next.ScopeList, next.Required,
		next.CreateMembers, next.DefaultRole, next.RoleClaim, next.RoleList, now); err != nil {
		return next, err
	}
	if isOther && before.ID != "" {
		if err := c.endProviderSignIns(ctx, scope, now); err != nil {
			return next, err
		}
		if err := c.endIdentities(ctx, scope, next.Issuer); err != nil {
			return next, err
		}
	}
	if next.Required && !before.Required {
		return next, c.endPasswordSignIns(ctx, scope, now)
	}
	return next, nil
}

// endIdentities ends the links to members after a change of the issuer or the client. An issuer can have another
// subject for each client (OpenID Connect Core 1.0, section 8). The link of a removed member stays as long as the
// issuer.
func (c conn) endIdentities(ctx context.Context, scope Scope, issuer string) error {
	_, err := c.Exec(ctx, `
		DELETE FROM sign_in_identities WHERE organization_id = ? AND (issuer <> ? OR user_id IN (
			SELECT id FROM users WHERE organization_id = ? AND removed_at IS NULL))`,
		scope.OrganizationID, issuer, scope.OrganizationID)
	return err
}

// mayRequire refuses to require a provider that could lock everybody out.
func (c conn) mayRequire(ctx context.Context, scope Scope, next SignInProvider) error {
	if !next.Required {
		return nil
	}
	if next.LastSucceededAt == nil {
		return errProviderUntested
	}
	var left bool
	if err := c.Get(ctx, &left, `SELECT EXISTS (
		SELECT 1 FROM sign_in_recovery_codes WHERE organization_id = ? AND used_at IS NULL)`,
		scope.OrganizationID); err != nil {
		return err
	}
	if !left {
		return errNoRecoveryCodes
	}
	return nil
}

// endProviderSignIns ends all sign-ins with the provider, also those that a browser has only started.
func (c conn) endProviderSignIns(ctx context.Context, scope Scope, now time.Time) error {
	if _, err := c.Exec(ctx, `DELETE FROM sign_in_attempts WHERE organization_id = ?`, scope.OrganizationID); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `
		UPDATE logins SET ended_at = ? WHERE organization_id = ? AND method = 'PROVIDER' AND ended_at IS NULL`,
		now, scope.OrganizationID)
	return err
}

// endPasswordSignIns ends all sign-ins with a password, except the caller's, and those that need the second factor.
func (c conn) endPasswordSignIns(ctx context.Context, scope Scope, now time.Time) error {
	if _, err := c.Exec(ctx, `DELETE FROM sign_in_challenges WHERE organization_id = ?`,
		scope.OrganizationID); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `
		UPDATE logins SET ended_at = ? WHERE organization_id = ? AND method = 'PASSWORD' AND id <> ? AND ended_at IS NULL`,
		now, scope.OrganizationID, scope.LoginID)
	return err
}

func providerChanges(before, next SignInProvider) auditChanges {
	var changes auditChanges
	from := func(value any) any {
		if before.ID == "" {
			return nil
		}
		return value
	}
	changes.compare("issuer", from(before.Issuer), next.Issuer)
	changes.compare("clientId", from(before.ClientID), next.ClientID)
	changes.compare("required", from(before.Required), next.Required)
	changes.compare("createMembers", from(before.CreateMembers), next.CreateMembers)
	changes.compare("defaultRole", from(before.DefaultRole), next.DefaultRole)
	changes.compare("signInScopes", from(before.ScopeList), next.ScopeList)
	changes.compare("roleClaim", given(before.RoleClaim), given(next.RoleClaim))
	changes.compare("roles", from(before.RoleList), next.RoleList)
	return changes
}

// DeleteSignInProvider removes the provider, its links to members, and the recovery codes, and ends all sign-ins with
// it. A second call changes nothing.
func (s *Store) DeleteSignInProvider(ctx context.Context, scope Scope) error {
	defer s.credentials.forget()
	return s.write(ctx, func(c conn) error {
		if err := c.lockOrganization(ctx, scope); err != nil {
			return err
		}
		deleted, err := c.Exec(ctx, `DELETE FROM sign_in_providers WHERE organization_id = ?`, scope.OrganizationID)
		if err != nil || deleted == 0 {
			return err
		}
		for _, table := range []string{"sign_in_identities", "sign_in_recovery_codes"} {
			if _, err := c.Exec(ctx, `DELETE FROM `+table+` WHERE organization_id = ?`, scope.OrganizationID); err != nil {
				return err
			}
		}
		if err := c.endProviderSignIns(ctx, scope, s.Now()); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditProviderDeleted, scope.OrganizationID)
	})
}

// ssoRequired reports whether an organization requires a sign-in with its own provider. The lock makes a change of that
// wait, which then ends the sign-in that is being made.
func (c conn) ssoRequired(ctx context.Context, organizationID string) (required bool, err error) {
	err = c.Get(ctx, &required, `SELECT required FROM sign_in_providers WHERE organization_id = ?`+c.store.db.ForShare,
		organizationID)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return required, err
}
