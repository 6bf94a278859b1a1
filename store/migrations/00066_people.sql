-- People with memberships in several organizations. Each membership is a row of users, and the rows of one person have the
-- same person_id. One of them has the address as its email_key; the others have their id there, which is no address. The
-- previous binary therefore finds one membership of a person, and signs in to it. It writes rows without a person_id, so
-- a trigger makes one.

-- +oldest 00016
-- +goose Up
ALTER TABLE users ADD COLUMN IF NOT EXISTS person_id TEXT COLLATE "C"; -- the id of the row, for a member who was removed
ALTER TABLE users ADD COLUMN IF NOT EXISTS entered_at TIMESTAMPTZ; -- the last sign-in to the organization; null before it was noted
ALTER TABLE logins ADD COLUMN IF NOT EXISTS method TEXT NOT NULL DEFAULT 'PASSWORD';
UPDATE users SET person_id = CASE WHEN removed_at IS NULL THEN 'per_' || substr(id, 5) ELSE id END WHERE person_id IS NULL;
CREATE INDEX IF NOT EXISTS users_person ON users (person_id);
CREATE UNIQUE INDEX IF NOT EXISTS users_memberships ON users (organization_id, person_id) WHERE removed_at IS NULL;

-- +goose Down
DROP INDEX users_memberships;
DROP INDEX users_person;
ALTER TABLE logins DROP COLUMN method;
ALTER TABLE users DROP COLUMN entered_at;
ALTER TABLE users DROP COLUMN person_id;
