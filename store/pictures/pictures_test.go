package pictures

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"
)

var all = Limits{Pixels: 25_000_000, Fit: 2000, Formats: []string{"png", "jpeg", "webp", "gif"}}

// corners is a picture whose quarters are red, green, blue, and white, from the left above in the order of reading.
func corners(width, height int) *image.RGBA {
	made := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{A: 255}
			switch {
			case x < width/2 && y < height/2:
				c.R = 255
			case y < height/2:
				c.G = 255
			case x < width/2:
				c.B = 255
			default:
				c.R, c.G, c.B = 255, 255, 255
			}
			made.Set(x, y, c)
		}
	}
	return made
}

// photo is a picture with noise, as a camera makes it.
func photo(width, height int) *image.RGBA {
	made, random := image.NewRGBA(image.Rect(0, 0, width, height)), rand.New(rand.NewPCG(1, 2))
	for i := range made.Pix {
		made.Pix[i] = byte(i/3%200) + byte(random.IntN(40))
		if i%4 == 3 {
			made.Pix[i] = 255
		}
	}
	return made
}

func asPNG(t *testing.T, pixels image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, pixels); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func asJPEG(t *testing.T, pixels image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, pixels, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func asGIF(t *testing.T, frames int) []byte {
	t.Helper()
	animation := gif.GIF{}
	for range frames {
		frame := image.NewPaletted(image.Rect(0, 0, 300, 300), color.Palette{color.Black, color.White})
		for i := range frame.Pix {
			frame.Pix[i] = uint8(i % 7 & 1)
		}
		animation.Image, animation.Delay = append(animation.Image, frame), append(animation.Delay, 10)
	}
	var out bytes.Buffer
	if err := gif.EncodeAll(&out, &animation); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// exif is the metadata of a camera that was held in a way, with another tag before.
func exif(order binary.AppendByteOrder, mark string, orientation uint16) []byte {
	data := order.AppendUint32(order.AppendUint16([]byte(mark), 42), 8)
	data = order.AppendUint16(data, 2)
	for _, entry := range [][2]uint16{{0x010f, 7}, {0x0112, orientation}} {
		data = order.AppendUint32(order.AppendUint16(order.AppendUint16(data, entry[0]), 3), 1)
		data = order.AppendUint16(order.AppendUint16(data, entry[1]), 0)
	}
	return data
}

func withEXIF(content, data []byte) []byte {
	segment := append([]byte("Exif\x00\x00"), data...)
	out := append([]byte{0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xe1}, byte((len(segment)+2)>>8), byte(len(segment)+2))
	return append(append(out, segment...), content[2:]...)
}

// quarters are the colors of the quarters in the order of reading, as one letter each.
func quarters(pixels image.Image) (found string) {
	bounds := pixels.Bounds()
	for _, at := range []image.Point{{1, 1}, {3, 1}, {1, 3}, {3, 3}} {
		r, g, b, _ := pixels.At(bounds.Min.X+at.X*bounds.Dx()/4, bounds.Min.Y+at.Y*bounds.Dy()/4).RGBA()
		switch isRed, isGreen, isBlue := r > 0x8000, g > 0x8000, b > 0x8000; {
		case isRed && isGreen && isBlue:
			found += "w"
		case isRed:
			found += "r"
		case isGreen:
			found += "g"
		case isBlue:
			found += "b"
		}
	}
	return found
}

// A picture is turned as EXIF says, in both byte orders, also when it is made smaller.
func TestOrientation(t *testing.T) {
	t.Parallel()
	for orientation, want := range map[uint16]string{
		0: "rgbw", 1: "rgbw", 2: "grwb", 3: "wbgr", 4: "bwrg", 5: "rbgw", 6: "brwg", 7: "wgbr", 8: "gwrb", 9: "rgbw",
	} {
		for mark, order := range map[string]binary.AppendByteOrder{"II": binary.LittleEndian, "MM": binary.BigEndian} {
			for _, side := range []int{2000, 40} {
				content := withEXIF(asJPEG(t, corners(160, 80)), exif(order, mark, orientation))
				limits := all
				limits.Fit = side
				pixels, err := Decode(content, limits)
				if err != nil {
					t.Fatal(err)
				}
				if got := quarters(pixels); got != want {
					t.Errorf("%s %d, at most %d pixels: %s, want %s", mark, orientation, side, got, want)
				}
				if isUpright := pixels.Bounds().Dx() > pixels.Bounds().Dy(); isUpright == (orientation >= 5 && orientation <= 8) {
					t.Errorf("%s %d: %v", mark, orientation, pixels.Bounds())
				}
			}
		}
	}
}

// Metadata that is damaged turns nothing, and does not panic.
func TestDamagedMetadata(t *testing.T) {
	t.Parallel()
	whole := withEXIF(asJPEG(t, corners(8, 8)), exif(binary.LittleEndian, "II", 6))
	for end := range whole {
		orientationOf(whole[:end])
	}
	for at := range 80 {
		for _, value := range []byte{0, 1, 0x7f, 0xff} {
			changed := bytes.Clone(whole)
			changed[at] = value
			orientationOf(changed)
			isAnimated(changed)
		}
	}
	still := asGIF(t, 1)
	for end := range still {
		isAnimated(still[:end])
	}
}

// A smaller picture has the average of the area that each pixel covers.
func TestFit(t *testing.T) {
	t.Parallel()
	for _, size := range [][4]int{
		{4000, 2000, 2000, 1000}, {2001, 3, 2000, 2}, {3, 6001, 1, 2000}, {5712, 4284, 2000, 1500}, {2000, 2000, 2000, 2000},
	} {
		pixels := fit(corners(size[0], size[1]), 2000)
		if got := pixels.Bounds().Size(); got != image.Pt(size[2], size[3]) {
			t.Errorf("%v becomes %v", size, got)
		}
		if size[1] > 4 && size[0] > 4 && quarters(pixels) != "rgbw" {
			t.Errorf("%v: the quarters are %s", size, quarters(pixels))
		}
	}
	gray := image.NewGray(image.Rect(0, 0, 5000, 3000))
	for i := range gray.Pix {
		gray.Pix[i] = byte(i % 2 * 200)
	}
	fitted := fit(gray, 1250)
	for y := range 750 {
		for x := range 1250 {
			if r, _, _, a := fitted.At(x, y).RGBA(); r>>8 < 99 || r>>8 > 101 || a != 0xffff {
				t.Fatalf("%d, %d is %d with alpha %d", x, y, r>>8, a)
			}
		}
	}
}

// A photo becomes JPEG and anything else PNG, whatever the source was.
func TestEncode(t *testing.T) {
	t.Parallel()
	transparent := photo(200, 200)
	transparent.Pix[3] = 0
	for _, c := range []struct {
		name    string
		content []byte
		kind    string
	}{
		{"photo as PNG", asPNG(t, photo(400, 300)), "image/jpeg"},
		{"photo as JPEG", asJPEG(t, photo(400, 300)), "image/jpeg"},
		{"diagram as PNG", asPNG(t, corners(400, 300)), "image/png"},
		{"diagram as JPEG", asJPEG(t, corners(400, 304)), "image/png"},
		{"GIF", asGIF(t, 1), "image/png"},
		{"transparent photo", asPNG(t, transparent), "image/png"},
		{"16 bits", asPNG(t, image.NewNRGBA64(image.Rect(0, 0, 10, 10))), "image/png"},
	} {
		pixels, err := Decode(c.content, all)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		encoded, err := Encode(pixels)
		if err != nil || encoded.ContentType != c.kind {
			t.Errorf("%s becomes %s, error %v", c.name, encoded.ContentType, err)
		}
		config, format, err := image.DecodeConfig(bytes.NewReader(encoded.Content))
		if err != nil || "image/"+format != c.kind || config.Width != encoded.Width || config.Height != encoded.Height {
			t.Errorf("%s: is stored as %s, %d × %d, error %v", c.name, format, config.Width, config.Height, err)
		}
	}
}

// What is animated, too large, or no picture is not decoded.
func TestRefused(t *testing.T) {
	t.Parallel()
	webp := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00"), 2, 0, 0, 0, 9, 0, 0, 9, 0, 0)
	deep := asPNG(t, image.NewNRGBA64(image.Rect(0, 0, 40, 40)))
	for name, c := range map[string]struct {
		content []byte
		limits  Limits
		want    error
	}{
		"animated GIF":    {asGIF(t, 2), all, ErrAnimated},
		"animated WebP":   {webp, all, ErrAnimated},
		"SVG":             {[]byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), all, ErrFormat},
		"nothing":         {nil, all, ErrFormat},
		"half":            {asPNG(t, photo(40, 40))[:900], all, ErrFormat},
		"other format":    {asGIF(t, 1), Limits{Pixels: 1e6, Formats: []string{"png"}}, ErrFormat},
		"too many pixels": {asPNG(t, corners(40, 40)), Limits{Pixels: 1599, Formats: []string{"png"}}, ErrTooLarge},
		"16 bits":         {deep, Limits{Pixels: 3199, Formats: []string{"png"}}, ErrTooLarge},
		"long side":       {asPNG(t, corners(40, 4)), Limits{Side: 39, Pixels: 1e6, Formats: []string{"png"}}, ErrTooLarge},
	} {
		if _, err := Decode(c.content, c.limits); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
