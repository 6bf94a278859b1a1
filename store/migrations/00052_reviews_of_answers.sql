-- Sessions that wait for a person: the status IN_REVIEW, the decisions about failed gates, and the rubric and the comment
-- of a grade. What a session waits for is in its column progress.
--
-- The previous binary serves sessions in IN_REVIEW, and neither decides, cancels, nor sweeps them: its table of statuses
-- refuses every action. It mishandles these:
--   - A stage with a gate of onFail REVIEW that ends there is DISQUALIFIED if it fails. So publish no such assessment, and
--     none with questions of the type FREE_TEXT, before all replicas run this release.
--   - A correction that it applies skips the sessions in IN_REVIEW. They are scored with it at their next decision.
--   - An erasure by it leaves the reasons of rulings and the comments of grades, and the session in IN_REVIEW. Erase again.
--   - A read of a session whose assessment has FREE_TEXT fails there, because it does not know how to grade the type.
--
-- candidate_sessions is changed while the previous binary writes, so no transaction: see 00045_email_limits.sql.

-- +oldest 00016
-- +goose NO TRANSACTION

-- +goose Up
ALTER TABLE candidate_sessions ADD COLUMN IF NOT EXISTS in_review_since TIMESTAMPTZ; -- null unless IN_REVIEW
-- NOT VALID, because every row satisfies the narrower constraint that this one replaces.
-- +only postgres
ALTER TABLE candidate_sessions DROP CONSTRAINT IF EXISTS candidate_sessions_status_check,
    ADD CONSTRAINT candidate_sessions_status_check
    CHECK (status IN ('INVITED', 'IN_PROGRESS', 'IN_REVIEW', 'COMPLETED', 'DISQUALIFIED', 'EXPIRED', 'CANCELLED')) NOT VALID;
-- +end
-- SQLite cannot change a constraint, and the indexes of the column forbid its replacement. Its documentation describes
-- this change of the text of a table, which reads and writes no row (https://www.sqlite.org/lang_altertable.html). RESET
-- makes this connection read the schema again, and the tables that are made below make all others do so.
-- +only sqlite
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (status IN (''INVITED'', ''IN_PROGRESS'', ''COMPLETED''',
    'CHECK (status IN (''INVITED'', ''IN_PROGRESS'', ''IN_REVIEW'', ''COMPLETED''')
    WHERE type = 'table' AND name = 'candidate_sessions';
PRAGMA writable_schema = RESET;
-- +end

ALTER TABLE grades ADD COLUMN IF NOT EXISTS rubric TEXT; -- JSON: the points of each criterion
ALTER TABLE grades ADD COLUMN IF NOT EXISTS comment TEXT;

-- Decisions about failed gates. The newest row of a stage counts, unless the stage was reopened since.
CREATE TABLE IF NOT EXISTS rulings (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    stage_id        TEXT COLLATE "C" NOT NULL,
    pass            BOOLEAN NOT NULL,
    reason          TEXT NOT NULL,
    user_id         TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    withdrawn_by    TEXT COLLATE "C" -- the id of a reopening of the stage
);
CREATE INDEX IF NOT EXISTS rulings_session ON rulings (organization_id, session_id, id);

-- Each time that a session began to wait for a person, for its timeline.
CREATE TABLE IF NOT EXISTS review_requests (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    stage_id        TEXT COLLATE "C", -- whose gate waits; null if the candidate has finished
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS review_requests_session ON review_requests (organization_id, session_id, id);

-- +goose Down
-- The constraint of the status stays: the previous binary writes none of the values that it does not know.
DROP TABLE review_requests;
DROP TABLE rulings;
ALTER TABLE grades DROP COLUMN comment;
ALTER TABLE grades DROP COLUMN rubric;
ALTER TABLE candidate_sessions DROP COLUMN in_review_since;
