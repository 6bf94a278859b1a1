// Package formulas renders formulas in TeX as MathML that browsers show without a script and without a font. It knows
// nothing of Markdown.
package formulas

import (
	"unicode/utf8"
)

// MaxLength is the length of the longest formula, in characters.
const MaxLength = 1000

const (
	// The MathML of a formula is bounded in multiples of its source. A matrix of one-letter cells becomes 40 times as
	// long.
	maxGrowth = 64
	minBound  = 2048 // bytes

	// maxBraces is how deep braces can be nested. Each level takes several calls in the script.
	maxBraces = 40
)

// Fault is why a formula cannot be shown.
type Fault struct {
	Position int    // of the character in the formula that is at fault, from 0
	Reason   string // for a person, without a capital and without a period
	TimedOut bool   // the same formula can have another outcome at another time
}

// Renderer renders formulas. It is safe for concurrent use. It loads nothing before the first formula.
type Renderer struct {
	engines *engines
}

// New returns a renderer.
func New() *Renderer { return &Renderer{engines: newEngines()} }

// MathML returns the formula as an element math, or a fault. A formula on a line of its own is in display mode, with
// larger fractions and sums.
func (r *Renderer) MathML(formula string, display bool) (string, *Fault) {
	if fault := refusal(formula); fault != nil {
		return "", fault
	}
	markup, fault := r.engines.render(formula, display)
	if fault != nil {
		return "", fault
	}
	mathML, err := clean(markup, formula, display, max(minBound, maxGrowth*len(formula)))
	if err != nil {
		return "", &Fault{Reason: err.Error()}
	}
	return mathML, nil
}

// refusal returns why a formula is not given to the script.
func refusal(formula string) *Fault {
	if utf8.RuneCountInString(formula) > MaxLength {
		return &Fault{Position: MaxLength, Reason: "a formula has at most 1,000 characters"}
	}
	position, depth, escaped, last := 0, 0, false, ' '
	for at, character := range formula {
		reason := ""
		switch {
		case escaped:
			escaped, character = false, ' '
		case character == '\\':
			escaped = true
			reason = refused[command(formula[at+1:])]
		case character == '{':
			if depth++; depth > maxBraces {
				reason = "braces are nested too deep"
			}
		case character == '}':
			depth--
		case character == '%': // Temml would leave out what follows
			reason = `a % begins a comment: write \%`
		}
		if reason != "" {
			return &Fault{Position: position, Reason: reason}
		}
		if character != ' ' {
			last = character
		}
		position++
	}
	if last == '^' || last == '_' { // Temml fails
		return &Fault{Position: position, Reason: "something must follow " + string(last)}
	}
	return nil
}

// command returns the letters at the beginning of a text that follows a backslash.
func command(text string) string {
	for i, c := range []byte(text) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return text[:i]
		}
	}
	return text
}

// refused has the commands that Temml knows and that no formula may have, with the reasons.
var refused = func() map[string]string {
	refused := map[string]string{}
	for reason, commands := range map[string][]string{
		// A definition can make a formula of any length.
		"a formula cannot define commands": {"def", "gdef", "edef", "xdef", "let", "futurelet", "global", "long",
			"newcommand", "renewcommand", "providecommand"},
		// A color that can be read on white cannot be read in dark mode.
		"a formula has the color of its text": {"color", "textcolor", "colorbox", "fcolorbox", "definecolor"},
		"a formula cannot contain links, pictures, references, or HTML": {"href", "url", "includegraphics", "class", "id",
			"style", "data", "htmlClass", "htmlId", "htmlStyle", "htmlData", "label", "ref", "eqref", "mathtip", "texttip",
			"toggle", "endtoggle"},
		// Temml draws their lines with styles of its own.
		"the command is not supported": {"cancelto", "longdiv", "angl", "phase"},
	} {
		for _, command := range commands {
			refused[command] = reason
		}
	}
	return refused
}()
