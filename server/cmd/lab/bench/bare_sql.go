package bench

// The bare handler's SELECTs are the store's own texts. Those of an assessment and of a
// result are what a handler without a memory of documents runs for each request. Its INSERTs write the
// rows and columns that the store writes, without what the store checks in the
// same statements. TestBareDoesWhatTheStoreDoes compares both with the store.
const (
	selectAssessment = `SELECT id, organization_id, title, description, status, passing_score, time_limit_minutes,
		invite_expiry_days, redirect_url, locale, shuffle_questions, shuffle_options, opens_at, closes_at, stage_count,
		question_count, max_points, created_at, updated_at, published_at, archived_at, version, repeat_rule,
		repeat_after_days, origin_id
		FROM assessments WHERE organization_id = ? AND id = ? AND status <> 'DRAFT'`

	selectSessions = sessionColumns + `
		WHERE organization_id = ? AND NOT test ORDER BY id DESC LIMIT ?`

	selectSession = sessionColumns + ` WHERE organization_id = ? AND id = ?`

	sessionColumns = `SELECT id, organization_id, assessment_id,
		(SELECT a.title FROM assessments a WHERE a.id = assessment_id) AS assessment_title, candidate_name, candidate_email,
		external_id, metadata, status, attempt, invite_generation, redirect_url, extra_time_percent, invited_at, expires_at,
		started_at, deadline_at, due_at, completed_at, disqualified_at, cancelled_at, close_reason, current_stage_id, score,
		passed, created_at, updated_at, erased_at, test, note, email_status, email_sent_at, email_failure, email_reason,
		(SELECT a.opens_at FROM assessments a WHERE a.id = assessment_id) AS assessment_opens_at,
		(SELECT a.closes_at FROM assessments a WHERE a.id = assessment_id) AS assessment_closes_at, revision,
		(SELECT r.state_id FROM reviews r WHERE r.session_id = id) AS review_state_id,
		(SELECT string_agg(t.tag, ',') FROM review_session_tags t WHERE t.session_id = id) AS review_tags, rating,
		in_review_since
		FROM candidate_sessions`

	selectResult = `
		SELECT s.assessment_id, s.test, s.status, s.result, s.score, c.session_counts
		FROM candidate_sessions s LEFT JOIN assessment_statistics c ON c.assessment_id = s.assessment_id
		WHERE s.organization_id = ? AND s.id = ? AND (NOT s.test OR ?)`

	upsertAnswer = `
		INSERT INTO answers (organization_id, session_id, question_id, answer, saved_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (session_id, question_id) DO UPDATE SET answer = excluded.answer, saved_at = excluded.saved_at,
			revision = answers.revision + 1, client_id = '', client_revision = 0
		RETURNING revision`

	insertSession = `
		INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name,
			candidate_email, candidate_email_key, external_id, metadata, status, attempt, invite_generation,
			redirect_url, extra_time_percent, invited_at, expires_at, due_at, progress, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'INVITED', 1, 1, NULL, 0, ?, ?, ?, '{}', ?, ?)`

	insertEntry = `
		INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, resource_id, ip, request_id, created_at)
		VALUES (?, ?, 'SESSION_INVITED', 'API_KEY', ?, ?, '127.0.0.1', ?, ?)`

	insertEvent = `
		INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		VALUES (?, ?, 'candidate.invited', ?, ?, ?)`

	queueDeliveries = `
		INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt,
			created_at)
		SELECT substr(?, 1, 27) || CAST(100 + ROW_NUMBER() OVER (ORDER BY id) AS TEXT), organization_id, id, ?,
			'candidate.invited', ?, '', 0, ?
		FROM webhook_endpoints
		WHERE organization_id = ? AND deleted_at IS NULL AND enabled AND ' ' || events || ' ' LIKE '% candidate.invited %'`

	// insertInvite is one statement, as the store's is on PostgreSQL.
	insertInvite = `WITH invited AS (` + insertSession + `), audited AS (` + insertEntry +
		`), stored AS (` + insertEvent + `)` + queueDeliveries
)

// sqlitePragmas are the store's.
const sqlitePragmas = "_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
	"&_pragma=foreign_keys(1)&_pragma=secure_delete(1)&_pragma=journal_size_limit(16777216)&_pragma=temp_store(MEMORY)" +
	"&_time_integer_format=unix_micro&_txlock=immediate"
