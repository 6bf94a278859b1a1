package webhooks

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"assay/store/queue"
)

// MaxAttempts is the largest number of attempts per delivery (interface, "Delivery").
const MaxAttempts = 3

// Backoff holds the waits before the second and the third attempt.
type Backoff [MaxAttempts - 1]time.Duration

// DefaultBackoff is the retry schedule. The first wait outlasts the restart of
// a receiver. The second outlasts a short outage. Both together stay below six
// minutes, so that a receiver learns of an event while it is still useful.
var DefaultBackoff = Backoff{30 * time.Second, 5 * time.Minute}

// String returns the waits as in ASSAY_WEBHOOK_BACKOFF, such as 30s,5m.
func (b Backoff) String() string {
	waits := make([]string, len(b))
	for i, wait := range b {
		waits[i] = strings.TrimSuffix(wait.String(), "m0s")
		if waits[i] != wait.String() {
			waits[i] += "m"
		}
	}
	return strings.Join(waits, ",")
}

// maxRetryAfter limits the wait that a receiver may request, so that a wrong
// header cannot hold back an event for days.
const maxRetryAfter = time.Hour

// maxJitter is the largest part of the wait that is added at random. It
// spreads the retries of deliveries that failed together.
const maxJitter = 0.1

// next returns the delivery's status after the attempt and, if it is pending,
// the wait before the next attempt. Jitter only adds, because no attempt may be
// earlier than the schedule promises. Retry-After moves the next attempt and
// never adds one. random returns a number from 0 to 1.
func (b Backoff) next(
	attempt queue.Attempt, retryAfter time.Duration, random func() float64,
) (queue.Status, time.Duration) {
	switch {
	case attempt.FailureReason == nil:
		return queue.Succeeded, 0
	case *attempt.FailureReason == queue.FailedGone, attempt.Number >= MaxAttempts:
		return queue.Failed, 0
	}

	wait := max(b[attempt.Number-1], min(retryAfter, maxRetryAfter))
	return queue.Pending, wait + time.Duration(random()*maxJitter*float64(wait))
}

func jitter() float64 { return rand.Float64() } //nolint:gosec // spreads load; nothing depends on secrecy

// retryAfter returns the wait that the Retry-After header of a 429 or 503
// requests (RFC 9110, section 10.2.3), or 0 if there is none.
func retryAfter(response *http.Response, now time.Time) time.Duration {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return 0
	}

	value := response.Header.Get("Retry-After")
	// ParseInt returns the nearest number for one out of range, so a huge number requests the longest wait.
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil || errors.Is(err, strconv.ErrRange) {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
