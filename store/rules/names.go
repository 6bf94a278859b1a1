package rules

import (
	"strings"
	"unicode"
)

// Greeted returns the name with which a text greets a person: "Ben Lang" for "Lang, Ben", as lists of people have it.
// Every other name stays as it is, also one with a title or a suffix after the comma, such as "Ada Byron, PhD".
func Greeted(name string) string {
	last, first, found := strings.Cut(name, ",")
	last, first = strings.TrimSpace(last), strings.TrimSpace(first)
	if !found || last == "" || !isGivenName(first) {
		return name
	}
	return first + " " + last
}

// isGivenName reports whether the text consists of words that begin with a capital letter and continue with small
// letters.
func isGivenName(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '-' })
	for _, word := range words {
		letters := []rune(word)
		if len(letters) < 2 || !unicode.IsUpper(letters[0]) {
			return false
		}
		for _, letter := range letters[1:] {
			if !unicode.IsLower(letter) && !unicode.Is(unicode.Mn, letter) && letter != '\'' && letter != '’' {
				return false
			}
		}
	}
	return len(words) > 0
}
