-- Statistics of assessments, previews, and the overview. The previous binary neither
-- reads nor writes the new tables. The triggers see its changes of sessions too.
-- Repeatable on PostgreSQL: see 00006_session_filters.sql.

-- +goose NO TRANSACTION
-- +goose Up

-- One document for each assessment with a session. It contains the sessions that are
-- not in statistics_queue.
CREATE TABLE IF NOT EXISTS assessment_statistics (
    assessment_id   TEXT COLLATE "C" PRIMARY KEY REFERENCES assessments (id),
    organization_id TEXT COLLATE "C" NOT NULL,
    session_counts  TEXT NOT NULL, -- JSON: sessions by status
    document        TEXT NOT NULL, -- JSON: rules.Statistics
    computed_at     TIMESTAMPTZ NOT NULL
);

-- The number of completed sessions of an assessment with each score. It replaces
-- score_counts, which only the previous binary uses.
CREATE TABLE IF NOT EXISTS assessment_scores (
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL REFERENCES assessments (id),
    score           DOUBLE PRECISION NOT NULL,
    completions     INTEGER NOT NULL,
    PRIMARY KEY (assessment_id, score)
);

-- Sessions whose status has changed since the statistics counted them.
CREATE TABLE IF NOT EXISTS statistics_queue (
    session_id    TEXT COLLATE "C" PRIMARY KEY,
    assessment_id TEXT COLLATE "C" NOT NULL,
    counted       TEXT -- the status with which the statistics contain the session; null when they do not
);

-- What the candidate of a test session sees: the assessment when the session was created.
CREATE TABLE IF NOT EXISTS assessment_snapshots (
    session_id      TEXT COLLATE "C" PRIMARY KEY REFERENCES candidate_sessions (id),
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment      TEXT NOT NULL -- JSON
);

-- +only postgres
-- Until all sessions are in the queue, the statistics contain none of them. No statement
-- here keeps others from writing for long, however many sessions there are.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION queue_statistics() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO statistics_queue VALUES (NEW.id, NEW.assessment_id, NULL) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER statistics_of_new_session AFTER INSERT ON candidate_sessions
    FOR EACH ROW WHEN (NOT NEW.test) EXECUTE FUNCTION queue_statistics();
CREATE OR REPLACE TRIGGER statistics_of_changed_session AFTER UPDATE OF status ON candidate_sessions
    FOR EACH ROW WHEN (OLD.status <> NEW.status AND NOT NEW.test) EXECUTE FUNCTION queue_statistics();
-- A change of a session waits for the transaction that puts the session into the queue.
-- +goose StatementBegin
DO $$
DECLARE
    done TEXT := '';
    last TEXT;
BEGIN
    LOOP
        SELECT MAX(id) INTO last FROM (SELECT id FROM candidate_sessions WHERE id > done ORDER BY id LIMIT 2000) batch;
        EXIT WHEN last IS NULL;
        INSERT INTO statistics_queue (session_id, assessment_id)
            SELECT id, assessment_id FROM candidate_sessions WHERE id > done AND id <= last AND NOT test
            ON CONFLICT DO NOTHING;
        COMMIT;
        done := last;
    END LOOP;
END $$;
-- +goose StatementEnd
-- From here on, a session that is not in the queue is in the statistics. Building the
-- indexes below waits for the transactions that have used the function above.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION queue_statistics() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    previous TEXT;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        previous := OLD.status;
    END IF;
    -- The update changes nothing, but it locks the row: a worker that has not seen this
    -- transaction's status must not remove it.
    INSERT INTO statistics_queue VALUES (NEW.id, NEW.assessment_id, previous)
        ON CONFLICT (session_id) DO UPDATE SET assessment_id = excluded.assessment_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +end
-- +only sqlite
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
INSERT INTO statistics_queue (session_id, assessment_id) SELECT id, assessment_id FROM candidate_sessions WHERE NOT test;
-- +end

-- For the overview and the filters of assessments.
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_expiring;
CREATE INDEX CONCURRENTLY candidate_sessions_expiring
    ON candidate_sessions (organization_id, expires_at, id) WHERE status = 'INVITED' AND NOT test;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_disqualified;
CREATE INDEX CONCURRENTLY candidate_sessions_disqualified
    ON candidate_sessions (organization_id, disqualified_at, id) WHERE disqualified_at IS NOT NULL AND NOT test;
DROP INDEX CONCURRENTLY IF EXISTS assessments_status;
CREATE INDEX CONCURRENTLY assessments_status ON assessments (organization_id, status, id);

-- +goose Down
DROP INDEX assessments_status;
DROP INDEX candidate_sessions_disqualified;
DROP INDEX candidate_sessions_expiring;
-- +only postgres
DROP TRIGGER statistics_of_changed_session ON candidate_sessions;
DROP TRIGGER statistics_of_new_session ON candidate_sessions;
DROP FUNCTION queue_statistics();
-- +end
-- +only sqlite
DROP TRIGGER statistics_of_changed_session;
DROP TRIGGER statistics_of_new_session;
-- +end
DROP TABLE assessment_snapshots;
DROP TABLE statistics_queue;
DROP TABLE assessment_scores;
DROP TABLE assessment_statistics;
