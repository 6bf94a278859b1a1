package webhooks

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"assay/store"
)

const (
	maxResponse  = 64 << 10 // bytes read of an answer
	keptResponse = 1 << 10  // bytes kept of it
	maxHeaders   = 16 << 10

	// maxIdle is above what is ever in flight: with fewer, each delivery would open a connection.
	maxIdle = 1024
)

// client makes attempts. It is the only thing here that touches the network.
type client struct {
	// transport without http.Client, which would follow redirects, and fail on
	// one that it cannot read.
	transport *http.Transport
	userAgent string
	insecure  bool          // http may be sent to
	timeout   time.Duration // over everything, from the name to the last byte
	now       func() time.Time
}

// wireServer is an address of Azure's that the lists of private networks lack.
var wireServer = netip.MustParsePrefix("168.63.129.16/32")

func newClient(opts Options) *client {
	dialer := &net.Dialer{Timeout: opts.Timeout, KeepAlive: 30 * time.Second, Resolver: opts.Resolver}
	if !opts.AllowInsecure {
		// After the name is resolved and before anything is sent: the only place
		// where a name that changes its mind cannot slip through.
		guard := ssrf.New(ssrf.WithPorts(443, 8443), ssrf.WithDeniedV4Prefixes(wireServer))
		dialer.Control = func(network, address string, conn syscall.RawConn) error {
			if err := guard.Safe(network, address, conn); err != nil {
				return errAddressRefused
			}
			return nil
		}
	}
	transport := &http.Transport{
		Proxy:       nil, // an environment variable must not choose who sees the events
		DialContext: dialer.DialContext, ForceAttemptHTTP2: true, DisableCompression: true,
		MaxIdleConns: maxIdle, MaxIdleConnsPerHost: maxIdle, IdleConnTimeout: 90 * time.Second,
		TLSHandshakeTimeout: opts.Timeout, MaxResponseHeaderBytes: maxHeaders,
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(1024), RootCAs: opts.RootCAs},
		ReadBufferSize:  2 << 10, WriteBufferSize: 2 << 10,
	}
	return &client{
		transport: transport, userAgent: "Assay/" + opts.Version, insecure: opts.AllowInsecure, timeout: opts.Timeout, now: opts.Now,
	}
}

var errAddressRefused = errors.New("the address is not public")

// attempt sends the message once and tells what came of it. Its errors are
// reasons, never texts: those hold addresses.
func (c *client) attempt(ctx context.Context, target store.Target, message message, number int) (store.Attempt, time.Duration) {
	started := c.now()
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	attempt := store.Attempt{Number: number, StartedAt: store.Time{Time: started}}
	response, err := c.send(ctx, target, message, started) //nolint:bodyclose // readAnswer closes it
	var hint time.Duration
	if err == nil {
		status := response.StatusCode // a copy: a pointer into the response would keep all of it until the attempt is settled
		attempt.StatusCode = &status
		attempt.ResponseBody, err = readAnswer(response)
		hint = retryAfter(response, started)
	}
	attempt.DurationMS = c.now().Sub(started).Milliseconds()
	attempt.FailureReason = reasonOf(attempt.StatusCode, err)
	return attempt, hint
}

func (c *client) send(ctx context.Context, target store.Target, message message, at time.Time) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.URL, bytes.NewReader(message.body))
	if err != nil {
		return nil, err
	}
	if request.URL.Scheme != "https" && !c.insecure {
		return nil, errAddressRefused // registered while it was allowed
	}
	request.Header.Set("Content-Type", "application/json; charset=utf-8")
	request.Header.Set("User-Agent", c.userAgent)
	signHeaders(request.Header, target.SecretAt(at), message, at)
	return c.transport.RoundTrip(request)
}

// readAnswer reads what is read of an answer and returns what is kept. One that
// is longer than what is read loses its connection, not its status.
func readAnswer(response *http.Response) (string, error) {
	defer func() { _ = response.Body.Close() }()
	var kept bytes.Buffer
	if _, err := io.CopyN(&kept, response.Body, keptResponse); err != nil {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return storable(kept.Bytes()), err
	}
	_, err := io.CopyN(io.Discard, response.Body, maxResponse-keptResponse)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return storable(kept.Bytes()), err
}

// storable makes text of it that both databases take: valid UTF-8 without NUL,
// and no longer than the contract says.
func storable(answer []byte) string {
	text := strings.ReplaceAll(strings.ToValidUTF8(string(answer), "\uFFFD"), "\x00", "\uFFFD")
	for len(text) > keptResponse {
		text = strings.ToValidUTF8(text[:keptResponse], "")
	}
	return text
}

// reasonOf is nil for a success.
func reasonOf(status *int, err error) *store.FailureReason {
	reason := store.FailedConnection
	var dns *net.DNSError
	switch {
	case errors.Is(err, errAddressRefused):
		reason = store.FailedAddress
	case isTimeout(err):
		reason = store.FailedTimeout
	case errors.As(err, &dns):
		reason = store.FailedDNS
	case isTLS(err):
		reason = store.FailedTLS
	case err != nil:
	case *status >= 200 && *status < 300:
		return nil
	case *status == http.StatusGone:
		reason = store.FailedGone
	case *status >= 300 && *status < 400:
		reason = store.FailedRedirect
	default:
		reason = store.FailedStatus
	}
	return &reason
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || (errors.As(err, &network) && network.Timeout())
}

func isTLS(err error) bool {
	var verification *tls.CertificateVerificationError
	var alert tls.AlertError
	var record tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var certificate x509.CertificateInvalidError
	return errors.As(err, &verification) || errors.As(err, &alert) || errors.As(err, &record) || errors.As(err, &authority) ||
		errors.As(err, &name) || errors.As(err, &certificate) || (err != nil && strings.Contains(err.Error(), "tls: "))
}
