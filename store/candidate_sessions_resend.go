package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// Resend is the input of ResendCandidateSession.
type Resend struct {
	SendEmail   *bool // nil: as the organization has set
	AllowRepeat bool  // of an expired session, as in an Invite
}

// ResendCandidateSession gives an invited or expired session a new link and a
// new expiry, ends the old link, and emits candidate.invited. Queued emails of
// the session are cancelled. Refusals: not_found, session_not_invited,
// delivery_quota_exceeded, email_not_configured, *Limited, assessment_not_published for an
// expired session of an archived assessment, candidate_attempted_before for one that the rule
// forbids, and assessment_closed or assessment_not_open if it could never be started. A test session emits nothing and
// gets no email.
func (s *Store) ResendCandidateSession(
	ctx context.Context, scope Scope, id string, in Resend,
) (CandidateSession, error) {
	used, err := s.quotaLoad(ctx, scope)
	if err != nil {
		return CandidateSession{}, err
	}
	return s.changeSession(ctx, scope, id, rules.VerbResend, func(c conn, session CandidateSession, now time.Time) error {
		var assessment struct {
			Status           rules.AssessmentStatus `db:"status"`
			InviteExpiryDays int                    `db:"invite_expiry_days"`
			SendInviteEmail  bool                   `db:"send_invite_email"`
		}
		if err := c.Get(ctx, &assessment, `
			SELECT status, invite_expiry_days,
				(SELECT o.send_invite_email FROM organizations o WHERE o.id = organization_id) AS send_invite_email
			FROM assessments WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, session.AssessmentID); err != nil {
			return err
		}
		if session.Status == rules.SessionExpired && assessment.Status != rules.AssessmentPublished {
			return errAssessmentNotPublished
		}
		if session.ErasedAt != nil { // the address has been erased
			return errSessionNotInvited
		}
		if session.Status == rules.SessionExpired && !session.Test {
			if err := c.checkRenewal(ctx, scope, session, in.AllowRepeat, now); err != nil {
				return err
			}
		}
		renewal := session
		renewal.Status, renewal.ExpiresAt = rules.SessionInvited, Time{now.Add(days(assessment.InviteExpiryDays))}
		if err := renewal.checkPromise(now); err != nil {
			return err
		}
		if full := s.room(used).forDeliveries(); full != nil && !session.Test {
			return commitThenRefuse(full)
		}
		sends, err := c.sendsInvite(ctx, scope, in.SendEmail)
		if err != nil {
			return commitThenRefuse(err)
		}
		emails := !session.Test && (sends == always || sends == byDefault && assessment.SendInviteEmail)
		if emails {
			if err := c.limitInvites(ctx, session, now); err != nil {
				return commitThenRefuse(err)
			}
		}
		if session.Status == rules.SessionExpired && !session.Test {
			c.addedSession(scope.OrganizationID)
		}
		if err := c.renewInvite(ctx, session, renewal.ExpiresAt.Time, emails, now); err != nil {
			return err
		}
		renewed, err := c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`)
		if err != nil {
			return err
		}
		if err := c.audit(ctx, scope, AuditSessionResent, id, session.changes(renewed)...); err != nil || renewed.Test {
			return err
		}
		return c.emit(ctx, s.invitedEvent(renewed, now))
	})
}

// checkRenewal refuses an expired invite if the person has attempted the assessment meanwhile.
func (c conn) checkRenewal(
	ctx context.Context, scope Scope, session CandidateSession, consent bool, now time.Time,
) error {
	assessment, err := c.current(ctx, scope, session.AssessmentID)
	if err != nil || assessment.RepeatRule == rules.RepeatAllowed {
		return err
	}
	lock := personLock(scope, assessment, emailKey(session.CandidateEmail))
	if err := c.store.db.Lock(ctx, c.Conn, lock); err != nil {
		return err
	}
	return c.checkRepeat(ctx, scope, repeatOf{
		assessmentID: session.AssessmentID, email: session.CandidateEmail, consent: consent, except: session.ID,
	}, now)
}

// renewInvite writes the new invite of a locked session. Emails that are about the old
// one are cancelled, also when a worker has claimed one.
func (c conn) renewInvite(
	ctx context.Context, session CandidateSession, expiresAt time.Time, emails bool, now time.Time,
) error {
	emailStatus := EmailNone
	if emails {
		emailStatus = EmailQueued
	}
	if _, err := c.Exec(ctx, `
		UPDATE candidate_sessions SET status = 'INVITED', close_reason = NULL, invite_generation = invite_generation + 1,
			invited_at = ?, expires_at = ?, due_at = ?, updated_at = ?, email_status = ?, email_sent_at = NULL,
			email_failure = NULL, email_reason = NULL
		WHERE organization_id = ? AND id = ?`,
		now, expiresAt, expiresAt, now, emailStatus, session.OrganizationID, session.ID); err != nil {
		return err
	}
	if !c.store.opts.SendsEmail {
		return nil
	}
	if _, err := c.Exec(ctx, `
		UPDATE emails SET status = 'CANCELLED', ready = FALSE, lease = '', ended_at = ?
		WHERE organization_id = ? AND session_id = ? AND status = 'QUEUED' AND kind <> 'DECISION'`,
		now, session.OrganizationID, session.ID); err != nil || !emails {
		return err
	}
	return c.queueEmail(ctx, newEmail{
		kind: EmailInvite, organizationID: session.OrganizationID, sessionID: &session.ID,
	})
}

// inviteEmailLimit bounds the emails with an invite to one session, so that repeated requests
// do not flood a mailbox.
var inviteEmailLimit = RateLimit{Name: "invite-email", Requests: 3, Window: 24 * time.Hour}

var keptEmails = keptTable{"emails", "id", "eml"}

// limitInvites refuses a further email with *Limited. Ids begin with the time of their
// creation, so the query reads only the newest rows of the index.
func (c conn) limitInvites(ctx context.Context, session CandidateSession, now time.Time) error {
	since := now.Add(-inviteEmailLimit.Window)
	var newest []Time
	if err := c.List(ctx, &newest, `
		SELECT created_at FROM emails WHERE organization_id = ? AND session_id = ? AND id >= ?
			AND kind = 'INVITE' AND created_at > ? ORDER BY id DESC LIMIT ?`,
		session.OrganizationID, session.ID, keptEmails.boundary(since), since, inviteEmailLimit.Requests); err != nil {
		return err
	}
	if len(newest) < inviteEmailLimit.Requests {
		return nil
	}
	return &Limited{inviteEmailLimit, newest[len(newest)-1].Sub(since)}
}
