package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	mailer "assay/server/mail"
)

type mailTestCommand struct {
	mailConfig `embed:""`
	BaseURL    string        `env:"ASSAY_BASE_URL" hidden:"" help:"Start of all links."`
	Timeout    time.Duration `default:"60s" help:"Time limit of the whole test."`
	Address    string        `arg:"" help:"Recipient of the test."`
}

var errMailTest = errors.New("the email was not sent")

// Run sends one email and prints each step as it happens.
func (c mailTestCommand) Run(ctx context.Context, stdout io.Writer) error {
	var faults []error
	set := c.checkMail(func(variable string, err error) {
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", variable, err))
		}
	})
	if err := wrongConfiguration(faults); err != nil {
		return err
	}
	if !set.configured() {
		return errors.New("ASSAY_SMTP_URL is not set, so Assay sends no email")
	}

	_, _ = fmt.Fprintf(stdout, "Mail server %s, sender %s\n\n", set.server, set.from.String())
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	test := mailer.Test{From: set.from, To: c.Address, ID: strings.ToLower(rand.Text()), Date: time.Now()}
	err := mailer.Check(ctx, mailer.ClientOptions{Server: set.server, HelloName: helloName(c.BaseURL)}, test,
		func(step mailer.Step) { printStep(stdout, step) })
	if err != nil {
		return errMailTest // the steps say why
	}
	_, err = fmt.Fprintf(stdout, "\nThe mail server has accepted the email. If it does not arrive, look for it "+
		"in the spam folder, and in the log of the mail server.\n")
	return err
}

func printStep(w io.Writer, step mailer.Step) {
	if step.Err == nil {
		_, _ = fmt.Fprintf(w, "ok      %-14s %s\n", step.Name, step.Detail)
		return
	}
	_, _ = fmt.Fprintf(w, "FAILED  %-14s %s\n", step.Name, oneLineOf(step.Err))
	if step.Advice != "" {
		_, _ = fmt.Fprintf(w, "        %-14s %s\n", "", step.Advice)
	}
}

// oneLineOf is an error without line breaks and control characters, which a mail server can send.
func oneLineOf(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }), " ")
}
