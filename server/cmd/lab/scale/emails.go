package scale

import (
	"context"
	"fmt"
	"net/http"

	"assay/server/cmd/lab/rig"
	"assay/server/mail/mailtest"
)

// emails are an invite to each candidate, which was sent, and a reminder to candidates who have
// not started, which is due in a year.
func (f *filler) emails(ctx context.Context, first, last int64) error {
	const row = `
		INSERT INTO emails (id, organization_id, kind, session_id, status, lane, ready, run_at, lease, attempt,
			created_at, ended_at)
		SELECT 'eml_' || scale_ulid(ms + %d, n), organization_id, '%s', id, '%s', organization_id, FALSE, scale_time(%s),
			'', %d, scale_time(ms), %s
		FROM sessions d WHERE status IN (%s)`
	if err := f.exec(ctx, drawnSessions+fmt.Sprintf(row, 0, "INVITE", "SENT", "ms", 1, "scale_time(ms + 500)",
		"'INVITED', 'EXPIRED', 'IN_PROGRESS', 'COMPLETED', 'DISQUALIFIED', 'CANCELLED'"), first, last); err != nil {
		return err
	}
	return f.exec(ctx, drawnSessions+fmt.Sprintf(row, 500, "REMINDER", "QUEUED", "ms + 31536000000", 0, "NULL",
		"'INVITED'"), first, last)
}

// serveMail starts a mail server, and returns the variables with which the service uses it.
func serveMail() (server *mailtest.Server, env []string, err error) {
	if server, err = mailtest.Start(mailtest.Options{}); err != nil {
		return nil, nil, err
	}
	return server, []string{
		"ASSAY_SMTP_URL=" + server.URL(), "ASSAY_MAIL_FROM=Assay <assay@scale.example>", "ASSAY_MAIL_RATE=1000",
	}, nil
}

// emailWrites queue emails, which the service sends at once.
func (w *world) emailWrites(run int64) []operation {
	byEmail := func(name string) rig.Object {
		body := w.Invite(name)
		body["sendEmail"] = true
		return body
	}
	return []operation{
		{name: "invite by email", request: func(i int) []byte {
			return rig.Request(http.MethodPost, "/v1/public/candidate-sessions", w.Key,
				byEmail(fmt.Sprintf("email-%d-%d", run, i)))
		}},
		w.owns("resend by email", http.MethodPost, func(i int) string {
			return sessions + "/" + of(w.invited, i) + "/resend"
		}, rig.Object{"sendEmail": true}),
		{name: "forgot password", request: func(int) []byte {
			return rig.Request(http.MethodPost, "/v1/auth/forgot-password", nil, rig.Object{"email": w.smallEmail})
		}},
	}
}
