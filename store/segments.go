package store

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"time"
)

// Segment is a part of the finished sessions of an assessment, with statistics of its own.
type Segment struct {
	ID        string
	Name      string
	Filter    SegmentFilter
	Count     int64 // finished sessions
	Complete  bool  // all sessions that match are counted
	CreatedAt time.Time
}

// SegmentFilter says which finished sessions a segment contains. All conditions must hold; nil is none.
type SegmentFilter struct {
	CompletedSince *time.Time        `json:"completedSince,omitempty"`
	CompletedUntil *time.Time        `json:"completedUntil,omitempty"` // exclusive
	Metadata       map[string]string `json:"metadata,omitempty"`
	Language       *string           `json:"language,omitempty"` // of the candidate page
	Attempt        *int              `json:"attempt,omitempty"`
}

// contains reports whether a segment with the filter contains a session with the result.
func (f SegmentFilter) contains(r countedResult) bool {
	switch {
	case f.CompletedSince != nil && r.CompletedAt.Before(*f.CompletedSince),
		f.CompletedUntil != nil && !r.CompletedAt.Before(*f.CompletedUntil),
		f.Language != nil && !strings.EqualFold(*f.Language, r.language),
		f.Attempt != nil && *f.Attempt != r.attempt:
		return false
	}
	for name, label := range f.Metadata {
		if found, has := r.Metadata[name]; !has || found != label {
			return false
		}
	}
	return true
}

// MetadataJSON is Metadata as a JSON object.
func (f SegmentFilter) MetadataJSON() json.RawMessage {
	encoded, err := json.Marshal(f.Metadata)
	if err != nil || len(f.Metadata) == 0 {
		return json.RawMessage("{}")
	}
	return encoded
}

// normal returns the filter with times in the precision in which the contract has them.
func (f SegmentFilter) normal() SegmentFilter {
	for _, at := range []**time.Time{&f.CompletedSince, &f.CompletedUntil} {
		if *at != nil {
			*at = new((*at).UTC().Truncate(time.Millisecond))
		}
	}
	f.Metadata = maps.Clone(f.Metadata)
	return f
}

func (f SegmentFilter) check() error {
	if f.CompletedSince == nil && f.CompletedUntil == nil && len(f.Metadata) == 0 && f.Language == nil &&
		f.Attempt == nil {
		return errInvalid.with(fault("/filter", "required", "must have a condition"))
	}
	if f.CompletedSince != nil && f.CompletedUntil != nil && !f.CompletedUntil.After(*f.CompletedSince) {
		return errInvalid.with(fault("/filter/completedUntil", "invalid_value", "must be after completedSince"))
	}
	return nil
}

// maxSegments is the limit of openapi.yaml for the segments of an assessment. Each result is added to each of them.
const maxSegments = 10

// NewSegment is the input of CreateSegment.
type NewSegment struct {
	Name   string
	Filter SegmentFilter
}

// ListSegments returns the segments of an assessment, newest first. Refusal: not_found.
func (s *Store) ListSegments(ctx context.Context, scope Scope, assessmentID string) ([]Segment, error) {
	if _, err := s.read().content(ctx, scope, assessmentID); err != nil {
		return nil, err
	}
	return s.read().segments(ctx, scope, assessmentID)
}

func (c conn) segments(ctx context.Context, scope Scope, assessmentID string) ([]Segment, error) {
	var rows []struct {
		ID        string `db:"id"`
		Name      string `db:"name"`
		Filter    string `db:"filter"`
		Count     int64  `db:"sessions"`
		Complete  bool   `db:"complete"`
		CreatedAt Time   `db:"created_at"`
	}
	// A rebuild is no segment, but the segments are incomplete until it begins.
	//
	// Compatibility until v1.2: v1.0 has folded sessions without segments.
	if err := c.List(ctx, &rows, `
		SELECT id, name, filter, completed + disqualified AS sessions, complete AND NOT EXISTS (
			SELECT 1 FROM assessment_statistics t WHERE t.organization_id = segments.organization_id
				AND t.assessment_id = segments.assessment_id AND `+withoutVersion+`) AS complete, created_at
		FROM segments WHERE organization_id = ? AND assessment_id = ? AND filter IS NOT NULL ORDER BY id DESC LIMIT ?`,
		scope.OrganizationID, assessmentID, maxSegments); err != nil {
		return nil, err
	}
	segments := make([]Segment, 0, len(rows))
	for _, row := range rows {
		segment := Segment{
			ID: row.ID, Name: row.Name, Count: row.Count, Complete: row.Complete, CreatedAt: row.CreatedAt.Time,
		}
		if err := json.Unmarshal([]byte(row.Filter), &segment.Filter); err != nil {
			return nil, err
		}
		segments = append(segments, segment)
	}
	return segments, nil
}

// CreateSegment creates a segment without sessions. UnscopedBackfillSegments adds them. Refusals: invalid_request,
// not_found, too_many_segments.
func (s *Store) CreateSegment(ctx context.Context, scope Scope, assessmentID string, in NewSegment) (Segment, error) {
	var created Segment
	if err := s.CheckAssessmentAccess(scope, assessmentID); err != nil {
		return created, err
	}
	filter := in.Filter.normal()
	if err := filter.check(); err != nil {
		return created, err
	}
	err := once(ctx, s, scope, &created, func(c conn) error {
		// The lock makes the limit exact.
		if err := c.requireAssessment(ctx, scope, assessmentID, s.db.ForNoKeyUpdate); err != nil {
			return err
		}
		var count int
		if err := c.Get(ctx, &count, `
			SELECT COUNT(*) FROM segments WHERE organization_id = ? AND assessment_id = ? AND filter IS NOT NULL`,
			scope.OrganizationID, assessmentID); err != nil {
			return err
		}
		if count >= maxSegments {
			return errTooManySegments
		}
		created = Segment{ID: s.NewID("seg"), Name: in.Name, Filter: filter, CreatedAt: s.Now()}
		encoded, err := json.Marshal(filter)
		if err != nil {
			return err
		}
		_, err = c.Exec(ctx, `
			INSERT INTO segments (id, organization_id, assessment_id, name, filter, document, completed, disqualified, position,
				complete, created_at)
			VALUES (?, ?, ?, ?, ?, ?, 0, 0, '', FALSE, ?)`,
			created.ID, scope.OrganizationID, assessmentID, in.Name, string(encoded), emptyPart, created.CreatedAt)
		return err
	})
	return created, err
}

// DeleteSegment deletes a segment. If there is none, it does nothing. Refusal: not_found of the assessment.
func (s *Store) DeleteSegment(ctx context.Context, scope Scope, assessmentID, id string) error {
	if _, err := s.read().content(ctx, scope, assessmentID); err != nil {
		return err
	}
	_, err := s.autocommit().Exec(ctx, `
		DELETE FROM segments WHERE organization_id = ? AND assessment_id = ? AND id = ? AND filter IS NOT NULL`,
		scope.OrganizationID, assessmentID, id)
	return err
}
