package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"
)

// AuditChange is a changed field. Only roles, scopes, statuses, and settings have values:
// see shownValue.
type AuditChange struct {
	Field string  `json:"field"`
	From  *string `json:"from"` // nil if there was no value or it is not shown
	To    *string `json:"to"`   // nil if there is no value or it is not shown
}

// shownValue returns what the audit log shows of a field's value. It is the only place
// that decides this. A field that is not listed has no value, because it can be personal
// data, a secret, or a part of a definition.
func shownValue(field string, value *string) *string {
	switch field {
	case "role", "assessmentIds", "scopes", "status", "enabled", "events", "expiresAt",
		// Settings of the organization and of assessments.
		"inviteExpiryDays", "acknowledgementRequired", "accentColor", "locale", "timeZone", "passingScore",
		"timeLimitMinutes", "shuffleQuestions", "shuffleOptions", "opensAt", "closesAt", "sendInviteEmail",
		"notifyReopened", "notifyCorrected", "remindAfterHours", "repeatRule", "repeatAfterDays", "resultLinkDays",
		"resultLinkInEvents", "secondFactorRequired", "deleteAt", "graders", "blind", "maxDifferencePercent", "promisedHours",
		// Of sessions.
		"extraTimePercent", "minutes", "questionId", "state", "rating", "linkId", "decision",
		// Of retentions, and what a legal hold protects.
		"months", "notStartedMonths", "states", "inherited", "assessmentId", "sessionId",
		// Of integrations, and of sign-in providers.
		"partner", "clientId", "required", "createMembers", "defaultRole", "signInScopes", "roleClaim", "domain", "reason",
		// What a request did that changes no field: the operation that was refused, and counts.
		"operation", "created", "queued", "action":
		return value
	case "url", "redirectUrl", "privacyUrl", "issuer":
		return origin(value)
	}
	return nil
}

// origin returns the scheme and the host of an address, because its path or its query
// can be a secret.
func origin(address *string) *string {
	if address == nil {
		return nil
	}
	parsed, err := url.Parse(*address)
	if err != nil || parsed.Host == "" {
		return nil
	}
	shown := parsed.Scheme + "://" + parsed.Host
	return &shown
}

// auditChanges are the changes of an action, in the order of their comparisons.
type auditChanges []AuditChange

// compare adds a field if its values differ. nil is no value.
func (a *auditChanges) compare(field string, from, to any) {
	before, after := changeText(from), changeText(to)
	if (before == nil) != (after == nil) || before != nil && *before != *after {
		*a = append(*a, AuditChange{Field: field, From: before, To: after})
	}
}

func changeText(v any) *string {
	var text string
	switch v := v.(type) {
	case nil:
		return nil
	case time.Time:
		text = WireTime(v)
	default:
		text = fmt.Sprint(v)
	}
	return &text
}

// given is the value of a pointer, or nil.
func given[T any](pointer *T) any {
	if pointer == nil {
		return nil
	}
	return *pointer
}

// encodeChanges returns the changes as they are stored, with the values that are shown;
// nil for none.
func encodeChanges(changes []AuditChange) *string {
	if len(changes) == 0 {
		return nil
	}
	shown := make([]AuditChange, len(changes))
	for i, change := range changes {
		shown[i] = AuditChange{
			Field: change.Field, From: shownValue(change.Field, change.From), To: shownValue(change.Field, change.To),
		}
	}
	encoded, _ := json.Marshal(shown) // texts always encode
	text := string(encoded)
	return &text
}

func decodeChanges(encoded *string) []AuditChange {
	var changes []AuditChange
	if encoded != nil {
		_ = json.Unmarshal([]byte(*encoded), &changes) // the store wrote it
	}
	return changes
}

// mergeChanges adds later changes to earlier ones. A field in both keeps its first From.
func mergeChanges(earlier, later []AuditChange) []AuditChange {
	merged := slices.Clone(earlier)
	for _, change := range later {
		i := slices.IndexFunc(merged, func(other AuditChange) bool { return other.Field == change.Field })
		if i < 0 {
			merged = append(merged, change)
			continue
		}
		merged[i].To = change.To
	}
	return merged
}

// editInterval is how long one person's edits of an assessment are one entry: editors
// save often.
const editInterval = 10 * time.Minute

// auditEdit records an edit of a locked assessment. If the person has edited it within
// editInterval from the same address, it adds the changes to that entry, which keeps its
// time and its request.
func (c conn) auditEdit(ctx context.Context, scope Scope, id string, changes []AuditChange) error {
	var entry struct {
		ID      string  `db:"id"`
		Changes *string `db:"changes"`
	}
	err := c.Get(ctx, &entry, `
		SELECT id, changes FROM audit_log
		WHERE organization_id = ? AND resource_id = ? AND actor_id = ? AND action = 'ASSESSMENT_UPDATED' AND id >= ?
			AND ip = ?
		ORDER BY id DESC LIMIT 1`,
		scope.OrganizationID, id, scope.UserID, keptAudit.boundary(c.store.Now().Add(-editInterval)), scope.Origin.IP)
	if errors.Is(err, sql.ErrNoRows) {
		return c.audit(ctx, scope, AuditAssessmentUpdated, id, changes...)
	}
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `UPDATE audit_log SET changes = ? WHERE organization_id = ? AND id = ?`,
		encodeChanges(mergeChanges(decodeChanges(entry.Changes), changes)), scope.OrganizationID, entry.ID)
	return err
}

// changes returns what differs between two states of an organization.
func (o Organization) changes(after Organization) auditChanges {
	var changes auditChanges
	changes.compare("name", o.Name, after.Name)
	changes.compare("redirectUrl", given(o.RedirectURL), given(after.RedirectURL))
	changes.compare("inviteExpiryDays", o.InviteExpiryDays, after.InviteExpiryDays)
	changes.compare("supportEmail", given(o.SupportEmail), given(after.SupportEmail))
	changes.compare("privacyUrl", given(o.PrivacyURL), given(after.PrivacyURL))
	changes.compare("privacyNotice", given(o.PrivacyNotice), given(after.PrivacyNotice))
	changes.compare("acknowledgementRequired", o.AcknowledgementRequired, after.AcknowledgementRequired)
	changes.compare("accentColor", given(o.AccentColor), given(after.AccentColor))
	changes.compare("locale", given(o.Locale), given(after.Locale))
	changes.compare("timeZone", given(o.TimeZone), given(after.TimeZone))
	changes.compare("mailFromName", given(o.MailFromName), given(after.MailFromName))
	changes.compare("mailReplyTo", given(o.MailReplyTo), given(after.MailReplyTo))
	changes.compare("sendInviteEmail", o.SendInviteEmail, after.SendInviteEmail)
	changes.compare("notifyReopened", o.NotifyReopened, after.NotifyReopened)
	changes.compare("notifyCorrected", o.NotifyCorrected, after.NotifyCorrected)
	changes.compare("resultLinkDays", o.ResultLinkDays, after.ResultLinkDays)
	changes.compare("resultLinkInEvents", o.ResultLinkInEvents, after.ResultLinkInEvents)
	changes.compare("secondFactorRequired", o.SecondFactorRequired, after.SecondFactorRequired)
	changes.compare("logo", given(o.LogoHash), given(after.LogoHash))
	return changes
}

// changes returns what differs between two states of an endpoint.
func (w WebhookEndpoint) changes(after WebhookEndpoint) auditChanges {
	var changes auditChanges
	changes.compare("url", w.URL, after.URL)
	changes.compare("events", w.EventList, after.EventList)
	changes.compare("description", given(w.Description), given(after.Description))
	changes.compare("enabled", w.Enabled, after.Enabled)
	return changes
}

// changes returns what the change makes different. encoded is the definition afterwards.
func (change AssessmentChange) changes(a *Assessment, encoded string) auditChanges {
	var changes auditChanges
	changes.compare("title", a.Title, or(change.Title, a.Title))
	changes.compare("description", given(a.Description), given(change.Description.after(a.Description)))
	changes.compare("passingScore", given(a.PassingScore), given(change.PassingScore.after(a.PassingScore)))
	changes.compare("timeLimitMinutes", given(a.TimeLimitMinutes),
		given(change.TimeLimitMinutes.after(a.TimeLimitMinutes)))
	changes.compare("inviteExpiryDays", a.InviteExpiryDays, or(change.InviteExpiryDays, a.InviteExpiryDays))
	changes.compare("redirectUrl", given(a.RedirectURL), given(change.RedirectURL.after(a.RedirectURL)))
	changes.compare("instructions", given(a.Instructions), given(change.Instructions.after(a.Instructions)))
	changes.compare("closingMessage", given(a.ClosingMessage), given(change.ClosingMessage.after(a.ClosingMessage)))
	changes.compare("inviteMessage", given(a.InviteMessage), given(change.InviteMessage.after(a.InviteMessage)))
	if change.RemindAfterHours != nil {
		changes.compare("remindAfterHours", a.RemindAfterHours.audited(), newHours(change.RemindAfterHours).audited())
	}
	changes.compare("locale", given(a.Locale), given(change.Locale.after(a.Locale)))
	changes.compare("shuffleQuestions", a.ShuffleQuestions, or(change.ShuffleQuestions, a.ShuffleQuestions))
	changes.compare("shuffleOptions", a.ShuffleOptions, or(change.ShuffleOptions, a.ShuffleOptions))
	changes.compare("opensAt", given(timePtr(a.OpensAt)), given(change.OpensAt.after(timePtr(a.OpensAt))))
	changes.compare("closesAt", given(timePtr(a.ClosesAt)), given(change.ClosesAt.after(timePtr(a.ClosesAt))))
	changes.compare("repeatRule", a.RepeatRule, or(change.RepeatRule, a.RepeatRule))
	changes.compare("repeatAfterDays", a.RepeatAfterDays, or(change.RepeatAfterDays, a.RepeatAfterDays))
	changes.compare("graders", a.Graders, or(change.Grading.Graders, a.Graders))
	changes.compare("blind", a.Blind, or(change.Grading.Blind, a.Blind))
	changes.compare("maxDifferencePercent", a.MaxDifferencePercent,
		or(change.Grading.MaxDifferencePercent, a.MaxDifferencePercent))
	changes.compare("promisedHours", a.PromisedHours, or(change.Grading.PromisedHours, a.PromisedHours))
	if change.Definition != nil {
		changes.compare("stages", a.Encoded, encoded)
	}
	return changes
}

// or is the value of a field that may be absent, or else the stored one.
func or[T any](given *T, stored T) T {
	if given == nil {
		return stored
	}
	return *given
}

// changes returns what differs between two states of a session, except what its
// candidate does.
func (cs CandidateSession) changes(after CandidateSession) auditChanges {
	var changes auditChanges
	changes.compare("status", cs.Status, after.Status)
	changes.compare("candidateName", cs.CandidateName, after.CandidateName)
	changes.compare("externalId", given(cs.ExternalID), given(after.ExternalID))
	changes.compare("metadata", cs.MetadataJSON, after.MetadataJSON)
	if differ(cs.RedirectURL, after.RedirectURL) { // without values: an erasure removes the address
		changes = append(changes, AuditChange{Field: "redirectUrl"})
	}
	changes.compare("extraTimePercent", cs.ExtraTimePercent, after.ExtraTimePercent)
	changes.compare("expiresAt", cs.ExpiresAt.Time, after.ExpiresAt.Time)
	changes.compare("note", given(cs.Note), given(after.Note))
	return changes
}

// statusChange is the change of a status.
func statusChange[T ~string](from, to T) AuditChange {
	before, after := string(from), string(to)
	return AuditChange{Field: "status", From: &before, To: &after}
}

// valueOf is a field that an action sets, without a value before.
func valueOf(field string, value any) AuditChange {
	return AuditChange{Field: field, To: changeText(value)}
}
