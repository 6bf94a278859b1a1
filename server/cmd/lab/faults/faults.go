// Package faults injects one kind of fault under load and checks what the
// service promises. Each part prints a table, and fails when a promise is broken.
package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/alecthomas/kong"
)

// Command is `lab faults`.
type Command struct {
	All      All      `cmd:"" default:"1" help:"Run every part. This is the default."`
	Drain    Drain    `cmd:"" help:"SIGTERM: no request is dropped, and none is done without an answer."`
	Outage   Outage   `cmd:"" help:"PostgreSQL is stopped or hangs: 503 within a bound, and recovery within seconds."`
	Failover Failover `cmd:"" help:"PostgreSQL's standby becomes the primary: the service finds the new primary."`
	Replica  Replica  `cmd:"" help:"A standby for exports stays behind or stops: the primary is read."`
	Slow     Slow     `cmd:"" help:"Clients send or read one byte at a time: only they are cut off."`
}

// Bounds that the service promises while PostgreSQL is unavailable. answerBound
// is what it waits for the database at most, and some time for a busy machine.
const (
	answerBound = 7 * time.Second
	healBound   = 5 * time.Second
)

// All is `lab faults` without a part.
type All struct{}

// Run runs each part with its defaults.
func (All) Run(ctx context.Context, out io.Writer) error {
	var failures error
	for _, part := range []interface {
		Run(context.Context, io.Writer) error
	}{&Drain{}, &Outage{}, &Failover{}, &Replica{}, &Slow{}} {
		err := kong.ApplyDefaults(part)
		if err == nil {
			err = part.Run(ctx, out)
		}
		if err != nil {
			failures = errors.Join(failures, fmt.Errorf("%T: %w", part, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return failures
}
