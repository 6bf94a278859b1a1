-- The order of changes, for the lists that a client follows: noted_at is the time of the last change by the clock of
-- the database, taken in the transaction of the change. updated_at is the time of a replica, taken before it.
--
-- Triggers write it, so changes of the previous binary have it too. Rows that have not changed since the migration
-- have the time 0: they come first, in the order of their ids.

-- +goose NO TRANSACTION
-- +goose Up
-- +only postgres
ALTER TABLE candidate_session_changes
    ADD COLUMN IF NOT EXISTS noted_at TIMESTAMPTZ NOT NULL DEFAULT '1970-01-01 00:00:00+00';
ALTER TABLE assessments ADD COLUMN IF NOT EXISTS noted_at TIMESTAMPTZ NOT NULL DEFAULT '1970-01-01 00:00:00+00';

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_session_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM candidate_session_changes
            WHERE organization = OLD.organization_id AND changed_at = OLD.updated_at AND session_id = OLD.id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO candidate_session_changes (organization, changed_at, session_id, noted_at)
            VALUES (NEW.organization_id, NEW.updated_at, NEW.id, clock_timestamp())
            ON CONFLICT (organization, changed_at, session_id) DO UPDATE SET noted_at = excluded.noted_at;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- Two changes in one millisecond have the same updated_at, and different times in noted_at.
CREATE OR REPLACE TRIGGER later_change_of_session AFTER UPDATE OF updated_at ON candidate_sessions
    FOR EACH ROW EXECUTE FUNCTION note_session_change();

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_assessment_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- From here on, others see that the transaction writes, so they expect a row with this time.
    PERFORM txid_current();
    NEW.noted_at := clock_timestamp();
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER change_of_assessment BEFORE INSERT OR UPDATE OF updated_at ON assessments
    FOR EACH ROW EXECUTE FUNCTION note_assessment_change();

DROP INDEX CONCURRENTLY IF EXISTS candidate_session_changes_noted;
CREATE INDEX CONCURRENTLY candidate_session_changes_noted
    ON candidate_session_changes (organization, noted_at, session_id);
-- +end
-- +only sqlite
ALTER TABLE candidate_sessions ADD COLUMN noted_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assessments ADD COLUMN noted_at INTEGER NOT NULL DEFAULT 0;

-- The time of the last change, in microseconds. It increases with each change, also if the clock is set back.
CREATE TABLE change_clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
);
INSERT INTO change_clock (id, at) VALUES (1, 0);

-- +goose StatementBegin
CREATE TRIGGER change_of_session AFTER INSERT ON candidate_sessions BEGIN
    UPDATE change_clock SET at = MAX(at + 1, CAST(unixepoch('subsec') * 1000000 AS INTEGER)) WHERE id = 1;
    UPDATE candidate_sessions SET noted_at = (SELECT at FROM change_clock WHERE id = 1) WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER later_change_of_session AFTER UPDATE OF updated_at ON candidate_sessions BEGIN
    UPDATE change_clock SET at = MAX(at + 1, CAST(unixepoch('subsec') * 1000000 AS INTEGER)) WHERE id = 1;
    UPDATE candidate_sessions SET noted_at = (SELECT at FROM change_clock WHERE id = 1) WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER change_of_assessment AFTER INSERT ON assessments BEGIN
    UPDATE change_clock SET at = MAX(at + 1, CAST(unixepoch('subsec') * 1000000 AS INTEGER)) WHERE id = 1;
    UPDATE assessments SET noted_at = (SELECT at FROM change_clock WHERE id = 1) WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER later_change_of_assessment AFTER UPDATE OF updated_at ON assessments BEGIN
    UPDATE change_clock SET at = MAX(at + 1, CAST(unixepoch('subsec') * 1000000 AS INTEGER)) WHERE id = 1;
    UPDATE assessments SET noted_at = (SELECT at FROM change_clock WHERE id = 1) WHERE id = NEW.id;
END;
-- +goose StatementEnd
CREATE INDEX candidate_sessions_noted ON candidate_sessions (organization_id, noted_at, id);
-- +end
DROP INDEX CONCURRENTLY IF EXISTS assessments_noted;
CREATE INDEX CONCURRENTLY assessments_noted ON assessments (organization_id, noted_at, id);

-- +goose Down
DROP INDEX assessments_noted;
-- +only postgres
DROP INDEX candidate_session_changes_noted;
DROP TRIGGER change_of_assessment ON assessments;
DROP FUNCTION note_assessment_change;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_session_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM candidate_session_changes
            WHERE organization = OLD.organization_id AND changed_at = OLD.updated_at AND session_id = OLD.id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO candidate_session_changes (organization, changed_at, session_id)
            VALUES (NEW.organization_id, NEW.updated_at, NEW.id) ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
ALTER TABLE assessments DROP COLUMN noted_at;
ALTER TABLE candidate_session_changes DROP COLUMN noted_at;
-- +end
-- +only sqlite
DROP INDEX candidate_sessions_noted;
DROP TRIGGER later_change_of_assessment;
DROP TRIGGER change_of_assessment;
DROP TRIGGER later_change_of_session;
DROP TRIGGER change_of_session;
DROP TABLE change_clock;
ALTER TABLE assessments DROP COLUMN noted_at;
ALTER TABLE candidate_sessions DROP COLUMN noted_at;
-- +end
