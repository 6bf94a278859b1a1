package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

// internalTargets listens on addresses that no attempt may reach, on the ports
// that the guard permits, so that only the address can be the reason.
func internalTargets(t *testing.T) (accepted func() int64, bound []string) {
	t.Helper()
	var listeners []*rawListener
	for _, host := range []string{"127.0.0.1", "::1", "127.0.0.2"} {
		for _, port := range []string{"443", "8443"} {
			listener, err := listen(t, net.JoinHostPort(host, port), func(c net.Conn) { _ = c.Close() })
			if err != nil {
				t.Logf("cannot listen on %s %s: %v", host, port, err) // 443 requires privileges
				continue
			}
			listeners, bound = append(listeners, listener), append(bound, listener.Addr().String())
		}
	}
	if len(bound) == 0 {
		t.Fatal("cannot listen on any address")
	}
	return func() (sum int64) {
		for _, listener := range listeners {
			sum += listener.accepted.Load()
		}
		return sum
	}, bound
}

// TestRefusedURLs checks that each URL is rejected at registration, and that an
// attempt without registration connects to nothing.
func TestRefusedURLs(t *testing.T) {
	ctx, names := context.Background(), newDNS(t)
	accepted, bound := internalTargets(t)
	s := storetest.Open(t, "sqlite", time.Now)
	org := newOrganization(t, s)
	opts := webhooks.Options{Queue: s.Queue(), Now: time.Now, Timeout: 2 * time.Second, Resolver: names.resolver()}
	pinger, caller := webhooks.NewPinger(opts), webhooks.NewCaller(opts)
	forms := slices.Concat(refusedURLs, spacedURLs)
	var pings sync.WaitGroup
	slots := make(chan struct{}, 16)
	for _, form := range forms {
		_, err := s.CreateWebhook(ctx, org.scope, store.NewWebhook{URL: form, Events: []string{"candidate.invited"}})
		var refusal *store.Error
		if !errors.As(err, &refusal) || refusal.Code != "invalid_request" ||
			len(refusal.Fields) != 1 || refusal.Fields[0].Pointer != "/url" {
			t.Errorf("%q is registered, or rejected for another reason: %v", form, err)
		}
		slots <- struct{}{}
		pings.Go(func() {
			defer func() { <-slots }()
			attempt, err := pinger.Ping(ctx, "org_x", store.Target{WebhookID: "whk_x", URL: form, Secret: "secret"})
			if err != nil {
				t.Errorf("%q: %v", form, err)
			}
			if attempt.FailureReason == nil || attempt.StatusCode != nil {
				t.Errorf("%q was not rejected: %+v", form, attempt)
			} else if attempt.FailureReason != nil && *attempt.FailureReason == store.FailedTimeout {
				t.Errorf("%q was dialled", form)
			}
			// A call to a system of others has the same checks.
			request, err := http.NewRequestWithContext(ctx, http.MethodPatch, form, http.NoBody)
			if err != nil {
				return // a request cannot have this address
			}
			attempt, _ = caller.Call(request)
			if attempt.FailureReason == nil || attempt.StatusCode != nil ||
				*attempt.FailureReason == store.FailedTimeout {
				t.Errorf("%q was not rejected in a call: %+v", form, attempt)
			}
		})
	}
	pings.Wait()
	if n := accepted(); n != 0 {
		t.Errorf("%d connections to internal addresses", n)
	}
	t.Logf("%d forms", len(forms))

	// Without the guard the listeners are reached, so that the test can fail.
	opts.AllowInsecure = true
	open := webhooks.NewPinger(opts)
	for _, address := range bound {
		if _, err := open.Ping(ctx, "org_x", store.Target{URL: "https://" + address + "/", Secret: "s"}); err != nil {
			t.Error(err)
		}
	}
	if n := accepted(); n != int64(len(bound)) {
		t.Errorf("%d of %d listeners were reached without the guard", n, len(bound))
	}
}

// TestNamesOfInternalAddresses uses public names that resolve to each kind of
// internal address, to several at once, through an alias, and to a different
// address at each lookup. The outcome is that of a name which does not resolve, so that
// it does not reveal which names a private network has.
func TestNamesOfInternalAddresses(t *testing.T) {
	names := newDNS(t)
	accepted, _ := internalTargets(t)
	want := map[string]store.FailureReason{}
	reject := func(name string, answers ...dnsAnswer) string {
		want[names.add(name, answers...)] = store.FailedDNS
		return name
	}
	for i, address := range internalAddresses {
		reject(fmt.Sprintf("to-%d.example.com", i), dnsAnswer{addresses: []string{address}})
	}
	// Documentation addresses stand for public ones, which a broken guard would dial.
	reject("mixed.example.com", dnsAnswer{addresses: []string{"203.0.113.1", "127.0.0.1", "::1"}})
	reject("mixed6.example.com", dnsAnswer{addresses: []string{"2001:db8::1", "::1", "127.0.0.1"}})
	reject("alias.example.com", dnsAnswer{alias: "to-0.example.com."})
	reject("alias2.example.com", dnsAnswer{alias: "localhost.", addresses: []string{"127.0.0.1"}})
	want[names.add("missing.example.com", dnsAnswer{})] = store.FailedDNS
	rebinding := reject("rebinding.example.com", dnsAnswer{addresses: []string{"203.0.113.1"}},
		dnsAnswer{addresses: []string{"127.0.0.1"}}, dnsAnswer{addresses: []string{"::1"}})

	storetest.Each(t, func(t *testing.T, database string) {
		// Registration accepts the names, because their addresses can change before each dial.
		org := newOrganization(t, storetest.Open(t, database, time.Now))
		ids := map[string]string{}
		for name := range want {
			ids[name] = org.endpointID("https://" + name + ":8443/hook")
		}
		run(t, webhooks.Options{
			Queue: org.store.Queue(), Timeout: 5 * time.Second, Resolver: names.resolver(),
			Backoff: webhooks.Backoff{20 * time.Millisecond, 20 * time.Millisecond},
		})
		org.emit(1)
		for name, reason := range want {
			attempt := org.lastAttempt(ids[name], patience)
			if attempt.FailureReason == nil || *attempt.FailureReason != reason || attempt.StatusCode != nil {
				t.Errorf("%s %v: %+v, want %s", name, names.of(name), attempt, reason)
			}
		}
		// Each attempt resolves and checks the name again.
		waitFor(t, "third attempt of the rebinding name", patience, func() bool {
			newest := org.deliveries(ids[rebinding], "")[0]
			return newest.Status == store.DeliveryFailed && newest.AttemptCount == webhooks.MaxAttempts
		})
	})
	t.Cleanup(func() { // after both databases
		if n := accepted(); n != 0 {
			t.Errorf("%d connections to internal addresses", n)
		}
		if n := names.lookups(rebinding); n < 2*webhooks.MaxAttempts {
			t.Errorf("the rebinding name was resolved %d times", n)
		}
	})
}

// TestRedirectsAreNotFollowed responds with a redirect to each kind of location.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var reached atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(inside.Close)
	locations := []string{
		inside.URL, strings.TrimPrefix(inside.URL, "http:"), "/again", "", "%zz", "file:///etc/passwd",
		"gopher://" + inside.Listener.Addr().String(),
	}
	for _, address := range internalAddresses {
		locations = append(locations, "https://"+net.JoinHostPort(address, "8443")+"/")
	}
	var requests atomic.Int64
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("Location", r.URL.Query().Get("to"))
		var code int
		_, _ = fmt.Sscan(r.URL.Query().Get("code"), &code)
		w.WriteHeader(code)
	}))
	t.Cleanup(outside.Close)
	pinger := webhooks.NewPinger(webhooks.Options{
		Now: time.Now, Queue: storetest.Open(t, "sqlite", time.Now).Queue(), Timeout: 5 * time.Second, AllowInsecure: true,
	})
	var made int64
	for _, code := range []int{300, 301, 302, 303, 304, 307, 308} {
		for _, location := range locations {
			made++
			attempt, err := pinger.Ping(context.Background(), "org_x", store.Target{
				URL: fmt.Sprintf("%s/?code=%d&to=%s", outside.URL, code, url.QueryEscape(location)), Secret: "s",
			})
			if err != nil || attempt.FailureReason == nil || *attempt.FailureReason != store.FailedRedirect ||
				attempt.StatusCode == nil || *attempt.StatusCode != code {
				t.Errorf("%d to %q: %+v, %v", code, location, attempt, err)
			}
		}
	}
	if reached.Load() != 0 || requests.Load() != made {
		t.Errorf("%d redirects were followed, %d requests in %d attempts", reached.Load(), requests.Load(), made)
	}
}

// TestProxyVariablesAreIgnored runs itself in another process, because net/http
// reads the variables once per process.
func TestProxyVariablesAreIgnored(t *testing.T) {
	const inside = "ASSAY_TEST_PROXY_CHILD"
	proxy := listenLocal(t, func(c net.Conn) { _ = c.Close() })
	if os.Getenv(inside) == "" {
		command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProxyVariablesAreIgnored$", "-test.v")
		command.Env = append(os.Environ(), inside+"=1", "NO_PROXY=", "no_proxy=", "REQUEST_METHOD=")
		for _, variable := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
			command.Env = append(command.Env, variable+"="+proxy.url(), strings.ToLower(variable)+"="+proxy.url())
		}
		output, err := command.CombinedOutput()
		if err != nil || !strings.Contains(string(output), "PASS: TestProxyVariablesAreIgnored") {
			t.Errorf("%v\n%s", err, output)
		}
		if n := proxy.accepted.Load(); n != 0 {
			t.Errorf("%d connections to the proxy", n)
		}
		return
	}
	via, err := http.ProxyFromEnvironment(httptest.NewRequest("GET", "http://hooks.example.com", nil))
	if err != nil || via == nil {
		t.Fatal("the variables are not set", err)
	}

	// The endpoint has a name, because net/http uses no proxy for localhost.
	names := newDNS(t)
	names.add("hooks.example.com", dnsAnswer{addresses: []string{"127.0.0.1"}})
	receiver := newCountingReceiver(t, nil)
	port := receiver.url[strings.LastIndex(receiver.url, ":"):]
	org := newOrganization(t, openStore(t, storetest.URL(t, "sqlite"), time.Now))
	secure := org.endpointID("https://hooks.example.com" + port)
	org.endpointID("http://hooks.example.com" + port)
	run(t, webhooks.Options{
		Queue: org.store.Queue(), Timeout: 5 * time.Second, Resolver: names.resolver(), AllowInsecure: true,
	})
	org.emit(1)
	receiver.wait(t, 1, patience) // without the proxy
	attempt := org.lastAttempt(secure, patience)
	if attempt.FailureReason == nil || *attempt.FailureReason != store.FailedTLS {
		t.Errorf("https to a receiver without TLS: %+v", attempt)
	}
}
