-- What versions before the first release have left: invitations in the table of accounts, the index that
-- webhook_deliveries_event_newest replaces, and the queue's foreign key to the endpoints. Each queued delivery would lock
-- the row of its endpoint, although endpoints are only marked as deleted. The previous binary writes invitations to
-- their own table, and needs neither the index nor the key. Repeatable on PostgreSQL: see 00006_session_filters.sql.

-- +oldest 00015
-- +goose NO TRANSACTION

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
-- +only postgres
DROP INDEX IF EXISTS webhook_deliveries_event;
ALTER TABLE webhook_queue DROP CONSTRAINT IF EXISTS webhook_queue_webhook_id_fkey;
-- +end

-- +goose Down
SELECT 1;
