-- Decisions of people: corrections, grades, reopened sessions, and earlier revisions of results.
-- The previous binary neither reads nor writes the new tables. It does not know revisions: a
-- session that the new binary corrects while the previous one folds the statistics can be
-- counted twice there. Repeatable on PostgreSQL: see 00006_session_filters.sql.

-- +goose NO TRANSACTION
-- +goose Up
CREATE TABLE IF NOT EXISTS corrections (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL REFERENCES assessments (id),
    question_id     TEXT COLLATE "C" NOT NULL,
    action          TEXT NOT NULL,
    answer_key      TEXT, -- JSON: rules.AnswerKey
    policy          TEXT NOT NULL,
    withdraws       TEXT COLLATE "C", -- the id of a correction
    reason          TEXT NOT NULL,
    user_id         TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    total           INTEGER NOT NULL,
    done            INTEGER NOT NULL DEFAULT 0,
    changed         INTEGER NOT NULL DEFAULT 0,
    applied_to      TEXT COLLATE "C" NOT NULL DEFAULT '', -- the last session to which it was applied
    applied_at      TIMESTAMPTZ -- null while it is being applied
);
CREATE INDEX IF NOT EXISTS corrections_assessment ON corrections (organization_id, assessment_id, id);
CREATE INDEX IF NOT EXISTS corrections_waiting ON corrections (id) WHERE applied_at IS NULL;

-- The newest row of an answer counts.
CREATE TABLE IF NOT EXISTS grades (
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    question_id     TEXT COLLATE "C" NOT NULL,
    version         INTEGER NOT NULL, -- 1, 2, … of the answer
    points          DOUBLE PRECISION,
    answer          TEXT, -- JSON: the answer that is scored instead of the saved one
    reason          TEXT NOT NULL,
    user_id         TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (session_id, question_id, version)
);

CREATE TABLE IF NOT EXISTS reopenings (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    stage_id        TEXT COLLATE "C" NOT NULL,
    minutes         INTEGER NOT NULL,
    reason          TEXT NOT NULL,
    user_id         TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS reopenings_session ON reopenings (organization_id, session_id, id);

-- Revisions that a later one has replaced. The current one is in candidate_sessions.
CREATE TABLE IF NOT EXISTS result_revisions (
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    revision        INTEGER NOT NULL,
    result          TEXT NOT NULL, -- JSON
    replaced_at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (session_id, revision)
);

-- Answers that arrived after the end of their stage. The newest of each question is kept.
CREATE TABLE IF NOT EXISTS late_answers (
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    question_id     TEXT COLLATE "C" NOT NULL,
    answer          TEXT NOT NULL, -- JSON
    arrived_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (session_id, question_id)
);
CREATE INDEX IF NOT EXISTS late_answers_arrived ON late_answers (arrived_at);

-- When a replica was last ready, and the times in which none was.
CREATE TABLE IF NOT EXISTS service_heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at TIMESTAMPTZ NOT NULL
);
CREATE TABLE IF NOT EXISTS service_outages (
    began_at TIMESTAMPTZ PRIMARY KEY,
    ended_at TIMESTAMPTZ NOT NULL
);

-- +only postgres
ALTER TABLE candidate_sessions ADD COLUMN IF NOT EXISTS revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE statistics_queue ADD COLUMN IF NOT EXISTS counted_revision INTEGER;
ALTER TABLE assessment_statistics ADD COLUMN IF NOT EXISTS removals INTEGER NOT NULL DEFAULT 0; -- results that another revision replaced
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION queue_statistics() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    previous TEXT;
    counted  INTEGER;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        previous := OLD.status;
        counted := OLD.revision;
    END IF;
    -- The update changes nothing, but it locks the row: a worker that has not seen this
    -- transaction's status must not remove it.
    INSERT INTO statistics_queue (session_id, assessment_id, counted, counted_revision)
        VALUES (NEW.id, NEW.assessment_id, previous, counted)
        ON CONFLICT (session_id) DO UPDATE SET assessment_id = excluded.assessment_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER statistics_of_changed_session AFTER UPDATE OF status, revision ON candidate_sessions
    FOR EACH ROW WHEN ((OLD.status <> NEW.status OR OLD.revision <> NEW.revision) AND NOT NEW.test)
    EXECUTE FUNCTION queue_statistics();
-- +end
-- +only sqlite
ALTER TABLE candidate_sessions ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE statistics_queue ADD COLUMN counted_revision INTEGER;
ALTER TABLE assessment_statistics ADD COLUMN removals INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER statistics_of_new_session;
-- +goose StatementBegin
CREATE TRIGGER statistics_of_new_session AFTER INSERT ON candidate_sessions WHEN NOT NEW.test BEGIN
    INSERT INTO statistics_queue (session_id, assessment_id) VALUES (NEW.id, NEW.assessment_id) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd
DROP TRIGGER statistics_of_changed_session;
-- +goose StatementBegin
CREATE TRIGGER statistics_of_changed_session AFTER UPDATE OF status, revision ON candidate_sessions
WHEN (OLD.status <> NEW.status OR OLD.revision <> NEW.revision) AND NOT NEW.test BEGIN
    INSERT INTO statistics_queue (session_id, assessment_id, counted, counted_revision)
        VALUES (NEW.id, NEW.assessment_id, OLD.status, OLD.revision) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd
-- +end

-- +goose Down
-- +only postgres
CREATE OR REPLACE TRIGGER statistics_of_changed_session AFTER UPDATE OF status ON candidate_sessions
    FOR EACH ROW WHEN (OLD.status <> NEW.status AND NOT NEW.test) EXECUTE FUNCTION queue_statistics();
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION queue_statistics() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    previous TEXT;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        previous := OLD.status;
    END IF;
    INSERT INTO statistics_queue VALUES (NEW.id, NEW.assessment_id, previous)
        ON CONFLICT (session_id) DO UPDATE SET assessment_id = excluded.assessment_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +end
-- +only sqlite
DROP TRIGGER statistics_of_changed_session;
DROP TRIGGER statistics_of_new_session;
-- +goose StatementBegin
CREATE TRIGGER statistics_of_new_session AFTER INSERT ON candidate_sessions WHEN NOT NEW.test BEGIN
    INSERT INTO statistics_queue VALUES (NEW.id, NEW.assessment_id, NULL) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER statistics_of_changed_session AFTER UPDATE OF status ON candidate_sessions
WHEN OLD.status <> NEW.status AND NOT NEW.test BEGIN
    INSERT INTO statistics_queue VALUES (NEW.id, NEW.assessment_id, OLD.status) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd
-- +end
ALTER TABLE assessment_statistics DROP COLUMN removals;
ALTER TABLE statistics_queue DROP COLUMN counted_revision;
ALTER TABLE candidate_sessions DROP COLUMN revision;
DROP TABLE service_outages;
DROP TABLE service_heartbeat;
DROP TABLE late_answers;
DROP TABLE result_revisions;
DROP TABLE reopenings;
DROP TABLE grades;
DROP TABLE corrections;
