package webhooks

import (
	"crypto/x509"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
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
		answer, err := NewTransport(Options{Now: time.Now, Timeout: time.Second}, nil).RoundTrip(r)
		if err == nil {
			_ = answer.Body.Close()
		}
		if !errors.Is(err, errAddressRefused) && !errors.Is(err, errUserInformation) {
			t.Errorf("%s: %v, want a refusal", address, err)
		}
	}
}

// The operator can name hosts in a private network. They still need a valid certificate, and other hosts stay refused.
func TestTransportReachesNamedHosts(t *testing.T) {
	t.Parallel()
	private := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(private.Close)
	authorities := x509.NewCertPool()
	authorities.AddCert(private.Certificate())
	send := func(address string, authorities *x509.CertPool) error {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		opts := Options{Now: time.Now, Timeout: time.Second, RootCAs: authorities}
		answer, err := NewTransport(opts, []string{"127.0.0.1"}).RoundTrip(r)
		if err == nil {
			_ = answer.Body.Close()
		}
		return err
	}
	if err := send(private.URL, authorities); err != nil {
		t.Error(err)
	}
	if err := send(private.URL, nil); err == nil {
		t.Error("a certificate of an unknown authority is accepted")
	}
	for _, refused := range []string{
		strings.Replace(private.URL, "https:", "http:", 1), strings.Replace(private.URL, "127.0.0.1", "localhost", 1),
		"https://127.0.0.2",
	} {
		if err := send(refused, authorities); !errors.Is(err, errAddressRefused) {
			t.Errorf("%s: %v, want a refusal", refused, err)
		}
	}
}
