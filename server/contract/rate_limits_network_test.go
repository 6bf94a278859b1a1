package contract

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"assay/server"
	"assay/store"
)

// A limit per network counts an IPv4 address, or an IPv6 prefix of 64 bits. That is
// what one subscriber usually has. Different spellings of an address count together.
func TestNetworkOfAddress(t *testing.T) {
	limits := server.RateLimits{Anonymous: replicaLimits.Anonymous}
	onLimited(t, limits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		groups := [][]string{
			{"192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201", "0:0:0:0:0:FFFF:192.0.2.1"},
			{"192.0.2.2"},
			{"2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:DB8:0:1::",
				"2001:0db8:0000:0001:0::9"},
			{"2001:db8:0:2::1"},
			{"2001:db8:1:1::1"},
			{"::1", "::2", "::192.0.2.1"}, // the deprecated IPv4-compatible form is an IPv6 address
			{"fe80::1", "fe80::2%eth0", "fe80::3%eth1"},
			{"64:ff9b::192.0.2.1"},
		}

		for _, group := range groups {
			a.from(group[0], "GET", "/v1/me", anonymous, nil).want(401) // it counts with no group before it
			for range 60/len(group) + 1 {
				for _, address := range group {
					a.from(address, "GET", "/v1/me", anonymous, nil)
				}
			}

			for _, address := range group {
				a.from(address, "GET", "/v1/me", anonymous, nil).limited("anonymous-ip")
			}
		}
	})
}

var trustedProxies = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.200/32"),
	netip.MustParsePrefix("2001:db8:ffff::/48"),
}

// A client that sends invented addresses in X-Forwarded-For is still counted as one
// client, however many it invents. None of them is logged.
func TestSpoofedClientIP(t *testing.T) {
	trust := func(opts *server.Options) { opts.TrustedProxies = trustedProxies }
	limits := server.RateLimits{Anonymous: replicaLimits.Anonymous}
	onLimited(t, limits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		ask := func(peer string, forwarded ...string) response {
			var headers []string
			for _, line := range forwarded {
				headers = append(headers, "X-Forwarded-For", line)
			}
			return a.from(peer, "GET", "/v1/me", anonymous, nil, headers...)
		}

		for i := range 60 { // one client, directly or through the proxy
			invented := fmt.Sprintf("198.51.100.%d", i)
			switch i % 4 {
			case 0:
				ask("203.0.113.50", invented).want(401)
			case 1:
				ask("10.0.0.1", invented+", 203.0.113.50").want(401)
			case 2:
				ask("10.0.0.1", invented, "203.0.113.50:4711, 10.0.0.2").want(401)
			case 3:
				ask("10.0.0.1", fmt.Sprintf("garbage%d,203.0.113.50", i)).want(401)
			}
		}

		for i := range 2000 {
			invented := fmt.Sprintf("198.51.%d.%d", i>>8, i&255)
			ask("203.0.113.50", invented).limited("anonymous-ip")
			ask("10.0.0.1", invented+",203.0.113.50").limited("anonymous-ip")
		}

		ask("10.0.0.1", "203.0.113.51").want(401) // another client of the same proxy
		for i := range 500 {                      // an invalid entry counts against the proxy
			answer := ask("10.0.0.1", fmt.Sprintf("\xff garbage%d \x00", i))
			if i < 60 {
				answer.want(401)
			} else {
				answer.limited("anonymous-ip")
			}
		}

		for line := range strings.Lines(a.log.String()) {
			if strings.Contains(line, "garbage") || strings.Contains(line, "198.51.") {
				t.Fatalf("the log contains an invented address: %s", line)
			}
		}
	}, trust)
}
