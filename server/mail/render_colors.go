package mail

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// colors are an accent color, and the color of text on it, as #rrggbb.
type colors struct{ Accent, Ink string }

// scheme says where an accent color stands. Both schemes are the same as in accent.ts in
// server/web, so that the email and the page have the same colors.
type scheme struct {
	grounds []string // behind the accent
	ink     string   // on the accent
	towards string   // where the accent moves while its contrast is too low
	usual   colors   // without an accent color of the organization
}

var (
	lightScheme = scheme{[]string{"#f5f6f8", "#ffffff"}, "#ffffff", "#000000", colors{"#2453c9", "#ffffff"}}
	darkScheme  = scheme{[]string{"#0f1216", "#171b21"}, "#0b0d12", "#ffffff", colors{"#8db0ff", "#0b1530"}}
)

// enough is the contrast of text to its ground that WCAG 2.2 AA requires.
const enough = 4.5

var hexColor = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// accentFor changes a color until it can be read in a scheme.
func accentFor(color string, s scheme) colors {
	if !hexColor.MatchString(color) {
		return s.usual
	}
	given, towards := parseColor(color), parseColor(s.towards)
	for step := 0.0; ; step += 0.02 {
		accent := given
		for i := range accent {
			accent[i] += math.Round((towards[i] - given[i]) * min(step, 1))
		}
		legible := contrast(accent, parseColor(s.ink)) >= enough
		for _, ground := range s.grounds {
			legible = legible && contrast(accent, parseColor(ground)) >= enough
		}
		if legible || step >= 1 {
			return colors{fmt.Sprintf("#%02x%02x%02x", int(accent[0]), int(accent[1]), int(accent[2])), s.ink}
		}
	}
}

// contrast is the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b [3]float64) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(color [3]float64) float64 {
	total := 0.0
	for i, weight := range [3]float64{0.2126, 0.7152, 0.0722} {
		part := color[i] / 255
		if part <= 0.04045 {
			part /= 12.92
		} else {
			part = math.Pow((part+0.055)/1.055, 2.4)
		}
		total += weight * part
	}
	return total
}

// parseColor returns red, green, and blue, from 0 to 255.
func parseColor(color string) [3]float64 {
	bits, _ := strconv.ParseUint(color[1:], 16, 32)
	return [3]float64{float64(bits >> 16), float64(bits >> 8 & 255), float64(bits & 255)}
}
