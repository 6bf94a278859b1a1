package store_test

import (
	"regexp"
	"testing"

	"assay/store"
)

// The words for emails are found by the organization and the assessment, in the order of the primary key.
func TestEmailTextsAreFoundByAssessment(t *testing.T) {
	t.Parallel()
	fill := []string{
		`SET session_replication_role = replica`,
		`INSERT INTO email_texts (organization_id, assessment_id, kind, locale, subject, text)
			SELECT 'org_' || n % 100, 'asm_' || n / 36, 'INVITE', 'l' || n % 36, 'Subject', 'Text'
			FROM generate_series(1, 20000) n`,
		`ANALYZE email_texts`,
	}
	byAssessment := regexp.MustCompile(`organization_id=\? AND assessment_id=\?|` +
		`Index Cond: .*organization_id = \$\d.* AND \(+assessment_id = `)
	eachPlanner(t, fill, func(t *testing.T, _ *store.Store, plan func(string) string) {
		const columns = `SELECT kind, locale, assessment_id, subject, text, version FROM email_texts
			WHERE organization_id = ? AND assessment_id IN ('', ?)`
		for _, statement := range []string{
			columns + ` ORDER BY assessment_id DESC, kind, locale`,
			columns + ` AND kind = ? ORDER BY assessment_id DESC, locale`,
			`DELETE FROM email_texts WHERE organization_id = ? AND assessment_id = ? AND kind = ? AND locale = ?
				AND (? OR version = ?)`,
			`UPDATE email_texts SET subject = ? WHERE organization_id = ? AND assessment_id = ? AND kind = ? AND locale = ?
				AND version = ?`,
			`DELETE FROM email_texts WHERE organization_id = ? AND assessment_id = ?`,
		} {
			if got := plan(statement); !byAssessment.MatchString(got) || scans(got, "email_texts") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}
