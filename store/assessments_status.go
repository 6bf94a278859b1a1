package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// PublishAssessment makes a draft available and emits assessment.published.
// Publishing again changes nothing. Refusals: not_found, assessment_not_draft
// from ARCHIVED, assessment_incomplete with every fault.
func (s *Store) PublishAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	draft, err := s.read().current(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	filled, _, err := s.read().publishable(ctx, scope, draft)
	if err != nil {
		return nil, err
	}
	// The transaction then finds the texts, except for unknown pictures.
	if _, err := s.rendered(ctx, draft.with(filled)); err != nil {
		return nil, err
	}
	return s.changeAssessment(ctx, scope, id, rules.VerbPublish, func(c conn, a *Assessment) error {
		definition, missing, err := c.publishable(ctx, scope, a)
		if err != nil {
			return err
		}
		if len(missing) > 0 {
			return errAssessmentIncomplete.with(missing...)
		}
		if err := c.freeze(ctx, scope, a, definition); err != nil {
			return err
		}
		now := s.Now()
		if err := c.setAssessmentStatus(ctx, scope, a, rules.AssessmentPublished, "published_at", now); err != nil {
			return err
		}
		if err := c.audit(ctx, scope, AuditAssessmentPublished, id,
			statusChange(a.Status, rules.AssessmentPublished)); err != nil {
			return err
		}
		return c.emit(ctx, event{
			organizationID: scope.OrganizationID, kind: EventAssessmentPublished, subjectID: id, at: now,
			data: assessmentPublishedData{AssessmentID: id, Title: a.Title, Status: rules.AssessmentPublished,
				PublishedAt: wireTime(now)},
		})
	})
}

// freeze stores the definition of a draft that is being published: with the content of the bank, and with the mark that
// its texts have been published with formulas.
func (c conn) freeze(ctx context.Context, scope Scope, a *Assessment, definition rules.Definition) error {
	definition.Formulas = true
	encoded, err := definition.Encode()
	if err != nil {
		return err
	}
	if growth := len(encoded) - len(a.Encoded); growth > 0 && a.Definition.HasBankContent() {
		if err := c.requireRoom(ctx, scope, Usage{DefinitionBytes: int64(growth)}); err != nil {
			return err
		}
	}
	if _, err := c.Exec(ctx, `
		UPDATE assessments SET definition = ?, question_count = ?, max_points = ? WHERE organization_id = ? AND id = ?`,
		encoded, definition.QuestionCount(), rules.RoundPoints(definition.MaxPoints()), scope.OrganizationID,
		a.ID); err != nil {
		return err
	}
	if !a.Definition.HasBankContent() {
		return nil
	}
	if err := c.saveUses(ctx, scope, a, a.with(definition), false); err != nil {
		return err
	}
	return c.replaceUses(ctx, scope, a.ID, a.Definition, definition)
}

// ArchiveAssessment makes an assessment refuse new invites, and emits assessment.archived; live
// sessions continue. Archiving again changes nothing.
// Refusals: not_found, assessment_not_published from DRAFT.
func (s *Store) ArchiveAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	return s.changeAssessment(ctx, scope, id, rules.VerbArchive, func(c conn, a *Assessment) error {
		now := s.Now()
		if err := c.setAssessmentStatus(ctx, scope, a, rules.AssessmentArchived, "archived_at", now); err != nil {
			return err
		}
		if err := c.audit(ctx, scope, AuditAssessmentArchived, id,
			statusChange(a.Status, rules.AssessmentArchived)); err != nil {
			return err
		}
		return c.emit(ctx, event{
			organizationID: scope.OrganizationID, kind: EventAssessmentArchived, subjectID: id, at: now,
			data: assessmentArchivedData{AssessmentID: id, Title: a.Title, Status: rules.AssessmentArchived,
				ArchivedAt: wireTime(now)},
		})
	})
}

// setAssessmentStatus writes a status, and its time into the column.
func (c conn) setAssessmentStatus(
	ctx context.Context, scope Scope, a *Assessment, status rules.AssessmentStatus, column string, now time.Time,
) error {
	_, err := c.Exec(ctx, `
		UPDATE assessments SET status = ?, `+column+` = ?, updated_at = ?, version = version + 1
		WHERE organization_id = ? AND id = ?`, status, now, now, scope.OrganizationID, a.ID)
	return err
}
