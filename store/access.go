package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"assay/store/rules"
)

// MaxLimitedTo is the number of assessments to which a member can be limited.
const MaxLimitedTo = 50

// LimitedTo are the assessments that a member sees: nil for all, and not nil for these, although there can be none.
// For a limited member, everything else looks as if it did not exist.
type LimitedTo []string

// Scan reads the column limited_to: the ids, with a space before each, or NULL.
func (l *LimitedTo) Scan(value any) error {
	*l = nil
	switch value := value.(type) {
	case string:
		*l = append(LimitedTo{}, strings.Fields(value)...)
	case []byte:
		*l = append(LimitedTo{}, strings.Fields(string(value))...)
	}
	return nil
}

// limitColumn is the limit of a row of users or invitations. A MEMBER can have one, and a REVIEWER always has one.
//
// Compatibility until v1.2: v1.0 changes a role and leaves the limit.
const limitColumn = `CASE WHEN role = 'REVIEWER' THEN COALESCE(limited_to, '')
		WHEN role = 'MEMBER' AND NOT is_editor THEN limited_to END AS limited_to`

// column is the value of the column limited_to.
func (l LimitedTo) column() any {
	if l == nil {
		return nil
	}
	var joined strings.Builder
	for _, id := range l {
		joined.WriteString(" " + id)
	}
	return joined.String()
}

// shown is the value of the audit log.
func (l LimitedTo) shown() any {
	if l == nil {
		return nil
	}
	return strings.Join(l, " ")
}

// IsLimited reports whether the caller sees only some assessments.
func (s Scope) IsLimited() bool { return s.LimitedTo != nil }

// SeesAssessment reports whether the caller sees the assessment, if it exists, with its sessions and events.
func (s Scope) SeesAssessment(id string) bool {
	return s.LimitedTo == nil || slices.Contains(s.LimitedTo, id)
}

// seen is the argument of a condition IsOneOf on assessments.
func (s Scope) seen() string {
	encoded, _ := json.Marshal(s.LimitedTo) // texts
	return string(encoded)
}

// onlySeen narrows a list to the assessments that the caller sees. column is the id of the assessment.
func (c conn) onlySeen(f *filter, scope Scope, column string) {
	if scope.IsLimited() {
		f.and(c.store.db.IsOneOf(column), scope.seen())
	}
}

// countSeen restricts the figures of usage that depend on assessments to the assessments that the caller sees.
func (c conn) countSeen(ctx context.Context, scope Scope, used *Usage) error {
	where := filterOf(scope, Page{})
	c.onlySeen(where, scope, "id")
	if err := c.Row(ctx, []any{&used.Assessments, &used.DefinitionBytes}, `
		SELECT COUNT(*), CAST(COALESCE(SUM(definition_bytes), 0) AS BIGINT) FROM assessments`+where.sql.String(),
		where.args...); err != nil {
		return err
	}
	where = filterOf(scope, Page{})
	c.onlySeen(where, scope, "assessment_id")
	var counts []SessionCounts
	if err := c.List(ctx, &counts, `SELECT session_counts FROM assessment_statistics`+where.sql.String(),
		where.args...); err != nil {
		return err
	}
	for _, count := range counts {
		used.LiveSessions += count.live()
	}
	return nil
}

// CheckAssessmentAccess refuses an assessment that the caller does not see. Refusal: not_found.
func (s *Store) CheckAssessmentAccess(scope Scope, id string) error {
	if !scope.SeesAssessment(id) {
		return errNoAssessment
	}
	return nil
}

// CheckSessionAccess refuses a session whose assessment a limited caller does not see, and one that does not exist.
// Refusal: not_found.
func (s *Store) CheckSessionAccess(ctx context.Context, scope Scope, id string) error {
	if !scope.IsLimited() {
		return nil
	}
	return s.read().sessionAccess(ctx, scope, id)
}

func (c conn) sessionAccess(ctx context.Context, scope Scope, id string) error {
	var assessment string
	err := c.Get(ctx, &assessment, `SELECT assessment_id FROM candidate_sessions WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, id)
	if err == nil && !scope.SeesAssessment(assessment) {
		return errNoSession
	}
	return orRefuse(err, errNoSession)
}

// seesSubject reports whether a limited caller sees the session or the assessment with the id.
func (c conn) seesSubject(ctx context.Context, scope Scope, id string) (bool, error) {
	if slices.Contains(scope.LimitedTo, id) {
		return true, nil
	}
	err := c.sessionAccess(ctx, scope, id)
	var refusal *Error
	if errors.As(err, &refusal) {
		return false, nil
	}
	return err == nil, err
}

// canBeLimited reports whether people with the role can be limited to assessments.
func (r Role) canBeLimited() bool { return r == Member || r == Reviewer }

// checkLimit refuses a limit for a role that has none, a REVIEWER without one, and assessments that do not exist.
func (c conn) checkLimit(ctx context.Context, scope Scope, role Role, limit LimitedTo) error {
	switch {
	case limit == nil && role == Reviewer:
		return errInvalid.with(fault("/assessmentIds", "required", "is required for a REVIEWER"))
	case limit == nil:
		return nil
	case !role.canBeLimited():
		return errInvalid.with(fault("/assessmentIds", "invalid_value",
			"only a MEMBER or a REVIEWER can be limited to assessments"))
	}
	encoded, err := json.Marshal(limit)
	if err != nil {
		return err
	}
	var found []string
	if err := c.List(ctx, &found, `SELECT id FROM assessments WHERE organization_id = ? AND `+
		c.store.db.IsOneOf("id"), scope.OrganizationID, string(encoded)); err != nil {
		return err
	}
	var faults []rules.Fault
	for i, id := range limit {
		if !slices.Contains(found, id) {
			faults = append(faults, fault("/assessmentIds/"+strconv.Itoa(i), "unknown_id",
				"is not an assessment of the organization"))
		}
	}
	if len(faults) > 0 {
		return errInvalid.with(faults...)
	}
	return nil
}

// endAccess removes an assessment that is being deleted from all limits.
func (c conn) endAccess(ctx context.Context, scope Scope, assessmentID string) error {
	for _, update := range []string{
		`UPDATE users SET limited_to = replace(limited_to, ?, '') WHERE organization_id = ? AND limited_to IS NOT NULL`,
		`UPDATE invitations SET limited_to = replace(limited_to, ?, '') WHERE organization_id = ? AND limited_to IS NOT NULL`,
	} {
		if _, err := c.Exec(ctx, update, " "+assessmentID, scope.OrganizationID); err != nil {
			return err
		}
	}
	return nil
}

// endHiddenEmails ends the notifications of a member about assessments that the member no longer sees.
func (c conn) endHiddenEmails(ctx context.Context, scope Scope, userID string, limit LimitedTo) error {
	if limit == nil {
		return nil
	}
	_, err := c.Exec(ctx, `DELETE FROM assessment_subscriptions WHERE organization_id = ? AND user_id = ?
		AND NOT (`+c.store.db.IsOneOf("assessment_id")+`)`, scope.OrganizationID, userID, Scope{LimitedTo: limit}.seen())
	return err
}
