-- People who write assessments and do not manage the organization. The previous binary reads their role as MEMBER, and
-- ignores the new columns.

-- +goose Up
ALTER TABLE users ADD COLUMN IF NOT EXISTS is_editor BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE invitations ADD COLUMN IF NOT EXISTS is_editor BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE invitations DROP COLUMN is_editor;
ALTER TABLE users DROP COLUMN is_editor;
