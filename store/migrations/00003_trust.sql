-- Invitation and removal of members, Idempotency-Key, rate limits, audit log, and
-- erasure. The previous binary neither reads nor writes these tables and columns.

-- +goose Up
ALTER TABLE users ADD COLUMN invitation_hash BYTEA; -- SHA-256 of the token; null after acceptance
ALTER TABLE users ADD COLUMN invitation_expires_at TIMESTAMPTZ;
-- The row of a removed member stays, because API keys and the audit log refer to it.
-- Its email_key is released, and no password matches.
ALTER TABLE users ADD COLUMN removed_at TIMESTAMPTZ;
CREATE UNIQUE INDEX users_invitation ON users (invitation_hash) WHERE invitation_hash IS NOT NULL;

ALTER TABLE candidate_sessions ADD COLUMN erased_at TIMESTAMPTZ;
CREATE INDEX candidate_sessions_updated ON candidate_sessions (organization_id, updated_at);
CREATE INDEX assessments_updated ON assessments (organization_id, updated_at);

-- Outcomes of requests with an Idempotency-Key, kept for a day.
CREATE TABLE idempotency_keys (
    organization_id TEXT COLLATE "C" NOT NULL, -- '' for registrations
    operation       TEXT NOT NULL,
    key_hash        BYTEA NOT NULL,
    fingerprint     BYTEA NOT NULL, -- SHA-256 of the request
    subjects        TEXT NOT NULL, -- ids of the sessions in the outcome, each between spaces
    outcome         BYTEA, -- encrypted with the Idempotency-Key; null after an erasure
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, operation, key_hash)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

-- Requests counted for all replicas. One row per limit and client.
CREATE TABLE rate_windows (
    bucket   TEXT COLLATE "C" PRIMARY KEY,
    requests INTEGER NOT NULL,
    ends_at  TIMESTAMPTZ NOT NULL
);
CREATE INDEX rate_windows_ends ON rate_windows (ends_at);

CREATE TABLE audit_log (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL, -- '' for a sign-in with an unknown address
    action          TEXT NOT NULL,
    actor_type      TEXT NOT NULL CHECK (actor_type IN ('USER', 'API_KEY', 'ANONYMOUS')),
    actor_id        TEXT COLLATE "C",
    resource_id     TEXT COLLATE "C" NOT NULL,
    ip              TEXT NOT NULL,
    request_id      TEXT NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX audit_log_organization ON audit_log (organization_id, id);

-- Server processes, and when each last reported that it runs.
CREATE TABLE replicas (
    id      TEXT COLLATE "C" PRIMARY KEY,
    seen_at TIMESTAMPTZ NOT NULL
);

-- +goose Down
DROP TABLE replicas;
DROP TABLE audit_log;
DROP TABLE rate_windows;
DROP TABLE idempotency_keys;
DROP INDEX assessments_updated;
DROP INDEX candidate_sessions_updated;
ALTER TABLE candidate_sessions DROP COLUMN erased_at;
DROP INDEX users_invitation;
ALTER TABLE users DROP COLUMN removed_at;
ALTER TABLE users DROP COLUMN invitation_expires_at;
ALTER TABLE users DROP COLUMN invitation_hash;
