package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"assay/store"
)

type resetFactorCommand struct {
	config `embed:""`

	Email string `arg:"" help:"Address with which the person signs in."`
}

// Run removes the second factors and the recovery codes of a person after the loss of all of them. The operator
// answers for the person.
func (c resetFactorCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	database, err := c.openMigrated(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	removed, err := database.UnscopedResetSecondFactors(ctx, c.Email)
	if errors.Is(err, store.ErrNoAccount) {
		return fmt.Errorf("no account has the address %q", c.Email)
	}
	if err != nil {
		return err
	}
	if removed == 0 {
		_, err = fmt.Fprintf(stdout, "The account %s has no second factor.\n", c.Email)
		return err
	}
	_, err = fmt.Fprintf(stdout, `The account %s has no second factor any more. The password alone signs in.
The audit log of each of its organizations has an entry.
`, c.Email)
	return err
}
