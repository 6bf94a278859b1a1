package server

import (
	"assay/store"
	"assay/store/storetest"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A limit below one request a second allows exactly one more request after Retry-After.
func TestSlowLimit(t *testing.T) {
	for _, requests := range []int{1, 7, 20, 49, 59} {
		clock := storetest.NewClock()
		slow, err := newLimiter("slow", RateLimit{Requests: requests, Window: time.Minute, Burst: 1}, clock.Now)
		if err != nil {
			t.Fatal(err)
		}
		for round := range 500 {
			if err := takeAll(http.Header{}, counted{slow, "x"}); err != nil {
				t.Fatalf("%d a minute, round %d: the first request is rejected", requests, round)
			}
			var refusal *fault
			if !errors.As(takeAll(http.Header{}, counted{slow, "x"}), &refusal) {
				t.Fatalf("%d a minute, round %d: a second request passes", requests, round)
			}
			clock.Advance(time.Duration(wholeSeconds(refusal.retry)) * time.Second)
		}
	}
}

// The memory of a limiter is bounded, however many networks send requests.
func TestLimiterMemory(t *testing.T) {
	const callers = 1_000_000
	limits := RateLimits{Anonymous: RateLimit{Requests: 60, Window: time.Minute, Burst: 60}}
	limiters, err := newLimiters(limits, storetest.NewClock().Now)
	if err != nil {
		t.Fatal(err)
	}
	inUse := func() int {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return int(stats.HeapAlloc)
	}

	before, header := inUse(), http.Header{}
	for i := range callers {
		network := store.Origin{IP: fmt.Sprintf("2001:db8:%x:%x::1", i>>16, i&0xffff)}.Network()
		if err := takeAll(header, counted{limiters.anonymous, network}); err != nil {
			t.Fatalf("%s: %v", network, err)
		}
	}

	kept, grown := limiters.anonymous.buckets.Len(), inUse()-before
	t.Logf("%d networks: %d buckets, %.1f MiB, %d bytes each", callers, kept, float64(grown)/(1<<20), grown/kept)
	if kept != maxBuckets || grown > 500*maxBuckets {
		t.Errorf("%d bytes for %d buckets, want at most 500 bytes for each of %d", grown, kept, maxBuckets)
	}
	runtime.KeepAlive(limiters)
}

// A clock that goes back empties a bucket at most: the client waits as long as usual.
func TestLimitAfterClockGoesBack(t *testing.T) {
	now := storetest.NewClock().Now()
	one, err := newLimiter("one", RateLimit{Requests: 60, Window: time.Minute, Burst: 5}, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	ask := func() error { return takeAll(http.Header{}, counted{one, "x"}) }
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	now = now.Add(-24 * time.Hour)
	if err := ask(); err == nil {
		t.Error("the bucket is not empty")
	}
	now = now.Add(-time.Hour)
	if err := ask(); err == nil {
		t.Error("the bucket is not empty")
	}
	now = now.Add(25*time.Hour + 5*time.Second)
	for range 5 {
		if err := ask(); err != nil {
			t.Fatal(err)
		}
	}
}

// The largest limits that can be configured do not overflow.
func TestLargestLimit(t *testing.T) {
	now := storetest.NewClock().Now()
	large, err := newLimiter("large", RateLimit{Requests: 1, Window: 24 * time.Hour, Burst: 1_000_000},
		func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if err := takeAll(http.Header{}, counted{large, "x"}); err != nil {
			t.Fatal(err)
		}
	}
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

var trustedProxies = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.200/32"),
	netip.MustParsePrefix("2001:db8:ffff::/48"),
}

// A client that sends invented addresses in X-Forwarded-For is one network, however many it invents.
func TestSpoofedNetworks(t *testing.T) {
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
}
