package webhooks

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// The transport reaches no private address and no address without TLS, unless AllowInsecure permits both.
func TestTransportRefusesPrivateAddresses(t *testing.T) {
	t.Parallel()
	private := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(private.Close)
	for _, address := range []string{
		private.URL, "https://127.0.0.1", "https://localhost", "https://[::1]", "https://169.254.169.254",
		"https://10.0.0.1:8443", "http://example.com", "https://user:password@example.com",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := NewTransport(Options{Now: time.Now, Timeout: time.Second}).RoundTrip(r)
		if err == nil {
			_ = answer.Body.Close()
		}
		if !errors.Is(err, errAddressRefused) && !errors.Is(err, errUserInformation) {
			t.Errorf("%s: %v, want a refusal", address, err)
		}
	}
}
