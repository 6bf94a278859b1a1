package store

import (
	"context"

	"assay/store/rules"
)

// Import is the input of ImportAssessment.
type Import struct {
	NewAssessment

	DryRun bool // store nothing
}

// ImportAssessment creates a draft from the questions of a file. With DryRun, it returns the draft without ids, and
// stores nothing. Refusals: those of CreateAssessment.
func (s *Store) ImportAssessment(ctx context.Context, scope Scope, in Import) (*Assessment, error) {
	if !in.DryRun {
		return s.CreateAssessment(ctx, scope, in.NewAssessment)
	}
	if faults := rules.CheckDefinition(in.Definition); len(faults) > 0 {
		return nil, errInvalid.with(faults...)
	}
	return s.rendered(ctx, &Assessment{
		OrganizationID: scope.OrganizationID, Status: rules.AssessmentDraft, Title: in.Title, Description: in.Description,
		Definition: in.Definition, Instructions: in.Instructions, ClosingMessage: in.ClosingMessage,
		InviteMessage: in.InviteMessage,
	})
}

// ImportPublicAssessment is ImportAssessment for an API key.
func (s *Store) ImportPublicAssessment(ctx context.Context, scope Scope, in Import) (*Assessment, error) {
	return s.ImportAssessment(ctx, scope, in)
}

// ExportAssessment returns an assessment with its answer keys, which leave Assay, so it writes an audit entry.
// Refusal: not_found.
func (s *Store) ExportAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	exported, err := s.RetrieveAssessment(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	return exported, s.write(ctx, func(c conn) error { return c.audit(ctx, scope, AuditAssessmentExported, id) })
}

// ExportPublicAssessment is ExportAssessment for an API key.
func (s *Store) ExportPublicAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	return s.ExportAssessment(ctx, scope, id)
}

// ExportPicture returns a picture that texts of the organization refer to. Refusal: not_found.
func (s *Store) ExportPicture(ctx context.Context, scope Scope, id string) (MediaContent, error) {
	var found MediaContent
	err := s.read().Get(ctx, &found, `
		SELECT m.content_type, m.hash, c.content FROM media m JOIN media_contents c ON c.media_id = m.id
		WHERE m.organization_id = ? AND m.id = ?`, scope.OrganizationID, id)
	return found, orRefuse(err, errNoMedia)
}
