package webhooks_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/webhooks"
)

// receiverTimeout is short enough to be waited for, and long enough for what is
// not meant to time out on a busy machine.
const receiverTimeout = 2 * time.Second

var schedule = []time.Duration{30 * time.Second, 5 * time.Minute}

// fate is what the design says of a receiver that always behaves in one way.
type fate struct {
	url    string // of the receiver; "" where answer makes one
	answer answering

	reason store.FailureReason // "" for a success
	status int                 // 0 for none
	body   string
	once   bool            // there is no second attempt
	waits  []time.Duration // instead of the schedule
	late   time.Duration   // how far a wait may fall short of an HTTP-date's, which has whole seconds
}

func (f fate) attempts() int {
	if f.once || f.reason == "" {
		return 1
	}
	return 3
}

func always(code int, headers ...string) fate {
	f := fate{reason: store.FailedStatus, status: code, answer: func(_ int, w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
	}}
	switch {
	case code < 300:
		f.reason = ""
	case code < 400:
		f.reason = store.FailedRedirect
	case code == http.StatusGone:
		f.reason, f.once = store.FailedGone, true
	}
	return f
}

func answered(f fate, body, kept string) fate {
	inner := f.answer
	f.body = kept
	f.answer = func(n int, w http.ResponseWriter, r *http.Request) {
		inner(n, w, r)
		_, _ = w.Write([]byte(body))
	}
	return f
}

func (f fate) waiting(waits ...time.Duration) fate {
	f.waits = waits
	return f
}

// cut sends the text and then closes the connection in the middle.
func cut(text string) answering {
	return func(_ int, w http.ResponseWriter, _ *http.Request) {
		hijacker, _ := w.(http.Hijacker)
		connection, _, err := hijacker.Hijack()
		if err != nil {
			return
		}
		_, _ = connection.Write([]byte(text))
		_ = connection.Close()
	}
}

func silent(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func stopping(_ int, w http.ResponseWriter, r *http.Request) {
	_, _ = w.Write([]byte("the beginning"))
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// fates are all of them by name. The receivers that need it are started here.
func (w *world) fates(trusted *x509.CertPool) map[string]fate {
	inTenMinutes := func(_ int, rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Retry-After", w.clock.Now().Add(10*time.Minute).UTC().Format(http.TimeFormat))
		rw.WriteHeader(http.StatusServiceUnavailable)
	}
	all := map[string]fate{
		"200": answered(always(200), "thanks", "thanks"), "204": always(204), "299": always(299),
		"500": answered(always(500), "oh no", "oh no"), "404": always(404), "429": always(429), "503": always(503), "400": always(400),
		"301": always(301, "Location", "/followed"), "302": always(302, "Location", "/followed"), "307": always(307, "Location", "/followed"),
		"304": always(304), "redirect without a place": always(302),
		"410": always(410),

		"429 in two minutes": always(429, "Retry-After", "120").waiting(2*time.Minute, 5*time.Minute),
		"503 in a while":     always(503, "Retry-After", "600").waiting(10*time.Minute, 10*time.Minute),
		"429 sooner":         always(429, "Retry-After", "5"), "429 at once": always(429, "Retry-After", "0"),
		"429 in a day":    always(429, "Retry-After", "86400").waiting(time.Hour, time.Hour),
		"429 in an age":   always(429, "Retry-After", "99999999999999999999").waiting(time.Hour, time.Hour),
		"429 in the past": always(429, "Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT"),
		"429 on some day": always(429, "Retry-After", "Wed, 21 Oct 2099 07:28:00 GMT").waiting(time.Hour, time.Hour),
		"429 negative":    always(429, "Retry-After", "-100"), "429 nonsense": always(429, "Retry-After", "soon"),
		"500 asking for more": always(500, "Retry-After", "600"),
		"503 at a time": {
			reason: store.FailedStatus, status: 503, answer: inTenMinutes, waits: []time.Duration{10 * time.Minute, 10 * time.Minute}, late: time.Second,
		},

		"hostile text": answered(always(500), "\x00\xff"+strings.Repeat("é", 2000), "\ufffd\ufffd"+strings.Repeat("é", 509)),
		"cut letter":   answered(always(500), "a"+strings.Repeat("é", 2000), "a"+strings.Repeat("é", 511)),
		"long answer":  answered(always(200), strings.Repeat("x", 1<<20), strings.Repeat("x", 1<<10)),

		"never answers":   {reason: store.FailedTimeout, answer: silent},
		"stops answering": {reason: store.FailedTimeout, status: 200, body: "the beginning", answer: stopping},
		"cut in the body": {
			reason: store.FailedConnection, status: 200, body: "part", answer: cut("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart"),
		},
		"cut in the headers": {reason: store.FailedConnection, answer: cut("HTTP/1.1 200 OK\r\nContent-")},
		"cut at once":        {reason: store.FailedConnection, answer: cut("")},
		"not HTTP":           {reason: store.FailedConnection, answer: cut("220 smtp.example ESMTP\r\n")},
		"nobody there":       {reason: store.FailedConnection, url: "http://127.0.0.1:1/"}, // a port for which one needs to be root
		"unknown name":       {reason: store.FailedDNS, url: "http://unknown.example.com/hook"},

		"TLS":             {status: 200, url: w.secured(certificate(w.t, trusted, "127.0.0.1"))},
		"untrusted":       {reason: store.FailedTLS, url: w.secured(certificate(w.t, x509.NewCertPool(), "127.0.0.1"))},
		"another's":       {reason: store.FailedTLS, url: w.secured(certificate(w.t, trusted, "other.example.com"))},
		"HTTP, not HTTPS": {reason: store.FailedTLS, url: strings.Replace(w.receiver(status(200)).URL, "http:", "https:", 1)},
		"only TLS 1.1":    {reason: store.FailedTLS, url: w.secured(certificate(w.t, trusted, "127.0.0.1"), tls.VersionTLS11)},
	}
	for name, f := range all {
		if len(f.waits) == 0 {
			f.waits = schedule
		}
		all[name] = f
	}
	return all
}

// secured is a receiver's address with the certificate.
func (w *world) secured(certificate tls.Certificate, newest ...uint16) string {
	r := w.unstarted(status(200))
	r.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS10}
	if len(newest) > 0 {
		r.TLS.MaxVersion = newest[0]
	}
	r.StartTLS()
	return r.URL
}

// TestFates: one event goes to a receiver of every kind.
func TestFates(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		trusted := x509.NewCertPool()
		fates := w.fates(trusted)
		ids, receivers := map[string]string{}, map[string]*receiver{}
		for name, f := range fates {
			if f.answer != nil {
				receivers[name] = w.receiver(f.answer)
				f.url = receivers[name].URL
			}
			endpoint, _ := w.endpoint(f.url)
			ids[name] = endpoint.ID
		}
		w.invite()
		w.dispatch(func(o *webhooks.Options) {
			o.Timeout, o.RootCAs, o.Resolver = receiverTimeout, trusted, nowhere(t)
		})
		for number := 1; number <= webhooks.MaxAttempts; number++ {
			latest := w.clock.Now()
			for name, f := range fates {
				detail := w.settled(ids[name], min(number, f.attempts()))
				f.check(t, name, detail, number)
				if next := detail.Delivery.NextAttemptAt; next != nil && next.After(latest) {
					latest = next.Time
				}
			}
			w.advanceTo(latest)
		}
		w.clock.Advance(24 * time.Hour) // for the fourth attempt that must not come
		canary := w.receiver(status(200))
		w.endpoint(canary.URL)
		for name, f := range fates {
			if f.reason != "" {
				w.must(w.store.DeleteWebhook(t.Context(), w.scope, ids[name])) // so that the canary is alone
			}
		}
		w.invite()
		canary.next()
		for name, r := range receivers {
			got := slices.DeleteFunc(r.requests(), func(request received) bool {
				return fates[name].reason == "" && request.at.Equal(w.clock.Now()) // the canary's event
			})
			if len(got) != fates[name].attempts() {
				t.Errorf("%s: %d requests, want %d", name, len(got), fates[name].attempts())
			}
			for _, request := range got {
				if request.path != "/" {
					t.Errorf("%s: %s was requested", name, request.path)
				}
			}
		}
	})
}

// check holds a delivery, of which the attempt of that number is over, against the fate.
func (f fate) check(t *testing.T, name string, got store.DeliveryDetail, number int) {
	t.Helper()
	number = min(number, f.attempts())
	status := store.DeliveryPending
	switch {
	case f.reason == "":
		status = store.DeliverySucceeded
	case number == f.attempts():
		status = store.DeliveryFailed
	}
	d := got.Delivery
	if d.Status != status || d.AttemptCount != number || len(got.Attempts) != number ||
		(d.CompletedAt != nil) == (status == store.DeliveryPending) || (d.NextAttemptAt != nil) != (status == store.DeliveryPending) {
		t.Errorf("%s: after attempt %d: %+v with %d attempts, want %s", name, number, d, len(got.Attempts), status)
		return
	}
	last := got.Attempts[number-1]
	reason := store.FailureReason("")
	if last.FailureReason != nil {
		reason = *last.FailureReason
	}
	code := 0
	if last.StatusCode != nil {
		code = *last.StatusCode
	}
	if last.Number != number || reason != f.reason || code != f.status || last.ResponseBody != f.body {
		t.Errorf("%s: attempt %d: %q %d %q, want %q %d %q", name, last.Number, reason, code, last.ResponseBody, f.reason, f.status, f.body)
	}
	if status == store.DeliveryPending {
		promised := f.waits[number-1]
		if wait := d.NextAttemptAt.Sub(last.StartedAt.Time); wait < promised-f.late || wait > promised+promised/10 {
			t.Errorf("%s: waits %s after attempt %d, promised are %s and at most a tenth more", name, wait, number, promised)
		}
	}
}

func TestHeaders(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(status(200))
		endpoint, secret := w.endpoint(r.URL + "/hook")
		w.dispatch()
		event := w.invite()
		got := r.next()
		detail := w.settled(endpoint.ID, 1)
		for name, want := range map[string]string{
			"Content-Type": "application/json; charset=utf-8", "User-Agent": "Assay/1.2.3", "X-Service-Event": "candidate.invited",
			"X-Service-Delivery": detail.Delivery.ID, "webhook-id": event.ID, "Accept-Encoding": "",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s is %q, not %q", name, got.header.Get(name), want)
			}
		}
		if string(got.body) != event.Body || got.path != "/hook" {
			t.Errorf("at %s came\n%s\nnot the event\n%s", got.path, got.body, event.Body)
		}
		checkService(t, secret, got)
		checkStandard(t, secret, got)
	})
}

// TestNeverEarly: at the last moment before an attempt is due nothing is sent,
// at that moment it is.
func TestNeverEarly(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(status(500))
		endpoint, _ := w.endpoint(r.URL)
		canary := w.receiver(status(200))
		w.dispatch()
		w.invite()
		r.next()
		for number := 1; number < webhooks.MaxAttempts; number++ {
			due := w.settled(endpoint.ID, number).Delivery.NextAttemptAt
			w.advanceTo(due.Add(-time.Microsecond))
			// What looks for the canary's delivery sees everything that is due.
			other, _ := w.endpoint(canary.URL)
			_, err := w.store.ReplayWebhook(t.Context(), w.scope, other.ID, store.Replay{
				Since: w.clock.Now().Add(-time.Hour), Until: w.clock.Now().Add(time.Hour),
			})
			w.must(err)
			canary.next()
			if got := w.detail(w.deliveries(endpoint.ID)[0]); len(got.Attempts) != number {
				t.Fatalf("attempt %d came early", number+1)
			}
			eventually(t, func() bool { return w.settled(other.ID, 1).Delivery.Status == store.DeliverySucceeded })
			w.must(w.store.DeleteWebhook(t.Context(), w.scope, other.ID))
			w.advanceTo(due.Time)
			if got := r.next(); got.at.Before(due.Time) {
				t.Errorf("attempt %d came at %s, due at %s", number+1, got.at, due)
			}
		}
		if got := w.settled(endpoint.ID, 3).Delivery.Status; got != store.DeliveryFailed {
			t.Errorf("%s after the last attempt", got)
		}
	})
}

// TestPing: a test event is signed and judged like any other, and kept nowhere.
func TestPing(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(answered(always(503, "Retry-After", "60"), "not now", "").answer)
		endpoint, secret := w.endpoint(r.URL)
		_, err := w.store.UpdateWebhook(t.Context(), w.scope, endpoint.ID, store.WebhookChange{Enabled: ptr(false)})
		w.must(err)
		target, err := w.store.TestWebhook(t.Context(), w.scope, endpoint.ID)
		w.must(err)
		pinger := webhooks.NewPinger(webhooks.Options{Store: w.store, Now: w.clock.Now, Version: "1.2.3", AllowInsecure: true})
		attempt, err := pinger.Ping(t.Context(), w.scope.OrganizationID, target)
		w.must(err)
		if attempt.Number != 1 || *attempt.StatusCode != 503 || *attempt.FailureReason != store.FailedStatus || attempt.ResponseBody != "not now" {
			t.Errorf("attempt %+v", attempt)
		}
		got := r.next()
		checkService(t, secret, got)
		checkStandard(t, secret, got)
		want := fmt.Sprintf(`{"id":"%s","type":"ping","timestamp":"%s","organizationId":"%s","data":{"webhookId":"%s"}}`,
			got.header.Get("webhook-id"), store.WireTime(w.store.Now()), w.scope.OrganizationID, endpoint.ID)
		if string(got.body) != want || got.header.Get("X-Service-Event") != "ping" {
			t.Errorf("sent %s, want %s", got.body, want)
		}
		if w.pending() != 0 || len(w.deliveries(endpoint.ID)) != 0 {
			t.Error("a ping is kept")
		}
		// Without leave, this machine's own addresses are refused when dialled.
		strict := webhooks.NewPinger(webhooks.Options{Store: w.store, Now: w.clock.Now})
		if attempt, err = strict.Ping(t.Context(), w.scope.OrganizationID, target); err != nil || *attempt.FailureReason != store.FailedAddress {
			t.Errorf("%+v %v", attempt, err)
		}
	})
}
