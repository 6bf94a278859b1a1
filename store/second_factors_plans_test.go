package store_test

import (
	"testing"

	"assay/store"
)

// A sign-in and a request find the second factors of a person by index, however many people there are.
func TestSecondFactorsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	eachPlanner(t, []string{`
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(1, 2000) n`, `
		INSERT INTO users (id, organization_id, name, email, email_key, password_hash, role, created_at, updated_at)
		SELECT 'usr_' || n, 'org_' || n, 'x', n, n, '', 'OWNER', now(), now() FROM generate_series(1, 2000) n`, `
		INSERT INTO logins (id, organization_id, user_id, generation, rotated_at, expires_at, created_at, ip, network,
			user_agent)
		SELECT 'lgn_' || n, 'org_' || n, 'usr_' || n, 1, now(), now(), now(), '', '', '' FROM generate_series(1, 2000) n`, `
		INSERT INTO second_factors (id, person_id, type, name, created_at, confirmed_at)
		SELECT 'fct_' || n, 'per_' || n, 'TOTP', 'x', now(), now() FROM generate_series(1, 2000) n`, `
		INSERT INTO recovery_codes (id, person_id, hash) SELECT 'rcv_' || n, 'per_' || n, '' FROM generate_series(1, 2000) n`,
		`INSERT INTO sign_in_challenges (token_hash, organization_id, user_id, person_id, method, expires_at)
		SELECT n::text::bytea, 'org_' || n, 'usr_' || n, 'per_' || n, 'PASSWORD', now() FROM generate_series(1, 2000) n`,
		`ANALYZE organizations, users, logins, second_factors, recovery_codes, sign_in_challenges`,
	}, func(t *testing.T, _ *store.Store, plan func(string) string) {
		for _, statement := range []string{
			`SELECT person_id, EXISTS (SELECT 1 FROM second_factors f
				WHERE f.person_id = users.person_id AND f.confirmed_at IS NOT NULL)
				FROM users WHERE organization_id = ? AND id = ?`,
			`SELECT u.id, EXISTS (SELECT 1 FROM second_factors f
				WHERE f.person_id = u.person_id AND f.confirmed_at IS NOT NULL),
				(SELECT o.second_factor_required FROM organizations o WHERE o.id = u.organization_id)
				FROM logins l JOIN users u ON u.id = l.user_id WHERE l.id = ?`,
			`SELECT EXISTS (SELECT 1 FROM users u JOIN logins l ON l.user_id = u.id
				WHERE u.person_id = ? AND l.network = ? AND l.created_at > ? AND l.method = 'PASSWORD')`,
			`UPDATE logins SET ended_at = ? WHERE id <> ? AND ended_at IS NULL
				AND user_id IN (SELECT id FROM users WHERE person_id = ?)`,
			`SELECT id, ip, user_agent, created_at, rotated_at, expires_at FROM logins WHERE user_id IN (
				SELECT id FROM users WHERE person_id = ? AND (? = '' OR organization_id = ?))
				AND ended_at IS NULL AND expires_at > ? AND id < ? ORDER BY id DESC LIMIT ?`,
			`SELECT id FROM second_factors WHERE person_id = ? AND confirmed_at IS NOT NULL ORDER BY id DESC`,
			`SELECT COUNT(*) FROM recovery_codes WHERE person_id = ? AND used_at IS NULL`,
			`DELETE FROM sign_in_challenges WHERE person_id = ?`,
			`DELETE FROM sign_in_challenges WHERE person_id IN (
				SELECT person_id FROM users WHERE organization_id = ? AND id = ?)`,
			`SELECT id FROM second_factors WHERE expires_at < ?`,
			`SELECT token_hash FROM sign_in_challenges WHERE expires_at < ?`,
		} {
			got := plan(statement)
			for _, table := range []string{
				"users", "u", "logins", "l", "second_factors", "f", "recovery_codes", "sign_in_challenges", "organizations", "o",
			} {
				if scans(got+"\n", table+"\n") || scans(got, table+" ") {
					t.Errorf("%s is read as a whole:\n%s\nin\n%s", table, got, statement)
				}
			}
		}
	})
}
