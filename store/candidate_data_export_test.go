package store

// DataStatements are the queries of the data about a person, by the table that must be found by an index.
func (s *Store) DataStatements() map[string]string {
	c := s.read()
	ofSession := s.db.IsOneOf("session_id")
	ofOrganization := ` WHERE organization_id = ? AND ` + ofSession
	return map[string]string{
		"candidate_sessions": sessionColumns + ` WHERE organization_id = ? AND candidate_email_key = ? AND NOT test
			AND (? OR id < ?) ORDER BY id DESC LIMIT ?`,
		"registrations":                `SELECT r.email FROM registrations r WHERE r.organization_id = ? AND r.email_key = ?`,
		"review_changes":               `SELECT reason FROM review_changes` + ofOrganization + ` ORDER BY id LIMIT ?`,
		"review_comments":              `SELECT text FROM review_comments` + ofOrganization + ` ORDER BY id LIMIT ?`,
		"review_ratings":               `SELECT rating FROM review_ratings` + ofOrganization + ` ORDER BY updated_at LIMIT ?`,
		"answers":                      `SELECT answer FROM answers` + ofOrganization + ` LIMIT ?`,
		"late_answers":                 `SELECT answer FROM late_answers` + ofOrganization + ` LIMIT ?`,
		"grades":                       `SELECT comment FROM grades` + ofOrganization + ` ORDER BY session_id, question_id, version`,
		"candidate_session_extensions": `SELECT reason FROM candidate_session_extensions` + ofOrganization,
		"reopenings":                   `SELECT reason FROM reopenings` + ofOrganization,
		"rulings":                      `SELECT reason FROM rulings` + ofOrganization,
		"emails":                       `SELECT kind FROM emails` + ofOrganization + ` AND session_id IS NOT NULL ORDER BY id LIMIT ?`,
		"candidate_session_devices":    `SELECT network FROM candidate_session_devices` + ofOrganization + ` ORDER BY created_at`,
		"integration_orders":           `SELECT partner FROM integration_orders` + ofOrganization,
		"result_links":                 `SELECT label FROM result_links` + ofOrganization,
		"events": `SELECT id, subject_id FROM events WHERE organization_id = ? AND ` +
			c.store.db.IsOneOf("subject_id") + ` ORDER BY id DESC LIMIT ?`,
		"webhook_deliveries": `SELECT webhook_id FROM webhook_deliveries WHERE ` + s.queue.OfEvents() + ` AND attempt > 0`,
		"organizations":      `SELECT o.id FROM organizations o WHERE o.delete_at IS NOT NULL AND o.delete_at <= ? ORDER BY o.delete_at`,
	}
}
