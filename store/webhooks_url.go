package store

import (
	"net/netip"
	"net/url"
	"strings"

	"assay/store/rules"
)

// checkWebhookURL returns the fault of an address to which nothing can be
// delivered, so that the mistake is visible early. It accepts https on port 443 or
// 8443, without user information and fragment, and a host name but no IP address in
// any notation. Each connection checks the addresses of the name again, because
// they can change. insecure permits http and IP addresses, for development.
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
			return refuse("invalid_format", "contains a space or a control character")
		}
	}
	switch {
	case parsed.Scheme != "https" && (!insecure || parsed.Scheme != "http"):
		return refuse("invalid_value", "must begin with https://")
	case parsed.User != nil:
		return refuse("invalid_value", "must not contain user information")
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

// privateSuffixes are names that never belong to the public internet (RFC 6761,
// RFC 6762, RFC 8375).
var privateSuffixes = []string{"localhost", "localdomain", "local", "internal", "home.arpa", "lan", "test", "invalid",
	"onion"}

// isPublicName accepts a fully qualified ASCII host name whose last label does not
// begin with a digit. In every notation of an IPv4 address it does.
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
