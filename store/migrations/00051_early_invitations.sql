-- Invitations that versions before the first release have left in the table of accounts. The previous binary writes
-- invitations to their own table.

-- +oldest 00015

-- +goose Up
-- If both versions have invited an address, the earlier one's row replaces the other.
INSERT INTO invitations (id, organization_id, name, email, email_key, role, token_hash, expires_at, created_at,
    updated_at)
SELECT id, organization_id, name, email, email_key, role, invitation_hash, invitation_expires_at, created_at, updated_at
FROM users WHERE invitation_hash IS NOT NULL
ON CONFLICT (organization_id, email_key) DO UPDATE SET id = excluded.id, name = excluded.name,
    email = excluded.email, role = excluded.role, is_editor = excluded.is_editor, token_hash = excluded.token_hash,
    expires_at = excluded.expires_at, created_at = excluded.created_at, updated_at = excluded.updated_at;
-- Nothing refers to the rows: these people have never signed in.
DELETE FROM users WHERE invitation_hash IS NOT NULL;

-- +goose Down
SELECT 1;
