-- The time that candidates spend on questions, the voluntary questions of assessments, their answers, and the figures
-- about the groups of candidates. The previous binary erases a session without its rows of session_activity and
-- group_answers. It cannot write such rows. The trigger sees its changes of sessions, too.

-- +oldest 00016
-- +goose Up

-- No foreign key: it would lock the row of the session, for which a save would wait.
CREATE TABLE IF NOT EXISTS session_activity (
    session_id      TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    language        TEXT,          -- of the candidate's page; null until a report has one
    seconds         TEXT NOT NULL, -- JSON: whole seconds by question
    counted         BOOLEAN NOT NULL DEFAULT FALSE, -- the statistics contain the row, which therefore does not change
    updated_at      TIMESTAMPTZ NOT NULL
);

CREATE TABLE IF NOT EXISTS self_identifications (
    assessment_id   TEXT COLLATE "C" PRIMARY KEY REFERENCES assessments (id),
    organization_id TEXT COLLATE "C" NOT NULL,
    questions       TEXT NOT NULL, -- JSON
    updated_at      TIMESTAMPTZ NOT NULL
);

CREATE TABLE IF NOT EXISTS group_answers (
    session_id      TEXT COLLATE "C" PRIMARY KEY REFERENCES candidate_sessions (id),
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL,
    answers         BYTEA NOT NULL, -- encrypted JSON: the option by question
    answered_at     TIMESTAMPTZ NOT NULL
);
-- No index begins with organization_id: SQLite would prefer it when sessions are looked up by their ids.
CREATE INDEX IF NOT EXISTS group_answers_assessment ON group_answers (assessment_id, session_id);

-- Sessions whose answers or results have changed since the figures were published.
CREATE TABLE IF NOT EXISTS group_changes (
    session_id      TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL,
    counted         BOOLEAN NOT NULL, -- the figures contain the session
    version         INTEGER NOT NULL  -- the number of changes
);
CREATE INDEX IF NOT EXISTS group_changes_assessment ON group_changes (assessment_id, session_id);

-- What may be shown of the groups, as it was last published.
CREATE TABLE IF NOT EXISTS group_statistics (
    assessment_id   TEXT COLLATE "C" PRIMARY KEY REFERENCES assessments (id),
    organization_id TEXT COLLATE "C" NOT NULL,
    document        TEXT NOT NULL, -- JSON
    publication     INTEGER NOT NULL, -- from 1
    computed_at     TIMESTAMPTZ NOT NULL
);

-- +only postgres
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION queue_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO group_changes (session_id, organization_id, assessment_id, counted, version)
        SELECT g.session_id, g.organization_id, g.assessment_id, OLD.status IN ('COMPLETED', 'DISQUALIFIED'), 1
        FROM group_answers g WHERE g.session_id = NEW.id
        ON CONFLICT (session_id) DO UPDATE SET version = group_changes.version + 1;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER groups_of_changed_session AFTER UPDATE OF status, revision ON candidate_sessions
    FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.revision <> NEW.revision) EXECUTE FUNCTION queue_groups();
-- +end
-- +only sqlite
-- +goose StatementBegin
CREATE TRIGGER groups_of_changed_session AFTER UPDATE OF status, revision ON candidate_sessions
WHEN OLD.status <> NEW.status OR OLD.revision <> NEW.revision BEGIN
    INSERT INTO group_changes (session_id, organization_id, assessment_id, counted, version)
        SELECT g.session_id, g.organization_id, g.assessment_id, OLD.status IN ('COMPLETED', 'DISQUALIFIED'), 1
        FROM group_answers g WHERE g.session_id = NEW.id
        ON CONFLICT (session_id) DO UPDATE SET version = group_changes.version + 1;
END;
-- +goose StatementEnd
-- +end

-- +goose Down
-- +only postgres
DROP TRIGGER groups_of_changed_session ON candidate_sessions;
DROP FUNCTION queue_groups();
-- +end
-- +only sqlite
DROP TRIGGER groups_of_changed_session;
-- +end
DROP TABLE group_statistics;
DROP TABLE group_changes;
DROP TABLE group_answers;
DROP TABLE self_identifications;
DROP TABLE session_activity;
