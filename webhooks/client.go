package webhooks

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"assay/store/queue"
	"assay/store/traces"
)

const (
	// After a response of more than maxResponse bytes, the connection is closed. The
	// first keptResponse bytes are stored, and the API shows them.
	maxResponse  = 64 << 10
	keptResponse = 1 << 10
	maxHeaders   = 16 << 10 // of a response; the transport's own limit of 10 MB is too much per attempt

	// maxIdle is larger than maxInFlight. With fewer idle connections each delivery would open one.
	maxIdle = 1024

	// An idle connection is closed after idleTimeout. Both values are those of http.DefaultTransport.
	idleTimeout = 90 * time.Second
	keepAlive   = 30 * time.Second

	// bufferSize is half of the transport's default, because 512 attempts may each hold two buffers.
	bufferSize = 2 << 10

	// tlsSessions is the number of recently used endpoints whose TLS session can be resumed.
	tlsSessions = 1024
)

// client makes attempts. Nothing else in this package uses the network.
type client struct {
	// transport is used without an http.Client, which follows redirects and
	// returns an error for a redirect without a valid Location.
	transport *http.Transport
	userAgent string
	insecure  bool          // permits http
	hides     bool          // discards the bodies of private addresses
	timeout   time.Duration // of the whole attempt, from name resolution to the last byte
	now       func() time.Time
}

// wireServer is a metadata service of Azure at a public address, which lists of
// private networks lack.
var wireServer = netip.MustParsePrefix("168.63.129.16/32")

// anyPort permits public addresses.
var anyPort = ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(wireServer))

func newClient(opts Options) *client {
	dialer := &net.Dialer{Timeout: opts.Timeout, KeepAlive: keepAlive, Resolver: opts.Resolver}
	if !opts.AllowInsecure {
		// Control runs for each dial, after the name is resolved. A check of the name
		// before that would miss a name whose address changes between check and dial.
		guard := ssrf.New(ssrf.WithPorts(443, 8443), ssrf.WithDeniedV4Prefixes(wireServer))
		dialer.Control = func(network, address string, conn syscall.RawConn) error {
			if err := guard.Safe(network, address, conn); err != nil {
				return errAddressRefused
			}
			return nil
		}
	}
	transport := &http.Transport{
		Proxy:                  nil, // an environment variable must not redirect events
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true, // a custom dialer turns HTTP/2 off otherwise
		DisableCompression:     true, // a small compressed response can expand without limit
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdle,
		IdleConnTimeout:        idleTimeout,
		TLSHandshakeTimeout:    opts.Timeout,
		MaxResponseHeaderBytes: maxHeaders,
		ReadBufferSize:         bufferSize,
		WriteBufferSize:        bufferSize,
		TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(tlsSessions), RootCAs: opts.RootCAs,
		},
	}
	return &client{
		transport: transport, userAgent: "Assay/" + opts.Version, insecure: opts.AllowInsecure,
		hides: opts.HidePrivate, timeout: opts.Timeout, now: opts.Now,
	}
}

var (
	errAddressRefused = errors.New("the address is not public")
	// errNameRefused is an errAddressRefused for a name. It is reported like a name that
	// does not resolve: the difference would reveal the names of a private network.
	errNameRefused = fmt.Errorf("the name has no public address: %w", errAddressRefused)
)

// attempt sends the message once and returns the result, with the wait that the
// receiver requests. The result holds a reason instead of the error's text,
// because that text can contain internal addresses.
func (c *client) attempt(
	ctx context.Context, target queue.Target, message message, number int,
) (queue.Attempt, time.Duration) {
	return c.try(ctx, number, func(ctx context.Context, at time.Time) (*http.Request, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.URL, bytes.NewReader(message.body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Content-Type", "application/json; charset=utf-8")
		secret, next := target.SecretAt(at)
		signHeaders(request.Header, secret, next, message, at)
		if parent := traceOf(ctx); parent != "" {
			request.Header.Set(traces.Header, parent)
		}
		return request, nil
	})
}

// try sends a request once. made makes it, for the time of the attempt.
func (c *client) try(
	ctx context.Context, number int, made func(context.Context, time.Time) (*http.Request, error),
) (queue.Attempt, time.Duration) {
	started := c.now()
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	attempt := queue.Attempt{Number: number}
	attempt.StartedAt.Time = started

	var response *http.Response
	hidden := false
	if c.hides {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(conn httptrace.GotConnInfo) {
			peer, err := netip.ParseAddrPort(conn.Conn.RemoteAddr().String())
			hidden = err != nil || anyPort.SafeAddr(peer.Addr().Unmap()) != nil
		}})
	}
	request, err := made(ctx, started)
	if err == nil {
		response, err = c.roundTrip(request) //nolint:bodyclose // readResponse closes it
	}
	var wait time.Duration
	if err == nil {
		status := response.StatusCode // a copy: a pointer into the response would keep it until the outcome is settled
		attempt.StatusCode = &status
		if attempt.ResponseBody, err = readResponse(response); hidden {
			attempt.ResponseBody = ""
		}
		wait = retryAfter(response, started)
	}
	attempt.DurationMS = c.now().Sub(started).Milliseconds()
	attempt.FailureReason = failureReason(attempt.StatusCode, err)
	if errors.Is(err, errNameRefused) {
		*attempt.FailureReason = queue.FailedDNS
	}
	return attempt, wait
}

func (c *client) roundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Scheme != "https" && !c.insecure {
		return nil, errAddressRefused // the address was stored while http was permitted
	}
	request.Header.Set("User-Agent", c.userAgent)
	response, err := c.transport.RoundTrip(request)
	if errors.Is(err, errAddressRefused) {
		if _, literal := netip.ParseAddr(request.URL.Hostname()); literal != nil {
			err = errNameRefused
		}
	}
	return response, err
}

// readResponse returns the part of the body that is stored. A body longer than
// maxResponse is no error: the status decides the outcome.
func readResponse(response *http.Response) (string, error) {
	defer func() { _ = response.Body.Close() }()
	var kept bytes.Buffer
	_, err := io.CopyN(&kept, response.Body, keptResponse)
	if err == nil {
		_, err = io.CopyN(io.Discard, response.Body, maxResponse-keptResponse)
	}
	if errors.Is(err, io.EOF) {
		err = nil // the body is shorter than the limit
	}
	return storableText(kept.Bytes()), err
}

// storableText returns text that both databases accept: valid UTF-8 without
// NUL, at most keptResponse bytes.
func storableText(body []byte) string {
	text := strings.ReplaceAll(strings.ToValidUTF8(string(body), "\uFFFD"), "\x00", "\uFFFD")
	for len(text) > keptResponse { // a replacement character is longer than what it replaces
		text = strings.ToValidUTF8(text[:keptResponse], "")
	}
	return text
}

// failureReason returns nil for a success. The cases are ordered from the most
// specific error to the status. status may be nil only if err is not.
func failureReason(status *int, err error) *queue.FailureReason {
	reason := queue.FailedConnection
	var dns *net.DNSError
	switch {
	case errors.Is(err, errAddressRefused):
		reason = queue.FailedAddress
	case isTimeout(err):
		reason = queue.FailedTimeout
	case errors.As(err, &dns):
		reason = queue.FailedDNS
	case isTLS(err):
		reason = queue.FailedTLS
	case err != nil:
	case *status >= 200 && *status < 300:
		return nil
	case *status == http.StatusGone:
		reason = queue.FailedGone
	case *status >= 300 && *status < 400:
		reason = queue.FailedRedirect
	default:
		reason = queue.FailedStatus
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
	return errors.As(err, &verification) || errors.As(err, &alert) || errors.As(err, &record) ||
		errors.As(err, &authority) || errors.As(err, &name) || errors.As(err, &certificate) ||
		// crypto/tls returns most handshake errors as plain text.
		(err != nil && strings.Contains(err.Error(), "tls: "))
}
