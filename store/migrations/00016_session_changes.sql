-- The times of the sessions' last changes are a table of their own. As an indexed column of
-- candidate_sessions, the time makes each update of a session write to every index of the
-- table: without it, PostgreSQL can update a row in its page (HOT).
--
-- A trigger writes the table, so the previous binary does too. Until it ends, it sorts the
-- sessions of an organization for updatedSince and for sort=updatedAt. SQLite has no such
-- updates, and keeps the index.

-- +goose NO TRANSACTION
-- +goose Up
-- +only postgres
-- The columns have other names than those of candidate_sessions, because statements join both.
CREATE TABLE IF NOT EXISTS candidate_session_changes (
    organization TEXT COLLATE "C" NOT NULL,
    changed_at   TIMESTAMPTZ NOT NULL, -- updated_at of the session
    session_id   TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (organization, changed_at, session_id)
);

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_session_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM candidate_session_changes
            WHERE organization = OLD.organization_id AND changed_at = OLD.updated_at AND session_id = OLD.id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO candidate_session_changes VALUES (NEW.organization_id, NEW.updated_at, NEW.id)
            ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER change_of_session AFTER INSERT OR DELETE ON candidate_sessions
    FOR EACH ROW EXECUTE FUNCTION note_session_change();
CREATE OR REPLACE TRIGGER later_change_of_session AFTER UPDATE OF updated_at ON candidate_sessions
    FOR EACH ROW WHEN (OLD.updated_at IS DISTINCT FROM NEW.updated_at) EXECUTE FUNCTION note_session_change();

-- +batch candidate_sessions
INSERT INTO candidate_session_changes (organization, changed_at, session_id)
    SELECT organization_id, updated_at, id FROM candidate_sessions WHERE id > ? AND id <= ?
    ON CONFLICT DO NOTHING;
-- Of a session that changed meanwhile, the former time can be there too. No list shows it.
-- The subquery makes PostgreSQL look up each session by its primary key. For a join, also with the organization, it can
-- read all changes of the organization again for each session.
DELETE FROM candidate_session_changes
    WHERE changed_at <> (SELECT updated_at FROM candidate_sessions WHERE id = session_id);
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_changed;
-- +end

-- +goose Down
-- +only postgres
CREATE INDEX candidate_sessions_changed ON candidate_sessions (organization_id, updated_at, id);
DROP TRIGGER later_change_of_session ON candidate_sessions;
DROP TRIGGER change_of_session ON candidate_sessions;
DROP FUNCTION note_session_change;
DROP TABLE candidate_session_changes;
-- +end
