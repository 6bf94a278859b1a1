package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"assay/store"
)

type resetCommand struct {
	config `embed:""`

	Email string `arg:"" help:"Address with which the person signs in."`
}

// Run prints a link with which the person sets a new password. It needs no mail server, so
// that operators can help when email does not arrive.
func (c resetCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	if set.baseURL == "" {
		set.baseURL = "http://" + set.addr
	}
	database, err := set.openMigrated(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	link, expiresAt, err := database.UnscopedResetLink(ctx, c.Email)
	if errors.Is(err, store.ErrNoAccount) {
		return fmt.Errorf("no account has the address %q; invited people set a password with their invitation", c.Email)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, `Send this link to %s. It works once, until %s:

  %s

The audit log of the organization has an entry.
`, c.Email, store.WireTime(expiresAt), link)
	return err
}
