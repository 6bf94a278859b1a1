package contract

import (
	"net/http"
	"testing"
	"time"

	"assay/server"
)

// limited starts a second server with rate limits on the same store.
func (a *api) limited(limits server.RateLimits) *api {
	a.t.Helper()
	return serve(a.t, a.store, a.clock, func(opts *server.Options) { opts.RateLimits = limits })
}

// through returns the cast with another server on the same database.
func (c *cast) through(to *api) *cast {
	there, o := *c, *c.tenant
	o.api, there.tenant = to, &o
	return &there
}

var oneAMinute = server.RateLimit{Requests: 1, Window: time.Minute, Burst: 1}

// isRateLimited fails the test unless the response is a 429 of oneAMinute with the
// time to wait.
func (r response) isRateLimited(limit string) {
	r.t.Helper()
	r.is(http.StatusTooManyRequests, "rate_limited")
	for name, want := range map[string]string{
		"Retry-After": "60", "RateLimit": `"` + limit + `";r=0;t=60`, "RateLimit-Policy": `"` + limit + `";q=1;w=60`,
	} {
		if got := r.header.Values(name); len(got) != 1 || got[0] != want {
			r.t.Errorf("%s: %s is %q, want %q", r.name, name, got, want)
		}
	}
}

// Requests without a valid credential count against the limit of the client's network.
// The server checks the limit before it checks the rest of the request.
func TestEveryOperationLimitsAnonymous(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		c := a.cast()
		c = c.through(a.limited(server.RateLimits{Anonymous: oneAMinute}))
		for _, o := range everyOperation(t) {
			a.clock.Advance(time.Minute)
			first := c.probe(o.id+", the first", c.wellFormed(o, anonymous))
			if first.status == http.StatusTooManyRequests || o.scheme != "" && first.code() != "unauthenticated" {
				t.Errorf("%s: unexpected response %d\n%s", first.name, first.status, first.body)
			}
			c.probe(o.id+", the second", c.wellFormed(o, anonymous)).isRateLimited("anonymous-ip")
			malformed := c.wellFormed(o, anonymous)
			setBody(malformed, "{")
			malformed.URL.RawQuery = "unknownParameter=1"
			c.probe(o.id+", malformed", malformed).isRateLimited("anonymous-ip")

			for _, test := range misplaced {
				if test.right == o.scheme || test.right == "bearerAuth" && o.scheme == "" {
					continue
				}
				r := c.wellFormed(o, anonymous)
				test.send(c, r)
				c.probe(o.id+", "+test.name, r).isRateLimited("anonymous-ip")
			}
		}
	})
}

// Each API key has its own limit.
func TestEveryOperationLimitsAPIKeys(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		c, other := a.cast(), a.cast()
		limited := a.limited(server.RateLimits{APIKey: oneAMinute})
		c, other = c.through(limited), other.through(limited)
		tested := 0

		for _, o := range everyOperation(t) {
			if o.scheme != "apiKeyAuth" {
				continue
			}
			tested++
			a.clock.Advance(time.Minute)
			for _, caller := range []*cast{c, other} {
				first := caller.probe(o.id+", the first", caller.wellFormed(o, caller.right(o)))
				if first.status == http.StatusTooManyRequests || first.code() == "unauthenticated" {
					t.Errorf("%s: unexpected response %d\n%s", first.name, first.status, first.body)
				}
				caller.probe(o.id+", the second", caller.wellFormed(o, caller.right(o))).isRateLimited("api-key")
			}

			c.probe(o.id+", no key", c.wellFormed(o, anonymous)).is(http.StatusUnauthorized, "unauthenticated")
		}

		if tested < 8 {
			t.Fatalf("only %d operations accept an API key, want at least 8", tested)
		}
	})
}
