-- When an organization is deleted with all its data, and which organizations are closed. The previous binary ignores a
-- scheduled deletion, so it invites candidates meanwhile, and deletes nothing.

-- +oldest 00016

-- +goose Up
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS delete_at TIMESTAMPTZ; -- null unless a deletion is scheduled
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS deletion_requested_at TIMESTAMPTZ;
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS deletion_requested_by TEXT COLLATE "C"; -- a person
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS closed_at TIMESTAMPTZ; -- null for an organization in use
CREATE INDEX IF NOT EXISTS organizations_delete ON organizations (delete_at) WHERE delete_at IS NOT NULL;
UPDATE organizations SET closed_at = updated_at WHERE closed_at IS NULL AND (erase_at IS NOT NULL OR name = '');

-- +goose Down
DROP INDEX organizations_delete;
ALTER TABLE organizations DROP COLUMN closed_at;
ALTER TABLE organizations DROP COLUMN deletion_requested_by;
ALTER TABLE organizations DROP COLUMN deletion_requested_at;
ALTER TABLE organizations DROP COLUMN delete_at;
