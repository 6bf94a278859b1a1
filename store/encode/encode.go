// Package encode writes the text of a stranger into a syntax in which some characters mean something. There is one
// encoder for each syntax. server/README.md lists them all, with the encoders of libraries.
package encode

import (
	"strings"
)

const (
	unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	hexDigits  = "0123456789ABCDEF"
)

// Mailto is a link that writes to an address, and to nothing else (RFC 6068): no part of the address becomes a second
// recipient, a header, or a text of the email. The last @ separates the domain. mailto.ts of the pages does the same.
func Mailto(address string) string {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return "mailto:" + percent(address)
	}
	return "mailto:" + percent(address[:at]) + "@" + percent(address[at+1:])
}

// percent encodes all characters except those of RFC 3986, section 2.3, as encodeURIComponent of browsers does.
func percent(text string) string {
	var out strings.Builder
	for i := range len(text) {
		if b := text[i]; strings.IndexByte(unreserved+"!*'()", b) >= 0 {
			out.WriteByte(b)
		} else {
			out.WriteString("%" + string(hexDigits[b>>4]) + string(hexDigits[b&15]))
		}
	}
	return out.String()
}

// Attachment is the value of Content-Disposition for a file that a browser saves under the name (RFC 6266). A name that
// is not plain ASCII is also sent in the form of RFC 8187, which comes second, so that old clients find the other one.
func Attachment(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\/%`, r) {
			return '_'
		}
		return r
	}, name)
	value := `attachment; filename="` + plain + `"`
	if plain == name {
		return value
	}
	return value + "; filename*=UTF-8''" + strings.NewReplacer("!", "%21", "*", "%2A", "'", "%27", "(", "%28", ")", "%29").
		Replace(percent(strings.ToValidUTF8(name, "_")))
}

// HeaderText is a text for a header of an email, which no mail program decodes. A text that only looks like an encoded
// word (RFC 2047) is decoded also where it must not be: within quotes, and after a library has encoded it.
func HeaderText(text string) string { return strings.ReplaceAll(text, "=?", "=\u200b?") }
