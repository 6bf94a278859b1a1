package queue

import (
	"errors"
	"math"
	"time"
)

// Status is the state of a delivery. A pending delivery is in webhook_queue, an ended one in webhook_deliveries, and
// none is in both.
type Status string

// The statuses of a delivery.
const (
	Pending   Status = "PENDING"
	Succeeded Status = "SUCCEEDED"
	Failed    Status = "FAILED"
	Cancelled Status = "CANCELLED"
)

// FailureReason is the reason for which an attempt failed.
type FailureReason string

// The reasons for which an attempt fails.
const (
	FailedStatus     FailureReason = "HTTP_STATUS"
	FailedTimeout    FailureReason = "TIMEOUT"
	FailedDNS        FailureReason = "DNS"
	FailedConnection FailureReason = "CONNECTION"
	FailedTLS        FailureReason = "TLS"
	FailedAddress    FailureReason = "ADDRESS_REFUSED"
	FailedRedirect   FailureReason = "REDIRECT_REFUSED"
	FailedGone       FailureReason = "ENDPOINT_GONE"
)

// Attempt is one request to an endpoint, and the response.
type Attempt struct {
	Number        int            `db:"number"`
	StartedAt     Time           `db:"started_at"`
	DurationMS    int64          `db:"duration_ms"`
	StatusCode    *int           `db:"status_code"`
	FailureReason *FailureReason `db:"failure_reason"`
	ResponseBody  string         `db:"response_body"` // the first 1 KiB, valid UTF-8
}

// Time is an instant in the tables of deliveries: microseconds since 1970.
type Time struct{ time.Time }

// Scan implements sql.Scanner.
func (t *Time) Scan(value any) error {
	micros, ok := value.(int64)
	if !ok {
		return errors.New("queue: a time column holds no integer")
	}
	t.Time = time.UnixMicro(micros).UTC()
	return nil
}

// Health is what a dispatcher observed of one endpoint since its last report.
type Health struct {
	WebhookID        string
	LastSuccessAt    *time.Time
	LastFailureAt    *time.Time
	Failures         int  // attempts since the last success or the last report
	FailedDeliveries int  // deliveries that had their last attempt in the same time
	Gone             bool // the endpoint answered 410
	Attempts         map[AttemptKey]AttemptCount
}

// AttemptKey is the hour in which an attempt began, in microseconds since 1970, and the
// range of its duration.
type AttemptKey struct {
	Hour   int64
	Bucket int
}

// AttemptCount is the number of attempts with the same key.
type AttemptCount struct{ Succeeded, Failed int64 }

// Attempts are counted by ranges of durations, each 1.2 times as long as the one
// before: a minute is in range 61, and a quantile is wrong by at most a tenth.
const bucketGrowth = 1.2

// Key returns the attempt's key.
func (a Attempt) Key() AttemptKey {
	bucket := 0
	if a.DurationMS > 1 {
		bucket = int(math.Ceil(math.Log(float64(a.DurationMS)) / math.Log(bucketGrowth)))
	}
	return AttemptKey{a.StartedAt.UTC().Truncate(time.Hour).UnixMicro(), bucket}
}

// BucketMS is the duration that stands for a bucket: its middle.
func BucketMS(bucket int) int64 {
	return max(1, int64(math.Round(math.Pow(bucketGrowth, float64(bucket)-0.5))))
}
