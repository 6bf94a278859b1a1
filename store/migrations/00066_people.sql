-- People with memberships in several organizations. Each membership is a row of users, and the rows of one person have the
-- same person_id. One of them has the address as its email_key; the others have their id there, which is no address. The
-- previous binary therefore finds one membership of a person, and signs in to it. It writes rows without a person_id, so
-- a trigger makes one.
--
-- A membership ends with removed_at: its row then has a person of its own, and an address that it had goes to the oldest
-- other membership. Triggers do this for both binaries.

-- +oldest 00016
-- +goose Up
ALTER TABLE users ADD COLUMN IF NOT EXISTS person_id TEXT COLLATE "C"; -- the id of the row, for a removed member
ALTER TABLE users ADD COLUMN IF NOT EXISTS entered_at TIMESTAMPTZ; -- the last sign-in of a person with several memberships
ALTER TABLE logins ADD COLUMN IF NOT EXISTS method TEXT NOT NULL DEFAULT 'PASSWORD';
UPDATE users SET person_id = CASE WHEN removed_at IS NULL THEN 'per_' || substr(id, 5) ELSE id END WHERE person_id IS NULL;
CREATE INDEX IF NOT EXISTS users_person ON users (person_id);
CREATE UNIQUE INDEX IF NOT EXISTS users_memberships ON users (organization_id, person_id) WHERE removed_at IS NULL;

-- +only postgres
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION make_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.person_id := CASE WHEN NEW.removed_at IS NULL THEN 'per_' || substr(NEW.id, 5) ELSE NEW.id END;
    RETURN NEW;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION end_membership() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    heir TEXT;
BEGIN
    UPDATE users SET person_id = id WHERE id = NEW.id;
    IF OLD.email_key <> OLD.id AND NEW.email_key = NEW.id THEN
        -- If another membership ends at the same time, this waits, and finds the next one.
        SELECT id INTO heir FROM users WHERE person_id = OLD.person_id AND removed_at IS NULL AND id <> OLD.id
            ORDER BY id LIMIT 1 FOR NO KEY UPDATE;
        UPDATE users SET email_key = OLD.email_key WHERE id = heir;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER person_of_new_user BEFORE INSERT ON users
    FOR EACH ROW WHEN (NEW.person_id IS NULL) EXECUTE FUNCTION make_person();
CREATE OR REPLACE TRIGGER end_of_membership AFTER UPDATE OF removed_at ON users
    FOR EACH ROW WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL) EXECUTE FUNCTION end_membership();
-- +end
-- +only sqlite
-- +goose StatementBegin
CREATE TRIGGER IF NOT EXISTS person_of_new_user AFTER INSERT ON users WHEN NEW.person_id IS NULL BEGIN
    UPDATE users SET person_id = CASE WHEN removed_at IS NULL THEN 'per_' || substr(id, 5) ELSE id END WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER IF NOT EXISTS end_of_membership AFTER UPDATE OF removed_at ON users
WHEN OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL BEGIN
    UPDATE users SET person_id = id WHERE id = NEW.id;
    UPDATE users SET email_key = OLD.email_key WHERE OLD.email_key <> OLD.id AND NEW.email_key = NEW.id AND id = (
        SELECT MIN(id) FROM users WHERE person_id = OLD.person_id AND removed_at IS NULL AND id <> OLD.id);
END;
-- +goose StatementEnd
-- +end

-- +goose Down
-- +only postgres
DROP TRIGGER end_of_membership ON users;
DROP TRIGGER person_of_new_user ON users;
DROP FUNCTION end_membership();
DROP FUNCTION make_person();
-- +end
-- +only sqlite
DROP TRIGGER end_of_membership;
DROP TRIGGER person_of_new_user;
-- +end
DROP INDEX users_memberships;
DROP INDEX users_person;
ALTER TABLE logins DROP COLUMN method;
ALTER TABLE users DROP COLUMN entered_at;
ALTER TABLE users DROP COLUMN person_id;
