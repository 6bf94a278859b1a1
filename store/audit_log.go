package store

import (
	"context"
	"time"

	"assay/store/internal/db"
)

// AuditAction is an action in the audit log.
type AuditAction string

// The actions of the audit log.
const (
	AuditOrganizationRegistered     AuditAction = "ORGANIZATION_REGISTERED"
	AuditSignedIn                   AuditAction = "SIGNED_IN"
	AuditSignInFailed               AuditAction = "SIGN_IN_FAILED"
	AuditSignedOut                  AuditAction = "SIGNED_OUT"
	AuditSignInsEnded               AuditAction = "SIGN_INS_ENDED"
	AuditRefreshTokenReused         AuditAction = "REFRESH_TOKEN_REUSED"
	AuditEndedTokenUsed             AuditAction = "ENDED_TOKEN_USED"
	AuditPasswordChanged            AuditAction = "PASSWORD_CHANGED"
	AuditPasswordChangeFailed       AuditAction = "PASSWORD_CHANGE_FAILED"
	AuditPasswordResetRequested     AuditAction = "PASSWORD_RESET_REQUESTED"
	AuditEmailConfirmed             AuditAction = "EMAIL_CONFIRMED"
	AuditPasswordReset              AuditAction = "PASSWORD_RESET"
	AuditSecondFactorAdded          AuditAction = "SECOND_FACTOR_ADDED"
	AuditSecondFactorRemoved        AuditAction = "SECOND_FACTOR_REMOVED"
	AuditSecondFactorFailed         AuditAction = "SECOND_FACTOR_FAILED"
	AuditSecondFactorReset          AuditAction = "SECOND_FACTOR_RESET"
	AuditRecoveryCodeUsed           AuditAction = "RECOVERY_CODE_USED"
	AuditRecoveryCodesCreated       AuditAction = "RECOVERY_CODES_CREATED"
	AuditAccessRefused              AuditAction = "ACCESS_REFUSED"
	AuditOrganizationUpdated        AuditAction = "ORGANIZATION_UPDATED"
	AuditDeletionScheduled          AuditAction = "ORGANIZATION_DELETION_SCHEDULED"
	AuditDeletionCancelled          AuditAction = "ORGANIZATION_DELETION_CANCELLED"
	AuditMemberAdded                AuditAction = "MEMBER_ADDED"
	AuditMemberInvitationRenewed    AuditAction = "MEMBER_INVITATION_RENEWED"
	AuditMemberInvitationRefused    AuditAction = "MEMBER_INVITATION_REFUSED"
	AuditMemberJoined               AuditAction = "MEMBER_JOINED"
	AuditMemberRoleChanged          AuditAction = "MEMBER_ROLE_CHANGED"
	AuditMemberChanged              AuditAction = "MEMBER_CHANGED"
	AuditMemberDeactivated          AuditAction = "MEMBER_DEACTIVATED"
	AuditMemberReactivated          AuditAction = "MEMBER_REACTIVATED"
	AuditMemberRemoved              AuditAction = "MEMBER_REMOVED"
	AuditAPIKeyCreated              AuditAction = "API_KEY_CREATED"
	AuditAPIKeyFirstUsed            AuditAction = "API_KEY_FIRST_USED"
	AuditAPIKeyRefused              AuditAction = "API_KEY_REFUSED"
	AuditAPIKeyRevoked              AuditAction = "API_KEY_REVOKED"
	AuditWebhookCreated             AuditAction = "WEBHOOK_CREATED"
	AuditWebhookUpdated             AuditAction = "WEBHOOK_UPDATED"
	AuditWebhookTested              AuditAction = "WEBHOOK_TESTED"
	AuditWebhookSecretRotated       AuditAction = "WEBHOOK_SECRET_ROTATED"
	AuditWebhookReplayed            AuditAction = "WEBHOOK_REPLAYED"
	AuditWebhookDeleted             AuditAction = "WEBHOOK_DELETED"
	AuditIntegrationConnected       AuditAction = "INTEGRATION_CONNECTED"
	AuditIntegrationDisconnected    AuditAction = "INTEGRATION_DISCONNECTED"
	AuditDeliveryRedelivered        AuditAction = "DELIVERY_REDELIVERED"
	AuditMediaCreated               AuditAction = "MEDIA_CREATED"
	AuditMediaDeleted               AuditAction = "MEDIA_DELETED"
	AuditAssessmentPublished        AuditAction = "ASSESSMENT_PUBLISHED"
	AuditAssessmentArchived         AuditAction = "ASSESSMENT_ARCHIVED"
	AuditAssessmentDeleted          AuditAction = "ASSESSMENT_DELETED"
	AuditAssessmentCreated          AuditAction = "ASSESSMENT_CREATED"
	AuditAssessmentDuplicated       AuditAction = "ASSESSMENT_DUPLICATED"
	AuditAssessmentUpdated          AuditAction = "ASSESSMENT_UPDATED"
	AuditAssessmentCorrected        AuditAction = "ASSESSMENT_CORRECTED"
	AuditAssessmentExported         AuditAction = "ASSESSMENT_EXPORTED"
	AuditQuestionCreated            AuditAction = "QUESTION_CREATED"
	AuditQuestionUpdated            AuditAction = "QUESTION_UPDATED"
	AuditQuestionArchived           AuditAction = "QUESTION_ARCHIVED"
	AuditQuestionRestored           AuditAction = "QUESTION_RESTORED"
	AuditQuestionDeleted            AuditAction = "QUESTION_DELETED"
	AuditRegistrationOpened         AuditAction = "REGISTRATION_OPENED"
	AuditRegistrationClosed         AuditAction = "REGISTRATION_CLOSED"
	AuditSessionInvited             AuditAction = "SESSION_INVITED"
	AuditSessionsInvited            AuditAction = "SESSIONS_INVITED"
	AuditSessionResent              AuditAction = "SESSION_RESENT"
	AuditSessionUpdated             AuditAction = "SESSION_UPDATED"
	AuditSessionExtended            AuditAction = "SESSION_EXTENDED"
	AuditSessionCancelled           AuditAction = "SESSION_CANCELLED"
	AuditSessionReopened            AuditAction = "SESSION_REOPENED"
	AuditAnswerGraded               AuditAction = "ANSWER_GRADED"
	AuditGateRuled                  AuditAction = "GATE_RULED"
	AuditReviewStatesReplaced       AuditAction = "REVIEW_STATES_REPLACED"
	AuditReviewStateChanged         AuditAction = "REVIEW_STATE_CHANGED"
	AuditReviewCommented            AuditAction = "REVIEW_COMMENTED"
	AuditReviewCommentUpdated       AuditAction = "REVIEW_COMMENT_UPDATED"
	AuditReviewCommentDeleted       AuditAction = "REVIEW_COMMENT_DELETED"
	AuditReviewTagsChanged          AuditAction = "REVIEW_TAGS_CHANGED"
	AuditReviewRated                AuditAction = "REVIEW_RATED"
	AuditReviewRatingDeleted        AuditAction = "REVIEW_RATING_DELETED"
	AuditReviewEmailCancelled       AuditAction = "REVIEW_EMAIL_CANCELLED"
	AuditResultRead                 AuditAction = "RESULT_READ"
	AuditResultTokenExchanged       AuditAction = "RESULT_TOKEN_EXCHANGED"
	AuditResultLinkCreated          AuditAction = "RESULT_LINK_CREATED"
	AuditResultLinkOpened           AuditAction = "RESULT_LINK_OPENED"
	AuditResultLinkRevoked          AuditAction = "RESULT_LINK_REVOKED"
	AuditSessionsExported           AuditAction = "SESSIONS_EXPORTED"
	AuditResponsesExported          AuditAction = "RESPONSES_EXPORTED"
	AuditAuditLogExported           AuditAction = "AUDIT_LOG_EXPORTED"
	AuditCandidateDataErased        AuditAction = "CANDIDATE_DATA_ERASED"
	AuditCandidateDataExported      AuditAction = "CANDIDATE_DATA_EXPORTED"
	AuditLegalHoldSet               AuditAction = "LEGAL_HOLD_SET"
	AuditLegalHoldReleased          AuditAction = "LEGAL_HOLD_RELEASED"
	AuditProviderChanged            AuditAction = "SIGN_IN_PROVIDER_CHANGED"
	AuditProviderDeleted            AuditAction = "SIGN_IN_PROVIDER_DELETED"
	AuditDomainAdded                AuditAction = "SIGN_IN_DOMAIN_ADDED"
	AuditDomainVerified             AuditAction = "SIGN_IN_DOMAIN_VERIFIED"
	AuditDomainRemoved              AuditAction = "SIGN_IN_DOMAIN_REMOVED"
	AuditSignInRecoveryCodesCreated AuditAction = "SIGN_IN_RECOVERY_CODES_CREATED"
	AuditSignInRecoveryCodeUsed     AuditAction = "SIGN_IN_RECOVERY_CODE_USED"
	AuditProviderSignedIn           AuditAction = "PROVIDER_SIGNED_IN"
	AuditProviderSignInFailed       AuditAction = "PROVIDER_SIGN_IN_FAILED"
	AuditRetentionChanged           AuditAction = "RETENTION_CHANGED"
)

// ActorType is the kind of credential of an actor.
type ActorType string

// The kinds of actor.
const (
	ActorUser      ActorType = "USER"
	ActorAPIKey    ActorType = "API_KEY"
	ActorAnonymous ActorType = "ANONYMOUS" // no valid credential
	ActorRetention ActorType = "RETENTION" // the sweep of the retention: see UnscopedEraseRetained
)

// AuditEntry is one entry of the audit log. It contains ids and never a
// candidate's personal data.
type AuditEntry struct {
	ID         string      `db:"id"`
	Action     AuditAction `db:"action"`
	ActorType  ActorType   `db:"actor_type"`
	ActorID    *string     `db:"actor_id"`
	ActorName  *string     `db:"actor_name"` // of the person, also of a removed one, or of the API key
	ResourceID string      `db:"resource_id"`
	IP         string      `db:"ip"`
	RequestID  string      `db:"request_id"`
	CreatedAt  Time        `db:"created_at"`
	ChangeList *string     `db:"changes"` // JSON; see Changes
}

// Changes returns what the action has changed.
func (e AuditEntry) Changes() []AuditChange { return decodeChanges(e.ChangeList) }

// AuditFilter narrows ListAuditLog and ExportAuditLog. A zero field does not narrow it.
type AuditFilter struct {
	Action     AuditAction
	ActorID    string
	ResourceID string
	Since      *time.Time
	Until      *time.Time // exclusive
}

// ListAuditLog returns a page of entries, and the id after which the next page begins:
// "" on the last page.
func (s *Store) ListAuditLog(
	ctx context.Context, scope Scope, in AuditFilter, page Page,
) ([]AuditEntry, string, error) {
	s.flushEntries(ctx)
	return s.read().auditLog(ctx, scope, in, page)
}

// auditLog filters by one index: that of the resource, of the actor, or of the action.
// Other conditions apply to the rows that it finds.
func (c conn) auditLog(
	ctx context.Context, scope Scope, in AuditFilter, page Page,
) (entries []AuditEntry, next string, err error) {
	where := filterOf(scope, page)
	where.created(keptAudit, in.Since, in.Until, storedInstant)
	var others []string
	indexed := false
	for _, condition := range []struct{ column, value string }{
		{"resource_id", in.ResourceID}, {"actor_id", in.ActorID}, {"action", string(in.Action)},
	} {
		switch {
		case condition.value == "":
		case !indexed:
			indexed = true
			where.and(condition.column+" = ?", condition.value)
		default:
			others = append(others, condition.column, condition.value)
		}
	}
	examined := ""
	if len(others) > 0 {
		if examined, err = c.examined(ctx, keptAudit, where); err != nil {
			return nil, "", err
		}
	}
	for i := 0; i < len(others); i += 2 {
		where.unindexed(others[i], others[i+1])
	}
	query, args := where.newestFirst(`SELECT id, organization_id, action, actor_type, actor_id, resource_id, ip,
		request_id, created_at, changes FROM audit_log`, page)
	err = c.List(ctx, &entries, `
		SELECT a.id, a.action, a.actor_type, a.actor_id, `+actorName+` AS actor_name, a.resource_id, a.ip,
			a.request_id, a.created_at, a.changes
		FROM (`+query+`) a ORDER BY a.id DESC`, args...)
	entries, next = pageEnd(entries, page.Limit, examined, func(entry AuditEntry) string { return entry.ID })
	return entries, next, err
}

// actorName is the name of the person or API key of an audit entry, a. With joins, PostgreSQL can read those of all
// organizations.
const actorName = `COALESCE(
	(SELECT u.name FROM users u WHERE u.organization_id = a.organization_id AND u.id = a.actor_id),
	(SELECT k.name FROM api_keys k WHERE k.organization_id = a.organization_id AND k.id = a.actor_id))`

// ExportAuditLog audits the export, and returns a function that returns the next batch of
// entries, newest first, and nil after the last one.
func (s *Store) ExportAuditLog(
	ctx context.Context, scope Scope, in AuditFilter,
) (func() ([]AuditEntry, error), error) {
	s.flushEntries(ctx)
	err := s.write(ctx, func(c conn) error {
		return c.audit(ctx, scope, AuditAuditLogExported, scope.OrganizationID)
	})
	page, done := Page{Limit: exportBatch}, false
	next := func() (entries []AuditEntry, err error) {
		for len(entries) == 0 && err == nil && !done { // a page can be empty and not the last
			entries, page.After, err = s.stale().auditLog(ctx, scope, in, page)
			done = page.After == ""
		}
		return entries, err
	}
	return next, err
}

// exportBatch is how many rows an export has in memory.
const exportBatch = 500

// audit writes an entry in the transaction of the action, so that one never
// exists without the other.
func (c conn) audit(
	ctx context.Context, scope Scope, action AuditAction, resourceID string, changes ...AuditChange,
) error {
	_, err := c.auditID(ctx, scope, action, resourceID, changes...)
	return err
}

// auditID is audit, and returns the id of the entry.
func (c conn) auditID(
	ctx context.Context, scope Scope, action AuditAction, resourceID string, changes ...AuditChange,
) (string, error) {
	entry := c.store.auditEntry(scope, action, resourceID, changes...)
	_, err := c.Exec(ctx, entry.Text(), entry.Args...)
	return entry.Args[0].(string), err
}

func (s *Store) auditEntry(scope Scope, action AuditAction, resourceID string, changes ...AuditChange) db.Insert {
	actor, actorID := ActorAnonymous, (*string)(nil)
	switch {
	case scope.UserID != "":
		actor, actorID = ActorUser, &scope.UserID
	case scope.APIKeyID != "":
		actor, actorID = ActorAPIKey, &scope.APIKeyID
	case scope.retention:
		actor = ActorRetention
	}
	return db.Insert{
		Into: `INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, resource_id, ip, request_id,
			created_at, changes)`,
		Select: `SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?`,
		Args: []any{
			s.NewID("aud"), scope.OrganizationID, action, actor, actorID, resourceID, scope.Origin.IP,
			scope.Origin.RequestID, s.Now(), encodeChanges(changes),
		},
	}
}
