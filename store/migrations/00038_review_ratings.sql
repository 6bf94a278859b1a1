-- Ratings of candidates by the team. Each person and each API key has a row of its own. The average stands in the session,
-- so that lists can be sorted by it. The previous binary neither reads nor writes any of this.

-- +goose NO TRANSACTION
-- +goose Up
CREATE TABLE IF NOT EXISTS review_ratings (
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    organization_id TEXT COLLATE "C" NOT NULL,
    actor_type      TEXT NOT NULL,
    actor_id        TEXT COLLATE "C" NOT NULL,
    rating          INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
    updated_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (session_id, actor_type, actor_id)
);
ALTER TABLE candidate_sessions ADD COLUMN IF NOT EXISTS rating DOUBLE PRECISION; -- null without ratings
DROP INDEX CONCURRENTLY IF EXISTS sessions_by_rating;
CREATE INDEX CONCURRENTLY sessions_by_rating ON candidate_sessions
    (organization_id, rating, id, assessment_id, status, test, passed, score, completed_at, created_at)
    WHERE rating IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS sessions_by_assessment_rating;
CREATE INDEX CONCURRENTLY sessions_by_assessment_rating ON candidate_sessions
    (organization_id, assessment_id, rating, id, status, test, passed, score, completed_at, created_at)
    WHERE rating IS NOT NULL;

-- +goose Down
DROP INDEX sessions_by_assessment_rating;
DROP INDEX sessions_by_rating;
ALTER TABLE candidate_sessions DROP COLUMN rating;
DROP TABLE review_ratings;
