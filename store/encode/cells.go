package encode

import (
	"strings"
	"unicode"
)

// Spreadsheets run the text of a cell as a formula if it begins with one of these signs (OWASP, "CSV Injection").
// Japanese spreadsheets also accept the full-width signs.
const formulaSigns = "=+-@＝＋－＠"

// A program can divide a file by another separator than the one it was written with: Excel uses that of the country.
// Then quotes inside a line mean nothing, so a cell can also begin after each separator and each line in a text.
const cellBreaks = ",;|\t\r\n"

// BeginsFormula reports whether a cell that begins with the character is a formula.
func BeginsFormula(r rune) bool { return strings.ContainsRune(formulaSigns, r) }

// CanHaveFormula reports whether a text can be a formula, or be divided into cells.
func CanHaveFormula(text string) bool { return strings.ContainsAny(text, formulaSigns+"\t\r\n") }

// CellBegins reports whether a cell can begin behind a character of a text. begins says whether one can begin before
// it: quotes and spaces at the beginning of a cell change nothing.
func CellBegins(behind rune, begins bool) bool {
	return strings.ContainsRune(cellBreaks, behind) || begins && (behind == '"' || unicode.IsSpace(behind))
}
