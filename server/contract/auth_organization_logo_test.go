package contract

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/server"
)

// picture returns an image whose pixels differ.
func picture(width, height int) *image.NRGBA {
	made := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range made.Pix {
		made.Pix[i] = byte(i * i)
	}
	made.Set(0, 0, color.NRGBA{R: 1, G: 2, B: 3, A: 255})
	return made
}

func pngImage(t testing.TB, width, height int) []byte {
	t.Helper()
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, picture(width, height)); err != nil {
		t.Fatal(err)
	}
	return encoded.Bytes()
}

func jpegImage(t testing.TB, width, height int) []byte {
	t.Helper()
	var encoded bytes.Buffer
	if err := jpeg.Encode(&encoded, picture(width, height), &jpeg.Options{Quality: 10}); err != nil {
		t.Fatal(err)
	}
	return encoded.Bytes()
}

// webpImage returns one pixel.
func webpImage(t testing.TB) []byte {
	t.Helper()
	content, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// withSize returns a PNG that says that it has another size.
func withSize(encoded []byte, width, height uint32) []byte {
	changed := bytes.Clone(encoded)
	binary.BigEndian.PutUint32(changed[16:], width)
	binary.BigEndian.PutUint32(changed[20:], height)
	binary.BigEndian.PutUint32(changed[29:], crc32.ChecksumIEEE(changed[12:29]))
	return changed
}

// withText returns a PNG with a text among its metadata.
func withText(encoded []byte, text string) []byte {
	chunk := append([]byte("tEXt"), text...)
	changed := bytes.Clone(encoded[:33])
	changed = binary.BigEndian.AppendUint32(changed, uint32(len(text)))
	changed = append(changed, chunk...)
	changed = binary.BigEndian.AppendUint32(changed, crc32.ChecksumIEEE(chunk))
	return append(changed, encoded[33:]...)
}

// withScans returns a JPEG with more scans, which all decode.
func withScans(encoded []byte, scans int) []byte {
	start, end := bytes.Index(encoded, []byte{0xff, 0xda}), len(encoded)-2
	changed := bytes.Clone(encoded[:end])
	for range scans - 1 {
		changed = append(changed, encoded[start:end]...)
	}
	return append(changed, encoded[end:]...)
}

func (a *api) putLogo(who credential, contentType string, content []byte) response {
	a.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), "PUT", a.url+"/v1/organization/logo",
		bytes.NewReader(content))
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set(who.header, who.value)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return a.send(r)
}

// logoPathOf returns the path of the logo that the response shows.
func (a *api) logoPathOf(r response, field string) string {
	a.t.Helper()
	path, found := strings.CutPrefix(r.text(field), a.base)
	if !found {
		a.t.Fatalf("%s is %s", field, r.text(field))
	}
	return path
}

// A logo of each kind is stored as PNG. Everybody gets it at its address, which changes
// with the image.
func TestOrganizationLogo(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		candidate := o.invite(o.publish(oneQuestion())).candidate()
		addresses := map[string]bool{}
		for _, logo := range []struct {
			contentType   string
			content       []byte
			width, height int
		}{
			{"image/png", pngImage(t, 40, 30), 40, 30},
			{"image/jpeg", jpegImage(t, 1024, 1024), 1024, 1024},
			{"image/webp", webpImage(t), 1, 1},
			{"image/webp", withText(pngImage(t, 7, 5), "secret"), 7, 5}, // the content decides, not its name
		} {
			a.clock.Advance(time.Second)
			before := o.audited()
			changed := a.putLogo(o.owner, logo.contentType, logo.content).want(200)
			changed.wantFields(object{"data.updatedAt": wire(a.store.Now())})
			if got := o.audited(); got != before+1 {
				t.Errorf("%s: the audit log has %d more entries, want 1", logo.contentType, got-before)
			}
			path := a.logoPathOf(changed, "data.logoUrl")
			if seen := a.do("GET", "/v1/candidate/session", candidate, nil).want(200); a.logoPathOf(seen,
				"data.organization.logoUrl") != path {
				t.Errorf("the candidate sees %s", seen.body)
			}
			addresses[path] = true
			shown := a.do("GET", path, anonymous, nil).want(200)
			if shown.header.Get("Content-Type") != "image/png" {
				t.Errorf("the logo is %v", shown.header)
			}
			decoded, err := png.Decode(bytes.NewReader(shown.body))
			if err != nil || decoded.Bounds() != image.Rect(0, 0, logo.width, logo.height) {
				t.Errorf("%s: the logo is %v, error %v", logo.contentType, decoded, err)
			}
			if bytes.Contains(shown.body, []byte("secret")) {
				t.Errorf("%s: the logo contains the metadata of the image", logo.contentType)
			}
			a.do("HEAD", path, anonymous, nil).want(200)
			for other := range addresses {
				if other != path {
					a.do("GET", other, anonymous, nil).want(404, "not_found")
				}
			}
		}
		if len(addresses) != 4 {
			t.Errorf("four logos have the addresses %v", addresses)
		}

		for range 2 {
			a.do("DELETE", "/v1/organization/logo", o.owner, nil).want(204)
		}
		for path := range addresses {
			a.do("GET", path, anonymous, nil).want(404, "not_found")
		}
		a.do("GET", "/v1/organization", o.owner, nil).want(200).wantFields(object{"data.logoUrl": nil})
	})
}

// Two organizations can have the same image. Deleting one logo keeps the other.
func TestOrganizationsWithTheSameLogo(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		one, other := a.register(), a.register()
		path := a.logoPathOf(a.putLogo(one.owner, "image/png", pngImage(t, 2, 2)).want(200), "data.logoUrl")
		same := a.logoPathOf(a.putLogo(other.owner, "image/png", pngImage(t, 2, 2)).want(200), "data.logoUrl")
		if path != same {
			t.Errorf("the same image has the addresses %s and %s", path, same)
		}
		a.do("DELETE", "/v1/organization/logo", one.owner, nil).want(204)
		a.do("GET", path, anonymous, nil).want(200)
		a.do("DELETE", "/v1/organization/logo", other.owner, nil).want(204)
		a.do("GET", path, anonymous, nil).want(404, "not_found")
	})
}

// What is not an image of the permitted size is rejected, and changes nothing.
func TestOrganizationLogoRejected(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		kept := a.putLogo(o.owner, "image/png", pngImage(t, 3, 3)).want(200).text("data.logoUrl")
		small := pngImage(t, 2, 2)
		const invalid, large = "body  invalid_value", "body  too_large"
		for _, wrong := range []struct {
			name    string
			content []byte
			fault   string
		}{
			{"nothing", nil, "body  required"},
			{"a text", []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), invalid},
			{"half an image", small[:len(small)/2], invalid},
			{"a GIF", []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff;"), invalid},
			{"too wide", pngImage(t, 1025, 1), large},
			{"too high", jpegImage(t, 1, 1025), large},
			{"a bomb", withSize(small, 16384, 16384), large},
			{"another size than it says", withSize(small, 1024, 1024), invalid},
			{"a WebP that is larger than it says", largeWebP(), invalid},
			{"no pixels", withSize(small, 0, 1), invalid},
			{"too many scans", withScans(jpegImage(t, 8, 8), 101), large},
		} {
			answer := a.putLogo(o.owner, "image/png", wrong.content)
			answer.name += " (" + wrong.name + ")"
			answer.blames(wrong.fault)
		}
		a.putLogo(o.owner, "image/png", make([]byte, 262145)).want(413, "payload_too_large")
		for _, kind := range []string{"", "image/svg+xml", "image/gif", "application/json", "text/html", "image/*"} {
			a.putLogo(o.owner, kind, small).want(415, "unsupported_media_type")
		}
		member := o.member("MEMBER")
		a.putLogo(member.who, "image/png", small).want(403, "insufficient_role")
		a.do("DELETE", "/v1/organization/logo", member.who, nil).want(403, "insufficient_role")
		a.do("GET", "/v1/organization", o.owner, nil).want(200).wantFields(object{"data.logoUrl": kept})
		for _, path := range []string{"/logos/", "/logos/x", "/logos/" + strings.Repeat("0", 64), "/logos/..%2f"} {
			a.do("GET", path, anonymous, nil).want(404, "not_found")
		}
	})
}

// largeWebP returns an image whose header says 1 × 1 pixel, and whose content says
// 16,384 × 16,384.
func largeWebP() []byte {
	extended := append([]byte("VP8X\x0a\x00\x00\x00"), make([]byte, 10)...)
	lossless := append([]byte("VP8L\x0a\x00\x00\x00\x2f"), 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0)
	content := append([]byte("WEBP"), append(extended, lossless...)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(content))), content...)
}

// Logos count against the limit of pages.
func TestLogosAreRateLimited(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		limited := serve(t, a.store, a.clock, func(o *server.Options) {
			o.RateLimits.Pages = server.RateLimit{Requests: 2, Window: time.Minute, Burst: 2}
		})
		for range 2 {
			limited.do("GET", "/logos/x", anonymous, nil).want(404, "not_found")
		}
		limited.do("GET", "/logos/x", anonymous, nil).want(429, "rate_limited")
	})
}
