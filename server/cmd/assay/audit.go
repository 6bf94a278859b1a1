package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"assay/store"
)

// maxAuditLimit bounds the memory of auditCommand.
const maxAuditLimit = 100_000

type auditCommand struct {
	config `embed:""`

	Since time.Duration `default:"24h" help:"How far to go back; the entries are kept for 30 days."`
	Limit int           `default:"100" help:"The largest number of entries, at most 100000."`
	JSON  bool          `help:"Print one JSON object per line."`
}

// failedSignIn is a line of the output with --json.
type failedSignIn struct {
	CreatedAt string `json:"createdAt"`
	IP        string `json:"ip"`
	RequestID string `json:"requestId"`
}

// Run prints the failed sign-ins at unknown accounts, newest first. Those at known
// accounts are in the audit logs of their organizations.
func (c auditCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	if c.Since <= 0 || c.Limit < 1 || c.Limit > maxAuditLimit {
		return fmt.Errorf("--since must be positive, and --limit from 1 to %d", maxAuditLimit)
	}
	database, err := c.openMigrated(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	failed, err := database.UnscopedFailedSignIns(ctx, database.Now().Add(-c.Since), c.Limit)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(stdout, failed)
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "TIME\tADDRESS\tREQUEST")
	for _, attempt := range failed {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", store.WireTime(attempt.At.Time), attempt.IP, attempt.RequestID)
	}
	return table.Flush()
}

func printJSON(stdout io.Writer, failed []store.FailedSignIn) error {
	encoder := json.NewEncoder(stdout)
	for _, attempt := range failed {
		if err := encoder.Encode(failedSignIn{
			CreatedAt: store.WireTime(attempt.At.Time), IP: attempt.IP, RequestID: attempt.RequestID,
		}); err != nil {
			return err
		}
	}
	return nil
}
