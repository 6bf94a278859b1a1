package rig

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"time"
)

// Object is a JSON object to be sent.
type Object = map[string]any

// Client calls the service as an integrator's should: whatever was not answered,
// or with a 5xx, is sent again, to whichever server is up.
type Client struct {
	http  *http.Client
	addrs []string
}

// NewClient calls the servers at these addresses.
func NewClient(addrs []string, atOnce int) *Client {
	return &Client{addrs: addrs, http: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: atOnce}, // no proxy: loopback only
		Timeout:   time.Minute,
	}}
}

// Refusal is an answer that asking again does not change.
type Refusal struct {
	what   string
	status int
	body   []byte
}

// Error implements error.
func (r *Refusal) Error() string { return fmt.Sprintf("%s: %d %s", r.what, r.status, r.body) }

// Try sends one request once. ok is false when it is to be sent again.
func (c *Client) Try(ctx context.Context, method, path string, credential http.Header, body, dest any) (header http.Header, ok bool, err error) {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, false, err
		}
		content = bytes.NewReader(encoded)
	}
	addr := c.addrs[rand.IntN(len(c.addrs))] //nolint:gosec // spreads load, guards nothing
	request, err := http.NewRequestWithContext(ctx, method, "http://"+addr+path, content)
	if err != nil {
		return nil, false, err
	}
	if credential != nil {
		request.Header = credential.Clone()
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, false, ctx.Err()
	}
	defer func() { _ = answer.Body.Close() }()
	answered, err := io.ReadAll(answer.Body)
	switch {
	case err != nil, answer.StatusCode >= 500:
		return nil, false, ctx.Err()
	case answer.StatusCode/100 != 2:
		return nil, false, &Refusal{method + " " + path, answer.StatusCode, answered}
	case dest == nil:
		return answer.Header, true, nil
	}
	return answer.Header, true, json.Unmarshal(answered, &struct{ Data any }{dest})
}

// Call sends a request that may be sent again until it is answered.
func (c *Client) Call(ctx context.Context, method, path string, credential http.Header, body, dest any) (http.Header, error) {
	for {
		header, ok, err := c.Try(ctx, method, path, credential, body, dest)
		if ok || err != nil {
			return header, err
		}
		if !Pause(ctx, 50*time.Millisecond) {
			return nil, ctx.Err()
		}
	}
}

var nextPage = regexp.MustCompile(`<https?://[^/]+([^>]+)>; rel="next"`)

// Pages calls use with each item of a list, page after page, as Link leads.
func Pages[T any](ctx context.Context, c *Client, path string, credential http.Header, use func(T)) error {
	for path != "" {
		var items []T
		header, err := c.Call(ctx, http.MethodGet, path, credential, nil, &items)
		if err != nil {
			return err
		}
		for _, item := range items {
			use(item)
		}
		path = ""
		if link := nextPage.FindStringSubmatch(header.Get("Link")); link != nil {
			path = link[1]
		}
	}
	return nil
}

// Bearer is the header of a token.
func Bearer(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

// APIKey is the header of an API key.
func APIKey(key string) http.Header { return http.Header{"X-Api-Key": {key}} }
