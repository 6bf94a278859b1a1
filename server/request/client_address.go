package request

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// clientIP returns the address of a request's client. It is the peer's address
// or, if the peer is a trusted proxy, the last address in X-Forwarded-For that is
// not a trusted proxy's. Any client can forge the addresses before that one.
func clientIP(trusted []netip.Prefix) echo.IPExtractor {
	isTrusted := func(addr netip.Addr) bool {
		return slices.ContainsFunc(trusted, func(network netip.Prefix) bool { return network.Contains(addr) })
	}
	return func(r *http.Request) string {
		addr, err := parseHop(r.RemoteAddr)
		if err != nil {
			return "" // a socket without addresses
		}
		if !isTrusted(addr) {
			return addr.String()
		}

		hops := strings.Split(strings.Join(r.Header.Values(echo.HeaderXForwardedFor), ","), ",")
		for i := len(hops) - 1; i >= 0 && isTrusted(addr); i-- {
			before, err := parseHop(hops[i])
			if err != nil {
				break // a trusted proxy writes addresses only, so this is the client's text
			}
			addr = before
		}
		return addr.String()
	}
}

// parseHop parses an address with or without a port, which some proxies add.
func parseHop(text string) (netip.Addr, error) {
	text = strings.TrimSpace(text)
	withPort, err := netip.ParseAddrPort(text)
	addr := withPort.Addr()
	if err != nil {
		addr, err = netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	}
	return addr.Unmap().WithZone(""), err
}
