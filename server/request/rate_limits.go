package request

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/store"
)

// RateLimits are the limits that each replica counts in its own memory. The store
// counts sign-ins and registrations, for all replicas together.
type RateLimits struct {
	APIKey        RateLimit // of one API key
	Person        RateLimit // of one signed-in person, for requests with an access token
	Organization  RateLimit // of all API keys and people of one organization together
	Candidate     RateLimit // of one candidate session, for requests with its invite token
	Refresh       RateLimit // of one login, for requests with a refresh token
	Anonymous     RateLimit // of one network, for requests without a valid credential
	Pages         RateLimit // of one network, for the public pages
	Probes        RateLimit // of one network, for /readyz
	Unknown       RateLimit // of one network, for addresses that do not exist
	WebhookTest   RateLimit // of one organization, for test events
	WebhookReplay RateLimit // of one organization, for replays
	Work          RateLimit // of one organization, in milliseconds and not in requests; see costs
}

// RateLimit allows Burst requests at once, and Requests in each Window.
type RateLimit struct {
	Requests int // 0 means no limit
	Window   time.Duration
	Burst    int
}

// maxBuckets bounds the memory, at about 200 bytes each. A client whose bucket is
// evicted starts again with a full one.
const maxBuckets = 50_000

type limiters struct {
	apiKey, person, organization, candidate, refresh, anonymous, pages, probes, unknown *limiter

	webhookTest, webhookReplay *limiter

	costs *costs
}

func newLimiters(limits RateLimits, now func() time.Time) (l limiters, err error) {
	for _, made := range []struct {
		limiter **limiter
		name    string
		limit   RateLimit
	}{
		{&l.apiKey, "api-key", limits.APIKey},
		{&l.person, "person", limits.Person},
		{&l.organization, "organization", limits.Organization},
		{&l.candidate, "candidate", limits.Candidate},
		{&l.refresh, "refresh", limits.Refresh},
		{&l.anonymous, "anonymous-ip", limits.Anonymous},
		{&l.pages, "pages", limits.Pages},
		{&l.probes, "probes", limits.Probes},
		{&l.unknown, "unknown", limits.Unknown},
		{&l.webhookTest, "webhook-test", limits.WebhookTest},
		{&l.webhookReplay, "webhook-replay", limits.WebhookReplay},
	} {
		if *made.limiter, err = newLimiter(made.name, made.limit, now); err != nil {
			return limiters{}, err
		}
	}
	l.costs, err = newCosts(limits.Work, now)
	return l, err
}

// limiter has a token bucket for each client.
type limiter struct {
	name     string
	policy   string // its item of the RateLimit-Policy field
	interval int64  // nanoseconds until a bucket gains a token
	capacity int64  // nanoseconds in which an empty bucket becomes full
	now      func() time.Time
	buckets  *lru.Cache[string, *bucket]
}

// bucket is a token bucket. fullAt is the time at which it is full again if nothing
// takes a token, in nanoseconds since 1970. A token is one interval of the limiter.
type bucket struct{ fullAt atomic.Int64 }

// newLimiter returns nil if limit.Requests is 0. A nil limiter limits no client.
func newLimiter(name string, limit RateLimit, now func() time.Time) (*limiter, error) {
	if limit.Requests == 0 {
		return nil, nil //nolint:nilnil // see above
	}
	buckets, err := lru.New[string, *bucket](maxBuckets)
	interval := int64(limit.Window) / int64(limit.Requests)
	return &limiter{
		name: name, policy: policyField(name, limit.Requests, limit.Window), now: now, buckets: buckets,
		// The bound is a hundred years. More would overflow.
		interval: interval, capacity: interval * min(int64(limit.Burst), 100*365*24*int64(time.Hour)/interval),
	}, err
}

func (l *limiter) bucket(client string) *bucket {
	if known, ok := l.buckets.Get(client); ok {
		return known
	}
	fresh := &bucket{}
	if other, raced, _ := l.buckets.PeekOrAdd(client, fresh); raced {
		return other
	}
	return fresh
}

// take takes a token from a bucket, if one is left. It returns how many are left
// afterwards, and the time until there is one more.
func (l *limiter) take(b *bucket) (taken bool, left int, wait time.Duration) {
	now := l.now().UnixNano()
	for {
		fullAt := b.fullAt.Load()
		// The bounds also apply to a bucket that was used before the clock went back.
		missing := min(max(fullAt-now, 0), l.capacity)
		if rest := l.capacity - missing; rest < l.interval {
			return false, 0, time.Duration(l.interval - rest)
		}
		missing += l.interval
		if b.fullAt.CompareAndSwap(fullAt, now+missing) {
			rest := l.capacity - missing
			return true, int(rest / l.interval), time.Duration(l.interval - rest%l.interval)
		}
	}
}

// giveBack returns a token to a bucket.
func (l *limiter) giveBack(b *bucket) { b.fullAt.Add(-l.interval) }

// counted is a limiter that counts a request, and the client for which it counts it.
type counted struct {
	limiter *limiter
	client  string
}

// takeAll takes a token of each limit, or none, and sets the RateLimit headers. It
// returns an error that names the first limit without a token.
// RateLimit shows the limit with the fewest tokens, and RateLimit-Policy all limits
// (draft-ietf-httpapi-ratelimit-headers).
func takeAll(header http.Header, limits ...counted) error {
	var buckets [maxLimits]*bucket
	var nearest *limiter
	var policy string
	var fewest int
	var soonest time.Duration
	for i, limit := range limits {
		l := limit.limiter
		if l == nil {
			continue
		}
		buckets[i] = l.bucket(limit.client)
		taken, left, wait := l.take(buckets[i])
		if !taken {
			for j, earlier := range limits[:i] {
				if buckets[j] != nil {
					earlier.limiter.giveBack(buckets[j])
				}
			}
			header.Set("RateLimit-Policy", l.policy)
			header.Set("RateLimit", limitField(l.name, 0, atLeastASecond(wait)))
			return rateLimited(wait)
		}
		if nearest == nil || left < fewest {
			nearest, fewest, soonest = l, left, wait
		}
		if policy != "" {
			policy += ", "
		}
		policy += l.policy
	}
	if nearest != nil {
		header.Set("RateLimit-Policy", policy)
		header.Set("RateLimit", limitField(nearest.name, fewest, atLeastASecond(soonest)))
	}
	return nil
}

// maxLimits is the largest number of limits that count one request.
const maxLimits = 3

func policyField(name string, requests int, window time.Duration) string {
	return fmt.Sprintf(`"%s";q=%d;w=%d`, name, requests, wholeSeconds(window))
}

func limitField(name string, left int, reset time.Duration) string {
	return fmt.Sprintf(`"%s";r=%d;t=%d`, name, left, wholeSeconds(reset))
}

// atLeastASecond is used for both headers, because Retry-After may not be earlier than
// the reset of RateLimit (draft-ietf-httpapi-ratelimit-headers, section 6).
func atLeastASecond(wait time.Duration) time.Duration { return max(wait, time.Second) }

// wholeSeconds rounds up, so that a client that waits this long is accepted.
func wholeSeconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

func rateLimited(retry time.Duration) *Fault {
	return &Fault{
		Status: http.StatusTooManyRequests, Code: gen.ErrorCodeRateLimited, retry: atLeastASecond(retry),
		Detail: "Too many requests. Retry-After says how many seconds to wait.",
	}
}

// limit counts a request against its API key or its person, and their organization;
// against its candidate session; or against its network if it has no valid
// credential. A valid credential is never rate-limited because of other clients on
// the same network, nor because of other organizations. Candidates do not count for
// their organization, because hundreds of them start in the same minute.
func (p *Path) limit(c echo.Context, o *Operation, scope store.Scope, authentication error) error {
	header, l := c.Response().Header(), &p.limits
	organization := counted{l.organization, scope.OrganizationID}
	switch {
	case o.tokenInBody:
		return nil // limitTokenInBody counts it
	case errors.Is(authentication, errExpiredCredential) && scope.LoginID != "":
		// Each screen of a dashboard sends several requests. After a pause they have an expired token,
		// and many people of one network begin to work at the same time.
		return takeAll(header, counted{l.refresh, "expired " + scope.LoginID})
	case o.security == "" || isUnauthenticated(authentication):
		return takeAll(header, counted{l.anonymous, scope.Origin.Network()})
	case scope.APIKeyID != "":
		return takeAll(header, counted{l.apiKey, scope.APIKeyID}, organization)
	case scope.SessionID != "":
		return takeAll(header, counted{l.candidate, scope.SessionID})
	case scope.UserID != "":
		return takeAll(header, counted{l.person, scope.UserID}, organization,
			counted{l.ofOperation(o, scope), scope.OrganizationID})
	}
	return nil
}

// ofOperation returns the limit that an operation has of its own, or nil. Only
// callers that may use the operation count, so that others cannot use up the limit.
func (l *limiters) ofOperation(o *Operation, scope store.Scope) *limiter {
	switch {
	case o.authorize(scope) != nil:
		return nil
	case o.id == "testWebhook":
		return l.webhookTest
	case o.id == "replayWebhook":
		return l.webhookReplay
	}
	return nil
}

// limitTokenInBody counts a request whose body contains a refresh token: against the
// login of a verified token, otherwise against the network. Many people can share a
// network, and each of them refreshes. invalid is the error of the request's checks.
func (p *Path) limitTokenInBody(c echo.Context, scope store.Scope, body any, invalid error) error {
	header := c.Response().Header()
	if fields, isObject := body.(map[string]any); isObject && invalid == nil {
		token, _ := fields[refreshTokenField].(string)
		if claims, err := p.tokens.parse(refreshKind, token); err == nil {
			return takeAll(header, counted{p.limits.refresh, claims.SessionID})
		}
	}
	return takeAll(header, counted{p.limits.anonymous, scope.Origin.Network()})
}

// limitUnknown counts requests to addresses that do not exist, and with methods that
// an address does not support. They have a limit of their own, so that a scan uses up
// neither the limit of pages nor that of anonymous requests.
func (p *Path) limitUnknown(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := next(c)
		if !errors.Is(err, echo.ErrNotFound) && !errors.Is(err, echo.ErrMethodNotAllowed) {
			return err
		}
		if limited := takeAll(c.Response().Header(), counted{p.limits.unknown, networkOf(c)}); limited != nil {
			return limited
		}
		return err
	}
}

// networkOf returns the network of the client, for endpoints that are not operations.
func networkOf(c echo.Context) string { return store.Origin{IP: c.RealIP()}.Network() }

func isUnauthenticated(err error) bool {
	var refusal *store.Error
	var refused *Fault
	return errors.As(err, &refusal) && refusal.Kind == store.Unauthenticated ||
		errors.As(err, &refused) && refused.Status == http.StatusUnauthorized
}
