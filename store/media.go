package store

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"assay/store/internal/db"
	"assay/store/keys"
)

// Media is a picture for the texts of assessments.
type Media struct {
	ID          string `db:"id"`
	Address     string `db:"address"` // random: all that is needed to see the picture
	ContentType string `db:"content_type"`
	Width       int    `db:"width"`  // pixels
	Height      int    `db:"height"` // pixels
	Bytes       int64  `db:"bytes"`
	Used        int    `db:"used"` // number of assessments
	CreatedAt   Time   `db:"created_at"`

	UsedIn []string `db:"-"` // ids of up to maxUsedIn assessments, newest first; lists leave it empty
}

// maxUsedIn is the limit of openapi.yaml for usedIn.
const maxUsedIn = 100

const mediaColumns = `SELECT id, address, content_type, width, height, bytes, created_at,
	(SELECT COUNT(*) FROM media_uses u WHERE u.organization_id = m.organization_id AND u.media_id = m.id) AS used
	FROM media m`

// MediaPath is followed by the address of a picture.
const MediaPath = "/media/"

// MediaURL returns the address of a picture, with which everybody sees it.
func (s *Store) MediaURL(address string) string { return s.opts.BaseURL + MediaPath + address }

// CreateMedia stores a picture for the texts of assessments. If the organization has the same picture, it returns that
// one. Refusals: invalid_request, media_quota_exceeded.
func (s *Store) CreateMedia(ctx context.Context, scope Scope, content []byte) (Media, error) {
	picture, err := s.PreparePicture(ctx, content)
	if err != nil {
		return Media{}, err
	}
	var created Media
	err = s.write(ctx, func(c conn) error {
		id, err := c.insertPicture(ctx, scope, picture)
		if err != nil {
			return err
		}
		created, err = c.media(ctx, scope, id)
		return err
	})
	return created, err
}

// CreatePublicMedia is CreateMedia.
func (s *Store) CreatePublicMedia(ctx context.Context, scope Scope, content []byte) (Media, error) {
	return s.CreateMedia(ctx, scope, content)
}

// insertPicture stores a picture unless the organization has the same one, and returns the id of the stored one.
func (c conn) insertPicture(ctx context.Context, scope Scope, picture PreparedPicture) (id string, err error) {
	// It locks the organization, so that the same picture is not stored twice at once.
	used, err := c.lockUsage(ctx, scope)
	if err != nil {
		return "", err
	}
	var same []string
	if err := c.List(ctx, &same, `SELECT id FROM media WHERE organization_id = ? AND hash = ?`, scope.OrganizationID,
		picture.hash); err != nil || len(same) > 0 {
		return first(same), err
	}
	size := int64(len(picture.encoded.Content))
	if limit := c.store.opts.Quotas.MediaBytes; limit > 0 && used.MediaBytes+size > limit {
		return "", errMediaQuota
	}
	if _, err := c.Exec(ctx, `
		INSERT INTO media (id, organization_id, hash, address, content_type, width, height, bytes, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		picture.ID, scope.OrganizationID, picture.hash, hex.EncodeToString(keys.RandomBytes(16)),
		picture.encoded.ContentType, picture.encoded.Width, picture.encoded.Height, size, c.store.Now()); err != nil {
		return "", err
	}
	if _, err := c.Exec(ctx, `INSERT INTO media_contents (media_id, organization_id, content) VALUES (?, ?, ?)`,
		picture.ID, scope.OrganizationID, picture.encoded.Content); err != nil {
		return "", err
	}
	return picture.ID, c.audit(ctx, scope, AuditMediaCreated, picture.ID)
}

func first(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}

// ListMedia returns a page of pictures, and whether there are more.
func (s *Store) ListMedia(ctx context.Context, scope Scope, page Page) ([]Media, bool, error) {
	query, args := filterOf(scope, page).newestFirst(mediaColumns, page)
	var rows []Media
	if err := s.read().List(ctx, &rows, query, args...); err != nil {
		return nil, false, err
	}
	rows, more := cut(rows, page.Limit)
	return rows, more, nil
}

// RetrieveMedia returns one picture with the assessments that use it. Refusal: not_found.
func (s *Store) RetrieveMedia(ctx context.Context, scope Scope, id string) (Media, error) {
	found, err := s.read().media(ctx, scope, id)
	if err != nil {
		return Media{}, err
	}
	err = s.read().List(ctx, &found.UsedIn, `
		SELECT assessment_id FROM media_uses WHERE organization_id = ? AND media_id = ?
		ORDER BY assessment_id DESC LIMIT ?`, scope.OrganizationID, id, maxUsedIn)
	return found, err
}

func (c conn) media(ctx context.Context, scope Scope, id string) (Media, error) {
	var found Media
	err := c.Get(ctx, &found, mediaColumns+` WHERE organization_id = ? AND id = ?`, scope.OrganizationID, id)
	return found, orRefuse(err, errNoMedia)
}

// KnownMedia returns which of the ids are pictures of the organization.
func (s *Store) KnownMedia(ctx context.Context, scope Scope, ids []string) (known []string, err error) {
	encoded, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	err = s.read().List(ctx, &known, `SELECT id FROM media WHERE organization_id = ? AND `+s.db.IsOneOf("id"),
		scope.OrganizationID, string(encoded))
	return known, err
}

// DeleteMedia deletes a picture that no assessment uses. Refusals: not_found, media_in_use.
func (s *Store) DeleteMedia(ctx context.Context, scope Scope, id string) error {
	err := s.write(ctx, func(c conn) error {
		var inBank bool // the versions of questions of the bank record no uses, because deleting is rare
		if err := c.Get(ctx, &inBank, `SELECT EXISTS (SELECT 1 FROM question_versions
			WHERE organization_id = ? AND content LIKE ?)`, scope.OrganizationID, "%media:"+id+"%"); err != nil {
			return err
		}
		if inBank {
			return errMediaInUse
		}
		deleted, err := c.Exec(ctx, `DELETE FROM media WHERE organization_id = ? AND id = ?`, scope.OrganizationID, id)
		if err != nil {
			return err
		}
		if deleted == 0 {
			return errNoMedia
		}
		return c.audit(ctx, scope, AuditMediaDeleted, id)
	})
	if db.IsForeignKey(err, "media_uses_media") {
		return errMediaInUse
	}
	return err
}

// MediaContent is a picture as it is sent.
type MediaContent struct {
	ContentType string `db:"content_type"`
	Hash        string `db:"hash"` // SHA-256 in hexadecimal
	Content     []byte `db:"content"`
}

// UnscopedMedia returns the picture at an address. Everybody who has seen a text with it knows the address.
// Refusal: not_found.
func (s *Store) UnscopedMedia(ctx context.Context, address string) (MediaContent, error) {
	var found MediaContent
	if raw, err := hex.DecodeString(address); err != nil || len(raw) != 16 { // PostgreSQL rejects some texts
		return found, errNoMedia
	}
	err := s.read().Get(ctx, &found, `
		SELECT m.content_type, m.hash, c.content FROM media m JOIN media_contents c ON c.media_id = m.id
		WHERE m.address = ?`, address)
	return found, orRefuse(err, errNoMedia)
}
