package contract

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"assay/server"
	"assay/store/storetest"
)

// The first request with a credential and another host than BaseURL is logged, once, and
// not more of it than a line needs.
func TestOtherHostIsWarnedAboutOnce(t *testing.T) {
	const warning = "another host than ASSAY_BASE_URL"
	for name, c := range map[string]struct {
		base   string
		same   []string // hosts that are no reason for a warning
		others []string
	}{
		"name": {
			"https://assay.example/hiring", []string{"assay.example", "ASSAY.example:443", "assay.example."},
			[]string{"assay.example:8443", "10.0.0.7", "other.example", strings.Repeat("x", 5000) + ".example"},
		},
		"address": {"https://192.0.2.7:8080", []string{"192.0.2.7:8080"}, []string{"192.0.2.7", "assay.example"}},
		"loopback": {"https://127.0.0.1:8080", []string{"127.0.0.1:8080", "localhost:8080", "[::1]:8080"},
			[]string{"10.0.0.7:8080"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, other := range c.others {
				clock := storetest.NewClock()
				a := serve(t, storetest.Open(t, "sqlite", clock.Now), clock, func(o *server.Options) { o.BaseURL = c.base })
				o := a.register()
				send := func(host, path string, who credential) {
					r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
					r.Host = host
					if who.header != "" {
						r.Header.Set(who.header, who.value)
					}
					a.server.ServeHTTP(httptest.NewRecorder(), r)
				}
				for _, host := range c.same {
					send(host, "/v1/organization", o.owner)
				}
				for _, path := range []string{"/healthz", "/readyz", "/", "/v1/organization"} {
					send(other, path, anonymous)
				}
				if log := a.log.String(); strings.Contains(log, warning) {
					t.Errorf("%s: no request was wrong, and the log is %s", other, log)
				}
				before := len(a.log.String())
				for range 3 {
					send(other, "/v1/organization", o.owner)
				}
				log := a.log.String()[before:]
				if strings.Count(log, warning) != 1 || len(log) > 3000 {
					t.Errorf("%.100s: %d bytes with %d warnings, want one", other, len(log), strings.Count(log, warning))
				}
			}
		})
	}
}
