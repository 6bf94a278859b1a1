-- When the data of an organization that nobody can sign in to any more are erased. Its people, keys, and endpoints have
-- ended before, so the previous binary serves it to nobody, and erases nothing.

-- +oldest 00015
-- +goose Up
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS erase_at TIMESTAMPTZ; -- null for an organization in use, and after it
CREATE INDEX IF NOT EXISTS organizations_erase ON organizations (erase_at) WHERE erase_at IS NOT NULL;

-- +goose Down
DROP INDEX organizations_erase;
ALTER TABLE organizations DROP COLUMN erase_at;
