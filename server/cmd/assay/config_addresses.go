package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

func checkAddr(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("is not host:port: %q", addr)
	}
	if _, err := net.LookupPort("tcp", port); err != nil { //nolint:noctx // a port is looked up in a local table
		return fmt.Errorf("has no valid port: %q", addr)
	}
	return nil
}

// checkBaseURL accepts http(s)://host[:port] with an optional path.
func checkBaseURL(text string) error {
	parsed, err := url.Parse(text)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") ||
		!strings.HasPrefix(text, parsed.Scheme+"://") || parsed.Host == "" || parsed.User != nil ||
		parsed.RawQuery != "" || parsed.ForceQuery || parsed.Fragment != "" {
		return errors.New("is not like https://assay.example") // without the value, which can contain a password
	}
	return nil
}

var originPattern = regexp.MustCompile(`^(http|https)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?$`)

// checkOrigin accepts an origin as browsers send it (RFC 6454, section 6.2):
// in lower case, with non-ASCII names in punycode, and without the scheme's
// default port. Another spelling would never match.
func checkOrigin(text string) error {
	switch parts := originPattern.FindStringSubmatch(text); {
	case parts == nil, parts[1]+parts[3] == "http:80", parts[1]+parts[3] == "https:443":
		// Without the value, which can contain a password.
		return errors.New("is not like https://assay.example, in lower case and without the default port")
	}
	return nil
}

func checkHost(text string) error {
	if strings.Contains(text, ":") || checkOrigin("https://"+text) != nil {
		return errors.New("is not a host name like login.example or an IPv4 address, without a port")
	}
	return nil
}

func parseNetwork(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil && addr.Zone() == "" {
		addr = addr.Unmap()
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(text)
	if err != nil || prefix.Addr().Is4In6() { // it would match no client: clientIP unmaps IPv4 addresses
		return netip.Prefix{}, fmt.Errorf("is not an address or a network: %q", text)
	}
	return prefix, nil
}

// isWide reports whether a network is so large that it contains clients: no private network is larger than 10.0.0.0/8
// or fc00::/7.
func isWide(network netip.Prefix) bool {
	if network.Addr().Is4() {
		return network.Bits() < 8
	}
	return network.Bits() < 7
}
