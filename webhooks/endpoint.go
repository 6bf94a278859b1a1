package webhooks

import (
	"time"

	"assay/store"
)

const (
	// defaultInFlight is how many attempts one endpoint has at a time.
	defaultInFlight = 16
	// prefetch is how many times that many a claim may hold for an endpoint that
	// answers quickly, so that it does not wait for the next claim.
	prefetch = 4
	// quick is the average answer below which an endpoint is given that.
	quick = 50 * time.Millisecond

	// troubledAfter is how many failures in a row put an endpoint on probation:
	// one attempt at a time, out of a pool that the others do not share.
	troubledAfter = 3

	// cursorSlack is how far behind the last claim the next one looks, for rows
	// that committed out of order. A full look, each second, finds all others.
	cursorSlack = 100 * time.Millisecond
)

// endpoint is what the dispatcher knows of one endpoint. It is guarded by the
// dispatcher's lock.
type endpoint struct {
	id       string
	claimed  int // jobs that are ours: waiting for their turn, or in flight
	inFlight int
	waiting  []flight

	afterRunAt int64 // where the next claim begins
	afterID    string
	hungry     bool // there may be more to claim
	lastUsed   time.Time

	average  time.Duration // of an attempt, moving
	failures int           // in a row
	health   store.Health  // not told to the store yet
	unknown  bool          // nothing was seen of it yet
}

func (e *endpoint) troubled() bool { return e.failures >= troubledAfter }

// limit is how many attempts it may have in flight.
func (e *endpoint) limit(perEndpoint int) int {
	if e.troubled() {
		return 1
	}
	return perEndpoint
}

// free is how many more deliveries a claim may take for it.
func (e *endpoint) free(perEndpoint int) int {
	allowed := e.limit(perEndpoint)
	if !e.troubled() && !e.unknown && e.average < quick {
		allowed *= prefetch
	}
	free := allowed - e.claimed
	if e.health.Gone || (free < allowed/2 && e.claimed > 0) {
		return 0 // claims are worth their cost in batches
	}
	return max(0, free)
}

// observe notes an attempt.
func (e *endpoint) observe(attempt store.Attempt, status store.DeliveryStatus) {
	took := time.Duration(attempt.DurationMS) * time.Millisecond
	e.average += (took - e.average) / 4
	e.unknown = false
	at := attempt.StartedAt.Time
	if attempt.FailureReason == nil {
		e.failures = 0
		e.health = store.Health{WebhookID: e.id, LastSuccessAt: &at, LastFailureAt: e.health.LastFailureAt}
		return
	}
	e.failures++
	e.health.WebhookID = e.id
	e.health.Failures++
	e.health.LastFailureAt = &at
	e.health.Gone = e.health.Gone || *attempt.FailureReason == store.FailedGone
	if status == store.DeliveryFailed {
		e.health.FailedDeliveries++
	}
}

// advance moves the place where the next claim begins behind the job.
func (e *endpoint) advance(job store.Job) {
	if runAt := job.RunAt - cursorSlack.Microseconds(); runAt > e.afterRunAt {
		e.afterRunAt, e.afterID = runAt, ""
	}
}

// rewind makes the next claim look at everything that is due.
func (e *endpoint) rewind() { e.afterRunAt, e.afterID = 0, "" }
