package request

import (
	"errors"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"
	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"assay/store/rules"
)

const (
	maxEmail      = 254  // RFC 5321, section 4.5.3.1.3, without the angle brackets
	maxEmailLocal = 64   // RFC 5321, section 4.5.3.1.1
	maxLabel      = 63   // RFC 1035, section 2.3.4
	maxURI        = 4096 // the longest in openapi.yaml: a redirect with its result token
)

// The errors of the formats. They never contain the value, which can be personal.
var (
	errNotEmail    = errors.New("must be one email address, name@domain")
	errNotURI      = errors.New("must be an absolute http or https URL without user name")
	errNotDateTime = errors.New("must be an RFC 3339 date and time with offset")
)

// formatValidators returns the check of each string format that openapi.yaml
// uses. kin-openapi checks no format for which none is registered.
func formatValidators() map[string]openapi3.StringFormatValidator {
	return map[string]openapi3.StringFormatValidator{
		"email":     openapi3.NewCallbackValidator(checkEmail),
		"uri":       openapi3.NewCallbackValidator(checkURI),
		"date-time": openapi3.NewCallbackValidator(checkDateTime),
	}
}

// checkEmail accepts one bare addr-spec (RFC 5322, section 3.4.1) with a dot-atom before
// the @ and a domain name of at least two labels after it. It needs no quoting in a header.
// Both parts can be international (RFC 6531). Every mail server accepts such a domain,
// because it is sent in ASCII, and some accept such a dot-atom.
func checkEmail(s string) error {
	if len(s) > maxEmail {
		return errNotEmail
	}
	address, err := mail.ParseAddress(s)
	if err != nil || address.Name != "" || address.Address != s {
		return errNotEmail
	}
	local, domain, _ := strings.Cut(s, "@") // an unquoted local part has no @
	if len(local) > maxEmailLocal || !isMailLocal(local) {
		return errNotEmail
	}
	domain, err = asciiDomain(domain)
	if err != nil || !isMailDomain(domain) || len(local)+len("@")+len(domain) > maxEmail {
		return errNotEmail
	}
	return nil
}

// isMailLocal reports whether s has only visible ASCII characters without quotes, and
// letters, marks, and numbers of other scripts. It rejects those that are another form of
// a character, such as full-width letters, which no mailbox has.
func isMailLocal(s string) bool {
	if norm.NFKC.String(s) != norm.NFC.String(s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		if r <= unicode.MaxASCII {
			return notGraphic(r) || r == '"'
		}
		return !unicode.In(r, unicode.L, unicode.M, unicode.N) || rules.IsInvisible(r)
	})
}

// asciiDomain returns a domain as name servers know it (RFC 5891).
func asciiDomain(domain string) (string, error) {
	if !strings.ContainsFunc(domain, func(r rune) bool { return r > unicode.MaxASCII }) {
		return domain, nil
	}
	return idna.Lookup.ToASCII(domain)
}

// isMailDomain reports whether s is a host name (RFC 1123, section 2.1) of two
// or more labels. A last label of digits alone would make it an IPv4 address.
func isMailDomain(s string) bool {
	labels := strings.Split(s, ".")
	for _, label := range labels {
		if label == "" || len(label) > maxLabel || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		if strings.ContainsFunc(label, func(r rune) bool { return !isAlphanumeric(r) && r != '-' }) {
			return false
		}
	}
	return len(labels) > 1 && strings.Trim(labels[len(labels)-1], "0123456789") != ""
}

// checkURI accepts an absolute http or https URI in the characters of RFC 3986
// alone, with a host and without user information. Whether the host may be
// called is decided when it is dialled.
func checkURI(s string) error {
	if len(s) > maxURI || !inURICharacters(s) {
		return errNotURI
	}
	parsed, err := url.Parse(s)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.User != nil {
		return errNotURI
	}
	if !isURIHost(parsed.Host) {
		return errNotURI
	}
	return nil
}

// inURICharacters reports whether s has only the characters of RFC 3986,
// section 2, with two hexadecimal digits after each %. net/url accepts more in queries.
func inURICharacters(s string) bool {
	for i, r := range s {
		switch {
		case r == '%':
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return false
			}
		case notGraphic(r) || strings.ContainsRune("\"<>\\^`{|}", r):
			return false
		}
	}
	return true
}

// isURIHost checks host or host:port. It accepts more names than isMailDomain: one
// label is enough, and container networks use underscores.
func isURIHost(hostPort string) bool {
	authority := url.URL{Host: hostPort}
	host, port := authority.Hostname(), authority.Port()
	if strings.HasSuffix(hostPort, ":") {
		return false
	}
	if number, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || number == 0) {
		return false
	}
	if strings.HasPrefix(hostPort, "[") {
		address, err := netip.ParseAddr(host)
		return err == nil && address.Is6() && address.Zone() == ""
	}
	return host != "" && !strings.HasPrefix(host, ".") && !strings.Contains(host, "..") &&
		!strings.ContainsFunc(host, func(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune("-._", r) })
}

// checkDateTime accepts RFC 3339, section 5.6, with T and Z in upper case and
// existing days. Responses show times in UTC, so the year in UTC must be between
// 0001 and 9999.
func checkDateTime(s string) error {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !isRFC3339(s) {
		return errNotDateTime
	}
	if t.Year() < 1 || t.UTC().Year() < 1 || t.UTC().Year() > 9999 {
		return errNotDateTime
	}
	return nil
}

// canonicalOffset converts the offset of a time in a query to RFC 3339. Some generated
// clients write +0000, and some do not encode the +, which is then read as a space.
func canonicalOffset(text string) string {
	text = strings.Replace(text, " ", "+", 1)
	at := len(text) - len("+0000")
	if at < 0 || text[at] != '+' && text[at] != '-' || strings.Trim(text[at+1:], "0123456789") != "" {
		return text
	}
	return text[:at+len("+00")] + ":" + text[at+len("+00"):]
}

// isRFC3339 rejects the forms that time.Parse accepts and the RFC does not: an hour
// of one digit, a comma before the fraction, and offsets of more than 23:59
// (go.dev/issue/54580).
func isRFC3339(parsed string) bool {
	const hourEnd, secondEnd = len("2006-01-02T15"), len("2006-01-02T15:04:05")
	if parsed[hourEnd] != ':' || parsed[secondEnd] == ',' {
		return false
	}
	if strings.HasSuffix(parsed, "Z") {
		return true
	}
	offset := parsed[len(parsed)-len("+00:00"):]
	return offset[1:3] <= "23" && offset[4:6] <= "59"
}

func isAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// notGraphic reports whether r is white space, a control character or not ASCII.
func notGraphic(r rune) bool { return r <= ' ' || r > '~' }
