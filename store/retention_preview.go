package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// RetentionPreview is what a retention would erase.
type RetentionPreview struct {
	Now           int        // sessions that have reached the end
	Soon          int        // more sessions that reach it within previewAhead
	Held          int        // sessions of both that a hold protects, counted in neither
	OldestEndedAt *time.Time // of all of these; nil for none
	Limited       bool       // there are more than maxRetained
}

const (
	previewAhead = 30 * 24 * time.Hour
	maxRetained  = 10_000
)

// PreviewRetention counts what a retention would erase of one assessment, or, for nil, of all assessments without a
// retention of their own. Refusals: invalid_request, not_found.
func (s *Store) PreviewRetention(
	ctx context.Context, scope Scope, assessmentID *string, in rules.Retention,
) (RetentionPreview, error) {
	if faults := rules.RetentionFaults(in); len(faults) > 0 {
		return RetentionPreview{}, errInvalid.with(faults...)
	}
	c, now := s.read(), s.Now()
	count := previewCount{conn: c, scope: scope, retention: in, now: now, seen: map[string]retained{}}
	if assessmentID != nil {
		if err := c.requireAssessment(ctx, scope, *assessmentID, ""); err != nil {
			return RetentionPreview{}, err
		}
	}
	states, err := c.reviewStates(ctx, scope)
	if err == nil {
		err = checkRetentionStates(states, in)
	}
	if err != nil {
		return RetentionPreview{}, err
	}
	if assessmentID != nil {
		err := count.assessment(ctx, *assessmentID)
		return count.sum(), err
	}
	err = count.inheriting(ctx)
	return count.sum(), err
}

// previewCount counts sessions that can be found several times.
type previewCount struct {
	conn
	scope     Scope
	retention rules.Retention
	now       time.Time
	seen      map[string]retained // by id
	limited   bool
}

type retained struct {
	ID      string `db:"id"`
	EndedAt Time   `db:"ended_at"`
	Since   *Time  `db:"since"`
	Held    bool   `db:"held"`
	until   time.Time
}

// inheriting counts the assessments without a retention of their own.
func (p *previewCount) inheriting(ctx context.Context) error {
	retentions, err := p.allRetentions(ctx, p.scope)
	if err != nil {
		return err
	}
	for after := ""; ; {
		var ids []string
		if err := p.List(ctx, &ids, `SELECT id FROM assessments WHERE organization_id = ? AND id > ? ORDER BY id LIMIT ?`,
			p.scope.OrganizationID, after, organizationsAtOnce); err != nil {
			return err
		}
		for _, id := range ids {
			if _, own := retentions.own(id); own {
				continue
			}
			if err := p.assessment(ctx, id); err != nil || p.limited {
				return err
			}
		}
		if len(ids) < organizationsAtOnce {
			return nil
		}
		after = ids[len(ids)-1]
	}
}

// assessment counts one assessment, with the searches of the sweep.
func (p *previewCount) assessment(ctx context.Context, id string) error {
	ahead := p.now.Add(previewAhead)
	for _, started := range []bool{true, false} {
		months := p.retention.OfEnded(started)
		if months == nil {
			continue
		}
		until := func(r retained) time.Time { return rules.AddMonths(r.EndedAt.Time, *months) }
		if err := p.collect(ctx, until, p.endedPreview(),
			p.scope.OrganizationID, id, !started, rules.MonthsBefore(ahead, *months), maxRetained+1); err != nil || p.limited {
			return err
		}
	}
	for _, state := range p.retention.States {
		until := func(r retained) time.Time {
			kept := rules.KeptSession{EndedAt: r.EndedAt.Time}
			if r.Since != nil {
				kept.Since = r.Since.Time
			}
			return rules.AddMonths(kept.Counted(), state.Months)
		}
		if err := p.collect(ctx, until, p.inStatePreview(),
			p.scope.OrganizationID, id, state.StateID, rules.MonthsBefore(ahead, state.Months),
			maxRetained+1); err != nil || p.limited {
			return err
		}
	}
	return nil
}

func (c conn) endedPreview() string {
	return `
		SELECT s.id, ` + endOfSession + ` AS ended_at, ` + sessionHeld + ` AS held
		FROM candidate_sessions s` + c.store.db.IndexedBy("sessions_by_end") + `
		WHERE organization_id = ? AND assessment_id = ? AND ` + startedNever + ` = ? AND ` + endOfSession + ` <= ?
			AND ` + hasEnded + `
		ORDER BY ` + endOfSession + ` LIMIT ?`
}

func (c conn) inStatePreview() string {
	return `
		SELECT s.id, ` + endOfSession + ` AS ended_at, ` + sessionHeld + ` AS held, (SELECT c.created_at FROM review_changes c
			WHERE c.organization_id = s.organization_id AND c.session_id = s.id AND c.from_id <> c.to_id
			ORDER BY c.id DESC LIMIT 1) AS since
		FROM (SELECT session_id FROM reviews` + c.store.db.IndexedBy("reviews_by_since") + `
			WHERE organization_id = ? AND assessment_id = ? AND state_id = ? AND since <= ? ORDER BY since LIMIT ?) r
		JOIN candidate_sessions s ON s.id = r.session_id WHERE ` + hasEnded
}

// collect adds the sessions that a search has found. Of two ends, the earlier one counts.
func (p *previewCount) collect(ctx context.Context, until func(retained) time.Time, query string, args ...any) error {
	var found []retained
	if err := p.List(ctx, &found, query, args...); err != nil {
		return err
	}
	p.limited = len(found) > maxRetained
	for _, session := range found {
		session.until = until(session)
		if session.until.After(p.now.Add(previewAhead)) {
			continue
		}
		if before, seen := p.seen[session.ID]; seen && before.until.Before(session.until) {
			continue
		}
		if _, seen := p.seen[session.ID]; !seen && len(p.seen) == maxRetained {
			p.limited = true
			return nil
		}
		p.seen[session.ID] = session
	}
	return nil
}

func (p *previewCount) sum() RetentionPreview {
	sum := RetentionPreview{Limited: p.limited}
	for _, session := range p.seen {
		switch {
		case session.Held:
			sum.Held++
		case session.until.After(p.now):
			sum.Soon++
		default:
			sum.Now++
		}
		if sum.OldestEndedAt == nil || session.EndedAt.Before(*sum.OldestEndedAt) {
			sum.OldestEndedAt = &session.EndedAt.Time
		}
	}
	return sum
}
