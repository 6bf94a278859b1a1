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

// RateLimits are what each replica counts by itself, in memory. Sign-ins and
// registrations are counted by the store, for all replicas together.
type RateLimits struct {
	APIKey    RateLimit // requests of one API key
	Anonymous RateLimit // requests of one network without a valid credential
}

// RateLimit allows Burst requests at once, and Requests in each Window.
type RateLimit struct {
	Requests int // 0 limits nothing
	Window   time.Duration
	Burst    int
}

// bucketsKept bounds the memory: about 250 bytes each. Whose bucket is
// forgotten for others' begins with a full one.
const bucketsKept = 50_000

type limiters struct{ apiKey, anonymous *limiter }

func newLimiters(limits RateLimits, now func() time.Time) (limiters, error) {
	apiKey, err := newLimiter("api-key", limits.APIKey, now)
	if err != nil {
		return limiters{}, err
	}
	anonymous, err := newLimiter("anonymous-ip", limits.Anonymous, now)
	return limiters{apiKey, anonymous}, err
}

// limiter has a token bucket for each of those that it holds.
type limiter struct {
	limit   RateLimit
	refill  rate.Limit // tokens in a second
	policy  string     // the RateLimit-Policy field
	name    string
	now     func() time.Time
	buckets *lru.Cache[string, *rate.Limiter]
}

// newLimiter returns nil, which holds nobody, for a limit of 0.
func newLimiter(name string, limit RateLimit, now func() time.Time) (*limiter, error) {
	if limit.Requests == 0 {
		return nil, nil //nolint:nilnil // see above
	}
	buckets, err := lru.New[string, *rate.Limiter](bucketsKept)
	return &limiter{
		limit: limit, refill: rate.Limit(float64(limit.Requests) / limit.Window.Seconds()), name: name, now: now, buckets: buckets,
		policy: policyField(name, limit.Requests, limit.Window),
	}, err
}

// take takes a token of who, tells in the header what is left, and refuses when
// there was none.
func (l *limiter) take(header http.Header, who string) error {
	if l == nil {
		return nil
	}
	bucket, there := l.buckets.Get(who)
	if !there {
		fresh := rate.NewLimiter(l.refill, l.limit.Burst)
		if before, raced, _ := l.buckets.PeekOrAdd(who, fresh); raced {
			fresh = before
		}
		bucket = fresh
	}
	now := l.now()
	allowed := bucket.AllowN(now, 1)
	left := max(0, bucket.TokensAt(now))
	// Until there is one more; what Retry-After tells may not be before it (draft-ietf-httpapi-ratelimit-headers, section 6).
	more := max(seconds((math.Floor(left)+1-left)/float64(l.refill)), time.Second)
	header.Set("RateLimit-Policy", l.policy)
	header.Set("RateLimit", limitField(l.name, int(left), more))
	if allowed {
		return nil
	}
	return rateLimited(more)
}

func policyField(name string, requests int, window time.Duration) string {
	return fmt.Sprintf(`"%s";q=%d;w=%d`, name, requests, wholeSeconds(window))
}

func limitField(name string, left int, reset time.Duration) string {
	return fmt.Sprintf(`"%s";r=%d;t=%d`, name, left, wholeSeconds(reset))
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// wholeSeconds rounds up: a client that waits so long finds what it was promised.
func wholeSeconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

func rateLimited(retry time.Duration) *fault {
	return &fault{
		status: http.StatusTooManyRequests, code: gen.ErrorCodeRateLimited, retry: max(retry, time.Second),
		detail: "Too many requests. Retry-After tells how many seconds to wait.",
	}
}

// limit counts a request against its API key, or, when it has no valid
// credential, against its network. Who has a valid one is not held for what
// others on the same network do.
func (s *Server) limit(c echo.Context, o *operation, scope store.Scope, authentication error) error {
	header := c.Response().Header()
	switch {
	case o.security == "" || isUnauthenticated(authentication):
		return s.limits.anonymous.take(header, scope.Origin.Network())
	case scope.APIKeyID != "":
		return s.limits.apiKey.take(header, scope.APIKeyID)
	}
	return nil
}

func isUnauthenticated(err error) bool {
	var refusal *store.Error
	var refused *fault
	return errors.As(err, &refusal) && refusal.Kind == store.Unauthenticated ||
		errors.As(err, &refused) && refused.status == http.StatusUnauthorized
}
