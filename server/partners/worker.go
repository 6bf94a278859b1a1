package partners

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"assay/store"
)

const (
	pollInterval = time.Second

	// inFlight bounds the callbacks that are sent at once, so that one system that responds slowly does not hold up
	// the others.
	inFlight = 8

	// lease is longer than an attempt and the write of its outcome.
	lease = time.Minute

	// maxRetryAfter bounds the wait that a system can ask for.
	maxRetryAfter = time.Hour
)

// backoff are the waits after the attempts but the last one. Together they are 21 hours: a result is useful the next
// day, too, and nobody else tells the system.
var backoff = []time.Duration{
	30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour,
}

// Options configure a Worker.
type Options struct {
	Store *store.Store
	// Send sends a request once, and returns the wait that the receiver asks for; see webhooks.Caller.
	Send func(*http.Request) (store.Attempt, time.Duration)
	Log  *slog.Logger // nil discards
}

// Worker sends callbacks until its context ends.
type Worker struct {
	opts     Options
	adapters map[store.Partner]Adapter
	slots    chan struct{}
}

// NewWorker creates a worker. Run starts it.
func NewWorker(opts Options) *Worker {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	w := &Worker{opts: opts, adapters: map[store.Partner]Adapter{}, slots: make(chan struct{}, inFlight)}
	for _, adapter := range Adapters() {
		w.adapters[adapter.Partner()] = adapter
	}
	return w
}

// Run sends callbacks until ctx ends. Then it finishes the callbacks in flight.
func (w *Worker) Run(ctx context.Context) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for ctx.Err() == nil {
		w.SendDue(ctx)
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
	w.Wait()
	return nil
}

// Wait returns when no callback is in flight.
func (w *Worker) Wait() {
	for range inFlight {
		w.slots <- struct{}{}
	}
	for range inFlight {
		<-w.slots
	}
}

// SendDue starts the callbacks that are due, and returns when none is left to start.
func (w *Worker) SendDue(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case w.slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		callback, err := w.opts.Store.UnscopedClaimPartnerCallback(ctx, rand.Text(), w.opts.Store.Now().Add(lease))
		if err != nil && ctx.Err() == nil {
			w.opts.Log.ErrorContext(ctx, "callback not claimed because of an error, retrying", "error", err)
		}
		if err != nil || callback == nil {
			<-w.slots
			return
		}
		go func() {
			defer func() { <-w.slots }()
			w.send(context.WithoutCancel(ctx), *callback)
		}()
	}
}

// send makes one attempt and settles it.
func (w *Worker) send(ctx context.Context, callback store.PartnerCallback) {
	outcome := store.CallbackOutcome{Callback: callback}
	adapter := w.adapters[callback.Order.Partner]
	call, err := adapter.Callback(callback)
	var request *http.Request
	if err == nil && call != nil {
		request, err = newRequest(ctx, *call)
	}
	switch {
	case err != nil: // no further attempt would differ
		w.opts.Log.ErrorContext(ctx, "callback not made", "order", callback.OrderID, "error", err)
	case request != nil:
		attempt, wait := w.opts.Send(request)
		outcome.Exchange = exchangeOf(callback, *call, attempt, adapter)
		if mayHeal(attempt) && callback.Attempt <= len(backoff) {
			outcome.RetryAt = w.opts.Store.Now().Add(max(backoff[callback.Attempt-1], min(wait, maxRetryAfter)))
		}
	}
	if err := w.opts.Store.UnscopedSettlePartnerCallback(ctx, outcome); err != nil {
		w.opts.Log.ErrorContext(ctx, "callback not recorded, and may be sent again", "order", callback.OrderID, "error", err)
	}
}

func newRequest(ctx context.Context, call Call) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, call.Method, call.URL, bytes.NewReader(call.Body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", call.Authorization)
	if call.Body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json")
	}
	return request, nil
}

// exchangeOf records an attempt without its bodies.
func exchangeOf(callback store.PartnerCallback, call Call, attempt store.Attempt, adapter Adapter) *store.Exchange {
	exchange := &store.Exchange{
		Direction: store.ExchangeSent, Method: call.Method, Address: withoutQuery(call.URL), Status: attempt.StatusCode,
		SessionID: &callback.Order.SessionID,
	}
	if attempt.FailureReason != nil {
		exchange.Problem = new("The callback failed: " + string(*attempt.FailureReason) + ".")
	} else if rejection := adapter.Rejection(attempt.ResponseBody); rejection != "" {
		exchange.Problem = &rejection
	}
	return exchange
}

func withoutQuery(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	parsed.RawQuery, parsed.Fragment, parsed.User = "", "", nil
	return parsed.String()
}

// mayHeal reports whether another attempt can succeed. A status from 300 to 499 says that the request is wrong, with
// three exceptions, and an address that is not public stays so.
func mayHeal(attempt store.Attempt) bool {
	switch {
	case attempt.FailureReason == nil || *attempt.FailureReason == store.FailedAddress:
		return false
	case attempt.StatusCode == nil || *attempt.StatusCode >= http.StatusInternalServerError:
		return true
	}
	switch *attempt.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return false
}
