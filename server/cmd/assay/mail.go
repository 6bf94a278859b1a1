package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	mailer "assay/server/mail"
	"assay/store"
)

// mailConfig holds the flags and variables of email.
type mailConfig struct {
	SMTPURL      string `name:"smtp-url" env:"ASSAY_SMTP_URL" help:"Mail server: smtp://user@host:587 or smtps://…."`
	SMTPPassword string `env:"ASSAY_SMTP_PASSWORD" help:"Password for the mail server, if not in its URL."`

	SMTPPasswordFile string `env:"ASSAY_SMTP_PASSWORD_FILE" help:"File with the value of ASSAY_SMTP_PASSWORD."`

	MailFrom    string `env:"ASSAY_MAIL_FROM" help:"Sender of all email, such as 'Assay <no-reply@example.com>'."`
	SMTPURLFile string `name:"smtp-url-file" env:"ASSAY_SMTP_URL_FILE" help:"File with the value of ASSAY_SMTP_URL."`
	MailRate    string `env:"ASSAY_MAIL_RATE" default:"10" help:"Emails per second and process, at most."`
}

// mailSettings is a parsed mailConfig.
type mailSettings struct {
	server mailer.Server // the zero value without a mail server
	from   mail.Address
	rate   float64
	sender mailer.Sender // instead of the mail server, in the demo
}

func (s mailSettings) configured() bool { return s.server.Host != "" || s.sender != nil }

// maxMailRate is more than one connection can send.
const maxMailRate = 10_000

// checkMail parses the variables and passes each fault on.
func (c mailConfig) checkMail(fault func(variable string, err error)) mailSettings {
	var out mailSettings
	fault("ASSAY_SMTP_URL_FILE", readValue("ASSAY_SMTP_URL", c.SMTPURLFile, &c.SMTPURL))
	fault("ASSAY_SMTP_PASSWORD_FILE", readValue("ASSAY_SMTP_PASSWORD", c.SMTPPasswordFile, &c.SMTPPassword))
	var err error
	if c.SMTPURL != "" {
		out.server, err = mailer.ParseServer(c.SMTPURL, c.SMTPPassword)
		fault("ASSAY_SMTP_URL", err)
		if c.MailFrom == "" {
			fault("ASSAY_MAIL_FROM", errors.New("is required with ASSAY_SMTP_URL"))
		}
	} else if c.SMTPPassword != "" {
		fault("ASSAY_SMTP_PASSWORD", errors.New("needs ASSAY_SMTP_URL"))
	}
	if c.MailFrom != "" {
		out.from, err = mailer.ParseSender(c.MailFrom)
		fault("ASSAY_MAIL_FROM", err)
	}
	out.rate, err = strconv.ParseFloat(strings.TrimSpace(c.MailRate), 64)
	if err != nil || !(out.rate > 0 && out.rate <= maxMailRate) {
		fault("ASSAY_MAIL_RATE", fmt.Errorf("is not a number above 0 and up to %d: %q", maxMailRate, c.MailRate))
	}
	return out
}

// mailWorker is the worker that sends email through the configured mail server.
func (s settings) mailWorker(database *store.Store, registry prometheus.Registerer) (*mailer.Worker, error) {
	sender := s.mail.sender
	if sender == nil {
		sender = mailer.NewClient(mailer.ClientOptions{Server: s.mail.server, HelloName: helloName(s.baseURL)})
	}
	return mailer.New(mailer.Options{
		Store: database, Log: s.log, Registry: registry, From: s.mail.from, Rate: s.mail.rate, Sender: sender,
	})
}

// runMail sends email in the group until ctx ends, if a mail server is configured.
func (s settings) runMail(
	ctx context.Context, group *errgroup.Group, database *store.Store, registry prometheus.Registerer,
) error {
	if !s.mail.configured() {
		return nil
	}
	worker, err := s.mailWorker(database, registry)
	if err != nil {
		return err
	}
	group.Go(func() error { return worker.Run(ctx) })
	return nil
}

func andEmail(configured bool) string {
	if configured {
		return " and email"
	}
	return ""
}

// helloName is how the program introduces itself to a mail server: by its public name, or
// else by the name of the machine. Some servers refuse "localhost".
func helloName(baseURL string) string {
	if parsed, err := url.Parse(baseURL); err == nil && strings.Contains(parsed.Hostname(), ".") &&
		net.ParseIP(parsed.Hostname()) == nil {
		return parsed.Hostname()
	}
	name, err := os.Hostname()
	if err != nil || name == "" || strings.ContainsAny(name, " \t\r\n") {
		return "localhost"
	}
	return name
}
