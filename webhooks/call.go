package webhooks

import (
	"context"
	"net/http"
	"time"

	"assay/store/queue"
)

// Caller sends requests that are no deliveries, such as the callbacks to applicant tracking systems, with a client like
// the dispatcher's: address checks and timeout are the same. It signs nothing.
type Caller struct{ client *client }

// NewCaller creates a caller from the dispatcher's options.
func NewCaller(opts Options) *Caller { return &Caller{client: newClient(opts.withDefaults())} }

// Call sends a request once. It returns the result, and the wait that the receiver requests.
func (c *Caller) Call(request *http.Request) (queue.Attempt, time.Duration) {
	return c.client.try(request.Context(), 1, func(ctx context.Context, _ time.Time) (*http.Request, error) {
		return request.WithContext(ctx), nil
	})
}
