package store

import (
	"context"
	"math"
	"slices"
	"time"

	"assay/store/rules"
)

// TimelineType is what happened to a session.
type TimelineType string

// The entries of a timeline.
const (
	TimelineInvited       TimelineType = "INVITED"
	TimelineResent        TimelineType = "RESENT"
	TimelineUpdated       TimelineType = "UPDATED"
	TimelineExtended      TimelineType = "EXTENDED"
	TimelineStarted       TimelineType = "STARTED"
	TimelineDeviceChanged TimelineType = "DEVICE_CHANGED"
	TimelineStageStarted  TimelineType = "STAGE_STARTED"
	TimelineStageEnded    TimelineType = "STAGE_ENDED"
	TimelineCompleted     TimelineType = "COMPLETED"
	TimelineDisqualified  TimelineType = "DISQUALIFIED"
	TimelineExpired       TimelineType = "EXPIRED"
	TimelineCancelled     TimelineType = "CANCELLED"
	TimelineErased        TimelineType = "ERASED"
	TimelineResultRead    TimelineType = "RESULT_READ"
	TimelineEmailQueued   TimelineType = "EMAIL_QUEUED"
	TimelineEmailSent     TimelineType = "EMAIL_SENT"
	TimelineEmailFailed   TimelineType = "EMAIL_FAILED"
	TimelineUndelivered   TimelineType = "ANSWERS_UNDELIVERED"
	TimelineReopened      TimelineType = "REOPENED"
	TimelineOutage        TimelineType = "OUTAGE"
	TimelineStateChanged  TimelineType = "STATE_CHANGED"
	TimelineTagAdded      TimelineType = "TAG_ADDED"
	TimelineTagRemoved    TimelineType = "TAG_REMOVED"
	TimelineEmailEnded    TimelineType = "EMAIL_CANCELLED"
	TimelineLinkCreated   TimelineType = "RESULT_LINK_CREATED"
	TimelineLinkOpened    TimelineType = "RESULT_LINK_OPENED"
	TimelineLinkRevoked   TimelineType = "RESULT_LINK_REVOKED"

	TimelineReviewRequested TimelineType = "REVIEW_REQUESTED"
	TimelineGatePassed      TimelineType = "GATE_PASSED"
	TimelineGateStopped     TimelineType = "GATE_STOPPED"
)

// timelineOf are the entries that show actions of the audit log. An extension has a
// table of its own, because the audit log contains no reasons.
var timelineOf = map[AuditAction]TimelineType{
	AuditSessionInvited:       TimelineInvited,
	AuditSessionResent:        TimelineResent,
	AuditSessionUpdated:       TimelineUpdated,
	AuditSessionCancelled:     TimelineCancelled,
	AuditCandidateDataErased:  TimelineErased,
	AuditResultRead:           TimelineResultRead,
	AuditResultTokenExchanged: TimelineResultRead,
	AuditResultLinkCreated:    TimelineLinkCreated,
	AuditResultLinkOpened:     TimelineLinkOpened,
	AuditResultLinkRevoked:    TimelineLinkRevoked,
}

// The actors of a timeline that the audit log does not have.
const (
	ActorCandidate ActorType = "CANDIDATE"
	ActorService   ActorType = "SERVICE" // a deadline, or an actor that the audit log no longer names
)

// TimelineEntry is one entry of a timeline. Nil fields do not belong to its type.
type TimelineEntry struct {
	At        time.Time
	Type      TimelineType
	Actor     ActorType
	ActorID   *string
	ActorName *string
	StageID   *string
	Minutes   *int
	Reason    *string
	Email     *EmailKind // of EMAIL_QUEUED, EMAIL_SENT, EMAIL_FAILED, and EMAIL_CANCELLED
	SendAt    *time.Time // of EMAIL_QUEUED of the kind DECISION
	Failure   *string    // of EMAIL_QUEUED and EMAIL_FAILED
	Browser   *string    // of STARTED and DEVICE_CHANGED, as System and IP
	System    *string
	IP        *string // see Origin.Network

	FailureCode *string // an EmailReason, of EMAIL_FAILED

	State       *string  // of STATE_CHANGED: the name that the new state had
	Tag         *string  // of TAG_ADDED and TAG_REMOVED
	ResultLink  *string  // of RESULT_LINK_…: the label of the link
	QuestionIDs []string // of ANSWERS_UNDELIVERED
}

// maxTimeline bounds the entries of people and API keys in a timeline: the newest are shown.
const maxTimeline = 500

// RetrieveCandidateSessionTimeline returns what happened to a session, oldest first.
// Refusal: not_found.
func (s *Store) RetrieveCandidateSessionTimeline(ctx context.Context, scope Scope, id string) ([]TimelineEntry, error) {
	c := s.read()
	session, err := c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	if err != nil {
		return nil, err
	}
	var progress rules.Progress
	if session.StartedAt != nil {
		if progress, err = c.progress(ctx, scope, id); err != nil {
			return nil, err
		}
	}
	var entries []TimelineEntry
	for _, read := range []func(context.Context, Scope, string) ([]TimelineEntry, error){
		c.actions, c.grantedMinutes, c.stateTimeline, c.tagTimeline, c.emailTimeline, c.reviewEmailTimeline, c.undelivered,
	} {
		found, err := read(ctx, scope, id)
		if err != nil {
			return nil, err
		}
		entries = append(entries, found...)
	}
	devices, err := c.devices(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	for _, entry := range ownTimeline(session, progress) {
		recorded := slices.ContainsFunc(entries, func(other TimelineEntry) bool { return other.Type == entry.Type })
		if !recorded {
			entries = append(entries, entry)
		}
	}
	reviews, err := c.reviewTimeline(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	entries = slices.Concat(addDevices(entries, devices), stageTimeline(progress), reviews, decidedEnd(progress))
	slices.SortStableFunc(entries, func(a, b TimelineEntry) int { return a.At.Compare(b.At) })
	return entries, nil
}

// actions are the entries of the audit log about a session.
func (c conn) actions(ctx context.Context, scope Scope, id string) ([]TimelineEntry, error) {
	var rows []struct {
		AuditEntry
		Name *string `db:"name"`
	}
	if err := c.List(ctx, &rows, `
		SELECT a.action, a.actor_type, a.actor_id, a.created_at, a.changes, `+actorName+` AS name
		FROM audit_log a
		WHERE a.organization_id = ? AND a.resource_id = ? ORDER BY a.id DESC LIMIT ?`,
		scope.OrganizationID, id, maxTimeline); err != nil {
		return nil, err
	}
	links, err := c.resultLinks(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	var entries []TimelineEntry
	for _, row := range slices.Backward(rows) {
		if kind, shown := timelineOf[row.Action]; shown {
			entries = append(entries, TimelineEntry{
				At: row.CreatedAt.Time, Type: kind, Actor: row.ActorType, ActorID: row.ActorID, ActorName: row.Name,
				ResultLink: labelOf(links, row.Changes()),
			})
		}
	}
	return entries, nil
}

// grantedMinutes are the entries of a session's extensions and reopenings.
func (c conn) grantedMinutes(ctx context.Context, scope Scope, id string) ([]TimelineEntry, error) {
	var rows []struct {
		Type      TimelineType `db:"type"`
		StageID   *string      `db:"stage_id"`
		Minutes   int          `db:"minutes"`
		Reason    string       `db:"reason"`
		UserID    string       `db:"user_id"`
		Name      *string      `db:"name"`
		CreatedAt Time         `db:"created_at"`
	}
	if err := c.List(ctx, &rows, `
		SELECT g.type, g.stage_id, g.minutes, g.reason, g.user_id, g.created_at,
			(SELECT u.name FROM users u WHERE u.organization_id = ? AND u.id = g.user_id) AS name
		FROM (
			SELECT * FROM (SELECT 'EXTENDED' AS type, NULL AS stage_id, minutes, reason, user_id, created_at
				FROM candidate_session_extensions WHERE organization_id = ? AND session_id = ? ORDER BY id LIMIT ?) e
			UNION ALL
			SELECT * FROM (SELECT 'REOPENED' AS type, stage_id, minutes, reason, user_id, created_at
				FROM reopenings WHERE organization_id = ? AND session_id = ? ORDER BY id LIMIT ?) r) g`,
		scope.OrganizationID, scope.OrganizationID, id, maxTimeline, scope.OrganizationID, id, maxTimeline); err != nil {
		return nil, err
	}
	entries := make([]TimelineEntry, len(rows))
	for i := range rows {
		row := &rows[i]
		entries[i] = TimelineEntry{
			At: row.CreatedAt.Time, Type: row.Type, Actor: ActorUser, ActorID: &row.UserID, ActorName: row.Name,
			StageID: row.StageID, Minutes: &row.Minutes, Reason: &row.Reason,
		}
	}
	return entries, nil
}

// ownTimeline are the entries that the session's own times show. An entry of the
// audit log with the same type replaces one of these.
func ownTimeline(session CandidateSession, progress rules.Progress) []TimelineEntry {
	var entries []TimelineEntry
	happened := func(at *Time, kind TimelineType, actor ActorType) {
		if at != nil {
			entries = append(entries, TimelineEntry{At: at.Time, Type: kind, Actor: actor})
		}
	}
	ended := ActorCandidate
	if isEndedByService(progress) {
		ended = ActorService
	}
	happened(&session.CreatedAt, TimelineInvited, ActorService)
	happened(session.StartedAt, TimelineStarted, ActorCandidate)
	if progress.DecidedAt == nil {
		happened(session.CompletedAt, TimelineCompleted, ended)
		happened(session.DisqualifiedAt, TimelineDisqualified, ended)
	}
	happened(session.CancelledAt, TimelineCancelled, ActorService)
	happened(session.ErasedAt, TimelineErased, ActorService)
	if session.Status == rules.SessionExpired {
		happened(&session.ExpiresAt, TimelineExpired, ActorService)
	}
	return entries
}

// decidedEnd is the entry of the end of a session by a person's decision, which was later than the candidate's work.
func decidedEnd(progress rules.Progress) []TimelineEntry {
	if progress.DecidedAt == nil {
		return nil
	}
	end := TimelineEntry{At: *progress.DecidedAt, Type: TimelineCompleted, Actor: ActorService}
	if progress.Status == rules.SessionDisqualified {
		end.Type = TimelineDisqualified
	}
	return []TimelineEntry{end}
}

// isClosedByService reports whether a deadline closed the stage, or the end of a session
// to which the candidate did not return.
func isClosedByService(progress rules.Progress, stage rules.StageProgress) bool {
	reason, at := progress.CloseReason, progress.ClosedAt
	if progress.Review != nil {
		reason, at = progress.Review.End, &progress.Review.Since
	}
	isAbandoned := reason != nil && *reason == rules.ClosedAbandoned
	return stage.DeadlineAt != nil && !stage.ClosedAt.Before(*stage.DeadlineAt) ||
		isAbandoned && stage.ClosedAt.Equal(*at)
}

// isEndedByService also recognizes a session that ended while a stage was waiting, and one
// that ended at the gate of a stage whose time was up.
func isEndedByService(progress rules.Progress) bool {
	if progress.CloseReason == nil || *progress.CloseReason == rules.ClosedTimeExpired ||
		*progress.CloseReason == rules.ClosedAbandoned {
		return true
	}
	return progress.ClosedAt != nil && slices.ContainsFunc(progress.Stages, func(stage rules.StageProgress) bool {
		return stage.ClosedAt != nil && stage.ClosedAt.Equal(*progress.ClosedAt) && isClosedByService(progress, stage)
	})
}

func stageTimeline(progress rules.Progress) []TimelineEntry {
	var entries []TimelineEntry
	for _, outage := range progress.Outages {
		minutes := int(math.Ceil(outage.To.Sub(outage.From).Minutes())) // 20 seconds are not 0
		entries = append(entries, TimelineEntry{
			At: outage.To, Type: TimelineOutage, Actor: ActorService, Minutes: &minutes,
		})
	}
	for _, stage := range progress.Stages {
		if stage.StartedAt != nil {
			entries = append(entries, TimelineEntry{
				At: *stage.StartedAt, Type: TimelineStageStarted, Actor: ActorCandidate, StageID: &stage.StageID,
			})
		}
		if stage.ClosedAt != nil {
			actor := ActorCandidate
			if isClosedByService(progress, stage) {
				actor = ActorService
			}
			entries = append(entries, TimelineEntry{
				At: *stage.ClosedAt, Type: TimelineStageEnded, Actor: actor, StageID: &stage.StageID,
			})
		}
	}
	return entries
}

// SessionProgress is how far the candidate of a session is.
type SessionProgress struct {
	Session     CandidateSession
	Questions   int
	Answered    int
	LastSavedAt *Time
	Stages      []ProgressStage
}

// ProgressStage is one stage of a SessionProgress. Order is from 1.
type ProgressStage struct {
	rules.StageProgress
	Order       int
	Title       string
	Questions   int
	Answered    int
	LastSavedAt *Time
}

// RetrieveCandidateSessionProgress returns how far the candidate is, without answers
// and scores. Refusal: not_found.
func (s *Store) RetrieveCandidateSessionProgress(ctx context.Context, scope Scope, id string) (SessionProgress, error) {
	c := s.read()
	session, err := c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	if err != nil {
		return SessionProgress{}, err
	}
	assessment, err := c.contentFor(ctx, scope, session.contentID(), session.ID)
	if err != nil {
		return SessionProgress{}, err
	}
	progress, err := c.progress(ctx, scope, id)
	if err != nil {
		return SessionProgress{}, err
	}
	var saved []struct {
		QuestionID string `db:"question_id"`
		SavedAt    Time   `db:"saved_at"`
		Answered   bool   `db:"answered"`
	}
	if err := c.List(ctx, &saved, `SELECT question_id, saved_at, answer IS NOT NULL AS answered FROM answers
		WHERE organization_id = ? AND session_id = ?`, scope.OrganizationID, id); err != nil {
		return SessionProgress{}, err
	}

	shown := SessionProgress{Session: session}
	for i, stage := range assessment.Definition.Stages {
		part := ProgressStage{
			StageProgress: rules.StageProgress{StageID: stage.ID, Status: rules.StageNotReached},
			Order:         i + 1, Title: stage.Title, Questions: len(stage.Questions),
		}
		if i < len(progress.Stages) {
			part.StageProgress = progress.Stages[i]
		}
		for _, answer := range saved {
			if slices.ContainsFunc(stage.Questions, func(q rules.Question) bool { return q.ID == answer.QuestionID }) {
				part.LastSavedAt = later(part.LastSavedAt, &answer.SavedAt)
				if answer.Answered {
					part.Answered++
				}
			}
		}
		shown.Questions += part.Questions
		shown.Answered += part.Answered
		shown.LastSavedAt = later(shown.LastSavedAt, part.LastSavedAt)
		shown.Stages = append(shown.Stages, part)
	}
	return shown, nil
}

func later(a, b *Time) *Time {
	if a == nil || b != nil && b.After(a.Time) {
		return b
	}
	return a
}
