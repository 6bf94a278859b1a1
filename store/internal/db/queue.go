package db

import (
	"encoding/json"
	"time"
)

// Capacity is what a claim may take of one endpoint: the number of deliveries, and
// the position in the endpoint's queue after which the claim begins. The queue is
// in the order of run_at and delivery_id.
type Capacity struct {
	WebhookID  string `json:"e"`
	Free       int    `json:"n"`
	AfterRunAt int64  `json:"r"` // microseconds since 1970
	AfterID    string `json:"d"`
}

// Lease is what a claim writes to the deliveries it takes.
type Lease struct {
	Token    string // unique
	Now, End time.Time
}

// Claimed is a delivery that a claim has leased.
type Claimed struct {
	DeliveryID string `db:"delivery_id"`
	WebhookID  string `db:"webhook_id"`
	EventID    string `db:"event_id"`
	EventType  string `db:"event_type"`
	Attempt    int    `db:"attempt"` // attempts made before
	DueAt      int64  `db:"due_at"`  // run_at before the claim, microseconds since 1970
	CreatedAt  int64  `db:"created_at"`
}

// Settlement is the outcome of one attempt in the form that the statements read.
// Times are microseconds since 1970.
type Settlement struct {
	Position     int     `json:"p"` // in the batch, from 0
	DeliveryID   string  `json:"i"`
	Lease        string  `json:"l"`
	Number       int     `json:"n"`
	StartedAt    int64   `json:"s"`
	DurationMS   int64   `json:"m"`
	StatusCode   *int    `json:"c"`
	Reason       *string `json:"f"`
	ResponseBody string  `json:"b"`
	Status       string  `json:"t"` // PENDING when the delivery is tried again
	RetryAt      int64   `json:"r"`
	EndedAt      int64   `json:"e"`
}

// encoded returns the value as a JSON argument of a statement.
func encoded(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}
