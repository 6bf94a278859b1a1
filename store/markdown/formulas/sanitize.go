package formulas

import (
	"regexp"

	"github.com/microcosm-cc/bluemonday"
)

// Allow adds what MathML returns to a sanitizer, and the element around it. MathML alone already writes only this, so
// that a fault in one of them reaches no browser.
func Allow(p *bluemonday.Policy) {
	names := []string{"math"}
	for _, name := range elements {
		if name != "" {
			names = append(names, name)
		}
	}
	p.AllowElements(names...)
	p.AllowNoAttrs().OnElements(names...)
	for attribute, form := range attributes {
		p.AllowAttrs(attribute).Matching(form).OnElements(names...)
	}
	p.AllowAttrs("mathbackground").Matching(regexp.MustCompile(`^currentcolor$`)).OnElements("mspace")
	p.AllowAttrs("class").Matching(regexp.MustCompile(
		`^(over|under|before|after|box|up|down|strike|left|right|bold| )+$`)).OnElements(names...)
	p.AllowAttrs("aria-label").OnElements("math")
	p.AllowAttrs("display").Matching(regexp.MustCompile(`^block$`)).OnElements("math")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^formula (display )?scroll$`)).OnElements("span")
	p.AllowAttrs("dir").Matching(regexp.MustCompile(`^ltr$`)).OnElements("span")
}
