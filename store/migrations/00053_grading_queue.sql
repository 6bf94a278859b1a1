-- The queue of answers that people grade. The previous binary serves sessions in review and grades none of their answers,
-- so it leaves the queue as it is. A session that it cancels or erases keeps its answers in the queue until somebody
-- claims one: claiming removes an answer that does not wait.

-- +oldest 00016
-- +goose NO TRANSACTION

-- +goose Up
ALTER TABLE assessments ADD COLUMN IF NOT EXISTS graders INTEGER NOT NULL DEFAULT 1;
ALTER TABLE assessments ADD COLUMN IF NOT EXISTS blind_grading BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE assessments ADD COLUMN IF NOT EXISTS max_difference_percent DOUBLE PRECISION NOT NULL DEFAULT 20;
ALTER TABLE assessments ADD COLUMN IF NOT EXISTS promised_hours INTEGER NOT NULL DEFAULT 72;

-- An answer is here while it waits for a grade. The claim that holds it is in its row, so nobody else can hold it.
CREATE TABLE IF NOT EXISTS grading_answers (
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    question_id     TEXT COLLATE "C" NOT NULL,
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL,
    since           TIMESTAMPTZ NOT NULL,       -- when the answer came in
    shuffle         BIGINT NOT NULL,            -- a hash of the answer, from which each grader's order follows
    graded          INTEGER NOT NULL DEFAULT 0, -- grades given
    graders         INTEGER NOT NULL DEFAULT 0, -- grades needed; 0 until the first is given
    claim_id        TEXT COLLATE "C",           -- the last claim
    leased_until    TIMESTAMPTZ,                -- of the last claim; null if nobody holds the answer
    settles_at      TIMESTAMPTZ,                -- when the last grade that the answer needs counts; null before that grade
    PRIMARY KEY (session_id, question_id)
);
CREATE INDEX IF NOT EXISTS grading_answers_queue ON grading_answers
    (organization_id, assessment_id, question_id, since, session_id);
CREATE INDEX IF NOT EXISTS grading_answers_settling ON grading_answers (settles_at) WHERE settles_at IS NOT NULL;

-- The work of one person on one answer. Until graded_at, it is a claim, and points, rubric, and comment are a draft. It
-- stays afterwards: the grades of two people make the grade that counts, and their agreement is computed. It has no
-- foreign key, because a claim locks the answer and must not wait for a transaction that has locked the session first.
CREATE TABLE IF NOT EXISTS grading_claims (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL,
    question_id     TEXT COLLATE "C" NOT NULL,
    user_id         TEXT COLLATE "C" NOT NULL,
    points          DOUBLE PRECISION,
    rubric          TEXT, -- JSON: the points of each criterion
    comment         TEXT,
    saved_at        TIMESTAMPTZ, -- null without a draft
    released_at     TIMESTAMPTZ,
    graded_at       TIMESTAMPTZ,
    CONSTRAINT grading_claims_grader UNIQUE (session_id, question_id, user_id)
);
CREATE INDEX IF NOT EXISTS grading_claims_user ON grading_claims (organization_id, user_id, assessment_id, graded_at);
CREATE INDEX IF NOT EXISTS grading_claims_graded ON grading_claims (organization_id, assessment_id, question_id)
    WHERE graded_at IS NOT NULL;

-- The sessions that wait for a person, the oldest first.
DROP INDEX CONCURRENTLY IF EXISTS sessions_in_review;
CREATE INDEX CONCURRENTLY sessions_in_review ON candidate_sessions
    (organization_id, in_review_since, id, assessment_id, test) WHERE in_review_since IS NOT NULL;

-- When a member last got the digest of what waits.
CREATE TABLE IF NOT EXISTS grading_digests (
    user_id         TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    queued_at       TIMESTAMPTZ NOT NULL
);

-- +goose Down
DROP INDEX sessions_in_review;
DROP TABLE grading_digests;
DROP TABLE grading_claims;
DROP TABLE grading_answers;
ALTER TABLE assessments DROP COLUMN promised_hours;
ALTER TABLE assessments DROP COLUMN max_difference_percent;
ALTER TABLE assessments DROP COLUMN blind_grading;
ALTER TABLE assessments DROP COLUMN graders;
