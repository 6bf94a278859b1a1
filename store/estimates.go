package store

import "assay/store/internal/db"

// many is how many values PostgreSQL expects in a column without statistics.
const many = 200

// estimates are how many values PostgreSQL expects in the columns by which rows are found.
var estimates = db.Estimates{
	"candidate_sessions":        {"organization_id": many, "assessment_id": many, "status": 6, "passed": 2},
	"candidate_session_changes": {"organization": many},
	"events":                    {"organization_id": many, "type": 7},
	"webhook_deliveries":        {"organization_id": many, "webhook_id": many, "event_type": 7, "status": 3},
	"webhook_queue":             {"organization_id": many, "webhook_id": many, "event_type": 7},
	"audit_log":                 {"organization_id": many, "action": 50, "actor_id": many, "resource_id": many},
	"emails":                    {"organization_id": many, "lane": many},
}
