-- People are invited and removed; requests are done once, counted and audited;
-- candidates' data can be erased. All of it is beside what the binary before
-- this one reads and writes.

-- +goose Up
ALTER TABLE users ADD COLUMN invitation_hash BYTEA; -- SHA-256 of the token; null once it is accepted
ALTER TABLE users ADD COLUMN invitation_expires_at TIMESTAMPTZ;
-- Who was removed stays as a row, because keys and the audit log name them;
-- email_key is given free, and no password matches.
ALTER TABLE users ADD COLUMN removed_at TIMESTAMPTZ;
CREATE UNIQUE INDEX users_invitation ON users (invitation_hash) WHERE invitation_hash IS NOT NULL;

ALTER TABLE candidate_sessions ADD COLUMN erased_at TIMESTAMPTZ;
CREATE INDEX candidate_sessions_updated ON candidate_sessions (organization_id, updated_at);
CREATE INDEX assessments_updated ON assessments (organization_id, updated_at);

-- What requests with an Idempotency-Key gave, kept for a day.
CREATE TABLE idempotency_keys (
    organization_id TEXT COLLATE "C" NOT NULL, -- '' for registrations
    operation       TEXT NOT NULL,
    key_hash        BYTEA NOT NULL,
    fingerprint     BYTEA NOT NULL, -- SHA-256 of what was asked for
    subjects        TEXT NOT NULL, -- ids of the sessions in it, each between spaces
    outcome         BYTEA, -- encrypted, readable with the key only; null when it was erased
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, operation, key_hash)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

-- Requests counted across replicas: one row per limit and whom it holds.
CREATE TABLE rate_windows (
    bucket   TEXT COLLATE "C" PRIMARY KEY,
    requests INTEGER NOT NULL,
    ends_at  TIMESTAMPTZ NOT NULL
);
CREATE INDEX rate_windows_ends ON rate_windows (ends_at);

CREATE TABLE audit_log (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL, -- '' when nobody's account was tried
    action          TEXT NOT NULL,
    actor_type      TEXT NOT NULL CHECK (actor_type IN ('USER', 'API_KEY', 'ANONYMOUS')),
    actor_id        TEXT COLLATE "C",
    resource_id     TEXT COLLATE "C" NOT NULL,
    ip              TEXT NOT NULL,
    request_id      TEXT NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX audit_log_organization ON audit_log (organization_id, id);

-- The processes that write, and until when they were seen to live.
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
