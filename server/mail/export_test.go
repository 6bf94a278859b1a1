package mail

import (
	"context"
	"net/mail"
	"time"
)

// Step makes due emails ready and sends one email, if there is one, without the pause
// after a failure.
func (w *Worker) Step(ctx context.Context) bool {
	w.pause = 0
	w.promote(ctx)
	return w.next(ctx)
}

// Pause is the time before the next email.
func (w *Worker) Pause() time.Duration { return w.pause }

// SetTimes replaces the period of polling and the first pause after a failure, before Run.
func (w *Worker) SetTimes(poll, pause time.Duration) { w.poll, w.firstPause = poll, pause }

// SetGrace replaces the time of the email in flight at the end.
func (w *Worker) SetGrace(grace time.Duration) { w.grace = grace }

// ParseAddress is parseAddress.
func ParseAddress(name, address string) (mail.Address, error) { return parseAddress(name, address) }

// OneLine is oneLine.
func OneLine(text string) string { return oneLine(text) }

// PublicText is publicText.
func PublicText(text string) string { return publicText(text) }
