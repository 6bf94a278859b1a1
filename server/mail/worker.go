package mail

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"golang.org/x/time/rate"

	"assay/store"
)

const (
	// pollInterval is how often the worker looks for scheduled emails that are due, and for
	// emails that other processes have queued.
	pollInterval = time.Second

	// After a failure that is not about the email, the worker waits before the next email,
	// so that a mail server that is unavailable does not use up the attempts of every email.
	firstPause = time.Second
	maxPause   = 30 * time.Second

	// settleTime is how long the worker tries to write an outcome while the database is
	// unavailable. The lease is longer, so nobody else claims the email meanwhile and sends it again.
	settleTime = 30 * time.Second
	// settlePause is the time between two tries.
	settlePause = 200 * time.Millisecond

	// shutdownGrace is how long the email in flight can take when the program ends.
	shutdownGrace = 10 * time.Second
)

// Worker sends queued emails until its context ends.
type Worker struct {
	opts    Options
	store   *store.Store
	sender  Sender
	metrics *metrics
	limiter *rate.Limiter
	lane    string        // of the latest email; the next one is of the lane after it
	pause   time.Duration // before the next email; 0 after a success

	poll, firstPause, grace time.Duration // constants, except in tests
}

// New creates a worker and registers its metrics. Run starts it.
func New(opts Options) (*Worker, error) {
	opts = opts.withDefaults()
	registered, err := newMetrics(opts.Registry, opts.Store)
	if err != nil {
		return nil, err
	}
	return &Worker{
		opts: opts, store: opts.Store, sender: opts.Sender, metrics: registered,
		limiter: rate.NewLimiter(rate.Limit(opts.Rate), 1), poll: pollInterval, firstPause: firstPause,
		grace: shutdownGrace,
	}, nil
}

// lease returns how long a claim lasts: longer than the email can take, with the time to
// write the outcome. A worker that is killed delays its email by at most this.
func (w *Worker) lease() time.Duration { return w.opts.Timeout + settleTime + shutdownGrace }

// Run sends until ctx ends. Then it finishes the email in flight, and settles it.
//
// It sends one email at a time and settles it before it claims the next one: a worker that
// is killed sends at most one email twice.
func (w *Worker) Run(ctx context.Context) error {
	defer w.sender.Close()
	ticker := time.NewTicker(w.poll)
	defer ticker.Stop()
	w.promote(ctx)
	for ctx.Err() == nil {
		if w.next(ctx) {
			select {
			case <-ticker.C:
				w.promote(ctx)
			default:
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-w.store.EmailWake():
		case <-ticker.C:
			w.promote(ctx)
		}
	}
	return nil
}

// promote makes due emails ready.
func (w *Worker) promote(ctx context.Context) {
	for ctx.Err() == nil {
		ready, err := w.store.UnscopedReadyEmails(ctx)
		if err != nil && ctx.Err() == nil {
			w.opts.Log.ErrorContext(ctx, "due emails not made ready, retrying", "error", err)
		}
		if err != nil || ready == 0 {
			return
		}
	}
}

// next sends one email, and reports whether there was one.
func (w *Worker) next(ctx context.Context) bool {
	if !sleep(ctx, w.pause) || w.limiter.Wait(ctx) != nil {
		return false
	}
	email, err := w.store.UnscopedClaimEmail(ctx, w.lane, rand.Text(), w.store.Now().Add(w.lease()))
	if err != nil && ctx.Err() == nil {
		w.opts.Log.ErrorContext(ctx, "email not claimed because of an error, retrying", "error", err)
	}
	if err != nil || email == nil {
		return false
	}
	w.lane = email.Lane

	// From here on, the email is finished even if ctx ends, within the grace.
	finishing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(w.grace, cancel) })
	defer stop()
	w.handle(finishing, *email)
	return true
}

// handle attempts a claimed email and settles it.
func (w *Worker) handle(ctx context.Context, email store.Email) {
	sending, cancel := context.WithTimeout(ctx, w.opts.Timeout)
	defer cancel()
	err := w.attempt(sending, email)
	if errors.Is(err, errNotRead) {
		w.giveBack(ctx, email, err)
		return
	}
	w.settle(ctx, w.outcome(ctx, email, err), reasonOf(err))
}

var (
	// errNotNeeded cancels an email that is no longer needed.
	errNotNeeded = errors.New("the email is not needed any more")
	// errNotRead is a database that is unavailable.
	errNotRead = errors.New("the content of the email could not be read")
	// errTooMany ends an email that has had all its attempts, and an email with a link to reset
	// a password that is too late.
	errTooMany = errors.New("the email has had all its attempts")
)

// attempt sends an email once.
func (w *Worker) attempt(ctx context.Context, email store.Email) error {
	now := w.store.Now()
	if email.Attempt >= maxAttempts || tooLate(email, now) {
		return errTooMany
	}
	content, err := w.store.UnscopedEmailContent(ctx, email)
	switch {
	case err != nil && store.IsUnavailable(err):
		return errors.Join(errNotRead, err)
	case err != nil:
		return err
	case content == nil:
		return errNotNeeded
	}
	message, err := Render(content)
	if err != nil {
		return err
	}
	envelope, err := newEnvelope(w.opts.From, content, message, now)
	if err != nil {
		return &Failure{Stage: StageRecipient, Final: true, Err: err}
	}
	reason, err := w.store.UnscopedAdmitEmail(ctx, email, content)
	switch {
	case err != nil && store.IsUnavailable(err):
		return errors.Join(errNotRead, err)
	case err != nil:
		return err
	case reason != "":
		return &withheld{reason}
	}
	return withAddress(w.sender.Send(ctx, envelope), content.ToAddress)
}

// withheld is the error of an email that may not be sent.
type withheld struct{ reason store.EmailReason }

func (w *withheld) Error() string { return "the email may not be sent: " + string(w.reason) }

// withAddress adds the recipient to a failure that is about it for good.
func withAddress(err error, address string) error {
	var failure *Failure
	if errors.As(err, &failure) && failure.RefusesRecipient() {
		failure.refused = address
	}
	return err
}

// giveBack ends the claim of an email that was not sent, and waits before the next one.
func (w *Worker) giveBack(ctx context.Context, email store.Email, cause error) {
	w.pause = w.nextPause()
	w.opts.Log.ErrorContext(ctx, "email not read, retrying", "email", email.ID, "error", cause)
	if err := w.store.UnscopedGiveBackEmail(ctx, email); err != nil {
		w.opts.Log.DebugContext(ctx, "the lease of an email ends later", "email", email.ID, "error", err)
	}
}

// nextPause is the wait after another failure.
func (w *Worker) nextPause() time.Duration { return min(max(w.firstPause, 2*w.pause), maxPause) }

// settle writes an outcome. While the database is unavailable it tries again for settleTime, which
// the lease includes, because an email whose outcome is not recorded is sent again.
func (w *Worker) settle(ctx context.Context, outcome store.EmailOutcome, reason string) {
	trying, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for {
		settled, err := w.store.UnscopedSettleEmail(trying, outcome)
		switch {
		case err == nil && settled:
			w.metrics.settled(outcome, reason)
			return
		case err == nil:
			w.opts.Log.InfoContext(ctx, "email not recorded: it was erased, cancelled, or claimed again",
				"email", outcome.Email.ID)
			return
		case !sleep(trying, settlePause):
			w.opts.Log.ErrorContext(ctx, "email not recorded, and may be sent again", "email", outcome.Email.ID,
				"status", outcome.Status, "error", err)
			return
		}
	}
}

// sleep waits, and reports whether ctx has not ended.
func sleep(ctx context.Context, wait time.Duration) bool {
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
