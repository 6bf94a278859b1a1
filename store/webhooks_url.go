package store

import (
	"net/netip"
	"net/url"
	"strings"

	"assay/store/rules"
)

// checkWebhookURL refuses an address that can never be delivered to: anything
// but https on port 443 or 8443 without user information or fragment, and a
// host that is, or spells, an address instead of a name. Whether the name leads
// to a public address is decided at each dial, because names change; what is
// refused here is refused early so that the mistake is seen. insecure permits
// http and addresses, for development.
func checkWebhookURL(text string, insecure bool) *rules.Fault {
	refuse := func(code, detail string) *rules.Fault {
		return &rules.Fault{Pointer: "/url", Code: code, Detail: detail}
	}
	parsed, err := url.Parse(text)
	if err != nil || !parsed.IsAbs() || parsed.Opaque != "" {
		return refuse("invalid_format", "is not an absolute URL")
	}
	for _, r := range text {
		if r <= ' ' || r == 0x7f {
			return refuse("invalid_format", "holds a space or a control character")
		}
	}
	switch {
	case parsed.Scheme != "https" && (!insecure || parsed.Scheme != "http"):
		return refuse("invalid_value", "must begin with https://")
	case parsed.User != nil:
		return refuse("invalid_value", "must not hold user information")
	case parsed.Fragment != "" || strings.Contains(text, "#"):
		return refuse("invalid_value", "must not have a fragment")
	case parsed.Hostname() == "":
		return refuse("invalid_value", "must name a host")
	}
	if insecure {
		return nil
	}
	if port := parsed.Port(); strings.HasSuffix(parsed.Host, ":") || (port != "" && port != "443" && port != "8443") {
		return refuse("invalid_value", "must be on port 443 or 8443")
	}
	if !isPublicName(parsed.Hostname()) {
		return refuse("invalid_value", "must name a public host, not an address")
	}
	return nil
}

// privateSuffixes are names that never lead to the public internet (RFC 6761,
// RFC 6762, RFC 8375).
var privateSuffixes = []string{"localhost", "localdomain", "local", "internal", "home.arpa", "lan", "test", "invalid", "onion"}

// isPublicName accepts a fully written ASCII host name with a letter in its
// last label: no address, in whatever notation, has that.
func isPublicName(host string) bool {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if _, err := netip.ParseAddr(name); err == nil || len(name) > 253 || !strings.Contains(name, ".") {
		return false
	}
	for _, suffix := range privateSuffixes {
		if name == suffix || strings.HasSuffix(name, "."+suffix) {
			return false
		}
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
		for _, r := range label {
			if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' {
				return false
			}
		}
	}
	last := labels[len(labels)-1]
	return last[0] < '0' || last[0] > '9' // 0x7f.1 and 127.1 end in a number
}
