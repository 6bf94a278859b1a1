package webhooks_test

import (
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

// TestReceiversWithTLS delivers many events at once to a receiver with TLS, by HTTP/1.1
// and by HTTP/2, where all attempts share connections. Each must arrive once and intact.
func TestReceiversWithTLS(t *testing.T) {
	const events = 300
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(protocol, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, database string) {
				org := newOrganization(t, openStore(t, storetest.URL(t, database), time.Now))
				var mu sync.Mutex
				arrived, connections := map[string]int{}, map[string]bool{}
				var secret string
				receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					body, err := io.ReadAll(r.Body)
					mu.Lock()
					defer mu.Unlock()
					arrived[r.Header.Get("Webhook-Id")]++
					connections[r.RemoteAddr] = true
					if err != nil || r.Proto != protocol || r.Header.Get("X-Service-Signature") != webhooks.Signature(secret, body) {
						t.Errorf("%s, %v, signature %q", r.Proto, err, r.Header.Get("X-Service-Signature"))
					}
				}))
				receiver.EnableHTTP2 = protocol == "HTTP/2.0"
				receiver.StartTLS()
				t.Cleanup(receiver.Close)
				roots := x509.NewCertPool()
				roots.AddCert(receiver.Certificate())
				endpoint, shown := org.endpoint(receiver.URL)
				secret = shown
				org.emit(events)
				began := time.Now()
				run(t, webhooks.Options{Queue: org.store.Queue(), Timeout: patience, AllowInsecure: true, RootCAs: roots})
				eventually(t, func() bool { return len(org.deliveries(endpoint.ID, store.DeliverySucceeded)) == events })
				t.Logf("%d deliveries after %v", events, time.Since(began))

				mu.Lock()
				defer mu.Unlock()
				for id, n := range arrived {
					if n != 1 {
						t.Errorf("%s arrived %d times", id, n)
					}
				}
				if len(arrived) != events || len(connections) > 32 {
					t.Errorf("%d events arrived on %d connections", len(arrived), len(connections))
				}
			})
		})
	}
}
