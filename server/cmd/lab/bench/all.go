package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"assay/server/cmd/lab/rig"
)

// All is `lab bench all`: every comparison in one run.
type All struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`
	Ratios           `embed:""`

	Quick bool `help:"Few and short turns: a first impression in minutes, with a wide spread."`
}

// Run measures requests, deliveries and emails. A failure of one does not end it before the last.
func (c *All) Run(ctx context.Context, out io.Writer) error {
	if err := c.begin(conditions(fmt.Sprintf("all, quick: %t", c.Quick))); err != nil {
		return err
	}
	api := API{Flags: c.Flags, DatabaseFlag: c.DatabaseFlag, Clients: 16, Duration: 3 * time.Second}
	for _, sc := range scenarios {
		api.Scenario = append(api.Scenario, sc.name)
	}
	deliveries := Deliveries{
		Flags: c.Flags, DatabaseFlag: c.DatabaseFlag,
		Events: 10_000, Endpoints: 10, Singles: 200, Turns: 3, Live: 10_000, Publishers: 64,
	}
	mail := Mail{Flags: c.Flags, DatabaseFlag: c.DatabaseFlag, Emails: 1000, Organizations: 10, Turns: 3}
	if c.Quick {
		api.Duration = time.Second
		deliveries.Events, deliveries.Singles, deliveries.Live = 2000, 40, 2000
		mail.Emails = 200
	}
	err := api.measureAll(ctx, out, &c.Ratios)
	err = errors.Join(err, deliveries.measureAll(ctx, out, &c.Ratios))
	err = errors.Join(err, mail.measureAll(ctx, out, &c.Ratios))
	return c.finish(out, err)
}

// conditions describes what the ratios of a run depend on.
func conditions(flags string) string {
	return fmt.Sprintf("%s; %d cores, %s %s/%s", flags, runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
