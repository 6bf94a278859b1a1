package store

import "assay/store/archive"

// archived are the tables in an archive. A row comes after the rows to which its foreign keys refer. A test compares
// the list with the schema of both databases.
//
// noted_at of candidate_sessions is in another table on PostgreSQL: see archiveColumn.
var archived = []archive.Table{
	archive.NewTable("organizations", "id", `
		id name redirect_url invite_expiry_days:int created_at:time updated_at:time support_email privacy_url
		privacy_notice acknowledgement_required:bool accent_color locale time_zone mail_from_name mail_reply_to
		send_invite_email:bool notify_reopened:bool notify_corrected:bool result_link_days:int
		result_link_in_events:bool erase_at:time delete_at:time deletion_requested_at:time deletion_requested_by
		closed_at:time second_factor_required:bool`),
	archive.NewTable("users", "id", `
		id organization_id name email email_key password_hash role created_at:time updated_at:time
		invitation_hash:bytes invitation_expires_at:time removed_at:time is_editor:bool limited_to unproved:bool
		proof_expires_at:time person_id entered_at:time deactivated_at:time`),
	archive.NewTable("invitations", "id", `
		id organization_id name email email_key role token_hash:bytes expires_at:time created_at:time
		updated_at:time generation:int is_editor:bool limited_to deactivated_at:time`),
	archive.NewTable("provisioned_members", "member_id", `
		member_id organization_id external_id given_name family_name`),
	archive.NewTable("ended_invitations", "token_hash", `token_hash:bytes organization_id user_id ended_at:time`),
	archive.NewTable("logins", "id", `
		id organization_id user_id generation:int rotated_at:time expires_at:time ended_at:time created_at:time ip
		user_agent network method confirmed_at:time`),
	archive.NewTable("second_factors", "id", `
		id person_id type name secret:secret last_step:int credential_id credential created_at:time expires_at:time
		confirmed_at:time last_used_at:time`),
	archive.NewTable("recovery_codes", "id", `id person_id hash:secret used_at:time`),
	archive.NewTable("sign_in_providers", "organization_id", `
		organization_id id issuer client_id client_secret:secret scopes required:bool create_members:bool default_role
		role_claim roles last_succeeded_at:time updated_at:time`),
	archive.NewTable("sign_in_domains", "id", `id organization_id domain token verified_at:time created_at:time`),
	archive.NewTable("sign_in_identities", "organization_id issuer subject", `
		organization_id issuer subject user_id created_at:time`),
	archive.NewTable("sign_in_recovery_codes", "id", `id organization_id hash:secret used_at:time`),
	archive.NewTable("password_resets", "id", `id organization_id user_id created_at:time expires_at:time`),
	archive.NewTable("api_keys", "id", `
		id organization_id name key_hash:bytes prefix last4 scopes created_by created_at:time expires_at:time
		last_used_at:time revoked_at:time`),
	archive.NewTable("idempotency_keys", "organization_id operation key_hash", `
		organization_id operation key_hash:bytes fingerprint:bytes subjects outcome:bytes created_at:time`),
	archive.NewTable("grading_digests", "user_id", `user_id organization_id queued_at:time`),
	archive.NewTable("organization_logos", "organization_id", `organization_id hash image:bytes created_at:time`),
	archive.NewTable("email_texts", "organization_id assessment_id kind locale", `
		organization_id assessment_id kind locale subject text version:int updated_by updated_at:time`),
	archive.NewTable("email_suppressions", "organization_id address_hash", `
		organization_id address_hash reason created_at:time expires_at:time`),
	archive.NewTable("media", "id", `
		id organization_id hash address content_type width:int height:int bytes:int created_at:time`),
	archive.NewTable("media_contents", "media_id", `media_id organization_id content:bytes`),
	archive.NewTable("questions", "id", `
		id organization_id version:int revision:int type prompt points:float content tags bytes:int
		created_at:time updated_at:time archived_at:time`),
	archive.NewTable("question_versions", "question_id version", `
		question_id version:int organization_id content created_at:time`),
	archive.NewTable("question_tags", "organization_id key question_id", `
		organization_id key question_id name archived:bool`),
	archive.NewTable("assessments", "id", `
		id organization_id title description status passing_score:float time_limit_minutes:int
		invite_expiry_days:int redirect_url stage_count:int question_count:int max_points:float definition
		created_at:time updated_at:time published_at:time archived_at:time instructions closing_message locale
		shuffle_questions:bool shuffle_options:bool opens_at:time closes_at:time version:int invite_message
		remind_after_hours repeat_rule repeat_after_days:int origin_id noted_at:time graders:int
		blind_grading:bool max_difference_percent:float promised_hours:int`),
	archive.NewTable("self_identifications", "assessment_id", `
		assessment_id organization_id questions updated_at:time`),
	archive.NewTable("group_statistics", "assessment_id", `
		assessment_id organization_id document publication:int computed_at:time`),
	archive.NewTable("media_uses", "assessment_id media_id", `assessment_id media_id organization_id`),
	archive.NewTable("question_uses", "question_id assessment_id", `question_id assessment_id organization_id`),
	archive.NewTable("question_statistics", "question_id assessment_id", `
		question_id assessment_id organization_id exposures:int answers:int correct:int points:float
		max_points:float`),
	archive.NewTable("assessment_subscriptions", "assessment_id user_id", `assessment_id user_id organization_id`),
	archive.NewTable("cut_score_ratings", "assessment_id user_id", `
		assessment_id user_id organization_id ratings updated_at:time`),
	archive.NewTable("corrections", "id", `
		id organization_id assessment_id question_id action answer_key policy withdraws reason user_id
		created_at:time total:int done:int changed:int applied_to applied_at:time`),
	archive.NewTable("registration_links", "assessment_id", `
		assessment_id organization_id token is_open:bool max_registrations:int ends_at:time name_required:bool
		introduction used:int created_at:time`),
	archive.NewTable("registrations", "id", `
		id organization_id assessment_id token email email_key name locale expires_at:time`),
	archive.NewTable("suspected_keys", "assessment_id question_id", `
		organization_id assessment_id question_id suspicion found_at:time`),
	archive.NewTable("review_states", "organization_id id", `
		organization_id id name position:int archived:bool version:int`),
	archive.NewTable("retentions", "organization_id assessment_id", `
		organization_id assessment_id months:int not_started_months:int removed:bool applies_from:time
		updated_at:time`),
	archive.NewTable("retention_states", "organization_id assessment_id state_id", `
		organization_id assessment_id state_id months:int`),
	archive.NewTable("review_tags", "organization_id assessment_id key", `
		organization_id assessment_id key name session_count:int`),
	archive.NewTable("candidate_sessions", "id", `
		id organization_id assessment_id assessment_title candidate_name candidate_email candidate_email_key
		external_id metadata status attempt:int invite_generation:int redirect_url extra_time_percent:int
		invited_at:time expires_at:time started_at:time deadline_at:time due_at:time completed_at:time
		disqualified_at:time cancelled_at:time close_reason current_stage_id score:float passed:bool progress
		result created_at:time updated_at:time erased_at:time stage_ready:bool acknowledged_at:time test:bool note
		email_status email_sent_at:time email_failure reminders_off:bool revision:int rating:float email_reason
		in_review_since:time noted_at:time`),
	archive.NewTable("legal_holds", "id", `
		id organization_id assessment_id session_id reason created_by_id created_by_name created_at:time
		released_at:time`),
	archive.NewTable("statistics_queue", "session_id", `session_id assessment_id counted counted_revision:int`),
	archive.NewTable("assessment_statistics", "assessment_id", `
		assessment_id organization_id session_counts document computed_at:time removals:int`),
	archive.NewTable("assessment_scores", "assessment_id score", `
		organization_id assessment_id score:float completions:int`),
	archive.NewTable("segments", "id", `
		id organization_id assessment_id name filter document completed:int disqualified:int position complete:bool
		created_at:time`),
	archive.NewTable("score_counts", "assessment_id score", `
		organization_id assessment_id score:float completions:int`),
	archive.NewTable("answers", "session_id question_id", `
		organization_id session_id question_id answer saved_at:time revision:int client_id client_revision:int`),
	archive.NewTable("late_answers", "session_id question_id", `
		organization_id session_id question_id answer arrived_at:time`),
	archive.NewTable("session_activity", "session_id", `
		session_id organization_id language seconds counted:bool updated_at:time`),
	archive.NewTable("group_answers", "session_id", `
		session_id organization_id assessment_id answers:secret answered_at:time`),
	archive.NewTable("group_changes", "session_id", `
		session_id organization_id assessment_id counted:bool version:int`),
	archive.NewTable("assessment_snapshots", "session_id", `session_id organization_id assessment`),
	archive.NewTable("candidate_session_devices", "organization_id session_id browser system network client_id", `
		organization_id session_id browser system network client_id created_at:time`),
	archive.NewTable("candidate_session_extensions", "id", `
		id organization_id session_id minutes:int reason user_id created_at:time`),
	archive.NewTable("candidate_session_undelivered", "session_id question_id", `
		organization_id session_id stage_id question_id reported_at:time`),
	archive.NewTable("candidate_session_words", "organization_id word session_id", `
		organization_id word session_id`),
	archive.NewTable("grades", "session_id question_id version", `
		organization_id session_id question_id version:int points:float answer reason user_id created_at:time
		rubric comment`),
	archive.NewTable("grading_answers", "session_id question_id", `
		session_id question_id organization_id assessment_id since:time shuffle:int graded:int graders:int
		claim_id leased_until:time settles_at:time`),
	archive.NewTable("grading_claims", "id", `
		id organization_id assessment_id session_id question_id user_id points:float rubric comment saved_at:time
		released_at:time graded_at:time`),
	archive.NewTable("reopenings", "id", `
		id organization_id session_id stage_id minutes:int reason user_id created_at:time`),
	archive.NewTable("result_links", "id", `
		id organization_id session_id label with_answers:bool actor_type actor_id created_at:time expires_at:time
		revoked_at:time open_count:int last_opened_at:time`),
	archive.NewTable("result_revisions", "session_id revision", `
		organization_id session_id revision:int result replaced_at:time`),
	archive.NewTable("review_requests", "id", `id organization_id session_id stage_id created_at:time`),
	archive.NewTable("rulings", "id", `
		id organization_id session_id stage_id pass:bool reason user_id created_at:time withdrawn_by`),
	archive.NewTable("review_changes", "id", `
		id organization_id session_id from_id from_name to_id to_name reason actor_type actor_id created_at:time`),
	archive.NewTable("review_comments", "id", `
		id organization_id session_id text actor_type actor_id created_at:time edited_at:time`),
	archive.NewTable("review_ratings", "session_id actor_type actor_id", `
		session_id organization_id actor_type actor_id rating:int updated_at:time`),
	archive.NewTable("review_session_tags", "session_id tag_key", `
		session_id organization_id assessment_id tag_key tag`),
	archive.NewTable("review_tag_changes", "id", `
		id organization_id session_id tag added:bool actor_type actor_id created_at:time`),
	archive.NewTable("reviews", "session_id", `session_id organization_id state_id assessment_id since:time`),
	archive.NewTable("review_email_batches", "id", `id organization_id subject text send_at:time`),
	archive.NewTable("review_emails", "id", `
		id organization_id batch_id session_id change_id cancelled_type cancelled_by`),
	archive.NewTable("emails", "id", `
		id organization_id kind session_id user_id subject_id status lane ready:bool run_at:time lease attempt:int
		failure created_at:time ended_at:time counted_at:time reason`),
	archive.NewTable("finished_notices", "user_id session_id", `user_id session_id organization_id email_id`),
	archive.NewTable("integrations", "id", `
		id organization_id partner callback_key:secret callback_key_hint connected_at:time`),
	archive.NewTable("integration_orders", "id", `
		id organization_id partner order_key session_id callback_url result_link_id created_at:time`),
	archive.NewTable("integration_callbacks", "order_id event_id", `
		order_id event_id organization_id run_at:time lease attempt:int created_at:time`),
	archive.NewTable("integration_exchanges", "id", `
		id organization_id partner direction method address status:int session_id problem created_at:time`),
	archive.NewTable("audit_log", "id", `
		id organization_id action actor_type actor_id resource_id ip request_id created_at:time changes
		noted_at:time`),
	archive.NewTable("webhook_endpoints", "id", `
		id organization_id url events description enabled:bool disabled_reason secret:secret secret_hint
		next_secret:secret next_secret_hint next_secret_at:int consecutive_failures:int failed_deliveries:int
		failing_since:int last_success_at:int last_failure_at:int created_at:int updated_at:int deleted_at:int
		cancelled_before:int`),
	archive.NewTable("events", "id", `id organization_id type subject_id body created_at:time traceparent`),
	archive.NewTable("webhook_queue", "delivery_id", `
		delivery_id organization_id webhook_id event_id event_type run_at:int lease attempt:int created_at:int`),
	archive.NewTable("webhook_deliveries", "id", `
		id organization_id webhook_id event_id event_type status attempt:int created_at:int completed_at:int`),
	archive.NewTable("webhook_attempts", "delivery_id number", `
		delivery_id number:int started_at:int duration_ms:int status_code:int failure_reason response_body`),
	archive.NewTable("webhook_replays", "id", `id organization_id webhook_id event_ids event_count:int`),
	archive.NewTable("webhook_statistics", "webhook_id hour bucket", `
		organization_id webhook_id hour:int bucket:int succeeded:int failed:int`),
	archive.NewTable("rate_windows", "bucket", `bucket requests:int ends_at:time attempts`),
	archive.NewTable("service_outages", "began_at", `began_at:time ended_at:time`),
	archive.NewTable("service_heartbeat", "id", `id:int at:time`),
}

// archivedOfOrganization are the conditions that find an organization's rows of the tables without organization_id. The
// one parameter of each is its id.
var archivedOfOrganization = map[string]string{
	"organizations": `id = ?`,
	"second_factors": `person_id IN (SELECT person_id FROM users WHERE organization_id = ?)
		AND confirmed_at IS NOT NULL`,
	"recovery_codes":   `person_id IN (SELECT person_id FROM users WHERE organization_id = ?)`,
	"statistics_queue": `session_id IN (SELECT id FROM candidate_sessions WHERE organization_id = ?)`,
	"webhook_attempts": `delivery_id IN (SELECT d.id FROM (SELECT ? AS organization) o
		CROSS JOIN (SELECT id, organization_id FROM webhook_deliveries
			UNION ALL SELECT delivery_id, organization_id FROM webhook_queue) d
		WHERE d.organization_id = o.organization)`,
}

// ofInstallation are the tables that belong to no organization. The heartbeat moves, so that the time of the move
// counts as an outage, and moves the deadlines of candidates. While the service runs, these rows change by themselves.
var ofInstallation = map[string]bool{"rate_windows": true, "service_outages": true, "service_heartbeat": true}

// notArchived are the other tables and columns, each with the reason why it is not in an archive.
var notArchived = map[string]string{
	"goose_db_version":                 "the migrations of the database itself",
	"schema_support":                   "the migrations of the database itself",
	"migration_progress":               "the migrations of the database itself",
	"replicas":                         "the processes of the present service",
	"unfinished_imports":               "the imports of the database itself",
	"pending_erasures":                 "the journal of erasures, which has a file of its own",
	"candidate_session_words_position": "one value, which the manifest has: wordsPosition",
	"candidate_session_changes":        "triggers fill it; noted_at is with the sessions",
	"change_clock":                     "the import sets it from noted_at",
	"assessments.definition_bytes":     "the database computes it",
	"sign_in_attempts":                 "sign-ins of the next minutes",
	"sign_in_challenges":               "sign-ins of the next minutes",
	"logins.ceremony":                  "a question to a browser of the present service",
	"second_factors.ceremony":          "a question to a browser of the present service",
	"second_factors.attempts":          "only of second factors that are not confirmed",
}
