package rig

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"regexp"
	"time"
)

// Object is a JSON object to be sent.
type Object = map[string]any

// Client calls one or more servers of the same service.
type Client struct {
	http  *http.Client
	addrs []string
}

// NewClient calls the servers at these addresses. It picks one of them at
// random for each request. It keeps up to atOnce idle connections to each, and
// with 0 none.
func NewClient(addrs []string, atOnce int) *Client {
	return &Client{addrs: addrs, http: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: atOnce, DisableKeepAlives: atOnce == 0}, // without a proxy
		Timeout:   time.Minute,
	}}
}

// From returns a client of the same servers whose connections come from another
// loopback address, as from another network.
func (c *Client) From(ip string, atOnce int) *Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
	from := NewClient(c.addrs, atOnce)
	from.http.Transport.(*http.Transport).DialContext = dialer.DialContext
	return from
}

// Raw is a body that is sent as it is.
type Raw []byte

// Answer is what a server answered.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// OK reports whether the request succeeded.
func (a Answer) OK() bool { return a.Status/100 == 2 }

// Decode reads the answer's data into dest.
func (a Answer) Decode(dest any) error { return json.Unmarshal(a.Body, &struct{ Data any }{dest}) }

// Code is the code of a problem document, or "".
func (a Answer) Code() string {
	var problem struct{ Code string }
	_ = json.Unmarshal(a.Body, &problem) // another body has no code
	return problem.Code
}

// Send sends one request once. The header holds the credential. The error is
// not nil if there was no complete answer.
func (c *Client) Send(ctx context.Context, method, path string, header http.Header, body any) (Answer, error) {
	var content io.Reader
	if raw, isRaw := body.(Raw); isRaw {
		content = bytes.NewReader(raw)
	} else if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return Answer{}, err
		}
		content = bytes.NewReader(encoded)
	}
	addr := c.addrs[rand.IntN(len(c.addrs))] //nolint:gosec // spreads load, protects nothing
	request, err := http.NewRequestWithContext(ctx, method, "http://"+addr+path, content)
	if err != nil {
		return Answer{}, err
	}
	if header != nil {
		request.Header = header.Clone()
	}
	if body != nil && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if host := request.Header.Get("Host"); host != "" {
		request.Host = host // net/http ignores the field of the header
	}

	response, err := c.http.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	answered, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{}, err
	}
	return Answer{response.StatusCode, response.Header, answered}, nil
}

// Refusal is an answer that does not change when the request is sent again.
type Refusal struct {
	what   string
	answer Answer
}

// Error implements error.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: %d %s", r.what, r.answer.Status, r.answer.Body)
}

// Try sends one request once and reads the answer's data into dest, unless that
// is nil. ok is false if the request may succeed when it is sent again: after a
// 5xx, no answer, or 409 idempotency_in_progress.
func (c *Client) Try(
	ctx context.Context, method, path string, header http.Header, body, dest any,
) (answered http.Header, ok bool, err error) {
	answer, err := c.Send(ctx, method, path, header, body)
	switch {
	case err != nil, answer.Status >= 500, answer.Code() == "idempotency_in_progress":
		return nil, false, ctx.Err()
	case !answer.OK():
		return nil, false, &Refusal{method + " " + path, answer}
	case dest == nil:
		return answer.Header, true, nil
	}
	return answer.Header, true, answer.Decode(dest)
}

// callTimeout is far above the time that a killed service needs to start again.
const callTimeout = 2 * time.Minute

// Call sends a request again until it succeeds or is refused, as an integrator's
// client should. Within callTimeout it gives up.
func (c *Client) Call(
	ctx context.Context, method, path string, header http.Header, body, dest any,
) (http.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	for {
		answered, ok, err := c.Try(ctx, method, path, header, body, dest)
		if ok || err != nil {
			return answered, err
		}
		if !Pause(ctx, 50*time.Millisecond) {
			return nil, fmt.Errorf("%s %s: no answer: %w", method, path, ctx.Err())
		}
	}
}

var nextPage = regexp.MustCompile(`<https?://[^/]+([^>]+)>; rel="next"`)

// Pages calls use with each item of a list. It follows the Link header from page
// to page.
func Pages[T any](ctx context.Context, c *Client, path string, header http.Header, use func(T)) error {
	for path != "" {
		var items []T
		answered, err := c.Call(ctx, http.MethodGet, path, header, nil, &items)
		if err != nil {
			return err
		}
		for _, item := range items {
			use(item)
		}
		path = ""
		if link := nextPage.FindStringSubmatch(answered.Get("Link")); link != nil {
			path = link[1]
		}
	}
	return nil
}

// Bearer is the header of a token.
func Bearer(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

// APIKey is the header of an API key.
func APIKey(key string) http.Header { return http.Header{"X-Api-Key": {key}} }
