package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
)

const maxLogoSide = 1024 // pixels

// ReplaceOrganizationLogo stores an image as the organization's logo. It accepts PNG,
// JPEG, and WebP. It stores a PNG of the pixels alone: nothing else of the image, such
// as the place where a photo was taken, and nothing that only looks like an image.
// Refusal: invalid_request.
func (s *Store) ReplaceOrganizationLogo(ctx context.Context, scope Scope, content []byte) (Organization, error) {
	encoded, err := pixelsOf(content)
	if err != nil {
		return Organization{}, err
	}
	hash := sha256.Sum256(encoded)
	return s.changeOrganization(ctx, scope, func(c conn) error {
		now := s.Now()
		if _, err := c.Exec(ctx, `
			INSERT INTO organization_logos (organization_id, hash, image, created_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (organization_id) DO UPDATE SET hash = excluded.hash, image = excluded.image,
				created_at = excluded.created_at`,
			scope.OrganizationID, hex.EncodeToString(hash[:]), encoded, now); err != nil {
			return err
		}
		return c.touchOrganization(ctx, scope)
	})
}

// DeleteOrganizationLogo removes the logo. Deleting a missing logo changes nothing.
func (s *Store) DeleteOrganizationLogo(ctx context.Context, scope Scope) error {
	return s.write(ctx, func(c conn) error {
		deleted, err := c.Exec(ctx, `DELETE FROM organization_logos WHERE organization_id = ?`, scope.OrganizationID)
		if err != nil || deleted == 0 {
			return err
		}
		if err := c.touchOrganization(ctx, scope); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditOrganizationUpdated, scope.OrganizationID, AuditChange{Field: "logo"})
	})
}

func (c conn) touchOrganization(ctx context.Context, scope Scope) error {
	_, err := c.Exec(ctx, `UPDATE organizations SET updated_at = ? WHERE id = ?`, c.store.Now(), scope.OrganizationID)
	return err
}

// UnscopedLogo returns the PNG with the hash, SHA-256 in hexadecimal. Everybody who
// has seen the logo knows the hash. Refusal: not_found.
func (s *Store) UnscopedLogo(ctx context.Context, hash string) ([]byte, error) {
	var encoded []byte
	if sum, err := hex.DecodeString(hash); err != nil || len(sum) != sha256.Size { // PostgreSQL rejects some texts
		return nil, errNoLogo
	}
	err := s.read().Get(ctx, &encoded, `SELECT image FROM organization_logos WHERE hash = ? LIMIT 1`, hash)
	return encoded, orRefuse(err, errNoLogo)
}
