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

// refusedURLs are ways to write an address that is not public, or to hide one,
// and whatever else is no plain https URL of a public name. Each is refused at
// registration, and an attempt that skips registration reaches nothing either.
// None holds a public address: were the guard broken, it would be dialled.
var refusedURLs = strings.Fields(`
	https://127.0.0.1/ https://127.0.0.1:8443/ https://127.0.0.2/ https://127.255.255.254/ https://127.0.0.1./ https://localhost/
	https://LOCALHOST/ https://localhost./ https://sub.localhost/ https://localhost.localdomain. https://ip6-localhost/
	https://2130706433/ https://2130706433:8443/ https://017700000001/ https://0x7f000001/ https://0X7F000001/ https://0x7f.0x0.0x0.0x1/
	https://0x7f.1/ https://0177.0.0.1/ https://0177.0.0.01/ https://0177.1/ https://127.1/ https://127.0.1/ https://127.0x1/
	https://0x7f.0.0.01/ https://00000177.0.0.1/ https://127.000.000.001/ https://0x0000007f.1/ https://127.0.0.1.0x0/
	https://0/ https://0.0.0.0/ https://0.0.0.0:8443/ https://0x0/ https://00/ https://0.1.2.3/
	https://10.0.0.1/ https://10.255.255.255/ https://172.16.0.1/ https://172.31.255.255/ https://192.168.0.1/ https://192.168.1.254/
	https://3232235521/ https://0xc0a80001/ https://0300.0250.0.1/ https://167772161/ https://0x0a000001/
	https://100.64.0.1/ https://100.127.255.255/ https://100.100.100.200/ https://169.254.169.254/ https://169.254.169.254/latest/meta-data/
	https://2852039166/ https://0xa9fea9fe/ https://0251.0376.0251.0376/ https://169.254.43518/ https://169.254.170.2/ https://168.63.129.16/
	https://2822734096/ https://0xa83f8110/ https://192.0.0.1/ https://192.0.0.192/ https://192.0.2.1/ https://198.51.100.1/
	https://203.0.113.1/ https://198.18.0.1/ https://198.19.255.255/ https://192.88.99.1/ https://224.0.0.1/ https://239.255.255.255/
	https://240.0.0.1/ https://255.255.255.255/ https://255.255.255.255:8443/
	https://[::1]/ https://[::1]:8443/ https://[0:0:0:0:0:0:0:1]/ https://[0000:0000:0000:0000:0000:0000:0000:0001]/ https://[::]/
	https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[0:0:0:0:0:ffff:127.0.0.1]/ https://[::ffff:10.0.0.1]/
	https://[::ffff:169.254.169.254]/ https://[::ffff:168.63.129.16]/ https://[::ffff:a83f:8110]/ https://[::127.0.0.1]/ https://[::7f00:1]/
	https://[::ffff:0:127.0.0.1]/ https://[64:ff9b::127.0.0.1]/ https://[64:ff9b::7f00:1]/ https://[64:ff9b::a9fe:a9fe]/
	https://[64:ff9b:1::7f00:1]/ https://[2002:7f00:1::]/ https://[2002:a9fe:a9fe::1]/ https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/
	https://[2001:db8::1]/ https://[2001:10::1]/ https://[2001:20::1]/ https://[3fff::1]/ https://[100::1]/ https://[5f00::1]/
	https://[fc00::1]/ https://[fd00:ec2::254]/ https://[fd00::1]/ https://[fec0::1]/ https://[fe80::1]/ https://[fe80::1%25lo]/
	https://[fe80::1%25eth0]/ https://[::1%25lo]/ https://[fe80::1%lo]/ https://[ff02::1]/ https://[ff05::2]/ https://[::5efe:7f00:1]/
	https://①②⑦.⓪.⓪.①/ https://①②⑦.0.0.1/ https://１２７.０.０.１/ https://127。0。0。1/ https://127．0．0．1/ https://127｡0｡0｡1/
	https://127%2e0%2e0%2e1/ https://%31%32%37.0.0.1/ https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/ https://loc%61lhost/ https://ｌｏｃａｌｈｏｓｔ/
	https://١٢٧.٠.٠.١/ https://[①::1]/ https://example。com/ https://bücher.example/
	https://user@127.0.0.1/ https://user:secret@hooks.example.com/ https://hooks.example.com@127.0.0.1/ https://hooks.example.com:443@127.0.0.1:8443/
	https://127.0.0.1@hooks.example.com/ https://@127.0.0.1/ https://:@hooks.example.com/ https://hooks.example.com%40127.0.0.1/
	https://hooks.example.com#@127.0.0.1/ https://127.0.0.1#@hooks.example.com/ https://hooks.example.com/# https://hooks.example.com/#x
	https://hooks.example.com\@127.0.0.1/ https://127.0.0.1\@hooks.example.com/ https:\\127.0.0.1\ https:/\127.0.0.1/ https://127.0.0.1\.example.com/
	https://hooks.example.com%23@127.0.0.1/ https://hooks.example.com%00.127.0.0.1/ https://hooks.example.com%0d%0aHost:127.0.0.1/
	https:127.0.0.1 https:/127.0.0.1/ https:///127.0.0.1/ https:// https:///x https://? //127.0.0.1/ 127.0.0.1 /etc/passwd x
	https://hooks.example.com:80/ https://hooks.example.com:22/ https://hooks.example.com:8080/ https://hooks.example.com:0/
	https://hooks.example.com:/ https://hooks.example.com:99999/ https://hooks.example.com:-1/ https://hooks.example.com:443:443/
	https://hooks.example.com:0443/ https://hooks.example.com:+443/ https://hooks.example.com:４４３/ https://127.0.0.1:443:8443/
	http://hooks.example.com/ http://127.0.0.1/ http://127.0.0.1:443/ http://127.0.0.1:8443/ http://[::1]:8443/ HTTP://hooks.example.com:443/
	gopher://127.0.0.1:8443/_x file:///etc/passwd file://localhost/etc/passwd ftp://127.0.0.1:443/ ws://127.0.0.1:443/ wss://127.0.0.1/
	dict://127.0.0.1:443/ ldap://127.0.0.1:443/ unix:///run/x.sock data:text/plain,x javascript:alert(1) jar:https://127.0.0.1!/ tftp://127.0.0.1/
	httpss://127.0.0.1/ https+unix://127.0.0.1/ https://hooks..example.com/ https://.example.com/ https://-a.example.com/ https://hooks/
	https://metadata.google.internal/ https://kubernetes.default.svc.cluster.local/ https://printer.local/ https://x.home.arpa/ https://a.test/
	https://[hooks.example.com]/ https://[127.0.0.1]/ https://[::1/ https://::1/ https://::1]:443/ https://*.example.com/ https://a,b.example.com/
`)

// spacedURLs are like refusedURLs, with what Fields would cut.
var spacedURLs = []string{
	"", " ", " https://127.0.0.1/", "https://127.0.0.1/ ", "https://127.0.0.1\t/", "https://hooks.example.com/\r\nX: y", "https://127.0.0.1\n",
	"https://hooks.example.com /", "https://hooks.example.com\x00.127.0.0.1/", "https://hooks.example.com/a b", "\thttps://hooks.example.com/",
}

// internalTargets listens where an attempt must never arrive, on the ports that
// the guard lets through, so that the address alone decides.
func internalTargets(t *testing.T) (accepted func() int64, bound []string) {
	t.Helper()
	var listeners []*safetyListener
	for _, host := range []string{"127.0.0.1", "::1", "127.0.0.2"} {
		for _, port := range []string{"443", "8443"} {
			listener, err := newSafetyListener(t, net.JoinHostPort(host, port), func(c net.Conn) { _ = c.Close() })
			if err != nil {
				t.Logf("%s %s is not listened on: %v", host, port, err) // 443 takes privileges
				continue
			}
			listeners, bound = append(listeners, listener), append(bound, listener.Addr().String())
		}
	}
	if len(bound) == 0 {
		t.Fatal("nothing could be listened on")
	}
	return func() (sum int64) {
		for _, listener := range listeners {
			sum += listener.accepted.Load()
		}
		return sum
	}, bound
}

// TestRefusedURLs refuses each address twice: when it is registered, and at the
// dial when it got into the database some other way.
func TestRefusedURLs(t *testing.T) {
	ctx, names := context.Background(), newDNS(t)
	accepted, bound := internalTargets(t)
	s := storetest.Open(t, "sqlite", time.Now)
	org := newSafetyOrg(t, s)
	pinger := webhooks.NewPinger(webhooks.Options{Store: s, Now: time.Now, Timeout: 2 * time.Second, Resolver: names.resolver()})
	forms := slices.Concat(refusedURLs, spacedURLs)
	var pings sync.WaitGroup
	slots := make(chan struct{}, 16)
	for _, form := range forms {
		_, err := s.CreateWebhook(ctx, org.scope, store.NewWebhook{URL: form, Events: []string{"candidate.invited"}})
		var refusal *store.Error
		if !errors.As(err, &refusal) || refusal.Code != "invalid_request" || len(refusal.Fields) != 1 || refusal.Fields[0].Pointer != "/url" {
			t.Errorf("%q is registered, or refused otherwise: %v", form, err)
		}
		slots <- struct{}{}
		pings.Go(func() {
			defer func() { <-slots }()
			attempt, err := pinger.Ping(ctx, "org_x", store.Target{WebhookID: "whk_x", URL: form, Secret: "secret"})
			if err != nil {
				t.Errorf("%q: %v", form, err)
			}
			if attempt.FailureReason == nil || attempt.StatusCode != nil {
				t.Errorf("%q was reached: %+v", form, attempt)
			} else if attempt.FailureReason != nil && *attempt.FailureReason == store.FailedTimeout {
				t.Errorf("%q was dialled", form)
			}
		})
	}
	pings.Wait()
	if n := accepted(); n != 0 {
		t.Errorf("%d connections arrived at internal addresses", n)
	}
	t.Logf("%d forms", len(forms))
	// The listeners do listen: without the guard they are reached.
	open := webhooks.NewPinger(webhooks.Options{Store: s, Now: time.Now, Timeout: 2 * time.Second, AllowInsecure: true})
	for _, address := range bound {
		if _, err := open.Ping(ctx, "org_x", store.Target{URL: "https://" + address + "/", Secret: "s"}); err != nil {
			t.Error(err)
		}
	}
	if n := accepted(); n != int64(len(bound)) {
		t.Errorf("%d of %d listeners were reached without the guard", n, len(bound))
	}
}

// internalAddresses has at least one of each kind that is not public.
var internalAddresses = []string{
	"127.0.0.1", "127.0.0.2", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "100.100.100.200", "169.254.169.254",
	"168.63.129.16", "192.0.0.192", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
	"::1", "::", "::ffff:127.0.0.1", "::ffff:168.63.129.16", "::7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::7f00:1",
	"2001:db8::1", "3fff::1", "100::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
}

// TestNamesOfInternalAddresses has public names that lead elsewhere: each kind
// of address, several at once, through an alias, and changing between lookups.
func TestNamesOfInternalAddresses(t *testing.T) {
	names := newDNS(t)
	accepted, _ := internalTargets(t)
	want := map[string]store.FailureReason{}
	for i, address := range internalAddresses {
		want[names.add(fmt.Sprintf("to-%d.example.com", i), answer{addresses: []string{address}})] = store.FailedAddress
	}
	// The documentation's addresses stand for public ones: a real one would be dialled.
	want[names.add("mixed.example.com", answer{addresses: []string{"203.0.113.1", "127.0.0.1", "::1"}})] = store.FailedAddress
	want[names.add("mixed6.example.com", answer{addresses: []string{"2001:db8::1", "::1", "127.0.0.1"}})] = store.FailedAddress
	want[names.add("alias.example.com", answer{alias: "to-0.example.com."})] = store.FailedAddress
	want[names.add("alias2.example.com", answer{alias: "localhost.", addresses: []string{"127.0.0.1"}})] = store.FailedAddress
	want[names.add("missing.example.com", answer{})] = store.FailedDNS
	rebinding := names.add("rebinding.example.com", answer{addresses: []string{"203.0.113.1"}}, answer{addresses: []string{"127.0.0.1"}},
		answer{addresses: []string{"::1"}})
	want[rebinding] = store.FailedAddress

	storetest.Each(t, func(t *testing.T, database string) {
		// Registration accepts the names: what they lead to is for each dial to say.
		org := newSafetyOrg(t, storetest.Open(t, database, time.Now))
		ids := map[string]string{}
		for name := range want {
			ids[name] = org.endpoint(t, "https://"+name+":8443/hook")
		}
		safetyRun(t, webhooks.Options{
			Store: org.store, Timeout: 5 * time.Second, Resolver: names.resolver(),
			Backoff: webhooks.Backoff{20 * time.Millisecond, 20 * time.Millisecond},
		})
		org.emit(t, 1)
		for name, reason := range want {
			attempt := org.lastAttempt(t, ids[name], 20*time.Second)
			if attempt.FailureReason == nil || *attempt.FailureReason != reason || attempt.StatusCode != nil {
				t.Errorf("%s %v: %+v, want %s", name, names.of(name), attempt, reason)
			}
		}
		// Every attempt asks again, and is checked again.
		safetyWait(t, "third attempt of the rebinding name", 10*time.Second, func() bool {
			deliveries, _, err := org.store.ListDeliveries(context.Background(), org.scope, ids[rebinding], store.DeliveryFilter{}, store.Page{Limit: 1})
			return err == nil && deliveries[0].Status == store.DeliveryFailed && deliveries[0].AttemptCount == webhooks.MaxAttempts
		})
	})
	t.Cleanup(func() { // after both databases
		if n := accepted(); n != 0 {
			t.Errorf("%d connections arrived at internal addresses", n)
		}
		if asked := names.asked(rebinding); asked < 2*webhooks.MaxAttempts {
			t.Errorf("the rebinding name was looked up %d times", asked)
		}
	})
}

// TestRedirectsAreNotFollowed answers with a redirect to each kind of place.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var reached atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(inside.Close)
	locations := []string{inside.URL, strings.TrimPrefix(inside.URL, "http:"), "/again", "", "file:///etc/passwd", "gopher://" + inside.Listener.Addr().String(), "%zz"}
	for _, address := range internalAddresses {
		locations = append(locations, "https://"+net.JoinHostPort(address, "8443")+"/")
	}
	var asked atomic.Int64
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Location", r.URL.Query().Get("to"))
		var code int
		_, _ = fmt.Sscan(r.URL.Query().Get("code"), &code)
		w.WriteHeader(code)
	}))
	t.Cleanup(outside.Close)
	pinger := webhooks.NewPinger(webhooks.Options{Now: time.Now, Store: storetest.Open(t, "sqlite", time.Now), Timeout: 5 * time.Second, AllowInsecure: true})
	var made int64
	for _, code := range []int{300, 301, 302, 303, 304, 307, 308} {
		for _, location := range locations {
			made++
			attempt, err := pinger.Ping(context.Background(), "org_x", store.Target{
				URL: fmt.Sprintf("%s/?code=%d&to=%s", outside.URL, code, url.QueryEscape(location)), Secret: "s",
			})
			if err != nil || attempt.FailureReason == nil || *attempt.FailureReason != store.FailedRedirect || attempt.StatusCode == nil || *attempt.StatusCode != code {
				t.Errorf("%d to %q: %+v, %v", code, location, attempt, err)
			}
		}
	}
	if reached.Load() != 0 || asked.Load() != made {
		t.Errorf("%d redirects were followed, %d requests for %d attempts", reached.Load(), asked.Load(), made)
	}
}

// TestProxyVariablesAreIgnored runs itself in a process of its own: net/http
// reads the variables once in a process's life.
func TestProxyVariablesAreIgnored(t *testing.T) {
	const inside = "ASSAY_TEST_PROXY_CHILD"
	proxy := mustSafetyListener(t, func(c net.Conn) { _ = c.Close() })
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
			t.Errorf("the proxy had %d connections", n)
		}
		return
	}
	if via, err := http.ProxyFromEnvironment(httptest.NewRequest("GET", "http://hooks.example.com", nil)); err != nil || via == nil {
		t.Fatal("the variables are not set here", err)
	}
	// A name, since no proxy is ever used for localhost.
	names := newDNS(t)
	names.add("hooks.example.com", answer{addresses: []string{"127.0.0.1"}})
	receiver := newSafetyReceiver(t, nil)
	port := receiver.url[strings.LastIndex(receiver.url, ":"):]
	org := newSafetyOrg(t, safetyStore(t, storetest.URL(t, "sqlite"), time.Now))
	secure := org.endpoint(t, "https://hooks.example.com"+port)
	org.endpoint(t, "http://hooks.example.com"+port)
	safetyRun(t, webhooks.Options{Store: org.store, Timeout: 5 * time.Second, Resolver: names.resolver(), AllowInsecure: true})
	org.emit(t, 1)
	receiver.wait(t, 1, 5*time.Second) // straight, not through the proxy
	if attempt := org.lastAttempt(t, secure, 5*time.Second); attempt.FailureReason == nil || *attempt.FailureReason != store.FailedTLS {
		t.Errorf("https to a receiver without TLS: %+v", attempt)
	}
}
