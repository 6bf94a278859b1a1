package server

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"assay/store"
)

// A limit per network counts an IPv4 address, or an IPv6 prefix of 64 bits. That is
// what one subscriber usually has. Different spellings of an address count together.
func TestNetworkOfAddress(t *testing.T) {
	onLimited(t, RateLimits{Anonymous: replicaLimits.Anonymous}, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
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
			for range 60/len(group) + 1 {
				for _, address := range group {
					a.from(address, "GET", "/v1/me", anonymous, nil)
				}
			}

			for _, address := range group {
				a.from(address, "GET", "/v1/me", anonymous, nil).limited("anonymous-ip")
			}
		}

		if got := a.server.limits.anonymous.buckets.Len(); got != len(groups) {
			t.Errorf("%d networks counted, want %d", got, len(groups))
		}
	})
}

var trustedProxies = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.200/32"),
	netip.MustParsePrefix("2001:db8:ffff::/48"),
}

// requestFrom returns a request from a peer, with one X-Forwarded-For header for each line.
func requestFrom(peer string, forwarded ...string) *http.Request {
	r := &http.Request{RemoteAddr: netip.AddrPortFrom(netip.MustParseAddr(peer), 4711).String(), Header: http.Header{}}
	for _, line := range forwarded {
		r.Header.Add("X-Forwarded-For", line)
	}
	return r
}

// clientIP returns the last address of X-Forwarded-For that is not a trusted proxy.
// Only a trusted proxy may set the header. Everything before that address comes
// from the client and must have no effect.
func TestClientIP(t *testing.T) {
	const proxy, v6proxy, stranger = "10.0.0.1", "2001:db8:ffff::1", "203.0.113.50"
	find := clientIP(trustedProxies)
	for _, test := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{stranger, nil, stranger},
		{stranger, []string{"198.51.100.1"}, stranger},
		{stranger, []string{"198.51.100.1, 10.0.0.1"}, stranger},
		{"::ffff:203.0.113.50", []string{"198.51.100.1"}, stranger},
		{proxy, nil, proxy},
		{proxy, []string{"198.51.100.1"}, "198.51.100.1"},
		{"::ffff:10.0.0.1", []string{"198.51.100.1"}, "198.51.100.1"},
		{v6proxy, []string{"198.51.100.1"}, "198.51.100.1"},
		{"192.0.2.200", []string{"198.51.100.1"}, "198.51.100.1"},
		{"192.0.2.201", []string{"198.51.100.1"}, "192.0.2.201"},
		{proxy, []string{"2001:DB8::1"}, "2001:db8::1"},
		{proxy, []string{"::ffff:198.51.100.1"}, "198.51.100.1"},
		// The proxies append to what the client sent.
		{proxy, []string{"1.2.3.4, 198.51.100.1"}, "198.51.100.1"},
		{proxy, []string{"1.2.3.4,198.51.100.1,10.0.0.2,2001:db8:ffff::2"}, "198.51.100.1"},
		{proxy, []string{"1.2.3.4", "198.51.100.1", "10.0.0.2"}, "198.51.100.1"},
		{proxy, []string{"10.9.9.9, 198.51.100.1"}, "198.51.100.1"},
		{proxy, []string{"\"<script>', 198.51.100.1"}, "198.51.100.1"},
		{proxy, []string{strings.Repeat("x,", 15000) + "198.51.100.1"}, "198.51.100.1"},
		// Some proxies write ports and brackets.
		{proxy, []string{"198.51.100.1:61234"}, "198.51.100.1"},
		{proxy, []string{"[2001:db8::1]:61234"}, "2001:db8::1"},
		{proxy, []string{"[2001:db8::1]"}, "2001:db8::1"},
		{proxy, []string{"\t 198.51.100.1 \t"}, "198.51.100.1"},
		{proxy, []string{"fe80::1%25eth0"}, "fe80::1"},
		// If every address is a proxy, the first one is the client.
		{proxy, []string{"10.0.0.7, 10.0.0.6"}, "10.0.0.7"},
		// The search stops at the first entry that is not an address.
		{proxy, []string{""}, proxy},
		{proxy, []string{","}, proxy},
		{proxy, []string{"unknown"}, proxy},
		{proxy, []string{"_hidden, 10.0.0.2"}, "10.0.0.2"},
		{proxy, []string{"198.51.100.1, unknown"}, proxy},
		{proxy, []string{"198.51.100.1;10.0.0.1"}, proxy},
		{proxy, []string{"for=198.51.100.1"}, proxy},
		{proxy, []string{"198.51.100.256"}, proxy},
		{proxy, []string{"0198.51.100.1"}, proxy},
		{proxy, []string{"3325256705"}, proxy},
		{proxy, []string{"198.51.100.1:99999"}, proxy},
		{proxy, []string{"\x00"}, proxy},
		{proxy, []string{strings.Repeat(",", 30000)}, proxy},
	} {
		if got := find(requestFrom(test.peer, test.forwarded...)); got != test.want {
			t.Errorf("peer %s, X-Forwarded-For %.60q: client %s, want %s", test.peer, test.forwarded, got, test.want)
		}
		direct := netip.MustParseAddr(test.peer).Unmap().String()
		if got := clientIP(nil)(requestFrom(test.peer, test.forwarded...)); got != direct {
			t.Errorf("peer %s without trusted proxies: client %s", test.peer, got)
		}
	}

	for _, peer := range []string{"", "@", "/run/assay.sock", "localhost:80"} {
		r := &http.Request{RemoteAddr: peer, Header: http.Header{"X-Forwarded-For": {"198.51.100.1"}}}
		if got := find(r); got != "" {
			t.Errorf("peer %q: client %s, want none", peer, got)
		}
	}

	// The server ignores all similar headers.
	r := requestFrom(proxy)
	for _, name := range []string{
		"Forwarded", "X-Real-Ip", "True-Client-Ip", "Cf-Connecting-Ip", "X-Client-Ip", "X-Forwarded", "X-Cluster-Client-Ip",
	} {
		r.Header.Set(name, "198.51.100.1")
	}

	if got := find(r); got != proxy {
		t.Errorf("with other headers: client %s, want %s", got, proxy)
	}
}

// A client that sends invented addresses in X-Forwarded-For is still counted as one
// client, however many it invents. None of them is logged.
func TestSpoofedClientIP(t *testing.T) {
	const spoofed = 1_000_000
	find, networks := clientIP(trustedProxies), map[string]int{}
	forms := []struct{ peer, forwarded string }{
		{"203.0.113.50", "%s"}, {"203.0.113.50", "%s, 10.0.0.1"}, {"203.0.113.50", "10.0.0.%s"},
		{"10.0.0.1", "%s, 203.0.113.50"}, {"10.0.0.1", "x%s, 203.0.113.50, 10.0.0.2"}, {"10.0.0.1", "%s"},
	}
	r := requestFrom("203.0.113.50")

	for i := range spoofed {
		form := forms[i%len(forms)]
		invented := fmt.Sprintf("%d.%d.%d.%d", 1+i%9, i>>16, i>>8&255, i&255)
		if form.forwarded == "%s" && form.peer == "10.0.0.1" {
			invented = fmt.Sprint("garbage", i)
		}
		r.RemoteAddr = form.peer + ":4711"
		r.Header["X-Forwarded-For"] = []string{strings.ReplaceAll(form.forwarded, "%s", invented)}
		networks[store.Origin{IP: find(r)}.Network()]++
	}

	if len(networks) != 2 || networks["203.0.113.50"] == 0 || networks["10.0.0.1"] == 0 {
		t.Errorf("%d networks, want only 203.0.113.50 and 10.0.0.1: %.200v", len(networks), networks)
	}

	trust := func(opts *Options) { opts.TrustedProxies = trustedProxies }
	onLimited(t, RateLimits{Anonymous: replicaLimits.Anonymous}, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
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

		if got := a.server.limits.anonymous.buckets.Len(); got != 3 {
			t.Errorf("%d networks counted, want 3", got)
		}
		for line := range strings.Lines(a.log.String()) {
			if strings.Contains(line, "garbage") || strings.Contains(line, "198.51.") {
				t.Fatalf("the log contains an invented address: %s", line)
			}
		}
	}, trust)
}
