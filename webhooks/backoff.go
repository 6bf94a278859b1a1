package webhooks

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"assay/store"
)

// MaxAttempts is how often a delivery is tried (interface, "Delivery").
const MaxAttempts = 3

// maxRetryAfter bounds what a receiver may ask for.
const maxRetryAfter = time.Hour

// Backoff are the waits before the second and the third attempt.
type Backoff [MaxAttempts - 1]time.Duration

// DefaultBackoff is half a minute, then five.
var DefaultBackoff = Backoff{30 * time.Second, 5 * time.Minute}

// next decides what follows from an attempt: the delivery's status, and when it
// is pending still, how long to wait. Jitter only adds, so that no attempt is
// earlier than promised; a receiver's Retry-After moves the attempt, and never
// adds one.
func (b Backoff) next(attempt store.Attempt, retryAfter time.Duration, jitter func() float64) (store.DeliveryStatus, time.Duration) {
	switch {
	case attempt.FailureReason == nil:
		return store.DeliverySucceeded, 0
	case *attempt.FailureReason == store.FailedGone, attempt.Number >= MaxAttempts:
		return store.DeliveryFailed, 0
	}
	wait := max(b[attempt.Number-1], min(retryAfter, maxRetryAfter))
	return store.DeliveryPending, wait + time.Duration(jitter()*0.1*float64(wait))
}

// jitter is between 0 and 1; nothing about it needs to be hard to guess.
func jitter() float64 { return rand.Float64() } //nolint:gosec // spreads load, guards nothing

// retryAfter reads the header of a 429 or 503 (RFC 9110, section 10.2.3); 0
// when there is none.
func retryAfter(response *http.Response, now time.Time) time.Duration {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	value := response.Header.Get("Retry-After")
	// A number out of range is the largest there is, and so asks for the longest wait.
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil || errors.Is(err, strconv.ErrRange) {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
