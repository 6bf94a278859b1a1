package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"assay/store"
)

type proveEmailCommand struct {
	config `embed:""`

	Email string `arg:"" help:"Address with which the person signs in."`
}

// Run marks the address of an account as confirmed, for services without email and for people whose email does not
// arrive. The operator answers for the person.
func (c proveEmailCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	database, err := store.Open(ctx, store.Options{
		DatabaseURL: set.databaseURL, TransactionPooling: set.transactionPooling,
		Keys: set.keys, Now: time.Now, Log: set.log,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	if err := database.Ready(ctx); err != nil {
		return fmt.Errorf("the database is not ready for this version: %w", err)
	}
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
