package request

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
)

// IsLocal reports whether a request comes from the machine of the service, whose users
// need no setup token. A proxy on the same machine also connects from a loopback
// address, and a browser there also sends requests for pages of others. So all of
// these must be true:
//   - The base URL is a loopback address: the service is not published.
//   - The peer is a loopback address.
//   - The request is for a loopback address. A page whose name was rebound to this
//     machine, and a proxy that keeps the name, ask for another one.
//   - No header names a proxy, and the version is at least 1.1. nginx uses 1.0 and sets
//     no header by default.
func IsLocal(ctx context.Context) bool {
	info := dataOf(ctx)
	r := info.http
	base, err := url.Parse(info.path.opts.BaseURL)
	if err != nil || !isLoopbackHost(base.Host) || !isLoopbackHost(r.Host) || !r.ProtoAtLeast(1, 1) {
		return false
	}
	peer, err := parseHop(r.RemoteAddr)
	return err == nil && peer.IsLoopback() && !isForwarded(r.Header)
}

// isForwarded reports whether a proxy has added a header.
func isForwarded(header http.Header) bool {
	for name := range header {
		switch {
		case strings.HasPrefix(name, "X-Forwarded"), strings.HasPrefix(name, "Cf-"):
			return true
		}
		switch name {
		case "Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "X-Original-Forwarded-For", "True-Client-Ip":
			return true
		}
	}
	return false
}

// isLoopbackHost reports whether a host, with or without a port, is localhost or a
// loopback address.
func isLoopbackHost(host string) bool {
	addr, isAddress := addressOf(host)
	return isAddress && addr.IsLoopback()
}

// addressOf returns the address of a host, with or without a port, that is localhost or an address.
func addressOf(host string) (addr netip.Addr, isAddress bool) {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if strings.EqualFold(host, "localhost") {
		return netip.IPv6Loopback(), true
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	return addr.Unmap(), err == nil
}

// LoopbackHosts permits localhost and loopback addresses.
func LoopbackHosts(host string) bool { return isLoopbackHost(host) }

// AddressHosts permits localhost and addresses. A browser asks for an address only if a person has entered it.
func AddressHosts(host string) bool {
	_, isAddress := addressOf(host)
	return isAddress
}

// checkAnswered rejects requests for hosts that the demo does not answer.
func (p *Path) checkAnswered(next echo.HandlerFunc) echo.HandlerFunc {
	if p.opts.AnswersHost == nil {
		return next
	}
	return func(c echo.Context) error {
		if !p.opts.AnswersHost(c.Request().Host) {
			return c.String(http.StatusMisdirectedRequest, "The demo answers only at "+p.opts.BaseURL+".\n")
		}
		return next(c)
	}
}
