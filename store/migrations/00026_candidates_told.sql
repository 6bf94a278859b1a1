-- Whether candidates are told about decisions after the end of their session.

-- +goose Up
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS notify_reopened BOOLEAN NOT NULL DEFAULT TRUE; -- by email
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS notify_corrected BOOLEAN NOT NULL DEFAULT FALSE; -- by email, and on their page

-- +goose Down
ALTER TABLE organizations DROP COLUMN notify_corrected;
ALTER TABLE organizations DROP COLUMN notify_reopened;
