package pictures

import (
	"bytes"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
)

const (
	jpegQuality = 85
	// photoRatio is how many times more bytes a photo takes as PNG than as JPEG, at least. A diagram or a screenshot takes
	// fewer bytes as PNG, and stays sharp.
	photoRatio = 2
)

// Encoded is a picture as it is stored.
type Encoded struct {
	ContentType   string
	Width, Height int // pixels
	Content       []byte
}

// Encode writes a photo as JPEG and other pictures as PNG, whatever the source was: a PNG of a photo takes five times
// its JPEG, and nobody sees a difference.
func Encode(pixels image.Image) (Encoded, error) {
	simple := simplified(pixels)
	encoded := Encoded{ContentType: "image/png", Width: simple.Bounds().Dx(), Height: simple.Bounds().Dy()}
	var err error
	if encoded.Content, err = PNG(simple); err != nil {
		return encoded, err
	}
	if opaque, ok := simple.(interface{ Opaque() bool }); !ok || !opaque.Opaque() {
		return encoded, nil
	}
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, forJPEG(pixels), &jpeg.Options{Quality: jpegQuality}); err != nil {
		return encoded, err
	}
	if photoRatio*photo.Len() < len(encoded.Content) {
		encoded.ContentType, encoded.Content = "image/jpeg", photo.Bytes()
	}
	return encoded, nil
}

// PNG writes a picture with at most eight bits for each channel.
func PNG(pixels image.Image) ([]byte, error) {
	var encoded bytes.Buffer
	err := png.Encode(&encoded, simplified(pixels))
	return encoded.Bytes(), err
}

// simplified returns a picture with at most eight bits for each channel.
func simplified(pixels image.Image) image.Image {
	switch pixels.(type) {
	case *image.Paletted, *image.Gray, *image.NRGBA, *image.RGBA:
		return pixels
	}
	simple := image.NewNRGBA(pixels.Bounds())
	draw.Draw(simple, simple.Bounds(), pixels, pixels.Bounds().Min, draw.Src)
	return simple
}

// forJPEG returns a form that the encoder of JPEG reads without a call for each pixel.
func forJPEG(pixels image.Image) image.Image {
	switch pixels.(type) {
	case *image.YCbCr, *image.Gray, *image.RGBA:
		return pixels
	}
	return rgba(pixels)
}
