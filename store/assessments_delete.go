package store

import (
	"context"

	"assay/store/rules"
)

// DeleteAssessment removes a draft. Refusals: not_found, assessment_not_draft.
func (s *Store) DeleteAssessment(ctx context.Context, scope Scope, id string) error {
	return s.write(ctx, func(c conn) error {
		a, err := c.lockAssessment(ctx, scope, id)
		if err != nil {
			return err
		}
		if _, refusal := a.Status.After(rules.VerbDelete); refusal != "" {
			return refused(refusal)
		}
		if err := c.deletePreviewsOf(ctx, scope, id); err != nil {
			return err
		}
		if err := c.deleteSubscriptions(ctx, scope, id); err != nil {
			return err
		}
		if err := c.endAccess(ctx, scope, id); err != nil {
			return err
		}
		if err := c.replaceUses(ctx, scope, id, a.Definition, rules.Definition{}); err != nil {
			return err
		}
		if err := c.deleteEmailTexts(ctx, scope, id); err != nil {
			return err
		}
		if err := c.deleteSelfIdentification(ctx, scope, id); err != nil {
			return err
		}
		if err := c.deleteLife(ctx, scope, id); err != nil {
			return err
		}
		if _, err = c.Exec(ctx, `DELETE FROM assessments WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, id); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditAssessmentDeleted, id)
	})
}

// deleteLife deletes the segments and the retention of a draft, and the holds on it. A draft has no candidates whose
// data they protect.
func (c conn) deleteLife(ctx context.Context, scope Scope, id string) error {
	for _, statement := range []string{
		`DELETE FROM segments WHERE organization_id = ? AND assessment_id = ?`,
		`DELETE FROM legal_holds WHERE organization_id = ? AND assessment_id = ?`,
		`DELETE FROM retention_states WHERE organization_id = ? AND assessment_id = ?`,
		`DELETE FROM retentions WHERE organization_id = ? AND assessment_id = ?`,
	} {
		if _, err := c.Exec(ctx, statement, scope.OrganizationID, id); err != nil {
			return err
		}
	}
	return nil
}
