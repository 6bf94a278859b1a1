package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// A session that finishes leaves a notice for each member who asked for it. The worker
// queues an email for a member with notices, at most one per hour. The email takes all
// notices when it is sent, and they are deleted when it has ended. A notice that arrives
// meanwhile waits for the next email.

const (
	finishedEmailInterval = time.Hour
	// maxFinishedSessions is how many sessions one email names.
	maxFinishedSessions = 50
	// finishedBatch is the number of members for whom one call queues emails.
	finishedBatch = 500
)

// noteFinished leaves the notices of a session that has finished, in its transaction. A session that was reopened can
// finish again while an email about its first end is being sent: its notice then waits for the next email.
func (c conn) noteFinished(ctx context.Context, session CandidateSession) error {
	if !c.store.opts.SendsEmail {
		return nil
	}
	_, err := c.Exec(ctx, `
		INSERT INTO finished_notices (user_id, session_id, organization_id)
		SELECT user_id, ?, organization_id FROM assessment_subscriptions
		WHERE organization_id = ? AND assessment_id = ?
		ON CONFLICT (user_id, session_id) DO UPDATE SET email_id = NULL`,
		session.ID, session.OrganizationID, session.AssessmentID)
	return err
}

// finishedBucket is the row of rate_windows that ends when the member can get the next email.
const finishedBucket = "finished-email:"

// UnscopedQueueFinishedEmails queues an email for each member with notices, unless one is
// queued already. Several processes can call it at once. The query jumps from member to
// member in the index, because a member can have thousands of notices.
func (s *Store) UnscopedQueueFinishedEmails(ctx context.Context) error {
	var waiting []struct {
		OrganizationID string `db:"organization_id"`
		UserID         string `db:"user_id"`
		FreeAt         *Time  `db:"ends_at"`
	}
	if err := s.read().List(ctx, &waiting, `
		WITH RECURSIVE noticed (user_id) AS (
			SELECT (SELECT n.user_id FROM finished_notices n ORDER BY n.user_id LIMIT 1)
			UNION ALL
			SELECT (SELECT n.user_id FROM finished_notices n WHERE n.user_id > m.user_id ORDER BY n.user_id LIMIT 1)
			FROM noticed m WHERE m.user_id IS NOT NULL)
		SELECT u.organization_id, u.id AS user_id, w.ends_at
		FROM noticed m JOIN users u ON u.id = m.user_id
			LEFT JOIN rate_windows w ON w.bucket = '`+finishedBucket+`' || u.id
		WHERE NOT EXISTS (SELECT 1 FROM emails e WHERE e.organization_id = u.organization_id AND e.user_id = u.id
			AND e.kind = 'FINISHED' AND e.status = 'QUEUED')
		LIMIT ?`, finishedBatch); err != nil || len(waiting) == 0 {
		return err
	}
	return s.write(ctx, func(c conn) error {
		now := s.Now()
		for _, member := range waiting {
			email := newEmail{kind: EmailFinished, organizationID: member.OrganizationID, userID: &member.UserID}
			if member.FreeAt != nil {
				email.runAt = member.FreeAt.Time
			}
			row := s.insertEmail(email, now)
			row.End = ` WHERE TRUE ON CONFLICT DO NOTHING` // another process can have queued it since
			if _, err := c.Exec(ctx, row.Text(), row.Args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// finishedEmail is the content of FINISHED. It takes all notices of the member. The email is
// not needed if the member has ended the notifications, or if the candidates were erased.
func (s *Store) finishedEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	var content *EmailContent
	err := s.write(ctx, func(c conn) error {
		content = nil
		made, user, err := c.memberEmail(ctx, scope, e, "")
		if err != nil {
			return err
		}
		if made == nil {
			// The member has been removed, and a notice remains, because a session finished at the same time. The notice
			// would queue another email at once.
			return c.endFinishedEmails(ctx, scope, *e.UserID)
		}
		if _, err := c.Exec(ctx, `UPDATE finished_notices SET email_id = ? WHERE organization_id = ? AND user_id = ?`,
			e.ID, scope.OrganizationID, user.ID); err != nil {
			return err
		}
		if made.Finished, err = c.finishedContent(ctx, scope, e, user.ID); err != nil || made.Finished == nil {
			return err
		}
		made.UnsubscribeURL = s.unsubscribeURL(user.ID)
		content = made
		return nil
	})
	return content, err
}

func (c conn) finishedContent(ctx context.Context, scope Scope, e Email, userID string) (*FinishedContent, error) {
	const named = ` FROM finished_notices n
			JOIN candidate_sessions cs ON cs.organization_id = n.organization_id AND cs.id = n.session_id
			JOIN assessments a ON a.id = cs.assessment_id
			JOIN assessment_subscriptions m ON m.assessment_id = cs.assessment_id AND m.user_id = n.user_id
		WHERE n.organization_id = ? AND n.user_id = ? AND n.email_id = ? AND cs.erased_at IS NULL
			AND cs.status IN ('COMPLETED', 'DISQUALIFIED')`
	var count int
	if err := c.Get(ctx, &count, `SELECT COUNT(*)`+named, scope.OrganizationID, userID, e.ID); err != nil || count == 0 {
		return nil, err
	}
	var rows []struct {
		ID              string              `db:"id"`
		CandidateName   string              `db:"candidate_name"`
		AssessmentTitle string              `db:"title"`
		Status          rules.SessionStatus `db:"status"`
		Score           *float64            `db:"score"`
		Passed          *bool               `db:"passed"`
		CompletedAt     *Time               `db:"completed_at"`
		DisqualifiedAt  *Time               `db:"disqualified_at"`
	}
	if err := c.List(ctx, &rows, `
		SELECT cs.id, cs.candidate_name, a.title, cs.status, cs.score, cs.passed, cs.completed_at, cs.disqualified_at`+named+`
		ORDER BY COALESCE(cs.completed_at, cs.disqualified_at) DESC, cs.id DESC LIMIT ?`,
		scope.OrganizationID, userID, e.ID, maxFinishedSessions); err != nil {
		return nil, err
	}
	content := &FinishedContent{More: count - len(rows), AllURL: c.store.dashboard("candidates")}
	for _, row := range rows {
		session := FinishedSession{
			CandidateName: row.CandidateName, AssessmentTitle: row.AssessmentTitle, Score: row.Score, Passed: row.Passed,
			Disqualified: row.Status == rules.SessionDisqualified, URL: c.store.dashboard("candidates", row.ID),
		}
		for _, at := range []*Time{row.CompletedAt, row.DisqualifiedAt} {
			if at != nil {
				session.FinishedAt = at.Time
			}
		}
		content.Sessions = append(content.Sessions, session)
	}
	return content, nil
}

// memberEmailSettled follows the outcome of an email to a member, in its transaction. While
// the email will be tried again, status is QUEUED.
func (c conn) memberEmailSettled(ctx context.Context, e Email, status EmailStatus, now time.Time) error {
	if e.Kind != EmailFinished || status == EmailQueued {
		return nil
	}
	if _, err := c.Exec(ctx, `DELETE FROM finished_notices WHERE organization_id = ? AND user_id = ? AND email_id = ?`,
		e.OrganizationID, *e.UserID, e.ID); err != nil || status == EmailCancelled {
		return err
	}
	_, err := c.Exec(ctx, `
		INSERT INTO rate_windows (bucket, requests, ends_at) VALUES (?, 1, ?)
		ON CONFLICT (bucket) DO UPDATE SET ends_at = excluded.ends_at`,
		finishedBucket+*e.UserID, now.Add(finishedEmailInterval))
	return err
}

// endFinishedEmails ends all emails to a member about finished candidates.
func (c conn) endFinishedEmails(ctx context.Context, scope Scope, userID string) error {
	if err := c.cancelMemberEmails(ctx, scope, userID, EmailFinished); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `DELETE FROM assessment_subscriptions WHERE organization_id = ? AND user_id = ?`,
		scope.OrganizationID, userID); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `DELETE FROM finished_notices WHERE organization_id = ? AND user_id = ?`,
		scope.OrganizationID, userID)
	return err
}
