-- Members who see only some assessments. The previous binary ignores the new columns: beside it, a limited member sees
-- all assessments.

-- +goose Up
ALTER TABLE users ADD COLUMN IF NOT EXISTS limited_to TEXT;
ALTER TABLE invitations ADD COLUMN IF NOT EXISTS limited_to TEXT;

-- +goose Down
ALTER TABLE invitations DROP COLUMN limited_to;
ALTER TABLE users DROP COLUMN limited_to;
