package webhooks

import (
	"time"

	"assay/store/queue"
)

const (
	// maxInFlight limits all attempts together, because each holds a connection
	// and three goroutines; see slots for the exception. Uncertain and failing endpoints share maxUncertain of
	// them. The rest, a quarter, is enough for eight healthy endpoints at their
	// full limit. Failing endpoints share maxFailing of maxUncertain.
	maxInFlight  = 512
	maxUncertain = 384
	maxFailing   = 128

	// failingAfter is the number of consecutive failures after which an endpoint
	// gets one attempt at a time. Two can happen during a restart.
	failingAfter = 3

	// slowFrom is the average duration from which an endpoint is uncertain. A
	// healthy endpoint releases each slot within a second, so that others get it.
	slowFrom = time.Second

	// If an endpoint responds within quickBelow, claims take up to prefetch times
	// its limit, so that its slots do not stay empty until the next claim. At that
	// speed the claimed deliveries are sent within a fraction of the lease. An endpoint
	// that responds within instantBelow gets more, because a claim and its events cost
	// nearly the same for many deliveries as for few: SQLite commits each claim to the disk.
	// All that wait are at most maxWaiting then, since each holds its event.
	quickBelow      = 50 * time.Millisecond
	prefetch        = 4
	instantBelow    = 10 * time.Millisecond
	instantPrefetch = 32
	maxWaiting      = 4096

	// Until its first attempt ends, an endpoint gets its limit divided by
	// untestedPart: enough to start soon, and few slots lost if it never responds.
	untestedPart = 4

	// The newest attempt counts for 1/averageWeight of the average, so that the
	// class follows a change within a few attempts.
	averageWeight = 4

	// cursorSlack is how far before the newest claimed delivery the next claim
	// starts, because transactions commit out of order. Deliveries that commit
	// later than that are found after the next rewind.
	cursorSlack = 100 * time.Millisecond
)

// endpoint is the dispatcher's state of one webhook endpoint. The dispatcher's
// lock guards it.
type endpoint struct {
	id       string
	claimed  int // leased jobs: waiting or in flight
	inFlight int
	counted  class // in which the dispatcher counts all attempts in flight
	waiting  []leasedJob

	afterRunAt  int64 // where the next claim starts, in microseconds since 1970
	firstRunAt  int64 // where the queue begins: what is due before is being cancelled
	mayHaveMore bool  // another claim may find deliveries
	noTarget    bool  // it has no URL or secret that can be used; nothing is claimed until the next poll
	lastUsed    time.Time

	progressAt time.Time // when an attempt last ended, or began as the only one
	stalled    bool      // no attempt has ended for slowFrom

	untested bool          // no attempt has ended yet
	average  time.Duration // moving average of an attempt
	failures int           // consecutive
	health   queue.Health  // not recorded in the store yet; empty without a WebhookID
}

// newEndpoint takes the class from the endpoint's row, so that after a restart
// endpoints that have worked do not share their slots with others.
func newEndpoint(due queue.DueWebhook) *endpoint {
	return &endpoint{
		id: due.WebhookID, failures: due.ConsecutiveFailures,
		untested: !due.Succeeded || due.ConsecutiveFailures > 0,
	}
}

// class says how long an endpoint's attempts are expected to hold their slots.
// The longer that is, the fewer slots its class has.
type class int

const (
	healthy   class = iota // responds soon
	uncertain              // has not responded yet, or is slow
	failing                // only fails
	classes                // the number of classes
)

func (e *endpoint) class() class {
	switch {
	case e.failures >= failingAfter:
		return failing
	case e.untested || e.stalled || e.average >= slowFrom:
		return uncertain
	}
	return healthy
}

// slots returns how many more attempts of the class may start, given those in
// flight. Each class leaves slots to the better classes, also when many endpoints have
// stopped responding at once: their attempts, which were counted as healthy, can then be
// more than maxUncertain.
func slots(inFlight [classes]int, c class) int {
	free := maxInFlight - inFlight[healthy] - min(maxUncertain, inFlight[uncertain]+inFlight[failing])
	if c >= uncertain {
		free = min(free, maxUncertain-inFlight[uncertain]-inFlight[failing])
	}
	if c == failing {
		free = min(free, maxFailing-inFlight[failing])
	}
	return free
}

// limit returns how many attempts the endpoint may have in flight.
func (e *endpoint) limit(perEndpoint int) int {
	switch {
	case e.class() == failing:
		return 1
	case e.untested:
		return max(1, perEndpoint/untestedPart)
	}
	return perEndpoint
}

// free returns how many more deliveries a claim may take for the endpoint, and whether
// these are enough for a claim of their own. waiting is the number of deliveries that
// wait at all endpoints.
func (e *endpoint) free(perEndpoint, waiting int) (free int, enough bool) {
	allowed := e.limit(perEndpoint)
	switch {
	case e.class() != healthy:
	case e.average < instantBelow && waiting < maxWaiting:
		allowed *= instantPrefetch
	case e.average < quickBelow:
		allowed *= prefetch
	}
	free = max(0, allowed-e.claimed)
	if e.health.Gone {
		return 0, false
	}
	return free, e.claimed == 0 || free >= (allowed+1)/2
}

// advance moves the place where the next claim starts. A claim must not read the
// index from its beginning: while another transaction holds a snapshot, deleted
// rows are still in the index.
func (e *endpoint) advance(job queue.Job) {
	e.afterRunAt = max(e.afterRunAt, job.RunAt-cursorSlack.Microseconds())
}

// skip makes claims leave out what was due before a time, because it is being cancelled. So new deliveries do not wait
// for the cancellation of a long queue.
func (e *endpoint) skip(cancelledBefore int64) {
	e.firstRunAt = cancelledBefore
	e.afterRunAt = max(e.afterRunAt, e.firstRunAt)
}

// rewind makes the next claim read everything that is due.
func (e *endpoint) rewind() { e.afterRunAt, e.noTarget = e.firstRunAt, false }

// observe updates the class after an attempt.
func (e *endpoint) observe(attempt queue.Attempt, now time.Time) {
	e.progressAt, e.stalled = now, false
	took := time.Duration(attempt.DurationMS) * time.Millisecond
	if e.untested {
		e.average, e.untested = took, false
	}
	e.average += (took - e.average) / averageWeight

	if attempt.FailureReason == nil {
		e.failures = 0
	} else {
		e.failures++
	}
}

// note adds a settled outcome to the health that is recorded next. It must not
// be called before the outcome is settled: recording a 410 cancels the
// deliveries that are not settled, including the one that got the 410.
func (e *endpoint) note(outcome queue.Outcome) {
	at, seen := outcome.Attempt.StartedAt.Time, queue.Health{WebhookID: e.id}
	count := queue.AttemptCount{Succeeded: 1}
	if outcome.Attempt.FailureReason != nil {
		count = queue.AttemptCount{Failed: 1}
	}
	seen.Attempts = map[queue.AttemptKey]queue.AttemptCount{outcome.Attempt.Key(): count}
	if reason := outcome.Attempt.FailureReason; reason == nil {
		seen.LastSuccessAt = &at
	} else {
		seen.Failures, seen.LastFailureAt = 1, &at
		seen.Gone = *reason == queue.FailedGone
		if outcome.Status == queue.Failed {
			seen.FailedDeliveries = 1
		}
	}
	e.health = joinHealth(e.health, seen)
}

// joinHealth combines two consecutive observations of one endpoint. Failures
// before a success do not count, except in the statistics.
func joinHealth(earlier, later queue.Health) queue.Health {
	joined := later
	joined.Gone = earlier.Gone || later.Gone
	if joined.LastFailureAt == nil {
		joined.LastFailureAt = earlier.LastFailureAt
	}
	if joined.LastSuccessAt == nil {
		joined.LastSuccessAt = earlier.LastSuccessAt
		joined.Failures += earlier.Failures
		joined.FailedDeliveries += earlier.FailedDeliveries
	}
	if joined.Attempts = earlier.Attempts; joined.Attempts == nil {
		joined.Attempts = later.Attempts
		return joined
	}
	for key, count := range later.Attempts {
		sum := joined.Attempts[key]
		joined.Attempts[key] = queue.AttemptCount{
			Succeeded: sum.Succeeded + count.Succeeded, Failed: sum.Failed + count.Failed,
		}
	}
	return joined
}
