package formulas

import (
	"errors"
	"html"
	"regexp"
	"strconv"
	"strings"

	parser "golang.org/x/net/html"
)

var (
	errLong        = errors.New("it becomes too long")
	errUnsupported = errors.New("it contains something that pages cannot show")
)

// clean returns the MathML of Temml's markup. It contains only the elements and the attributes of the tables below.
// What Temml says with a style becomes a class, because the policies of the pages permit no styles in elements. The TeX
// is in aria-label: otherwise an option that is only a formula has no name in Chromium.
func clean(markup, formula string, display bool, bound int) (string, error) {
	c := cleaner{bound: bound}
	c.out.WriteString("<math")
	if display {
		c.out.WriteString(` display="block"`)
	}
	c.out.WriteString(` aria-label="` + html.EscapeString(strings.TrimSpace(formula)) + `">`)
	tokens := parser.NewTokenizer(strings.NewReader(markup))
	for {
		kind := tokens.Next()
		if kind == parser.ErrorToken {
			break
		}
		token := tokens.Token()
		var err error
		switch kind {
		case parser.StartTagToken:
			err = c.open(token)
		case parser.EndTagToken:
			err = c.close()
		case parser.TextToken:
			c.out.WriteString(html.EscapeString(token.Data))
		default:
			err = errUnsupported
		}
		if err != nil {
			return "", err
		}
		if c.out.Len() > bound {
			return "", errLong
		}
	}
	if len(c.opened) > 0 {
		return "", errUnsupported
	}
	c.out.WriteString("</math>")
	return c.out.String(), nil
}

type cleaner struct {
	out    strings.Builder
	opened []string // the names under which the open elements were written; "" for an element that is left out
	bound  int
}

func (c *cleaner) open(token parser.Token) error {
	name, known := elements[token.Data]
	if !known {
		return errUnsupported
	}
	c.opened = append(c.opened, name)
	if name == "" {
		return nil
	}
	c.out.WriteString("<" + name)
	var classes []string
	for _, attribute := range token.Attr {
		switch attribute.Key {
		case "class":
			classes = append(classes, classesOf(attribute.Val)...)
		case "style":
			classes = append(classes, styled(attribute.Val, token.Data)...)
		case "notation":
			drawn, ok := notations[attribute.Val]
			if !ok {
				return errUnsupported
			}
			classes = append(classes, drawn...)
		default:
			if value, ok := permitted(attribute.Key, attribute.Val); ok {
				c.out.WriteString(" " + attribute.Key + `="` + html.EscapeString(value) + `"`)
			}
		}
	}
	if len(classes) > 0 {
		c.out.WriteString(` class="` + strings.Join(classes, " ") + `"`)
	}
	c.out.WriteString(">")
	return nil
}

func (c *cleaner) close() error {
	last := len(c.opened) - 1
	if last < 0 {
		return errUnsupported
	}
	if name := c.opened[last]; name != "" {
		c.out.WriteString("</" + name + ">")
	}
	c.opened = c.opened[:last]
	return nil
}

// elements are the elements of Temml's markup, and how they are written: math is written by clean, a span is an empty
// place for a number, and menclose is an mrow with a class, because it is not in MathML Core.
var elements = map[string]string{
	"math": "", "span": "", "menclose": "mrow", "none": "mrow",
	"mi": "mi", "mn": "mn", "mo": "mo", "mtext": "mtext", "mspace": "mspace", "mrow": "mrow", "mfrac": "mfrac",
	"msqrt": "msqrt", "mroot": "mroot", "mstyle": "mstyle", "mpadded": "mpadded", "mphantom": "mphantom", "msub": "msub",
	"msup": "msup", "msubsup": "msubsup", "munder": "munder", "mover": "mover", "munderover": "munderover",
	"mmultiscripts": "mmultiscripts", "mprescripts": "mprescripts", "mtable": "mtable", "mtr": "mtr", "mtd": "mtd",
}

// maxLength bounds the lengths in a formula, in each unit.
var maxLength = map[string]float64{"em": 20, "ex": 40, "pt": 200, "px": 300, "": 0}

var length = regexp.MustCompile(`^(-?[0-9]{0,4}(?:\.[0-9]{1,6})?)(em|ex|pt|px|)$`)

// attributes are the forms of the values of each attribute. A length has another form, and a bound.
var attributes = map[string]*regexp.Regexp{
	"mathvariant":   regexp.MustCompile(`^normal$`),
	"stretchy":      regexp.MustCompile(`^(true|false)$`),
	"symmetric":     regexp.MustCompile(`^(true|false)$`),
	"movablelimits": regexp.MustCompile(`^(true|false)$`),
	"accent":        regexp.MustCompile(`^(true|false)$`),
	"largeop":       regexp.MustCompile(`^(true|false)$`),
	"displaystyle":  regexp.MustCompile(`^(true|false)$`),
	"form":          regexp.MustCompile(`^(prefix|postfix|infix)$`),
	"scriptlevel":   regexp.MustCompile(`^[+-]?[0-9]$`),
	"width":         length, "height": length, "depth": length, "lspace": length, "rspace": length, "voffset": length,
	"linethickness": length, "minsize": length, "maxsize": length, "mathsize": length,
}

// permitted returns the value of an attribute that pages get, or false.
func permitted(name, value string) (string, bool) {
	if name == "mathbackground" && value == "black" {
		return "currentcolor", true // a rule, which must be seen in dark mode, too
	}
	form := attributes[name]
	if form == nil || !form.MatchString(value) {
		return "", false
	}
	if form != length {
		return value, true
	}
	parts := length.FindStringSubmatch(value)
	number, err := strconv.ParseFloat(parts[1], 64)
	return value, err == nil && number <= maxLength[parts[2]] && -number <= maxLength[parts[2]]
}

// classes are the classes that pages get, by those of Temml. "over" and "under" are lines, "left" and "right" align
// cells.
var classes = map[string]string{"tml-left": "left", "tml-right": "right"}

func classesOf(list string) (shown []string) {
	for _, class := range strings.Fields(list) {
		if known := classes[class]; known != "" {
			shown = append(shown, known)
		}
	}
	return shown
}

// notations are the classes of what menclose draws.
var notations = map[string][]string{
	"top": {"over"}, "bottom": {"under"}, "left": {"before"}, "right": {"after"}, "box": {"box"},
	"roundedbox": {"box"}, "circle": {"box"},
	"updiagonalstrike": {"up"}, "downdiagonalstrike": {"down"}, "horizontalstrike": {"strike"},
	"updiagonalstrike downdiagonalstrike": {"up", "down"},
	"updiagonalstrike updiagonalarrow":    {"up"},
	"left bottom":                         {"before", "under"}, "top right": {"over", "after"},
}

// lines are the classes of the lines that Temml's styles draw.
var lines = []struct{ style, class string }{
	{"border-top:", "over"}, {"border-bottom:", "under"}, {"border-left:", "before"}, {"border-right:", "after"},
}

// styled returns the classes for a style. Other styles are only small corrections of places and sizes.
func styled(style, element string) (classes []string) {
	if element == "mtd" {
		for _, line := range lines {
			if strings.Contains(style, line.style) {
				classes = append(classes, line.class)
			}
		}
		return classes
	}
	if strings.Contains(style, ";border:") {
		classes = append(classes, "box")
	}
	if strings.Contains(style, "font-weight:bold") {
		classes = append(classes, "bold")
	}
	return classes
}
