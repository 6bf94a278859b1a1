-- The versions of the words of organizations for emails to candidates, and who saved them. Words that the previous
-- binary saves meanwhile keep the version, the person, and the time of their row. A new row gets version 1 and nobody.

-- +goose Up
ALTER TABLE email_texts ADD COLUMN IF NOT EXISTS version BIGINT NOT NULL DEFAULT 1; -- see Store.ReplaceEmailText
ALTER TABLE email_texts ADD COLUMN IF NOT EXISTS updated_by TEXT COLLATE "C"; -- a user; null before this migration
ALTER TABLE email_texts ADD COLUMN IF NOT EXISTS updated_at TIMESTAMPTZ;

-- +goose Down
ALTER TABLE email_texts DROP COLUMN updated_at;
ALTER TABLE email_texts DROP COLUMN updated_by;
ALTER TABLE email_texts DROP COLUMN version;
