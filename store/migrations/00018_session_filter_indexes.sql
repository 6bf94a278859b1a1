-- The indexes of the session filters contain all columns that can be filtered, so that a list or a
-- summary with several filters examines thousands of sessions without reading their rows. They
-- replace indexes with the same first columns, also for the previous binary.
--
-- A submit of a stage changes none of these columns, except that the last one ends the session.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS sessions_by_id;
CREATE INDEX CONCURRENTLY sessions_by_id ON candidate_sessions
    (organization_id, id, assessment_id, status, test, passed, score, completed_at, created_at);
DROP INDEX CONCURRENTLY IF EXISTS sessions_by_assessment;
CREATE INDEX CONCURRENTLY sessions_by_assessment ON candidate_sessions
    (organization_id, assessment_id, id, status, test, passed, score, completed_at, created_at);

DROP INDEX CONCURRENTLY IF EXISTS sessions_by_status;
CREATE INDEX CONCURRENTLY sessions_by_status ON candidate_sessions
    (organization_id, status, id, assessment_id, test, passed, score, completed_at, created_at);
DROP INDEX CONCURRENTLY IF EXISTS sessions_by_assessment_status;
CREATE INDEX CONCURRENTLY sessions_by_assessment_status ON candidate_sessions
    (organization_id, assessment_id, status, id, test, passed, score, completed_at, created_at);

DROP INDEX CONCURRENTLY IF EXISTS sessions_by_passed;
CREATE INDEX CONCURRENTLY sessions_by_passed ON candidate_sessions
    (organization_id, passed, id, assessment_id, status, test, score, completed_at, created_at) WHERE passed IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS sessions_by_assessment_passed;
CREATE INDEX CONCURRENTLY sessions_by_assessment_passed ON candidate_sessions
    (organization_id, assessment_id, passed, id, status, test, score, completed_at, created_at) WHERE passed IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS sessions_by_score;
CREATE INDEX CONCURRENTLY sessions_by_score ON candidate_sessions
    (organization_id, score, id, assessment_id, status, test, passed, completed_at, created_at) WHERE score IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS sessions_by_assessment_score;
CREATE INDEX CONCURRENTLY sessions_by_assessment_score ON candidate_sessions
    (organization_id, assessment_id, score, id, status, test, passed, completed_at, created_at) WHERE score IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS sessions_by_completed_at;
CREATE INDEX CONCURRENTLY sessions_by_completed_at ON candidate_sessions
    (organization_id, completed_at, id, assessment_id, status, test, passed, score, created_at)
    WHERE completed_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS sessions_by_assessment_completed_at;
CREATE INDEX CONCURRENTLY sessions_by_assessment_completed_at ON candidate_sessions
    (organization_id, assessment_id, completed_at, id, status, test, passed, score, created_at)
    WHERE completed_at IS NOT NULL;

-- A common word is looked up for each session that is examined.
DROP INDEX CONCURRENTLY IF EXISTS candidate_session_words_session_word;
CREATE INDEX CONCURRENTLY candidate_session_words_session_word ON candidate_session_words (session_id, word);

-- Last, so that the previous binary has one of each while a migration that failed runs again.
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_organization;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_assessment;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_status;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_assessment_status;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_passed;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_assessment_passed;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_score;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_assessment_score;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_completed;
DROP INDEX CONCURRENTLY IF EXISTS candidate_sessions_assessment_completed;
DROP INDEX CONCURRENTLY IF EXISTS candidate_session_words_session;

-- +goose Down
CREATE INDEX candidate_session_words_session ON candidate_session_words (session_id);
DROP INDEX candidate_session_words_session_word;
CREATE INDEX candidate_sessions_organization ON candidate_sessions (organization_id, id);
CREATE INDEX candidate_sessions_assessment ON candidate_sessions (organization_id, assessment_id, id);
CREATE INDEX candidate_sessions_status ON candidate_sessions (organization_id, status, id);
CREATE INDEX candidate_sessions_assessment_status ON candidate_sessions (organization_id, assessment_id, status, id);
CREATE INDEX candidate_sessions_passed ON candidate_sessions (organization_id, passed, id) WHERE passed IS NOT NULL;
CREATE INDEX candidate_sessions_assessment_passed
    ON candidate_sessions (organization_id, assessment_id, passed, id) WHERE passed IS NOT NULL;
CREATE INDEX candidate_sessions_score ON candidate_sessions (organization_id, score, id) WHERE score IS NOT NULL;
CREATE INDEX candidate_sessions_assessment_score
    ON candidate_sessions (organization_id, assessment_id, score, id) WHERE score IS NOT NULL;
CREATE INDEX candidate_sessions_completed
    ON candidate_sessions (organization_id, completed_at, id) WHERE completed_at IS NOT NULL;
CREATE INDEX candidate_sessions_assessment_completed
    ON candidate_sessions (organization_id, assessment_id, completed_at, id) WHERE completed_at IS NOT NULL;
DROP INDEX sessions_by_assessment_completed_at;
DROP INDEX sessions_by_completed_at;
DROP INDEX sessions_by_assessment_score;
DROP INDEX sessions_by_score;
DROP INDEX sessions_by_assessment_passed;
DROP INDEX sessions_by_passed;
DROP INDEX sessions_by_assessment_status;
DROP INDEX sessions_by_status;
DROP INDEX sessions_by_assessment;
DROP INDEX sessions_by_id;
