package server

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"assay/gen"
	"assay/store"
)

// RateLimits are the limits that each replica counts in its own memory. The store
// counts sign-ins and registrations, for all replicas together.
type RateLimits struct {
	APIKey    RateLimit // of one API key
	Candidate RateLimit // of one candidate session, for requests with its invite token
	Refresh   RateLimit // of one login, for requests with a refresh token
	Anonymous RateLimit // of one network, for requests without a valid credential
	Pages     RateLimit // of one network, for the public pages
}

// RateLimit allows Burst requests at once, and Requests in each Window.
type RateLimit struct {
	Requests int // 0 means no limit
	Window   time.Duration
	Burst    int
}

// maxBuckets bounds the memory, at about 250 bytes each. A client whose bucket is
// evicted starts again with a full one.
const maxBuckets = 50_000

type limiters struct{ apiKey, candidate, refresh, anonymous, pages *limiter }

func newLimiters(limits RateLimits, now func() time.Time) (l limiters, err error) {
	for _, made := range []struct {
		limiter **limiter
		name    string
		limit   RateLimit
	}{
		{&l.apiKey, "api-key", limits.APIKey},
		{&l.candidate, "candidate", limits.Candidate},
		{&l.refresh, "refresh", limits.Refresh},
		{&l.anonymous, "anonymous-ip", limits.Anonymous},
		{&l.pages, "pages", limits.Pages},
	} {
		if *made.limiter, err = newLimiter(made.name, made.limit, now); err != nil {
			return limiters{}, err
		}
	}
	return l, nil
}

// limiter has a token bucket for each client.
type limiter struct {
	limit   RateLimit
	refill  rate.Limit // tokens per second
	policy  string     // the RateLimit-Policy field
	name    string
	now     func() time.Time
	buckets *lru.Cache[string, *rate.Limiter]
}

// newLimiter returns nil if limit.Requests is 0. A nil limiter limits no client.
func newLimiter(name string, limit RateLimit, now func() time.Time) (*limiter, error) {
	if limit.Requests == 0 {
		return nil, nil //nolint:nilnil // see above
	}
	buckets, err := lru.New[string, *rate.Limiter](maxBuckets)
	return &limiter{
		limit: limit, refill: rate.Limit(float64(limit.Requests) / limit.Window.Seconds()),
		policy: policyField(name, limit.Requests, limit.Window), name: name, now: now, buckets: buckets,
	}, err
}

// take takes a token of a client and sets the RateLimit headers. It returns an
// error if no token was left.
func (l *limiter) take(header http.Header, client string) error {
	if l == nil {
		return nil
	}
	bucket, known := l.buckets.Get(client)
	if !known {
		fresh := rate.NewLimiter(l.refill, l.limit.Burst)
		if other, raced, _ := l.buckets.PeekOrAdd(client, fresh); raced {
			fresh = other
		}
		bucket = fresh
	}

	now := l.now()
	allowed := bucket.AllowN(now, 1)
	left := max(0, bucket.TokensAt(now))

	// The time until the next token. Retry-After may not be earlier
	// (draft-ietf-httpapi-ratelimit-headers, section 6).
	wait := max(seconds((math.Floor(left)+1-left)/float64(l.refill)), time.Second)

	header.Set("RateLimit-Policy", l.policy)
	header.Set("RateLimit", limitField(l.name, int(left), wait))
	if allowed {
		return nil
	}
	return rateLimited(wait)
}

func policyField(name string, requests int, window time.Duration) string {
	return fmt.Sprintf(`"%s";q=%d;w=%d`, name, requests, wholeSeconds(window))
}

func limitField(name string, left int, reset time.Duration) string {
	return fmt.Sprintf(`"%s";r=%d;t=%d`, name, left, wholeSeconds(reset))
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// wholeSeconds rounds up, so that a client that waits this long is accepted.
func wholeSeconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

func rateLimited(retry time.Duration) *fault {
	return &fault{
		status: http.StatusTooManyRequests, code: gen.ErrorCodeRateLimited, retry: max(retry, time.Second),
		detail: "Too many requests. Retry-After says how many seconds to wait.",
	}
}

// limit counts a request against its API key or its candidate session, or against
// its network if it has no valid credential. A valid credential is never rate-limited
// because of other clients on the same network.
func (s *Server) limit(c echo.Context, o *operation, scope store.Scope, authentication error) error {
	header := c.Response().Header()
	switch {
	case o.tokenInBody:
		return nil // limitTokenInBody counts it
	case o.security == "" || isUnauthenticated(authentication):
		return s.limits.anonymous.take(header, scope.Origin.Network())
	case scope.APIKeyID != "":
		return s.limits.apiKey.take(header, scope.APIKeyID)
	case scope.SessionID != "":
		return s.limits.candidate.take(header, scope.SessionID)
	}
	return nil
}

// limitTokenInBody counts a request whose body contains a refresh token: against the
// login of a verified token, otherwise against the network. Many people can share a
// network, and each of them refreshes. invalid is the error of the request's checks.
func (s *Server) limitTokenInBody(c echo.Context, scope store.Scope, body any, invalid error) error {
	header := c.Response().Header()
	if fields, isObject := body.(map[string]any); isObject && invalid == nil {
		token, _ := fields[refreshTokenField].(string)
		if claims, err := s.tokens.parse(refreshKind, token); err == nil {
			return s.limits.refresh.take(header, claims.SessionID)
		}
	}
	return s.limits.anonymous.take(header, scope.Origin.Network())
}

func isUnauthenticated(err error) bool {
	var refusal *store.Error
	var refused *fault
	return errors.As(err, &refusal) && refusal.Kind == store.Unauthenticated ||
		errors.As(err, &refused) && refused.status == http.StatusUnauthorized
}
