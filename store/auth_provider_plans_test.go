package store_test

import (
	"testing"

	"assay/store"
)

// A sign-in with a provider, and a request of SCIM, find their rows by index, however many organizations there are.
func TestProvidersAreFoundByIndex(t *testing.T) {
	t.Parallel()
	eachPlanner(t, []string{`
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(1, 2000) n`, `
		INSERT INTO users (id, organization_id, name, email, email_key, password_hash, role, created_at, updated_at)
		SELECT 'usr_' || n, 'org_' || n, 'x', n, n, '', 'OWNER', now(), now() FROM generate_series(1, 2000) n`, `
		INSERT INTO invitations (id, organization_id, name, email, email_key, role, created_at, updated_at)
		SELECT 'usr_i' || n, 'org_' || n, 'x', n, n, 'MEMBER', now(), now() FROM generate_series(1, 2000) n`, `
		INSERT INTO provisioned_members (member_id, organization_id, external_id)
		SELECT 'usr_' || n, 'org_' || n, n FROM generate_series(1, 2000) n`, `
		INSERT INTO sign_in_providers (organization_id, id, issuer, client_id, client_secret, scopes, required,
			create_members, default_role, roles, updated_at)
		SELECT 'org_' || n, 'idp_' || n, 'x', 'x', '', '', FALSE, FALSE, 'MEMBER', '[]', now()
		FROM generate_series(1, 2000) n`, `
		INSERT INTO sign_in_domains (id, organization_id, domain, token, verified_at, created_at)
		SELECT 'dom_' || n, 'org_' || n, n, '', now(), now() FROM generate_series(1, 2000) n`, `
		INSERT INTO sign_in_identities (organization_id, issuer, subject, user_id, created_at)
		SELECT 'org_' || n, 'x', n, 'usr_' || n, now() FROM generate_series(1, 2000) n`, `
		INSERT INTO sign_in_attempts (state_hash, browser_hash, organization_id, provider_id, return_to, former_login,
			expires_at)
		SELECT n::text::bytea, '', 'org_' || n, 'x', '', '', now() FROM generate_series(1, 2000) n`, `
		INSERT INTO sign_in_recovery_codes (id, organization_id, hash)
		SELECT 'rcv_' || n, 'org_' || n, '' FROM generate_series(1, 2000) n`, `
		INSERT INTO logins (id, organization_id, user_id, generation, rotated_at, expires_at, created_at, ip, network,
			user_agent)
		SELECT 'lgn_' || n, 'org_' || n, 'usr_' || n, 1, now(), now(), now(), '', '', '' FROM generate_series(1, 2000) n`, `
		INSERT INTO sign_in_challenges (token_hash, organization_id, user_id, person_id, method, expires_at)
		SELECT n::text::bytea, 'org_' || n, 'usr_' || n, 'per_' || n, 'PASSWORD', now() FROM generate_series(1, 2000) n`,
		`ANALYZE organizations, users, logins, sign_in_challenges, invitations, provisioned_members, sign_in_providers,
			sign_in_domains,
			sign_in_identities, sign_in_attempts, sign_in_recovery_codes`,
	}, func(t *testing.T, _ *store.Store, plan func(string) string) {
		for _, statement := range []string{
			`SELECT p.organization_id FROM sign_in_domains d JOIN sign_in_providers p ON p.organization_id = d.organization_id
				WHERE d.domain = ? AND d.verified_at IS NOT NULL`,
			`SELECT EXISTS (SELECT 1 FROM sign_in_domains d JOIN sign_in_providers p ON p.organization_id = d.organization_id
				WHERE d.organization_id = ? AND d.domain = ? AND d.verified_at IS NOT NULL)`,
			`DELETE FROM sign_in_identities WHERE organization_id = ? AND (issuer <> ? OR user_id IN (
				SELECT id FROM users WHERE organization_id = ? AND removed_at IS NULL))`,
			`SELECT user_id FROM sign_in_identities WHERE organization_id = ? AND issuer = ? AND subject = ?`,
			`SELECT EXISTS (SELECT 1 FROM sign_in_identities WHERE organization_id = ? AND issuer = ? AND user_id = ?)`,
			`DELETE FROM sign_in_attempts WHERE state_hash = ? AND browser_hash = ? AND expires_at > ?`,
			`DELETE FROM sign_in_attempts WHERE organization_id = ?`,
			`UPDATE logins SET ended_at = ? WHERE organization_id = ? AND method = 'PROVIDER' AND ended_at IS NULL`,
			`UPDATE logins SET ended_at = ? WHERE organization_id = ? AND method = 'PASSWORD' AND id <> ? AND ended_at IS NULL`,
			`DELETE FROM sign_in_challenges WHERE organization_id = ?`,
			`SELECT id, hash FROM sign_in_recovery_codes WHERE organization_id = ? AND used_at IS NULL`,
			`SELECT required FROM sign_in_providers WHERE organization_id = ?`,
			`SELECT COUNT(*) FROM users WHERE organization_id = ? AND role = 'OWNER' AND removed_at IS NULL
				AND deactivated_at IS NULL`,
			`SELECT id, external_id FROM users LEFT JOIN provisioned_members ON member_id = id
				WHERE users.organization_id = ? AND removed_at IS NULL
				AND person_id = (SELECT a.person_id FROM users a WHERE a.email_key = ?)
				UNION ALL SELECT id, external_id FROM invitations LEFT JOIN provisioned_members ON member_id = id
				WHERE invitations.organization_id = ? AND email_key = ? ORDER BY id LIMIT ? OFFSET ?`,
			`SELECT id, external_id FROM users LEFT JOIN provisioned_members ON member_id = id
				WHERE users.organization_id = ? AND removed_at IS NULL AND id IN (
				SELECT member_id FROM provisioned_members WHERE organization_id = ? AND external_id = ?)
				UNION ALL SELECT id, external_id FROM invitations LEFT JOIN provisioned_members ON member_id = id
				WHERE invitations.organization_id = ? AND id IN (
				SELECT member_id FROM provisioned_members WHERE organization_id = ? AND external_id = ?)
				ORDER BY id LIMIT ? OFFSET ?`,
		} {
			got := plan(statement)
			for _, table := range []string{
				"users", "invitations", "provisioned_members", "sign_in_providers", "p", "sign_in_domains", "d",
				"sign_in_identities", "sign_in_attempts", "sign_in_recovery_codes", "logins", "sign_in_challenges",
			} {
				if scans(got+"\n", table+"\n") || scans(got, table+" ") {
					t.Errorf("%s is read as a whole:\n%s\nin\n%s", table, got, statement)
				}
			}
		}
	})
}
