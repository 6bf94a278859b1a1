package main

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

// object is a JSON object to be sent.
type object = map[string]any

// client calls the service as an integrator's should: whatever was not answered,
// or with a 5xx, is sent again, to whichever server is up.
type client struct {
	http  *http.Client
	addrs []string
}

func newClient(addrs []string, atOnce int) *client {
	return &client{addrs: addrs, http: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: atOnce}, // no proxy: loopback only
		Timeout:   time.Minute,
	}}
}

// refusal is an answer that asking again does not change.
type refusal struct {
	what   string
	status int
	body   []byte
}

// Error implements error.
func (r *refusal) Error() string { return fmt.Sprintf("%s: %d %s", r.what, r.status, r.body) }

// try sends one request once. ok is false when it is to be sent again.
func (c *client) try(ctx context.Context, method, path string, credential http.Header, body, dest any) (header http.Header, ok bool, err error) {
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
		return nil, false, &refusal{method + " " + path, answer.StatusCode, answered}
	case dest == nil:
		return answer.Header, true, nil
	}
	return answer.Header, true, json.Unmarshal(answered, &struct{ Data any }{dest})
}

// call sends a request that may be sent again until it is answered.
func (c *client) call(ctx context.Context, method, path string, credential http.Header, body, dest any) (http.Header, error) {
	for {
		header, ok, err := c.try(ctx, method, path, credential, body, dest)
		if ok || err != nil {
			return header, err
		}
		if !pause(ctx, 50*time.Millisecond) {
			return nil, ctx.Err()
		}
	}
}

var nextPage = regexp.MustCompile(`<https?://[^/]+([^>]+)>; rel="next"`)

// pages calls use with each item of a list, page after page, as Link leads.
func pages[T any](ctx context.Context, c *client, path string, credential http.Header, use func(T)) error {
	for path != "" {
		var items []T
		header, err := c.call(ctx, http.MethodGet, path, credential, nil, &items)
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

func bearer(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }
