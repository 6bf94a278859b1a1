package store_test

import (
	"regexp"
	"testing"

	"assay/store"
)

// What a review contains is found by the session, and not among all reviews of the organization.
func TestReviewsAreFoundBySession(t *testing.T) {
	t.Parallel()
	bySession := regexp.MustCompile(`session_id=\?|Index Cond: .*\bsession_id = (\$|candidate_sessions\.id)`)
	fill := []string{
		`SET session_replication_role = replica`,
		`INSERT INTO reviews (session_id, organization_id, state_id)
			SELECT 'ses_' || n, 'org_1', 'new' FROM generate_series(1, 20000) n`,
		`INSERT INTO review_changes (id, organization_id, session_id, from_id, from_name, to_id, to_name, actor_type,
			actor_id, created_at)
			SELECT 'rch_' || n, 'org_1', 'ses_' || n, 'new', 'New', 'hired', 'Hired', 'USER', 'usr_1', now()
			FROM generate_series(1, 20000) n`,
		`INSERT INTO review_comments (id, organization_id, session_id, text, actor_type, actor_id, created_at)
			SELECT 'rcm_' || n, 'org_1', 'ses_' || n, 'Good', 'USER', 'usr_1', now() FROM generate_series(1, 20000) n`,
		`INSERT INTO review_emails (id, organization_id, batch_id, session_id, change_id)
			SELECT 'eml_' || n, 'org_1', 'reb_' || n / 100, 'ses_' || n, 'rch_' || n FROM generate_series(1, 20000) n`,
		`INSERT INTO review_session_tags (session_id, organization_id, assessment_id, tag_key, tag)
			SELECT 'ses_' || n, 'org_1', 'asm_1', 'night', 'Night' FROM generate_series(1, 20000) n`,
		`INSERT INTO review_tag_changes (id, organization_id, session_id, tag, added, actor_type, actor_id, created_at)
			SELECT 'rtg_' || n, 'org_1', 'ses_' || n, 'Night', true, 'USER', 'usr_1', now()
			FROM generate_series(1, 20000) n`,
		`INSERT INTO review_ratings (session_id, organization_id, actor_type, actor_id, rating, updated_at)
			SELECT 'ses_' || n, 'org_1', 'USER', 'usr_1', 4, now() FROM generate_series(1, 20000) n`,
		`ANALYZE reviews, review_changes, review_comments, review_emails, review_session_tags, review_tag_changes,
			review_ratings`,
	}
	eachPlanner(t, fill, func(t *testing.T, _ *store.Store, plan func(string) string) {
		for _, statement := range []string{
			`SELECT state_id FROM reviews WHERE organization_id = ? AND session_id = ?`,
			`SELECT a.id FROM review_changes a WHERE a.organization_id = ? AND a.session_id = ? ORDER BY a.id DESC LIMIT ?`,
			`SELECT a.id FROM review_comments a WHERE a.organization_id = ? AND a.session_id = ? ORDER BY a.id DESC LIMIT ?`,
			`SELECT id FROM review_changes WHERE organization_id = ? AND session_id = ? ORDER BY id DESC LIMIT 1`,
			`SELECT m.id FROM review_emails m WHERE m.organization_id = ? AND m.session_id = ? ORDER BY m.id DESC LIMIT ?`,
			`SELECT COUNT(*) FROM review_comments WHERE organization_id = ? AND session_id = ?`,
			`SELECT id, (SELECT r.state_id FROM reviews r WHERE r.session_id = id) FROM candidate_sessions
				WHERE organization_id = ? AND id = ?`,
			`SELECT id, (SELECT string_agg(t.tag, ',') FROM review_session_tags t WHERE t.session_id = id)
				FROM candidate_sessions WHERE organization_id = ? AND id = ?`,
			`DELETE FROM review_session_tags WHERE organization_id = ? AND session_id = ? AND tag_key = ?`,
			`SELECT a.id FROM review_tag_changes a WHERE a.organization_id = ? AND a.session_id = ? ORDER BY a.id DESC LIMIT ?`,
			`DELETE FROM review_tag_changes WHERE organization_id = ? AND session_id = ?`,
			`SELECT a.rating FROM review_ratings a WHERE a.organization_id = ? AND a.session_id = ?
				ORDER BY a.updated_at DESC, a.actor_id LIMIT ?`,
			`SELECT rating FROM review_ratings
				WHERE organization_id = ? AND session_id = ? AND actor_type = ? AND actor_id = ?`,
			`UPDATE candidate_sessions SET rating = (SELECT AVG(r.rating) FROM review_ratings r
				WHERE r.session_id = candidate_sessions.id) WHERE organization_id = ? AND id = ?`,
			`UPDATE review_comments SET text = '' WHERE organization_id = ? AND session_id = ?`,
			`UPDATE review_changes SET reason = NULL WHERE organization_id = ? AND session_id = ?`,
		} {
			if got := plan(statement); !bySession.MatchString(got) {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}

// The emails of one request are found by their batch.
func TestReviewEmailsAreFoundByBatch(t *testing.T) {
	t.Parallel()
	fill := []string{
		`SET session_replication_role = replica`,
		`INSERT INTO review_emails (id, organization_id, batch_id, session_id, change_id)
			SELECT 'eml_' || n, 'org_1', 'reb_' || n / 100, 'ses_' || n, 'rch_' || n FROM generate_series(1, 20000) n`,
		`ANALYZE review_emails`,
	}
	byBatch := regexp.MustCompile(`review_emails_batch`)
	eachPlanner(t, fill, func(t *testing.T, _ *store.Store, plan func(string) string) {
		for _, statement := range []string{
			`SELECT m.id FROM review_emails m WHERE m.organization_id = ? AND m.batch_id = ? ORDER BY m.session_id`,
			`SELECT m.session_id FROM review_emails m WHERE m.organization_id = ? AND m.batch_id = ?`,
		} {
			if got := plan(statement); !byBatch.MatchString(got) {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}

// The sessions in a state are found by the state, in an index alone.
func TestReviewsAreFoundByState(t *testing.T) {
	t.Parallel()
	fill := []string{
		`SET session_replication_role = replica`,
		`INSERT INTO reviews (session_id, organization_id, state_id)
			SELECT 'ses_' || n, 'org_' || n % 3, CASE WHEN n % 100 = 0 THEN 'hired' ELSE 'rejected' END
			FROM generate_series(1, 20000) n`,
		`VACUUM ANALYZE reviews`,
	}
	byState := regexp.MustCompile(`COVERING INDEX reviews_state|Index Only Scan using reviews_state on reviews`)
	eachPlanner(t, fill, func(t *testing.T, _ *store.Store, plan func(string) string) {
		statement := `SELECT session_id FROM reviews WHERE organization_id = ? AND state_id = ? ORDER BY session_id LIMIT ?`
		if got := plan(statement); !byState.MatchString(got) {
			t.Errorf("%s\nin\n%s", got, statement)
		}
	})
}

// The sessions with a tag are found by the tag, in an index alone.
func TestReviewsAreFoundByTag(t *testing.T) {
	t.Parallel()
	fill := []string{
		`SET session_replication_role = replica`,
		`INSERT INTO review_session_tags (session_id, organization_id, assessment_id, tag_key, tag)
			SELECT 'ses_' || n, 'org_' || n % 3, 'asm_1', CASE WHEN n % 100 = 0 THEN 'night' ELSE 'day' END, 'Tag'
			FROM generate_series(1, 20000) n`,
		`VACUUM ANALYZE review_session_tags`,
	}
	byTag := regexp.MustCompile(
		`COVERING INDEX review_session_tags_tag|Index Only Scan using review_session_tags_tag on review_session_tags`)
	eachPlanner(t, fill, func(t *testing.T, _ *store.Store, plan func(string) string) {
		statement := `SELECT session_id FROM review_session_tags WHERE organization_id = ? AND tag_key = ?
			ORDER BY session_id LIMIT ?`
		if got := plan(statement); !byTag.MatchString(got) {
			t.Errorf("%s\nin\n%s", got, statement)
		}
	})
}
