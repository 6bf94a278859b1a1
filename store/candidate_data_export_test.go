package store

// DataStatements are the queries of the data about a person, by the table that must be found by an index.
func (s *Store) DataStatements() map[string]string {
	c := s.read()
	ofOrganization := ` WHERE organization_id = ? AND ` + s.db.IsOneOf("session_id")
	return map[string]string{
		"candidate_sessions": sessionColumns + ` WHERE organization_id = ? AND candidate_email_key = ? AND NOT test
			AND (? OR id < ?) ORDER BY id DESC LIMIT ?`,
		"registrations":   `SELECT r.email FROM registrations r WHERE r.organization_id = ? AND r.email_key = ?`,
		"review_changes":  `SELECT reason FROM ` + c.newestOfSessions("review_changes", "review_changes_session"),
		"review_comments": `SELECT text FROM ` + c.newestOfSessions("review_comments", "review_comments_session"),
		"review_ratings":  `SELECT rating FROM review_ratings` + ofOrganization + ` ORDER BY updated_at LIMIT ?`,
		"answers":         `SELECT answer FROM answers` + ofOrganization + ` LIMIT ?`,
		"late_answers":    `SELECT answer FROM late_answers` + ofOrganization + ` LIMIT ?`,
		"grades":          `SELECT comment FROM grades` + ofOrganization + ` ORDER BY session_id, question_id, version`,
		"rulings":         `SELECT reason FROM rulings` + ofOrganization,
		"reopenings":      `SELECT reason FROM reopenings` + ofOrganization,
		"emails":          `SELECT kind FROM ` + c.newestOfSessions("emails", "emails_session") + ` ORDER BY id`,
		"result_links":    `SELECT label FROM ` + c.newestOfSessions("result_links", "result_links_session"),

		"candidate_session_extensions": `SELECT reason FROM candidate_session_extensions` +
			ofOrganization,
		"candidate_session_devices": `SELECT network FROM candidate_session_devices` +
			ofOrganization,
		"integration_orders": `SELECT partner FROM integration_orders` + s.db.IndexedBy("integration_orders_session") +
			ofOrganization,
		"events": `SELECT id, subject_id FROM ` +
			s.db.NewestOfKeys("events", "subject_id", "events_subject_newest", dataSessionRows),
		"webhook_deliveries": `SELECT webhook_id FROM webhook_deliveries WHERE ` + s.db.IsOneOf("event_id") +
			` AND attempt > 0`,
		"organizations": `SELECT o.id FROM organizations o WHERE o.delete_at IS NOT NULL AND o.delete_at <= ?
			ORDER BY o.delete_at`,
	}
}
