package request

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
)

// hostWarning warns once if clients reach the server under another name than BaseURL,
// because the links in responses and events would then be wrong for them.
type hostWarning struct {
	host string // of BaseURL, as canonicalHost returns it; "" without one
	done atomic.Bool
}

// maxLoggedHost bounds what a client's Host header adds to the log.
const maxLoggedHost = 100

// checkHost examines a request with a valid credential. Others say nothing about the
// address that clients use: health checks and scanners use the server's IP address.
func (p *Path) checkHost(ctx context.Context, r *http.Request) {
	if p.host.done.Load() || p.host.host == "" || dataOf(ctx).scope.OrganizationID == "" {
		return
	}
	if canonicalHost(r.Host) == p.host.host || p.host.done.Swap(true) {
		return
	}
	host := r.Host
	if len(host) > maxLoggedHost {
		host = host[:maxLoggedHost] + "…"
	}
	p.opts.Log.WarnContext(ctx, "a client uses another host than ASSAY_BASE_URL, with which all links begin; "+
		"correct it, or let the proxy pass the Host header on", "host", strings.ToValidUTF8(host, "?"), "links", p.host.host)
}

// baseHost returns the canonical host of BaseURL.
func baseHost(baseURL string) string {
	parsed, err := url.Parse(baseURL)
	if err != nil {
		return ""
	}
	return canonicalHost(parsed.Host)
}

// canonicalHost is a Host header in lower case, without a default port. All names of
// this machine are the same.
func canonicalHost(host string) string {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.Trim(host, "[]"), ""
	}
	if port == "80" || port == "443" {
		port = ""
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if addr, err := netip.ParseAddr(name); err == nil && (addr.IsLoopback() || addr.IsUnspecified()) {
		name = "localhost"
	}
	return net.JoinHostPort(name, port)
}
