package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"assay/store"
)

type suppressedCommand struct {
	config `embed:""`

	Email        string `arg:"" help:"The address."`
	End          bool   `help:"Let the organizations write to the address again."`
	Organization string `help:"Only this organization, by its id."`
}

// Run prints the organizations that do not write to an address, and why. With --end, it lets them write again. The
// database has only hashes of addresses, so there is no list of all.
func (c suppressedCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	database, err := c.openMigrated(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	found, err := database.UnscopedSuppressions(ctx, c.Email)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ORGANIZATION\tNAME\tREASON\tSINCE\tUNTIL\tSTATE")
	for _, suppression := range found {
		if c.Organization != "" && c.Organization != suppression.OrganizationID {
			continue
		}
		until, state := "ended by a person", "suppressed"
		if suppression.ExpiresAt != nil {
			until = store.WireTime(suppression.ExpiresAt.Time)
		}
		if c.End {
			if _, err := database.UnscopedEndSuppression(ctx, suppression.OrganizationID, c.Email); err != nil {
				return err
			}
			state = "ended"
		}
		_, _ = fmt.Fprintf(table, "%s\t%q\t%s\t%s\t%s\t%s\n", suppression.OrganizationID, suppression.OrganizationName,
			suppression.Reason, store.WireTime(suppression.CreatedAt.Time), until, state)
	}
	return table.Flush()
}
