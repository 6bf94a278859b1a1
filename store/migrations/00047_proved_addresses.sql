-- Whether a person has shown that they receive the email of their address. Existing accounts count as proved. So do
-- accounts that the previous binary registers: it does not know the columns.

-- +oldest 00015
-- +goose Up
ALTER TABLE users ADD COLUMN IF NOT EXISTS unproved BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE users ADD COLUMN IF NOT EXISTS proof_expires_at TIMESTAMPTZ; -- of the link that proves it; null until it is sent

-- +goose Down
ALTER TABLE users DROP COLUMN proof_expires_at;
ALTER TABLE users DROP COLUMN unproved;
