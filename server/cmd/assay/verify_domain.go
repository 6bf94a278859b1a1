package main

import (
	"context"
	"errors"
	"fmt"
	"io"
)

type verifyCommand struct {
	config `embed:""`

	Domain       string `arg:"" help:"Email domain that an organization has added."`
	Organization string `help:"Id of the organization, if several have added the domain."`
}

// Run verifies an email domain without a TXT record, for domains that public DNS does not have. The operator answers
// for the organization.
func (c verifyCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	database, err := c.openMigrated(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	if err := database.UnscopedVerifyDomain(ctx, c.Domain, c.Organization); err != nil {
		return fmt.Errorf("verify the domain %q: %w", c.Domain, err)
	}
	_, err = fmt.Fprintf(stdout, "The domain %s is verified. The audit log of the organization has an entry.\n", c.Domain)
	return err
}
