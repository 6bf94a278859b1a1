package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/store/internal/db"
	"assay/store/rules"
)

// Retention is how long the data of candidates are kept: in an assessment by its own retention, or by that of the
// organization. States are in the order of the organization's states.
type Retention struct {
	rules.Retention
	Inherited   bool       // by an assessment without a retention of its own
	AppliesFrom *time.Time // when it begins to erase; nil if it has no limit
	UpdatedAt   *time.Time // nil if it was never set
}

// retentionGrace is how long a changed retention erases nothing, so that a mistake can be corrected.
const retentionGrace = 24 * time.Hour

// ofOrganization is the column assessment_id of an organization's own retention.
const ofOrganization = ""

// RetrieveRetention returns the retention of the organization.
func (s *Store) RetrieveRetention(ctx context.Context, scope Scope) (Retention, error) {
	found, err := s.read().retentions(ctx, scope, ofOrganization, "")
	return found.of(ofOrganization), err
}

// RetrieveAssessmentRetention returns the retention that applies to an assessment. Refusal: not_found.
func (s *Store) RetrieveAssessmentRetention(ctx context.Context, scope Scope, assessmentID string) (Retention, error) {
	c := s.read()
	if err := c.requireAssessment(ctx, scope, assessmentID, ""); err != nil {
		return Retention{}, err
	}
	found, err := c.retentions(ctx, scope, assessmentID, "")
	return found.of(assessmentID), err
}

// ReplaceRetention sets the retention of the organization. Refusal: invalid_request.
func (s *Store) ReplaceRetention(ctx context.Context, scope Scope, in rules.Retention) (Retention, error) {
	return s.replaceRetention(ctx, scope, ofOrganization, in)
}

// ReplaceAssessmentRetention gives an assessment a retention of its own. Refusals: not_found, invalid_request.
func (s *Store) ReplaceAssessmentRetention(
	ctx context.Context, scope Scope, assessmentID string, in rules.Retention,
) (Retention, error) {
	return s.replaceRetention(ctx, scope, assessmentID, in)
}

func (s *Store) replaceRetention(
	ctx context.Context, scope Scope, assessmentID string, in rules.Retention,
) (Retention, error) {
	if faults := rules.RetentionFaults(in); len(faults) > 0 {
		return Retention{}, errInvalid.with(faults...)
	}
	var replaced Retention
	err := s.write(ctx, func(c conn) error {
		if err := c.lockRetention(ctx, scope, assessmentID); err != nil {
			return err
		}
		states, err := c.storedStates(ctx, scope)
		if err == nil {
			err = checkRetentionStates(states, in)
		}
		if err != nil {
			return err
		}
		stored, err := c.retentions(ctx, scope, assessmentID, "")
		if err != nil {
			return err
		}
		own, exists := stored.own(assessmentID)
		if changes := retentionChanges(own, in); !exists || len(changes) > 0 {
			if err := c.storeRetention(ctx, scope, assessmentID, in); err != nil {
				return err
			}
			if err := c.audit(ctx, scope, AuditRetentionChanged, cmp.Or(assessmentID, scope.OrganizationID),
				changes...); err != nil {
				return err
			}
		}
		stored, err = c.retentions(ctx, scope, assessmentID, "")
		replaced = stored.of(assessmentID)
		return err
	})
	if db.IsForeignKey(err, "retention_states_state") { // the state was removed meanwhile
		err = errInvalid.with(fault("/states", "unknown_id", "contains a state that was removed"))
	}
	return replaced, err
}

// lockRetention keeps erasures of sessions, and other changes of the retention, waiting until the transaction ends.
func (c conn) lockRetention(ctx context.Context, scope Scope, assessmentID string) error {
	if assessmentID != ofOrganization { // an erasure shares it: see lockForErasure
		return c.requireAssessment(ctx, scope, assessmentID, c.store.db.ForNoKeyUpdate)
	}
	var held []string
	if err := c.List(ctx, &held, `SELECT id FROM organizations WHERE id = ?`+c.store.db.ForNoKeyUpdate,
		scope.OrganizationID); err != nil {
		return err
	}
	return c.List(ctx, &held, `
		SELECT assessment_id FROM retentions WHERE organization_id = ? AND assessment_id = ''`+c.store.db.ForUpdate,
		scope.OrganizationID)
}

func (c conn) requireAssessment(ctx context.Context, scope Scope, id, lock string) error {
	var found string
	return orRefuse(c.Get(ctx, &found, `SELECT id FROM assessments WHERE organization_id = ? AND id = ?`+lock,
		scope.OrganizationID, id), errNoAssessment)
}

// storedStates returns the states of the organization. They are stored before, so that retention_states can refer to
// them.
func (c conn) storedStates(ctx context.Context, scope Scope) (ReviewStates, error) {
	if err := c.storeStates(ctx, scope); err != nil {
		return ReviewStates{}, err
	}
	return c.reviewStates(ctx, scope)
}

// checkRetentionStates refuses months of a state that the organization does not have, and of the state new: a session
// has it without a row of reviews, so no index finds the sessions in it.
func checkRetentionStates(list ReviewStates, in rules.Retention) error {
	var faults []rules.Fault
	for i, state := range in.States {
		at := "/states/" + strconv.Itoa(i) + "/stateId"
		if _, known := list.byID(state.StateID); !known {
			faults = append(faults, fault(at, "unknown_id", "is not a state of the organization"))
		} else if state.StateID == initialState {
			faults = append(faults, fault(at, "invalid_value", "must not be the state new: use months"))
		}
	}
	if len(faults) > 0 {
		return errInvalid.with(faults...)
	}
	return nil
}

func (c conn) storeRetention(ctx context.Context, scope Scope, assessmentID string, in rules.Retention) error {
	now := c.store.Now()
	if _, err := c.Exec(ctx, `
		INSERT INTO retentions (organization_id, assessment_id, months, not_started_months, removed, applies_from,
			updated_at)
		VALUES (?, ?, ?, ?, FALSE, ?, ?)
		ON CONFLICT (organization_id, assessment_id) DO UPDATE SET months = excluded.months,
			not_started_months = excluded.not_started_months, removed = FALSE, applies_from = excluded.applies_from,
			updated_at = excluded.updated_at`,
		scope.OrganizationID, assessmentID, in.Months, in.NotStartedMonths, now.Add(retentionGrace), now); err != nil {
		return err
	}
	if err := c.removeRetentionStates(ctx, scope, assessmentID); err != nil {
		return err
	}
	for _, state := range in.States {
		if _, err := c.Exec(ctx, `
			INSERT INTO retention_states (organization_id, assessment_id, state_id, months) VALUES (?, ?, ?, ?)`,
			scope.OrganizationID, assessmentID, state.StateID, state.Months); err != nil {
			return err
		}
	}
	return nil
}

func (c conn) removeRetentionStates(ctx context.Context, scope Scope, assessmentID string) error {
	_, err := c.Exec(ctx, `DELETE FROM retention_states WHERE organization_id = ? AND assessment_id = ?`,
		scope.OrganizationID, assessmentID)
	return err
}

// DeleteAssessmentRetention lets the retention of the organization apply to an assessment again, after retentionGrace.
// Without a retention of its own, it does nothing. Refusal: not_found.
func (s *Store) DeleteAssessmentRetention(ctx context.Context, scope Scope, assessmentID string) error {
	return s.write(ctx, func(c conn) error {
		if err := c.lockRetention(ctx, scope, assessmentID); err != nil {
			return err
		}
		stored, err := c.retentions(ctx, scope, assessmentID, "")
		if err != nil {
			return err
		}
		own, exists := stored.own(assessmentID)
		if !exists {
			return nil
		}
		now := s.Now()
		if _, err := c.Exec(ctx, `
			UPDATE retentions SET months = NULL, not_started_months = NULL, removed = TRUE, applies_from = ?, updated_at = ?
			WHERE organization_id = ? AND assessment_id = ?`,
			now.Add(retentionGrace), now, scope.OrganizationID, assessmentID); err != nil {
			return err
		}
		if err := c.removeRetentionStates(ctx, scope, assessmentID); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditRetentionChanged, assessmentID,
			append(retentionChanges(own, rules.Retention{}), valueOf("inherited", true))...)
	})
}

// retentionChanges are the differences that the audit log shows.
func retentionChanges(before, after rules.Retention) []AuditChange {
	var changes auditChanges
	changes.compare("months", given(before.Months), given(after.Months))
	changes.compare("notStartedMonths", given(before.NotStartedMonths), given(after.NotStartedMonths))
	changes.compare("states", stateMonths(before), stateMonths(after))
	return changes
}

// stateMonths is a text with the months of each state, or nil for none.
func stateMonths(in rules.Retention) any {
	var states []string
	for _, state := range in.States {
		states = append(states, fmt.Sprintf("%s: %d", state.StateID, state.Months))
	}
	slices.Sort(states)
	if len(states) == 0 {
		return nil
	}
	return strings.Join(states, ", ")
}

// retentionSet has the retentions of an organization by assessment.
type retentionSet map[string]storedRetention

type storedRetention struct {
	rules.Retention
	removed                bool
	appliesFrom, updatedAt time.Time
}

// retentions reads the retention of the organization, and that of one assessment. With lock, the first one stays
// unchanged until the transaction ends. That of an assessment is protected by the lock of the assessment.
func (c conn) retentions(ctx context.Context, scope Scope, assessmentID, lock string) (retentionSet, error) {
	return c.readRetentions(ctx, `organization_id = ? AND assessment_id IN ('', ?)`, lock, scope.OrganizationID,
		assessmentID)
}

// allRetentions reads the retentions of the organization and of all its assessments.
func (c conn) allRetentions(ctx context.Context, scope Scope) (retentionSet, error) {
	return c.readRetentions(ctx, `organization_id = ?`, "", scope.OrganizationID)
}

func (c conn) readRetentions(ctx context.Context, where, lock string, args ...any) (retentionSet, error) {
	var rows []struct {
		AssessmentID     string `db:"assessment_id"`
		Months           *int   `db:"months"`
		NotStartedMonths *int   `db:"not_started_months"`
		Removed          bool   `db:"removed"`
		AppliesFrom      Time   `db:"applies_from"`
		UpdatedAt        Time   `db:"updated_at"`
	}
	if err := c.List(ctx, &rows, `
		SELECT assessment_id, months, not_started_months, removed, applies_from, updated_at
		FROM retentions WHERE `+where+lock, args...); err != nil || len(rows) == 0 {
		return nil, err
	}
	var states []struct {
		AssessmentID string `db:"assessment_id"`
		rules.StateRetention
	}
	if err := c.List(ctx, &states, `
		SELECT assessment_id, state_id, months FROM retention_states
		WHERE `+where+` ORDER BY (SELECT s.position FROM review_states s
			WHERE s.organization_id = retention_states.organization_id AND s.id = state_id), state_id`, args...); err != nil {
		return nil, err
	}
	found := retentionSet{}
	for _, row := range rows {
		stored := storedRetention{removed: row.Removed, appliesFrom: row.AppliesFrom.Time, updatedAt: row.UpdatedAt.Time}
		stored.Months, stored.NotStartedMonths = row.Months, row.NotStartedMonths
		for _, state := range states {
			if state.AssessmentID == row.AssessmentID {
				stored.States = append(stored.States, state.StateRetention)
			}
		}
		found[row.AssessmentID] = stored
	}
	return found, nil
}

// own returns the retention that was set for an assessment or the organization itself.
func (r retentionSet) own(assessmentID string) (rules.Retention, bool) {
	stored, exists := r[assessmentID]
	return stored.Retention, exists && !stored.removed
}

// of returns the retention that applies to an assessment, or to the organization.
func (r retentionSet) of(assessmentID string) Retention {
	stored, exists := r[assessmentID]
	if exists && !stored.removed {
		return stored.shown(stored.appliesFrom, false)
	}
	organization, set := r[ofOrganization]
	if !set {
		return Retention{Inherited: assessmentID != ofOrganization}
	}
	from := organization.appliesFrom
	if exists && stored.appliesFrom.After(from) {
		from = stored.appliesFrom
	}
	return organization.shown(from, assessmentID != ofOrganization)
}

func (r storedRetention) shown(appliesFrom time.Time, inherited bool) Retention {
	shown := Retention{Retention: r.Retention, Inherited: inherited, UpdatedAt: &r.updatedAt}
	if r.Limits() {
		shown.AppliesFrom = &appliesFrom
	}
	return shown
}

// keptSession returns what decides how long a session is kept, or nil if it has not ended.
func (c conn) keptSession(ctx context.Context, scope Scope, session CandidateSession) (*rules.KeptSession, error) {
	ended := session.endedAt()
	if ended == nil {
		return nil, nil //nolint:nilnil // see above
	}
	kept := rules.KeptSession{EndedAt: *ended, Started: session.StartedAt != nil, StateID: session.ReviewState()}
	var since []Time
	err := c.List(ctx, &since, `
		SELECT created_at FROM review_changes WHERE organization_id = ? AND session_id = ? AND from_id <> to_id
		ORDER BY id DESC LIMIT 1`, scope.OrganizationID, session.ID)
	if len(since) > 0 {
		kept.Since = since[0].Time
	}
	return &kept, err
}

// endedAt is when the candidate of the session had nothing left to do, or nil before that: see endOfSession.
func (cs CandidateSession) endedAt() *time.Time {
	switch cs.Status {
	case rules.SessionInvited, rules.SessionInProgress:
		return nil
	case rules.SessionInReview, rules.SessionCompleted, rules.SessionDisqualified, rules.SessionExpired,
		rules.SessionCancelled:
	}
	for _, end := range []*Time{cs.CompletedAt, cs.DisqualifiedAt, cs.CancelledAt, cs.InReviewSince} {
		if end != nil {
			return &end.Time
		}
	}
	return &cs.ExpiresAt.Time
}
