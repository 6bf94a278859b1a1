-- How long data of candidates are kept, and what a legal hold protects. The previous binary erases nothing by itself, but
-- it does not know legal holds: set the first one when no replica of it runs. It writes reviews without assessment_id and
-- since. The sweep of the retention completes these rows, and those that are older than this migration.

-- +oldest 00016
-- +goose NO TRANSACTION

-- +goose Up
-- The sweep of the retention is a further kind of actor. For the ways of both databases, see 00052_reviews_of_answers.sql.
-- +only postgres
ALTER TABLE audit_log DROP CONSTRAINT IF EXISTS audit_log_actor_type_check, ADD CONSTRAINT audit_log_actor_type_check
    CHECK (actor_type IN ('USER', 'API_KEY', 'ANONYMOUS', 'RETENTION')) NOT VALID;
-- +end
-- +only sqlite
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (actor_type IN (''USER'', ''API_KEY'', ''ANONYMOUS'')',
    'CHECK (actor_type IN (''USER'', ''API_KEY'', ''ANONYMOUS'', ''RETENTION'')')
    WHERE type = 'table' AND name = 'audit_log';
PRAGMA writable_schema = RESET;
-- +end

-- Released holds stay, without their reason, so that a release can be repeated.
CREATE TABLE IF NOT EXISTS legal_holds (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    assessment_id   TEXT COLLATE "C" NOT NULL, -- also of a hold on a session
    session_id      TEXT COLLATE "C",          -- null for all sessions of the assessment
    reason          TEXT NOT NULL,
    created_by_id   TEXT COLLATE "C" NOT NULL,
    created_by_name TEXT NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    released_at     TIMESTAMPTZ
);
CREATE INDEX IF NOT EXISTS legal_holds_newest ON legal_holds (organization_id, id) WHERE released_at IS NULL;
CREATE INDEX IF NOT EXISTS legal_holds_held ON legal_holds (organization_id, assessment_id, session_id)
    WHERE released_at IS NULL;

-- The retention of an organization, or that of one assessment.
CREATE TABLE IF NOT EXISTS retentions (
    organization_id    TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    assessment_id      TEXT COLLATE "C" NOT NULL, -- '' for the organization
    months             INTEGER,                   -- null for no limit
    not_started_months INTEGER,                   -- null for months
    removed            BOOLEAN NOT NULL,          -- that of the organization applies to the assessment again
    applies_from       TIMESTAMPTZ NOT NULL,
    updated_at         TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, assessment_id)
);

-- The months of candidates in a state. A state that is removed takes them with it.
CREATE TABLE IF NOT EXISTS retention_states (
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL, -- as in retentions
    state_id        TEXT COLLATE "C" NOT NULL,
    months          INTEGER NOT NULL,
    PRIMARY KEY (organization_id, assessment_id, state_id),
    CONSTRAINT retention_states_state FOREIGN KEY (organization_id, state_id)
        REFERENCES review_states (organization_id, id) ON DELETE CASCADE
);

-- Sessions by their end. See store.endOfSession.
DROP INDEX CONCURRENTLY IF EXISTS sessions_by_end;
CREATE INDEX CONCURRENTLY sessions_by_end ON candidate_sessions (organization_id, assessment_id, (started_at IS NULL),
        (COALESCE(completed_at, disqualified_at, cancelled_at, in_review_since, expires_at)), id)
    WHERE erased_at IS NULL AND NOT test AND status <> 'INVITED' AND status <> 'IN_PROGRESS';

-- Since when the candidate has been in the state, at the earliest: null after an erasure. assessment_id is null until the
-- sweep of the retention has completed the row.
ALTER TABLE reviews ADD COLUMN IF NOT EXISTS assessment_id TEXT COLLATE "C";
ALTER TABLE reviews ADD COLUMN IF NOT EXISTS since TIMESTAMPTZ;
DROP INDEX CONCURRENTLY IF EXISTS reviews_by_since;
CREATE INDEX CONCURRENTLY reviews_by_since ON reviews (organization_id, assessment_id, state_id, since, session_id);
DROP INDEX CONCURRENTLY IF EXISTS reviews_incomplete;
CREATE INDEX CONCURRENTLY reviews_incomplete ON reviews (session_id) WHERE assessment_id IS NULL;

-- +goose Down
DROP INDEX reviews_incomplete;
DROP INDEX reviews_by_since;
ALTER TABLE reviews DROP COLUMN since;
ALTER TABLE reviews DROP COLUMN assessment_id;
DROP INDEX sessions_by_end;
DROP TABLE retention_states;
DROP TABLE retentions;
DROP TABLE legal_holds;
