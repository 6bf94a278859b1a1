// Package pictures reads pictures from untrusted bytes and writes their pixels anew: without metadata, such as the place
// where a photo was taken, and without anything that only looks like a picture. It knows nothing else of the service.
package pictures

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	_ "image/gif" // formats of image.Decode
	_ "image/jpeg"
	_ "image/png"
	"slices"

	_ "golang.org/x/image/webp"
)

// The reasons not to read a picture.
var (
	ErrFormat   = errors.New("pictures: not a complete picture of a known format")
	ErrTooLarge = errors.New("pictures: too many pixels")
	ErrTooSlow  = errors.New("pictures: too many scans")
	ErrAnimated = errors.New("pictures: animated")
)

// Limits bound what is decoded. The length of the content limits neither pixels nor time.
type Limits struct {
	Side    int      // pixels; 0 for no bound
	Fit     int      // pixels to which a longer side is reduced; 0 not to
	Pixels  int      // with eight bits for each channel
	Formats []string // of image.Decode
}

const (
	// maxScans and maxScanned bound the time to decode a progressive JPEG, whose scans each cover the whole picture.
	// Encoders write about ten.
	maxScans   = 100
	maxScanned = 300_000_000 // pixels
)

// Decode returns the pixels of a picture, upright, or one of the errors above.
func Decode(content []byte, limits Limits) (image.Image, error) {
	if isAnimated(content) { // first, because no decoder knows an animated WebP
		return nil, ErrAnimated
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil || !slices.Contains(limits.Formats, format) {
		return nil, ErrFormat
	}
	if err := limits.check(config); err != nil {
		return nil, err
	}
	if format == "jpeg" {
		if scans := bytes.Count(content, []byte{0xff, 0xda}); scans > maxScans ||
			scans*config.Width*config.Height > maxScanned {
			return nil, ErrTooSlow
		}
	}
	decoded, _, err := image.Decode(bytes.NewReader(content))
	if err != nil || decoded.Bounds().Empty() {
		return nil, ErrFormat
	}
	if limits.Fit > 0 {
		decoded = fit(decoded, limits.Fit) // first, because turning needs memory for all pixels
	}
	return upright(decoded, orientationOf(content)), nil
}

func (l Limits) check(config image.Config) error {
	pixels := l.Pixels
	switch config.ColorModel {
	case color.RGBA64Model, color.NRGBA64Model, color.Gray16Model:
		pixels /= 2 // they take twice the memory
	}
	switch {
	case config.Width < 1, config.Height < 1, config.Width > pixels, config.Height > pixels/config.Width,
		l.Side > 0 && max(config.Width, config.Height) > l.Side:
		return ErrTooLarge
	}
	return nil
}
