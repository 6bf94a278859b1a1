package bench

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/wneessen/go-mail"
)

// bareLoop is the baseline: it sends the last message again and again with the same library
// over one connection, and commits the update of one row after each. It has no queue, and
// reads and renders nothing.
func (r *mailRun) bareLoop(ctx context.Context, turn int) (err error) {
	b := &bare{}
	if err := b.open(r.db.URL); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if turn == 0 {
		if err := r.bareRows(ctx, b.writer); err != nil {
			return err
		}
	}
	update, err := b.writer.PrepareContext(ctx, `UPDATE bare_emails SET status = 'SENT', ended_at = $1 WHERE id = $2`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, update.Close()) }()

	client, err := r.bareClient()
	if err != nil {
		return err
	}
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	for n := range r.Emails {
		message, err := mail.EMLToMsgFromReader(bytes.NewReader(r.to.last.Load().Data))
		if err != nil {
			return err
		}
		if err := client.Send(message); err != nil {
			return err
		}
		if _, err := update.ExecContext(ctx, time.Now().UnixMicro(), n); err != nil {
			return err
		}
	}
	return nil
}

func (r *mailRun) bareClient() (*mail.Client, error) {
	host, port, err := net.SplitHostPort(r.to.server.Addr())
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	return mail.NewClient(host, mail.WithPort(number), mail.WithTLSPolicy(mail.NoTLS), mail.WithoutNoop())
}

// bareRows makes the table whose rows the loop updates, one for each email of a turn.
func (r *mailRun) bareRows(ctx context.Context, db *sql.DB) error {
	for _, statement := range []string{
		`CREATE TABLE bare_emails (id INTEGER PRIMARY KEY, status TEXT NOT NULL, ended_at BIGINT)`,
		fmt.Sprintf(`
			WITH RECURSIVE n (id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM n WHERE id < %d)
			INSERT INTO bare_emails (id, status) SELECT id, 'QUEUED' FROM n`, r.Emails-1),
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
