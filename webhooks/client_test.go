package webhooks_test

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/webhooks"
)

var schedule = []time.Duration{30 * time.Second, 5 * time.Minute}

// behavior is how a receiver treats every request, and the result that the
// design requires.
type behavior struct {
	url     string // of the receiver; "" for one that respond makes
	respond responder

	reason store.FailureReason // "" for a success
	status int                 // 0 for none
	body   string
	once   bool            // there is no second attempt
	waits  []time.Duration // instead of the schedule
	early  time.Duration   // how much shorter a wait may be; an HTTP date has whole seconds
}

func (b behavior) attempts() int {
	if b.once || b.reason == "" {
		return 1
	}
	return webhooks.MaxAttempts
}

// always responds with the code and the headers, given as names and values in turn.
func always(code int, headers ...string) behavior {
	respond := func(_ int, w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
	}
	b := behavior{reason: store.FailedStatus, status: code, respond: respond}
	switch {
	case code < 300:
		b.reason = ""
	case code < 400:
		b.reason = store.FailedRedirect
	case code == http.StatusGone:
		b.reason, b.once = store.FailedGone, true
	}
	return b
}

// withBody adds a body. stored is what the attempt must keep of it.
func (b behavior) withBody(body, stored string) behavior {
	inner := b.respond
	b.body = stored
	b.respond = func(n int, w http.ResponseWriter, r *http.Request) {
		inner(n, w, r)
		_, _ = w.Write([]byte(body))
	}
	return b
}

func (b behavior) waiting(waits ...time.Duration) behavior {
	b.waits = waits
	return b
}

// cut sends the text and closes the connection.
func cut(text string) responder {
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

// closedPort is on a port that only root may open.
const closedPort = "http://127.0.0.1:1/"

// statusBehaviors end with a status. Those that wait follow Retry-After.
func (w *world) statusBehaviors() map[string]behavior {
	inTenMinutes := func(_ int, rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Retry-After", w.clock.Now().Add(10*time.Minute).UTC().Format(http.TimeFormat))
		rw.WriteHeader(http.StatusServiceUnavailable)
	}
	return map[string]behavior{
		"200": always(200).withBody("thanks", "thanks"), "204": always(204), "299": always(299),
		"400": always(400), "404": always(404), "429": always(429), "503": always(503),
		"500": always(500).withBody("oh no", "oh no"), "410": always(410),
		"301": always(301, "Location", "/followed"), "302": always(302, "Location", "/followed"),
		"307": always(307, "Location", "/followed"), "304": always(304), "redirect without Location": always(302),

		"429, 2 minutes":  always(429, "Retry-After", "120").waiting(2*time.Minute, 5*time.Minute),
		"503, 10 minutes": always(503, "Retry-After", "600").waiting(10*time.Minute, 10*time.Minute),
		"429, 5 seconds":  always(429, "Retry-After", "5"),
		"429, 0 seconds":  always(429, "Retry-After", "0"),
		"429, a day":      always(429, "Retry-After", "86400").waiting(time.Hour, time.Hour),
		"429, overflow":   always(429, "Retry-After", "99999999999999999999").waiting(time.Hour, time.Hour),
		"429, past date":  always(429, "Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT"),
		"429, late date":  always(429, "Retry-After", "Wed, 21 Oct 2099 07:28:00 GMT").waiting(time.Hour, time.Hour),
		"429, negative":   always(429, "Retry-After", "-100"),
		"429, invalid":    always(429, "Retry-After", "soon"),
		"500, 10 minutes": always(500, "Retry-After", "600"), // only 429 and 503 have the header
		"503, near date": {
			reason: store.FailedStatus, status: 503, respond: inTenMinutes,
			waits: []time.Duration{10 * time.Minute, 10 * time.Minute}, early: time.Second,
		},

		"invalid text":  always(500).withBody("\x00\xff"+strings.Repeat("é", 2000), "\ufffd\ufffd"+strings.Repeat("é", 509)),
		"split letter":  always(500).withBody("a"+strings.Repeat("é", 2000), "a"+strings.Repeat("é", 511)),
		"long response": always(200).withBody(strings.Repeat("x", 1<<20), strings.Repeat("x", 1<<10)),
	}
}

// connectionBehaviors end without a valid response.
func (w *world) connectionBehaviors(trusted *x509.CertPool) map[string]behavior {
	plain, local := w.receiver(status(200)).URL, certificate(w.t, trusted, "127.0.0.1")
	return map[string]behavior{
		"closed in the body": {
			reason: store.FailedConnection, status: 200, body: "part",
			respond: cut("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart"),
		},
		"closed in the headers": {reason: store.FailedConnection, respond: cut("HTTP/1.1 200 OK\r\nContent-")},
		"closed at once":        {reason: store.FailedConnection, respond: cut("")},
		"not HTTP":              {reason: store.FailedConnection, respond: cut("220 smtp.example ESMTP\r\n")},
		"closed port":           {reason: store.FailedConnection, url: closedPort},
		"unknown name":          {reason: store.FailedDNS, url: "http://unknown.example.com/hook"},

		"TLS":             {status: 200, url: w.secured(local)},
		"untrusted":       {reason: store.FailedTLS, url: w.secured(certificate(w.t, x509.NewCertPool(), "127.0.0.1"))},
		"other name":      {reason: store.FailedTLS, url: w.secured(certificate(w.t, trusted, "other.example.com"))},
		"HTTP, not HTTPS": {reason: store.FailedTLS, url: strings.Replace(plain, "http:", "https:", 1)},
		"only TLS 1.1":    {reason: store.FailedTLS, url: w.secured(local, tls.VersionTLS11)},
	}
}

// secured returns the URL of a receiver with the certificate.
func (w *world) secured(certificate tls.Certificate, newest ...uint16) string {
	r := w.unstarted(status(200))
	r.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS10}
	if len(newest) > 0 {
		r.TLS.MaxVersion = newest[0]
	}
	r.StartTLS()
	return r.URL
}

// TestStatuses sends one event to receivers that respond with each kind of status.
func TestStatuses(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) { w.checkBehaviors(w.statusBehaviors(), patiently) })
}

// TestConnectionFailures sends one event to receivers that do not respond validly.
func TestConnectionFailures(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		trusted := x509.NewCertPool()
		w.checkBehaviors(w.connectionBehaviors(trusted), func(o *webhooks.Options) {
			o.Timeout, o.RootCAs, o.Resolver = patience, trusted, newDNS(t).resolver()
		})
	})
}

// TestTimeouts sends one event to receivers that never finish their response.
// The timeout passes in real time, so it is short.
func TestTimeouts(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		w.checkBehaviors(map[string]behavior{
			"no response":      {reason: store.FailedTimeout, respond: silent},
			"half of the body": {reason: store.FailedTimeout, status: 200, body: "the beginning", respond: stopping},
		}, func(o *webhooks.Options) { o.Timeout = time.Second })
	})
}

// checkBehaviors delivers one event to all receivers and checks each delivery
// after each attempt.
func (w *world) checkBehaviors(behaviors map[string]behavior, options func(*webhooks.Options)) {
	w.t.Helper()
	ids, receivers := map[string]string{}, map[string]*receiver{}
	for name, b := range behaviors {
		if b.respond != nil {
			receivers[name] = w.receiver(b.respond)
			b.url = receivers[name].URL
		}
		if b.waits == nil {
			b.waits = schedule
		}
		ids[name], behaviors[name] = w.endpointID(b.url), b
	}
	w.invite()
	w.dispatch(options)

	for number := 1; number <= webhooks.MaxAttempts; number++ {
		latest := w.clock.Now()
		for name, b := range behaviors {
			detail := w.settled(ids[name], min(number, b.attempts()))
			b.check(w.t, name, detail, number)
			if next := detail.Delivery.NextAttemptAt; next != nil && next.After(latest) {
				latest = next.Time
			}
		}
		w.advanceTo(latest)
	}

	// When the probe's event has arrived, a fourth attempt would have arrived too.
	w.clock.Advance(24 * time.Hour)
	probe := w.receiver(status(200))
	w.endpoint(probe.URL)
	for name, b := range behaviors {
		if b.reason != "" {
			w.must(w.store.DeleteWebhook(w.t.Context(), w.scope, ids[name])) // they would fail the probe's event too
		}
	}
	w.invite()
	probe.next()
	for name, r := range receivers {
		got := slices.DeleteFunc(r.requests(), func(request received) bool {
			return behaviors[name].reason == "" && request.at.Equal(w.clock.Now()) // the probe's event
		})
		if len(got) != behaviors[name].attempts() {
			w.t.Errorf("%s: %d requests, want %d", name, len(got), behaviors[name].attempts())
		}
		for _, request := range got {
			if request.path != "/" {
				w.t.Errorf("%s: request for %s", name, request.path)
			}
		}
	}
}

// check compares a delivery with the behavior after the attempt with that number.
func (b behavior) check(t testing.TB, name string, got store.DeliveryDetail, number int) {
	t.Helper()
	number = min(number, b.attempts())
	status := store.DeliveryPending
	switch {
	case b.reason == "":
		status = store.DeliverySucceeded
	case number == b.attempts():
		status = store.DeliveryFailed
	}
	d, pending := got.Delivery, status == store.DeliveryPending
	if d.Status != status || d.AttemptCount != number || len(got.Attempts) != number ||
		(d.CompletedAt != nil) == pending || (d.NextAttemptAt != nil) != pending {
		t.Errorf("%s: after attempt %d: %+v with %d attempts, want %s", name, number, d, len(got.Attempts), status)
		return
	}

	last := got.Attempts[number-1]
	reason, code := store.FailureReason(""), 0
	if last.FailureReason != nil {
		reason = *last.FailureReason
	}
	if last.StatusCode != nil {
		code = *last.StatusCode
	}
	if last.Number != number || reason != b.reason || code != b.status || last.ResponseBody != b.body {
		t.Errorf("%s: attempt %d: %q %d %q, want %q %d %q",
			name, last.Number, reason, code, last.ResponseBody, b.reason, b.status, b.body)
	}
	if pending {
		least := b.waits[number-1]
		if wait := d.NextAttemptAt.Sub(last.StartedAt.Time); wait < least-b.early || wait > least+least/10 {
			t.Errorf("%s: wait of %s after attempt %d, want %s to 10 %% more", name, wait, number, least)
		}
	}
}
