-- Filters, search, and sorting of candidate sessions; test sessions; notes. The previous
-- binary neither reads nor writes the new columns and tables.
--
-- On PostgreSQL the statements run one by one, because CONCURRENTLY needs it: an index
-- is built while the previous binary writes. After a failure the migration runs again
-- from its first statement, and a build that failed leaves an invalid index. Therefore
-- each index is dropped first, and everything else is made only if it does not exist.
-- On SQLite the migration is one transaction.

-- +goose NO TRANSACTION
-- +goose Up
ALTER TABLE candidate_sessions ADD COLUMN IF NOT EXISTS test BOOLEAN NOT NULL DEFAULT FALSE; -- a preview; not counted
ALTER TABLE candidate_sessions ADD COLUMN IF NOT EXISTS note TEXT; -- of the organization; the candidate does not see it

DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_test;
CREATE INDEX CONCURRENTLY candidate_sessions_test ON candidate_sessions (organization_id, id) WHERE test;

-- The filters with an equality, each alone and with the assessment, in the order of the ids.
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_status;
CREATE INDEX CONCURRENTLY candidate_sessions_status
    ON candidate_sessions (organization_id, status, id);
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_assessment_status;
CREATE INDEX CONCURRENTLY candidate_sessions_assessment_status
    ON candidate_sessions (organization_id, assessment_id, status, id);
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_passed;
CREATE INDEX CONCURRENTLY candidate_sessions_passed
    ON candidate_sessions (organization_id, passed, id) WHERE passed IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_assessment_passed;
CREATE INDEX CONCURRENTLY candidate_sessions_assessment_passed
    ON candidate_sessions (organization_id, assessment_id, passed, id) WHERE passed IS NOT NULL;

-- The values by which sessions are sorted, and whose ranges are filters.
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_score;
CREATE INDEX CONCURRENTLY candidate_sessions_score
    ON candidate_sessions (organization_id, score, id) WHERE score IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_assessment_score;
CREATE INDEX CONCURRENTLY candidate_sessions_assessment_score
    ON candidate_sessions (organization_id, assessment_id, score, id) WHERE score IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_completed;
CREATE INDEX CONCURRENTLY candidate_sessions_completed
    ON candidate_sessions (organization_id, completed_at, id) WHERE completed_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_assessment_completed;
CREATE INDEX CONCURRENTLY candidate_sessions_assessment_completed
    ON candidate_sessions (organization_id, assessment_id, completed_at, id)
    WHERE completed_at IS NOT NULL;
-- candidate_sessions_changed replaces candidate_sessions_updated, also for the previous binary.
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_changed;
CREATE INDEX CONCURRENTLY candidate_sessions_changed ON candidate_sessions (organization_id, updated_at, id);
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_updated;

-- The words of the names, addresses, and external ids, for the search. A background job
-- writes them (store/candidate_sessions_words.go): the rows of the sessions up to the
-- position, in the order of the ids, are complete.
CREATE TABLE IF NOT EXISTS candidate_session_words (
    organization_id TEXT COLLATE "C" NOT NULL,
    word            TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (organization_id, word, session_id)
);
CREATE INDEX IF NOT EXISTS candidate_session_words_session ON candidate_session_words (session_id);
CREATE TABLE IF NOT EXISTS candidate_session_words_position (
    session_id TEXT COLLATE "C" NOT NULL -- '' before the first session
);
INSERT INTO candidate_session_words_position (session_id)
    SELECT '' WHERE NOT EXISTS (SELECT 1 FROM candidate_session_words_position);

-- Each time that a candidate got more minutes. An erasure removes the reason.
CREATE TABLE IF NOT EXISTS candidate_session_extensions (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    minutes         INTEGER NOT NULL,
    reason          TEXT NOT NULL,
    user_id         TEXT COLLATE "C" NOT NULL, -- who did it
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS candidate_session_extensions_session
    ON candidate_session_extensions (organization_id, session_id, id);

-- A session's timeline contains the audit entries about it.
DROP INDEX CONCURRENTLY IF EXISTS audit_log_resource;
CREATE INDEX CONCURRENTLY audit_log_resource ON audit_log (organization_id, resource_id, id);

-- +goose Down
DROP INDEX audit_log_resource;
DROP TABLE candidate_session_extensions;
DROP TABLE candidate_session_words_position;
DROP TABLE candidate_session_words;
CREATE INDEX candidate_sessions_updated ON candidate_sessions (organization_id, updated_at);
DROP INDEX candidate_sessions_changed;
DROP INDEX candidate_sessions_assessment_completed;
DROP INDEX candidate_sessions_completed;
DROP INDEX candidate_sessions_assessment_score;
DROP INDEX candidate_sessions_score;
DROP INDEX candidate_sessions_assessment_passed;
DROP INDEX candidate_sessions_passed;
DROP INDEX candidate_sessions_assessment_status;
DROP INDEX candidate_sessions_status;
DROP INDEX candidate_sessions_test;
ALTER TABLE candidate_sessions DROP COLUMN note;
ALTER TABLE candidate_sessions DROP COLUMN test;
