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

	// slow is the average answer from which an endpoint holds its slots for long.
	slow = time.Second

	// troubledAfter is how many failures in a row leave an endpoint one attempt at a time.
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
	absent     bool // nothing can be sent to it now: nothing is claimed for it until the next poll
	lastUsed   time.Time

	average  time.Duration // of an attempt, moving
	failures int           // in a row
	health   store.Health  // not told to the store yet
	unknown  bool          // nothing was seen of it yet
}

// newEndpoint begins with what the store knows: after a restart, what worked
// must not queue behind what may not.
func newEndpoint(due store.DueWebhook) *endpoint {
	return &endpoint{id: due.WebhookID, failures: due.ConsecutiveFailures, unknown: !due.Succeeded || due.ConsecutiveFailures > 0}
}

// standing is for how long an endpoint's attempts are to be expected to hold
// their slots. The worse it is, the fewer there are of them.
type standing int

const (
	proven   standing = iota // answers soon
	doubtful                 // nothing was seen of it yet, or it is slow
	troubled                 // only fails
	standings
)

func (e *endpoint) standing() standing {
	switch {
	case e.failures >= troubledAfter:
		return troubled
	case e.unknown || e.average >= slow:
		return doubtful
	}
	return proven
}

// room is how many more attempts of the standing may be in flight beside those
// that are. Each standing leaves slots to the better ones.
func room(inFlight [standings]int, s standing) int {
	free := maxInFlight - inFlight[proven] - inFlight[doubtful] - inFlight[troubled]
	if s >= doubtful {
		free = min(free, maxDoubtful-inFlight[doubtful]-inFlight[troubled])
	}
	if s == troubled {
		free = min(free, maxTroubled-inFlight[troubled])
	}
	return free
}

// limit is how many attempts it may have in flight.
func (e *endpoint) limit(perEndpoint int) int {
	switch {
	case e.standing() == troubled:
		return 1
	case e.unknown:
		return max(1, perEndpoint/4) // enough to find out
	}
	return perEndpoint
}

// free is how many more deliveries a claim may take for it.
func (e *endpoint) free(perEndpoint int) int {
	allowed := e.limit(perEndpoint)
	if e.standing() == proven && e.average < quick {
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
	if e.unknown {
		e.average, e.unknown = took, false
	}
	e.average += (took - e.average) / 4
	at := attempt.StartedAt.Time
	if attempt.FailureReason == nil {
		e.failures = 0
		e.health = store.Health{WebhookID: e.id, LastSuccessAt: &at, LastFailureAt: e.health.LastFailureAt, Gone: e.health.Gone}
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
func (e *endpoint) rewind() { e.afterRunAt, e.afterID, e.absent = 0, "", false }

// retell puts back what the store did not take, behind what was seen since.
func (e *endpoint) retell(untold store.Health) {
	since := e.health
	e.health = untold
	e.health.Gone = untold.Gone || since.Gone
	if since.LastSuccessAt != nil {
		e.health.LastSuccessAt, e.health.Failures, e.health.FailedDeliveries = since.LastSuccessAt, 0, 0
	}
	if since.LastFailureAt != nil {
		e.health.LastFailureAt = since.LastFailureAt
	}
	e.health.Failures += since.Failures
	e.health.FailedDeliveries += since.FailedDeliveries
}
