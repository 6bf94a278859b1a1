package pictures

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/draw"
)

// orientationOf returns how a camera was held, 1 to 8 as in EXIF, or 1 if the picture does not say. A camera stores the
// pixels as its sensor has them, so a picture without metadata would lie on its side.
func orientationOf(content []byte) int {
	switch {
	case bytes.HasPrefix(content, []byte{0xff, 0xd8}):
		return jpegOrientation(content)
	case len(content) > 12 && string(content[8:12]) == "WEBP":
		return webpOrientation(content)
	}
	return 1
}

// jpegOrientation looks for EXIF in the segments before the first scan.
func jpegOrientation(content []byte) int {
	const startOfScan, app1 = 0xda, 0xe1
	for at := 2; at+4 <= len(content) && content[at] == 0xff; {
		marker, length := content[at+1], int(binary.BigEndian.Uint16(content[at+2:]))
		end := at + 2 + length
		if marker == startOfScan || length < 2 || end > len(content) {
			return 1
		}
		if exif, ok := bytes.CutPrefix(content[at+4:end], []byte("Exif\x00\x00")); ok && marker == app1 {
			return exifOrientation(exif)
		}
		at = end
	}
	return 1
}

// webpOrientation looks for EXIF in the chunks of a WebP.
func webpOrientation(content []byte) int {
	for at := 12; at+8 <= len(content); {
		length := int(binary.LittleEndian.Uint32(content[at+4:]))
		if length < 0 || length > len(content)-at-8 {
			return 1
		}
		data := content[at+8 : at+8+length]
		if string(content[at:at+4]) == "EXIF" {
			return exifOrientation(bytes.TrimPrefix(data, []byte("Exif\x00\x00")))
		}
		at += 8 + length + length%2
	}
	return 1
}

// exifOrientation reads the tag from the first directory of a TIFF header.
func exifOrientation(tiff []byte) int {
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if tiff[0] == 'M' {
		order = binary.BigEndian
	}
	const entry, tag = 12, 0x0112
	directory := uint64(order.Uint32(tiff[4:]))
	if directory+2 > uint64(len(tiff)) {
		return 1
	}
	rest := tiff[directory+2:]
	for range order.Uint16(tiff[directory:]) {
		if len(rest) < entry {
			return 1
		}
		if order.Uint16(rest) == tag {
			if value := int(order.Uint16(rest[8:])); value >= 1 && value <= 8 {
				return value
			}
			return 1
		}
		rest = rest[entry:]
	}
	return 1
}

// upright turns and mirrors the pixels.
func upright(decoded image.Image, orientation int) image.Image {
	if orientation == 1 {
		return decoded
	}
	source := rgba(decoded)
	width, height := source.Rect.Dx(), source.Rect.Dy()
	isTurned := orientation >= 5 // by a quarter
	if isTurned {
		width, height = height, width
	}
	turned := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			fromX, fromY := x, y
			if isTurned {
				fromX, fromY = y, x
			}
			if orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8 {
				fromX = source.Rect.Dx() - 1 - fromX
			}
			if orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7 {
				fromY = source.Rect.Dy() - 1 - fromY
			}
			copy(turned.Pix[y*turned.Stride+4*x:][:4], source.Pix[fromY*source.Stride+4*fromX:])
		}
	}
	return turned
}

// rgba returns the pixels with premultiplied alpha, and the origin at 0, 0.
func rgba(source image.Image) *image.RGBA {
	bounds := source.Bounds()
	pixels := image.NewRGBA(image.Rect(0, 0, bounds.Dx(), bounds.Dy()))
	draw.Draw(pixels, pixels.Rect, source, bounds.Min, draw.Src)
	return pixels
}
