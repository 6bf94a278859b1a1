package store

import (
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// emailKey is the form in which addresses are compared: without regard to case, composed,
// and with the domain in ASCII. Before the @ nothing else is the same, because mail servers
// can have a mailbox for each. Addresses in ASCII have the same key as in version 1.0.
func emailKey(email string) string {
	local, domain, _ := strings.Cut(norm.NFC.String(email), "@")
	if ascii, err := idna.Lookup.ToASCII(domain); err == nil && strings.ContainsFunc(domain, notASCII) {
		domain = ascii
	}
	return strings.ToLower(local + "@" + domain)
}

func notASCII(r rune) bool { return r > unicode.MaxASCII }
