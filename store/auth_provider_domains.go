package store

import (
	"context"
	"encoding/hex"
	"errors"
	"net"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/store/internal/db"
	"assay/store/keys"
)

// SignInDomain is an email domain of an organization.
type SignInDomain struct {
	ID         string `db:"id"`
	Domain     string `db:"domain"` // as in emailKey
	TXT        string `db:"token"`  // the value of the TXT record
	VerifiedAt *Time  `db:"verified_at"`
	CreatedAt  Time   `db:"created_at"`
}

const (
	maxDomains = 20
	txtPrefix  = "assay-verification="
	txtTimeout = 5 * time.Second

	selectDomain = `SELECT id, domain, token, verified_at, created_at FROM sign_in_domains WHERE organization_id = ?`
)

// isDomain reports whether a text is a host name with a dot (RFC 1123), in lowercase letters.
var isDomain = regexp.MustCompile(
	`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`).MatchString

// domainOf returns the domain of an address, in the form in which domains are stored.
func domainOf(email string) string {
	_, domain, _ := strings.Cut(emailKey(email), "@")
	return domain
}

// ListSignInDomains returns the email domains of the organization, oldest first.
func (s *Store) ListSignInDomains(ctx context.Context, scope Scope) ([]SignInDomain, error) {
	domains := []SignInDomain{}
	err := s.read().List(ctx, &domains, selectDomain+` ORDER BY id`+atMost(maxDomains), scope.OrganizationID)
	return domains, err
}

// CreateSignInDomain adds an email domain, which is not verified. If the organization has the domain, it returns it.
// Refusals: invalid_request, too_many_domains.
func (s *Store) CreateSignInDomain(ctx context.Context, scope Scope, domain string) (SignInDomain, error) {
	domain = domainOf("@" + strings.TrimSuffix(strings.TrimSpace(domain), "."))
	if len(domain) > 253 || !isDomain(domain) {
		return SignInDomain{}, errInvalid.with(fault("/domain", "invalid_value", "must be a domain, such as company.example"))
	}
	var out SignInDomain
	err := s.write(ctx, func(c conn) error {
		if err := c.lockOrganization(ctx, scope); err != nil { // which makes the limit exact
			return err
		}
		var domains []SignInDomain
		if err := c.List(ctx, &domains, selectDomain+atMost(maxDomains), scope.OrganizationID); err != nil {
			return err
		}
		if i := slices.IndexFunc(domains, func(d SignInDomain) bool { return d.Domain == domain }); i >= 0 {
			out = domains[i]
			return nil
		}
		if len(domains) >= maxDomains {
			return errTooManyDomains
		}
		out = SignInDomain{
			ID: s.NewID("dom"), Domain: domain, TXT: txtPrefix + hex.EncodeToString(keys.RandomBytes(16)),
			CreatedAt: Time{s.Now()},
		}
		if _, err := c.Exec(ctx, `
			INSERT INTO sign_in_domains (id, organization_id, domain, token, created_at) VALUES (?, ?, ?, ?, ?)`,
			out.ID, scope.OrganizationID, domain, out.TXT, out.CreatedAt.Time); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditDomainAdded, scope.OrganizationID, valueOf("domain", domain))
	})
	return out, err
}

// DeleteSignInDomain removes an email domain. Refusal: not_found.
func (s *Store) DeleteSignInDomain(ctx context.Context, scope Scope, id string) error {
	return s.write(ctx, func(c conn) error {
		domain, err := c.signInDomain(ctx, scope, id)
		if err != nil {
			return err
		}
		deleted, err := c.Exec(ctx, `DELETE FROM sign_in_domains WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, id)
		if err != nil {
			return err
		}
		if deleted == 0 {
			return errNoDomain
		}
		return c.audit(ctx, scope, AuditDomainRemoved, scope.OrganizationID, valueOf("domain", domain.Domain))
	})
}

func (c conn) signInDomain(ctx context.Context, scope Scope, id string) (SignInDomain, error) {
	var domain SignInDomain
	err := c.Get(ctx, &domain, selectDomain+` AND id = ?`, scope.OrganizationID, id)
	return domain, orRefuse(err, errNoDomain)
}

// VerifySignInDomain looks for the TXT record, outside a transaction, and marks the domain as verified. Refusals:
// not_found, domain_not_proved, domain_taken.
func (s *Store) VerifySignInDomain(ctx context.Context, scope Scope, id string) (SignInDomain, error) {
	domain, err := s.read().signInDomain(ctx, scope, id)
	if err != nil || domain.VerifiedAt != nil {
		return domain, err
	}
	lookup := s.opts.LookupTXT
	if lookup == nil {
		lookup = net.DefaultResolver.LookupTXT
	}
	looking, cancel := context.WithTimeout(ctx, txtTimeout)
	defer cancel()
	records, err := lookup(looking, domain.Domain+".") // with the dot, no search domain of this machine is added
	if err != nil || !slices.Contains(records, domain.TXT) {
		return SignInDomain{}, errDomainNotProved
	}
	return s.verifyDomain(ctx, scope, id)
}

func (s *Store) verifyDomain(ctx context.Context, scope Scope, id string) (SignInDomain, error) {
	var out SignInDomain
	err := s.write(ctx, func(c conn) error {
		verified, err := c.Exec(ctx, `
			UPDATE sign_in_domains SET verified_at = ? WHERE organization_id = ? AND id = ? AND verified_at IS NULL`,
			s.Now(), scope.OrganizationID, id)
		if db.IsUnique(err, "sign_in_domains_verified", "sign_in_domains.domain") {
			return errDomainTaken
		}
		if err != nil {
			return err
		}
		if out, err = c.signInDomain(ctx, scope, id); err != nil || verified == 0 {
			return err
		}
		return c.audit(ctx, scope, AuditDomainVerified, scope.OrganizationID, valueOf("domain", out.Domain))
	})
	return out, err
}

// ErrNoDomain means that no organization has added the domain, or several have, and none was chosen.
var ErrNoDomain = errors.New("not exactly one organization has added this domain")

// UnscopedVerifyDomain marks a domain as verified, for an operator who knows the organization. The organization is ""
// if only one has added the domain. Refusal: domain_taken. Error: ErrNoDomain.
func (s *Store) UnscopedVerifyDomain(ctx context.Context, domain, organizationID string) error {
	var found []struct {
		ID             string `db:"id"`
		OrganizationID string `db:"organization_id"`
	}
	if err := s.read().List(ctx, &found, `
		SELECT id, organization_id FROM sign_in_domains WHERE domain = ? AND (organization_id = ? OR ? = '')`+atMost(2),
		domainOf("@"+domain), organizationID, organizationID); err != nil {
		return err
	}
	if len(found) != 1 {
		return ErrNoDomain
	}
	_, err := s.verifyDomain(ctx, Scope{OrganizationID: found[0].OrganizationID}, found[0].ID)
	return err
}
