package store

import (
	"context"
	"time"
)

// AuditAction is what somebody did.
type AuditAction string

// The actions of the audit log.
const (
	AuditOrganizationRegistered  AuditAction = "ORGANIZATION_REGISTERED"
	AuditSignedIn                AuditAction = "SIGNED_IN"
	AuditSignInFailed            AuditAction = "SIGN_IN_FAILED"
	AuditSignedOut               AuditAction = "SIGNED_OUT"
	AuditRefreshTokenReused      AuditAction = "REFRESH_TOKEN_REUSED"
	AuditPasswordChanged         AuditAction = "PASSWORD_CHANGED"
	AuditOrganizationUpdated     AuditAction = "ORGANIZATION_UPDATED"
	AuditMemberAdded             AuditAction = "MEMBER_ADDED"
	AuditMemberInvitationRenewed AuditAction = "MEMBER_INVITATION_RENEWED"
	AuditMemberJoined            AuditAction = "MEMBER_JOINED"
	AuditMemberRoleChanged       AuditAction = "MEMBER_ROLE_CHANGED"
	AuditMemberRemoved           AuditAction = "MEMBER_REMOVED"
	AuditAPIKeyCreated           AuditAction = "API_KEY_CREATED"
	AuditAPIKeyRevoked           AuditAction = "API_KEY_REVOKED"
	AuditWebhookCreated          AuditAction = "WEBHOOK_CREATED"
	AuditWebhookUpdated          AuditAction = "WEBHOOK_UPDATED"
	AuditWebhookSecretRotated    AuditAction = "WEBHOOK_SECRET_ROTATED"
	AuditWebhookReplayed         AuditAction = "WEBHOOK_REPLAYED"
	AuditWebhookDeleted          AuditAction = "WEBHOOK_DELETED"
	AuditAssessmentPublished     AuditAction = "ASSESSMENT_PUBLISHED"
	AuditAssessmentArchived      AuditAction = "ASSESSMENT_ARCHIVED"
	AuditAssessmentDeleted       AuditAction = "ASSESSMENT_DELETED"
	AuditSessionCancelled        AuditAction = "SESSION_CANCELLED"
	AuditCandidateDataErased     AuditAction = "CANDIDATE_DATA_ERASED"
)

// ActorType says what kind of credential did it.
type ActorType string

// The kinds of actor.
const (
	ActorUser      ActorType = "USER"
	ActorAPIKey    ActorType = "API_KEY"
	ActorAnonymous ActorType = "ANONYMOUS" // no valid credential
)

// AuditEntry is one row of the audit log. It holds ids only, never personal
// data of a candidate.
type AuditEntry struct {
	ID         string      `db:"id"`
	Action     AuditAction `db:"action"`
	ActorType  ActorType   `db:"actor_type"`
	ActorID    *string     `db:"actor_id"`
	ResourceID string      `db:"resource_id"`
	IP         string      `db:"ip"`
	RequestID  string      `db:"request_id"`
	CreatedAt  Time        `db:"created_at"`
}

// AuditFilter narrows ListAuditLog; zero fields do not.
type AuditFilter struct {
	Action     AuditAction
	ActorID    string
	ResourceID string
	Since      *time.Time
}

// ListAuditLog returns a page of entries and whether there are more.
func (s *Store) ListAuditLog(ctx context.Context, scope Scope, in AuditFilter, page Page) ([]AuditEntry, bool, error) {
	where := filterOf(scope, page)
	if in.Action != "" {
		where.and("action = ?", in.Action)
	}
	if in.ActorID != "" {
		where.and("actor_id = ?", in.ActorID)
	}
	if in.ResourceID != "" {
		where.and("resource_id = ?", in.ResourceID)
	}
	if in.Since != nil {
		where.and("created_at >= ?", in.Since.UTC())
	}
	query, args := where.newestFirst(`SELECT id, action, actor_type, actor_id, resource_id, ip, request_id, created_at FROM audit_log`, page)
	var entries []AuditEntry
	if err := s.read().List(ctx, &entries, query, args...); err != nil {
		return nil, false, err
	}
	entries, more := cut(entries, page.Limit)
	return entries, more, nil
}

// audit writes an entry in the caller's transaction: it is there exactly if
// what it tells of was done.
func (c conn) audit(ctx context.Context, scope Scope, action AuditAction, resourceID string) error {
	actor, actorID := ActorAnonymous, (*string)(nil)
	switch {
	case scope.UserID != "":
		actor, actorID = ActorUser, &scope.UserID
	case scope.APIKeyID != "":
		actor, actorID = ActorAPIKey, &scope.APIKeyID
	}
	_, err := c.Exec(ctx, `
		INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, resource_id, ip, request_id, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.store.NewID("aud"), scope.OrganizationID, action, actor, actorID, resourceID, scope.Origin.IP, scope.Origin.RequestID, c.store.Now())
	return err
}
