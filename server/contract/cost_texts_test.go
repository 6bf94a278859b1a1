//go:build unix

package contract

import (
	"assay/store/storetest"
	"assay/store/storetest/costtest"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Whatever text a stranger sends, its time per byte is bounded.
func TestTimePerByteOfTexts(t *testing.T) {
	clock := storetest.NewClock()
	a := serve(t, storetest.OpenURL(t, "sqlite::memory:", clock.Now), clock)
	rounds, random := costtest.Rounds(t, 10)
	for _, field := range inEveryText(a, a.register()) {
		words := slices.Clone(costtest.KnownWords)
		for range rounds {
			words = append(words, costtest.RandomWord(random))
		}
		for _, word := range words {
			costtest.Growing{
				Name: field.name + " " + strconv.Quote(word), Bytes: field.maxLength / 4, MaxMultiple: field.multiple,
				Prepare: func(bytes, number int) func() { return field.prepare(a, costtest.HostileText(word, bytes, number)) },
			}.Check(t)
		}
	}
}

// The time to check a logo grows with its pixels, which are bounded, and not with what its header says.
func TestTimePerPixelOfLogos(t *testing.T) {
	clock := storetest.NewClock()
	a := serve(t, storetest.OpenURL(t, "sqlite::memory:", clock.Now), clock)
	owner := a.register().owner
	encoded := map[string]func(t testing.TB, width, height int) []byte{
		"image/png": pngImage, "image/jpeg": jpegImage,
		"image/png; larger": func(t testing.TB, width, height int) []byte {
			return withSize(pngImage(t, width, height), 1<<30, 1<<30)
		},
	}
	for name, encode := range encoded {
		mediaType, _, _ := strings.Cut(name, ";")
		costtest.Growing{
			Name: name, Bytes: 128 * 128, MaxMultiple: 100,
			Prepare: func(pixels, number int) func() {
				height := pixels / 128
				content := encode(t, 128+number%4, height) // another picture each time
				return direct(a, "PUT", "/v1/organization/logo", owner, content, mediaType)
			},
		}.Check(t)
	}
}
