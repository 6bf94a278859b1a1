package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"assay/store"
)

type proveEmailCommand struct {
	config `embed:""`

	Email string `arg:"" help:"Address with which the person signs in."`
}

// Run marks the address of an account as confirmed, for services without email and for people whose email does not
// arrive. The operator answers for the person.
func (c proveEmailCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	database, err := c.openMigrated(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	err = database.UnscopedProveEmail(ctx, c.Email)
	if errors.Is(err, store.ErrNoAccount) {
		return fmt.Errorf("no account has the address %q", c.Email)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "The address %s is confirmed. The audit log of the organization has an entry.\n", c.Email)
	return err
}
