package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/draw"
	_ "image/jpeg" // formats of image.Decode
	"image/png"

	_ "golang.org/x/image/webp"
)

const (
	maxLogoSide = 1024 // pixels
	// maxLogoScans bounds the time to decode a progressive JPEG, whose scans each cover
	// the whole image. Encoders write about ten.
	maxLogoScans = 100
)

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

// pixelsOf returns the image as PNG, or a refusal. It decodes only images of a
// permitted size, because the length of the content does not limit the pixels.
func pixelsOf(content []byte) ([]byte, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(content))
	switch {
	case err != nil:
		return nil, errNotAnImage
	case config.Width < 1, config.Height < 1, config.Width > maxLogoSide, config.Height > maxLogoSide:
		return nil, errImageTooLarge
	case format == "jpeg" && bytes.Count(content, []byte{0xff, 0xda}) > maxLogoScans:
		return nil, errImageTooSlow
	}
	decoded, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, errNotAnImage
	}
	var encoded bytes.Buffer
	err = png.Encode(&encoded, simplified(decoded))
	return encoded.Bytes(), err
}

// simplified returns an image with at most eight bits for each channel, which bounds
// what is stored to about 4 MiB.
func simplified(decoded image.Image) image.Image {
	switch decoded.(type) {
	case *image.Paletted, *image.Gray, *image.NRGBA:
		return decoded
	}
	simple := image.NewNRGBA(decoded.Bounds())
	draw.Draw(simple, simple.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	return simple
}
