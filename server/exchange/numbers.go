package exchange

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// number is what a text means as a number. It is ambiguous if it has two meanings, such as 1,000 in a source whose
// language is not known.
type number struct {
	value     float64
	ambiguous bool
}

// spread is a number with the distance that is accepted.
type spread struct {
	answer, tolerance float64
	ambiguous         bool
}

// commaLanguages write a comma before decimals, as far as the service meets them. Regions that differ are in
// pointRegions.
var commaLanguages = map[string]bool{
	"bg": true, "ca": true, "cs": true, "da": true, "de": true, "el": true, "es": true, "et": true, "fi": true,
	"fr": true, "hr": true, "hu": true, "id": true, "is": true, "it": true, "lt": true, "lv": true, "nb": true,
	"nl": true, "nn": true, "no": true, "pl": true, "pt": true, "ro": true, "ru": true, "sk": true, "sl": true,
	"sr": true, "sv": true, "tr": true, "uk": true, "vi": true,
}

var pointRegions = map[string]bool{
	"de-ch": true, "de-li": true, "it-ch": true, "es-mx": true, "es-us": true, "es-pr": true, "es-gt": true,
	"es-hn": true, "es-ni": true, "es-pa": true, "es-pe": true, "es-sv": true, "es-do": true,
}

// decimalMark returns the character before decimals, or 0 if the language is not known.
func decimalMark(language string) byte {
	if language == "" {
		return 0
	}
	language = strings.ToLower(strings.ReplaceAll(language, "_", "-"))
	base, _, _ := strings.Cut(language, "-")
	if commaLanguages[base] && !pointRegions[language] {
		return ','
	}
	return '.'
}

var (
	numberForm = regexp.MustCompile(`^([+-]?)(\d[\d.,'’ \x{202f}]*|[.,]\d+)(?:[eE]([+-]?\d{1,4}))?$`)
	dashes     = strings.NewReplacer("‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "―", "-", "−", "-")
	signSpace  = regexp.MustCompile(`^([+-])\s+`)
)

// readNumber reads a number with a decimal point or comma and groups of digits. A point at the end belongs to the
// sentence. Digits that begin with 0 are a code such as 007, and no number.
func readNumber(text, language string) (number, bool) {
	text = strings.TrimSuffix(strings.TrimSpace(text), ".")
	if len(text) > 100 {
		return number{}, false
	}
	found := numberForm.FindStringSubmatch(signSpace.ReplaceAllString(dashes.Replace(text), "$1"))
	if found == nil {
		return number{}, false
	}
	grouped, decimal := meaningsOf(strings.TrimSpace(found[2]))
	chosen := decimal
	ambiguous := false
	if grouped != "" {
		chosen = grouped
		if decimal != "" {
			mark := decimalMark(language)
			ambiguous = mark == 0
			if strings.ContainsRune(found[2], rune(mark)) {
				chosen = decimal
			}
		}
	}
	if chosen == "" {
		return number{}, false
	}
	if found[3] != "" {
		chosen += "e" + found[3]
	}
	value, err := strconv.ParseFloat(found[1]+chosen, 64)
	if err != nil || math.IsInf(value, 0) {
		return number{}, false
	}
	return number{value: value + 0, ambiguous: ambiguous}, true
}

var (
	groupedForm = regexp.MustCompile(`^[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+|(?:'\d{3})+|(?:’\d{3})+|(?: \d{3})+|(?:\x{202f}\d{3})+)$`)
	digitsForm  = regexp.MustCompile(`^(?:0|[1-9]\d*)?$`)
	separators  = strings.NewReplacer(".", "", ",", "", "'", "", "’", "", " ", "", "\u202f", "")
)

// meaningsOf returns the meanings of digits with separators, written with a decimal point: as groups of thousands, and
// with decimals. Either can be empty.
func meaningsOf(digits string) (grouped, decimal string) {
	if groupedForm.MatchString(digits) {
		grouped = separators.Replace(digits)
	}
	at := strings.LastIndexAny(digits, ".,")
	if at < 0 {
		if grouped == "" && digits != "" && digitsForm.MatchString(digits) {
			decimal = digits
		}
		return grouped, decimal
	}
	whole, fraction := digits[:at], digits[at+1:]
	if fraction == "" || strings.Trim(fraction, "0123456789") != "" {
		return grouped, ""
	}
	isWhole := digitsForm.MatchString(whole) ||
		groupedForm.MatchString(whole) && !strings.Contains(whole, digits[at:at+1])
	if isWhole {
		decimal = "0" + separators.Replace(whole) + "." + fraction
	}
	return grouped, decimal
}

var (
	rangeForm     = regexp.MustCompile(`^(.+?)\s*(?:\.\.\.?|…)\s*(.+)$`)
	toleranceForm = regexp.MustCompile(`^(.+?)\s*\(?\s*(?:±|\+\s*/?\s*[-−–])\s*([^()%]+?)\s*(%?)\s*\)?$`)
)

// readSpread reads "42", "42 ± 0.5", "42 +/- 0.5", "42 ± 5 %", and "41.5..42.5".
func readSpread(text, language string) (spread, bool) {
	text = strings.TrimSpace(text)
	if len(text) > 200 {
		return spread{}, false
	}
	if found := rangeForm.FindStringSubmatch(text); found != nil {
		low, isLow := readNumber(found[1], language)
		high, isHigh := readNumber(found[2], language)
		if !isLow || !isHigh {
			return spread{}, false
		}
		if low.ambiguous || high.ambiguous {
			return spread{ambiguous: true}, true
		}
		return between(low.value, high.value)
	}
	found := toleranceForm.FindStringSubmatch(text)
	if found == nil {
		answer, ok := readNumber(text, language)
		return spread{answer: answer.value, ambiguous: answer.ambiguous}, ok
	}
	answer, isAnswer := readNumber(found[1], language)
	tolerance, isTolerance := readNumber(found[2], language)
	if !isAnswer || !isTolerance || tolerance.value < 0 {
		return spread{}, false
	}
	if found[3] != "" {
		tolerance.value = rounded(math.Abs(answer.value) * tolerance.value / 100)
	}
	return spread{answer.value, tolerance.value, answer.ambiguous || tolerance.ambiguous}, true
}

// between returns the spread of a range.
func between(low, high float64) (spread, bool) {
	if low > high || math.IsInf(high-low, 0) {
		return spread{}, false
	}
	return spread{answer: rounded(low/2 + high/2), tolerance: rounded(high/2 - low/2)}, true
}

// rounded returns a value with 12 digits, because 41.6 and 42.4 must give 42 ± 0.4 and not 0.39999999999999858.
func rounded(value float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(value, 'g', 12, 64), 64)
	if err != nil {
		return value
	}
	return short
}

// formatNumber writes a number as people write it, without an exponent where that is short enough.
func formatNumber(value float64) string {
	if abs := math.Abs(value); abs != 0 && (abs < 1e-9 || abs > 1e16) {
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}
