package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"assay/store/pictures"
	"assay/store/rules"
)

const (
	maxPictureSide   = 2000       // pixels, as stored
	maxPicturePixels = 25_000_000 // as sent: photos of telephones have 12 or 24 million

	// maxPictureBytes is the limit of openapi.yaml for a picture as it is sent. What is stored can be larger, if it has
	// transparent parts or sharp noise.
	maxPictureBytes = 5 << 20

	// pictureTurns is how many pictures are decoded at once. One of the largest takes about 200 MB.
	pictureTurns = 2
)

// PreparedPicture is a picture that can be stored in a transaction. Texts can have its ID before. If the organization
// has the same picture already, its id replaces this one in the texts of NewAssessment.
type PreparedPicture struct {
	ID      string
	hash    string // SHA-256 of encoded in hexadecimal
	encoded pictures.Encoded
}

// PreparePicture decodes a picture and writes its pixels anew. It takes up to seconds, so it is called before the
// transaction. Refusal: invalid_request.
func (s *Store) PreparePicture(ctx context.Context, content []byte) (PreparedPicture, error) {
	select {
	case s.pictureTurns <- struct{}{}:
		defer func() { <-s.pictureTurns }()
	case <-ctx.Done():
		return PreparedPicture{}, ctx.Err()
	}
	if len(content) > maxPictureBytes {
		return PreparedPicture{}, errPictureTooLong
	}
	pixels, err := pictures.Decode(content, pictures.Limits{
		Pixels: maxPicturePixels, Fit: maxPictureSide, Formats: []string{"png", "jpeg", "webp", "gif"},
	})
	if err != nil {
		return PreparedPicture{}, refusedPicture(err, errNotAPicture, errPictureTooLarge)
	}
	encoded, err := pictures.Encode(pixels)
	if err != nil {
		return PreparedPicture{}, err
	}
	if len(encoded.Content) > maxPictureBytes {
		return PreparedPicture{}, errPictureTooDetailed
	}
	hash := sha256.Sum256(encoded.Content)
	return PreparedPicture{ID: s.NewID("med"), hash: hex.EncodeToString(hash[:]), encoded: encoded}, nil
}

// pixelsOf returns a logo as PNG, or a refusal.
func pixelsOf(content []byte) ([]byte, error) {
	decoded, err := pictures.Decode(content, pictures.Limits{
		Side: maxLogoSide, Pixels: 2 * maxLogoSide * maxLogoSide, Formats: []string{"png", "jpeg", "webp"},
	})
	if err != nil {
		return nil, refusedPicture(err, errNotAnImage, errImageTooLarge)
	}
	return pictures.PNG(decoded)
}

// refusedPicture returns the refusal for an error of package pictures.
func refusedPicture(err error, notOne, tooLarge *Error) error {
	switch {
	case errors.Is(err, pictures.ErrTooLarge):
		return tooLarge
	case errors.Is(err, pictures.ErrTooSlow):
		return errImageTooSlow
	case errors.Is(err, pictures.ErrAnimated):
		return errPictureAnimated
	}
	return notOne
}

// insertPictures stores the pictures of an assessment that is being created. Where the organization has the same picture
// already, its id replaces the prepared one in the texts.
func (c conn) insertPictures(ctx context.Context, scope Scope, in *NewAssessment) error {
	var replaced []string
	for _, picture := range in.Pictures {
		id, err := c.insertPicture(ctx, scope, picture)
		if err != nil {
			return err
		}
		if id != picture.ID {
			replaced = append(replaced, mediaScheme+picture.ID, mediaScheme+id)
		}
	}
	if len(replaced) == 0 {
		return nil
	}
	replacer := strings.NewReplacer(replaced...)
	for _, text := range []**string{&in.Description, &in.Instructions, &in.ClosingMessage} {
		if *text != nil {
			*text = new(replacer.Replace(**text))
		}
	}
	encoded, err := in.Definition.Encode() // ids have no characters that JSON escapes
	if err != nil {
		return err
	}
	in.Definition, err = rules.DecodeDefinition(replacer.Replace(encoded))
	return err
}
