package exchange

import (
	"encoding/xml"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// xlsxCell is a cell as a file stores it. A formula is not computed: its last value counts.
type xlsxCell struct {
	Ref     string   `xml:"r,attr"`
	Style   int      `xml:"s,attr"`
	Type    string   `xml:"t,attr"`
	Formula *string  `xml:"f"`
	Value   *string  `xml:"v"`
	Inline  richText `xml:"is"`
}

// richText is a text whose parts can have formatting of their own. Phonetic texts (rPh) are not part of it.
type richText struct {
	Plain string `xml:"t"`
	Runs  []struct {
		Text   string `xml:"t"`
		Format struct {
			Bold      *switchedOn `xml:"b"`
			Italic    *switchedOn `xml:"i"`
			Struck    *switchedOn `xml:"strike"`
			Underline *switchedOn `xml:"u"`
			Align     struct {
				Val string `xml:"val,attr"`
			} `xml:"vertAlign"`
		} `xml:"rPr"`
	} `xml:"r"`
}

// switchedOn is an element that is true without a value.
type switchedOn struct {
	Val string `xml:"val,attr"`
}

func (s *switchedOn) isOn() bool {
	return s != nil && s.Val != "0" && s.Val != "false" && s.Val != "none"
}

// text joins the parts. 2 with a raised 10 becomes 2¹⁰, and never 210. It returns true if formatting is lost.
func (r richText) text() (text string, changed bool) {
	var joined strings.Builder
	joined.WriteString(r.Plain)
	isBold := true
	for _, run := range r.Runs {
		isBold = isBold && run.Format.Bold.isOn()
	}
	for _, run := range r.Runs {
		part, lost := shifted(run.Text, run.Format.Align.Val)
		joined.WriteString(part)
		// A cell that is bold as a whole is a matter of style.
		changed = changed || lost || run.Format.Bold.isOn() && !isBold || run.Format.Italic.isOn() ||
			run.Format.Struck.isOn() || run.Format.Underline.isOn()
	}
	return unescaped(joined.String()), changed
}

var (
	raised  = strings.NewReplacer(shiftedPairs("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ")...)
	lowered = strings.NewReplacer(shiftedPairs("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")...)
)

func shiftedPairs(from, to string) (pairs []string) {
	shown := []rune(to)
	for i, r := range from {
		pairs = append(pairs, string(r), string(shown[i]))
	}
	return pairs
}

// shifted is a text above or below the line, in characters of Unicode if they exist.
func shifted(text, align string) (shown string, changed bool) {
	signs := map[string]struct {
		to     *strings.Replacer
		before string
	}{"superscript": {raised, "^"}, "subscript": {lowered, "_"}}
	sign, isShifted := signs[align]
	if !isShifted || strings.TrimSpace(text) == "" {
		return text, false
	}
	for _, r := range text {
		if one := string(r); sign.to.Replace(one) == one {
			return sign.before + "(" + text + ")", true
		}
	}
	return sign.to.Replace(text), false
}

// escapedCode is a character by its code (ISO/IEC 29500-1, 22.9.2.19).
var escapedCode = regexp.MustCompile(`_x([0-9A-Fa-f]{4})_`)

func unescaped(text string) string {
	if strings.Contains(text, "_x") {
		text = escapedCode.ReplaceAllStringFunc(text, func(code string) string {
			value, err := strconv.ParseUint(code[2:6], 16, 16)
			if err != nil || value == 0 || value >= 0xD800 && value < 0xE000 {
				return code
			}
			return string(rune(value))
		})
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}

// shown returns what a cell shows, and the code of a note if it shows something else.
func (b *workbook) shown(cell xlsxCell) (string, NoteCode) {
	value := ""
	if cell.Value != nil {
		value = *cell.Value
	}
	switch cell.Type {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || i < 0 || i >= len(b.texts) {
			return "", NotUnderstood
		}
		return noted(b.texts[i].text, b.texts[i].changed)
	case "inlineStr":
		return noted(cell.Inline.text())
	case "b":
		return map[bool]string{true: "TRUE", false: "FALSE"}[isTrue(strings.TrimSpace(value))], ""
	case "e":
		return "", NotUnderstood // such as #REF!
	case "str", "d":
		return unescaped(value), ""
	}
	if value == "" {
		if cell.Formula != nil {
			return "", NotUnderstood // it was never computed
		}
		return "", ""
	}
	format := generalFormat
	if cell.Style >= 0 && cell.Style < len(b.formats) {
		format = b.formats[cell.Style]
	}
	return format.shown(strings.TrimSpace(value), b.is1904)
}

func noted(text string, changed bool) (string, NoteCode) {
	if changed {
		return text, MarkupChanged
	}
	return text, ""
}

// cellFormat is what matters of the format of a number.
type cellFormat struct {
	kind   formatKind
	digits int // of leadingZeros
}

type formatKind int

const (
	general      formatKind = iota
	leadingZeros            // 00000
	percent                 // 0 %
	date                    // days, possibly with a time
	clock                   // a time without a day
	decorated               // with texts, such as a currency
)

var generalFormat = cellFormat{kind: general}

// builtIn are the formats without a code that are not plain numbers (ISO/IEC 29500-1, 18.8.30).
var builtIn = map[int]formatKind{
	5: decorated, 6: decorated, 7: decorated, 8: decorated, 12: decorated, 13: decorated, 44: decorated,
	9: percent, 10: percent, 14: date, 15: date, 16: date, 17: date, 18: clock, 19: clock, 20: clock, 21: clock,
	22: date, 45: clock, 46: clock, 47: clock,
}

var (
	quotedInFormat = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]]*\]`)
	onlyZeros      = regexp.MustCompile(`^0{2,}$`)
)

func formatOf(code string) cellFormat {
	section, _, _ := strings.Cut(code, ";")
	plain := strings.ToLower(quotedInFormat.ReplaceAllString(section, ""))
	switch {
	case plain == "general" || plain == "@":
		return generalFormat
	case strings.Contains(plain, "%"):
		return cellFormat{kind: percent}
	case onlyZeros.MatchString(plain) && plain == section:
		return cellFormat{kind: leadingZeros, digits: len(plain)}
	case strings.ContainsAny(plain, "yd"):
		return cellFormat{kind: date}
	case strings.ContainsAny(plain, "hs"):
		return cellFormat{kind: clock}
	case strings.Contains(plain, "m"):
		return cellFormat{kind: date}
	case strings.Trim(strings.ToLower(section), "#0,. e+-") != "":
		return cellFormat{kind: decorated}
	}
	return generalFormat
}

// shown writes a number as its cell shows it, or as a person who typed it would. 0.1 is stored as 0.10000000000000001.
func (f cellFormat) shown(value string, is1904 bool) (string, NoteCode) {
	number, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
		return value, ""
	}
	plain := typed(number)
	switch f.kind {
	case general:
	case leadingZeros:
		if number >= 0 && !strings.ContainsAny(plain, ".e") {
			return strings.Repeat("0", max(0, f.digits-len(plain))) + plain, ""
		}
	case percent:
		if exact, ok := new(big.Rat).SetString(plain); ok && math.Abs(number) < 1e15 {
			hundredfold, _ := exact.Mul(exact, big.NewRat(100, 1)).Float64()
			return typed(hundredfold) + "%", ""
		}
	case date, clock:
		if moment, ok := f.moment(number, is1904); ok {
			return moment, CellReformatted
		}
	case decorated:
		return plain, CellReformatted
	}
	return plain, ""
}

// typed writes a number with the fewest digits, and without an exponent if it is of a usual size.
func typed(number float64) string {
	if size := math.Abs(number); size != 0 && (size < 1e-9 || size >= 1e15) {
		return strconv.FormatFloat(number, 'g', -1, 64)
	}
	return strconv.FormatFloat(number, 'f', -1, 64)
}

// moment writes a date as ISO 8601 does: how a spreadsheet shows it depends on the country.
func (f cellFormat) moment(days float64, is1904 bool) (string, bool) {
	if days < 0 || days > 2_958_465 { // the end of the year 9999
		return "", false
	}
	begin := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if is1904 {
		begin = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	whole := math.Floor(days)
	seconds := math.Round((days - whole) * 24 * 60 * 60)
	at := begin.AddDate(0, 0, int(whole)).Add(time.Duration(seconds) * time.Second)
	layout := time.DateOnly
	switch {
	case f.kind == clock && days < 1:
		layout = time.TimeOnly
	case seconds != 0:
		layout = time.DateTime
	}
	return at.Format(layout), true
}

// readStyles reads the formats of numbers, in the order in which cells refer to them.
func (b *workbook) readStyles(part string) error {
	codes := map[string]string{}
	isCell := false // in cellXfs, and not in the formats of named styles
	return b.elements(part, func(_ *xml.Decoder, element xml.StartElement) (bool, error) {
		switch element.Name.Local {
		case "numFmt":
			codes[attribute(element, "numFmtId")] = attribute(element, "formatCode")
		case "cellXfs":
			isCell = true
		case "cellStyles", "cellStyleXfs", "dxfs":
			isCell = false
		case "xf":
			if !isCell {
				return false, nil
			}
			id := attribute(element, "numFmtId")
			format := generalFormat
			if number, err := strconv.Atoi(id); err == nil {
				format = cellFormat{kind: builtIn[number]}
			}
			if code, found := codes[id]; found {
				format = formatOf(code)
			}
			b.formats = append(b.formats, format)
		}
		return false, nil
	})
}
