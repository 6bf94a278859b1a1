-- This file is written for PostgreSQL. store/internal/db/sqlite.go translates it for SQLite.
-- Every table of an organization has organization_id, because every tenant query begins with it.

-- +goose Up
CREATE TABLE organizations (
    id                 TEXT COLLATE "C" PRIMARY KEY,
    name               TEXT NOT NULL,
    redirect_url       TEXT,
    invite_expiry_days INTEGER NOT NULL,
    created_at         TIMESTAMPTZ NOT NULL,
    updated_at         TIMESTAMPTZ NOT NULL
);

CREATE TABLE users (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    name            TEXT NOT NULL,
    email           TEXT NOT NULL,
    email_key       TEXT NOT NULL, -- the address in lower case, which is unique
    password_hash   TEXT NOT NULL,
    role            TEXT NOT NULL CHECK (role IN ('OWNER', 'ADMIN', 'MEMBER')),
    created_at      TIMESTAMPTZ NOT NULL,
    updated_at      TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX users_email_key ON users (email_key);
CREATE INDEX users_organization ON users (organization_id, id);

-- One row per sign-in. generation counts the refresh tokens that were issued.
-- rotated_at is when the last one was issued.
CREATE TABLE logins (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    user_id         TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    generation      INTEGER NOT NULL,
    rotated_at      TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ NOT NULL,
    ended_at        TIMESTAMPTZ,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX logins_user ON logins (user_id) WHERE ended_at IS NULL;
CREATE INDEX logins_expires ON logins (expires_at);

CREATE TABLE api_keys (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    name            TEXT NOT NULL,
    key_hash        BYTEA NOT NULL, -- SHA-256 of the key
    prefix          TEXT NOT NULL,
    last4           TEXT NOT NULL,
    scopes          TEXT NOT NULL, -- separated by spaces
    created_by      TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    created_at      TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ,
    last_used_at    TIMESTAMPTZ,
    revoked_at      TIMESTAMPTZ
);
CREATE UNIQUE INDEX api_keys_key_hash ON api_keys (key_hash);
CREATE INDEX api_keys_organization ON api_keys (organization_id, id);

CREATE TABLE assessments (
    id                 TEXT COLLATE "C" PRIMARY KEY,
    organization_id    TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    title              TEXT NOT NULL,
    description        TEXT,
    status             TEXT NOT NULL CHECK (status IN ('DRAFT', 'PUBLISHED', 'ARCHIVED')),
    passing_score      DOUBLE PRECISION,
    time_limit_minutes INTEGER,
    invite_expiry_days INTEGER NOT NULL,
    redirect_url       TEXT,
    stage_count        INTEGER NOT NULL,
    question_count     INTEGER NOT NULL,
    max_points         DOUBLE PRECISION NOT NULL,
    definition         TEXT NOT NULL, -- JSON; does not change after publishing
    created_at         TIMESTAMPTZ NOT NULL,
    updated_at         TIMESTAMPTZ NOT NULL,
    published_at       TIMESTAMPTZ,
    archived_at        TIMESTAMPTZ
);
CREATE INDEX assessments_organization ON assessments (organization_id, id);

CREATE TABLE candidate_sessions (
    id                  TEXT COLLATE "C" PRIMARY KEY,
    organization_id     TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    assessment_id       TEXT COLLATE "C" NOT NULL REFERENCES assessments (id),
    assessment_title    TEXT NOT NULL, -- a copy: a published assessment never changes
    candidate_name      TEXT NOT NULL,
    candidate_email     TEXT NOT NULL,
    candidate_email_key TEXT NOT NULL, -- the address in lower case, for comparisons
    external_id         TEXT,
    metadata            TEXT NOT NULL, -- JSON
    status              TEXT NOT NULL CHECK (status IN ('INVITED', 'IN_PROGRESS', 'COMPLETED', 'DISQUALIFIED', 'EXPIRED', 'CANCELLED')),
    attempt             INTEGER NOT NULL,
    invite_generation   INTEGER NOT NULL, -- links of earlier generations are invalid
    redirect_url        TEXT,
    extra_time_percent  INTEGER NOT NULL,
    invited_at          TIMESTAMPTZ NOT NULL,
    expires_at          TIMESTAMPTZ NOT NULL,
    started_at          TIMESTAMPTZ,
    deadline_at         TIMESTAMPTZ,
    due_at              TIMESTAMPTZ, -- the next deadline; null when the session has ended
    completed_at        TIMESTAMPTZ,
    disqualified_at     TIMESTAMPTZ,
    cancelled_at        TIMESTAMPTZ,
    close_reason        TEXT CHECK (close_reason IN ('SUBMITTED', 'TIME_EXPIRED', 'STAGE_GATE', 'CANCELLED', 'INVITE_EXPIRED')),
    current_stage_id    TEXT COLLATE "C",
    score               DOUBLE PRECISION,
    passed              BOOLEAN,
    progress            TEXT NOT NULL, -- JSON: the stages, their times and scores
    result              TEXT, -- JSON: written once, when the session is finished
    created_at          TIMESTAMPTZ NOT NULL,
    updated_at          TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX candidate_sessions_attempt ON candidate_sessions (assessment_id, candidate_email_key, attempt);
CREATE INDEX candidate_sessions_organization ON candidate_sessions (organization_id, id);
CREATE INDEX candidate_sessions_assessment ON candidate_sessions (organization_id, assessment_id, id);
CREATE INDEX candidate_sessions_email ON candidate_sessions (organization_id, candidate_email_key, id);
CREATE INDEX candidate_sessions_external ON candidate_sessions (organization_id, external_id, id) WHERE external_id IS NOT NULL;
CREATE INDEX candidate_sessions_due ON candidate_sessions (due_at) WHERE due_at IS NOT NULL;

-- The number of completed sessions of an assessment with each score. Percentiles
-- are computed from it, without reading every session.
CREATE TABLE score_counts (
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL REFERENCES assessments (id),
    score           DOUBLE PRECISION NOT NULL,
    completions     INTEGER NOT NULL,
    PRIMARY KEY (assessment_id, score)
);

CREATE TABLE answers (
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    question_id     TEXT COLLATE "C" NOT NULL,
    answer          TEXT NOT NULL, -- JSON
    saved_at        TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (session_id, question_id)
);

-- Partitioned by the day in the id. store/retention.go creates the partitions.
CREATE TABLE events (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    type            TEXT NOT NULL,
    subject_id      TEXT COLLATE "C" NOT NULL, -- the session or assessment that the event is about
    body            TEXT NOT NULL, -- the JSON that every delivery sends
    created_at      TIMESTAMPTZ NOT NULL
) PARTITION BY RANGE (id);
-- +only postgres
CREATE TABLE events_rest PARTITION OF events DEFAULT;
-- +end
CREATE INDEX events_organization ON events (organization_id, id);
CREATE INDEX events_subject ON events (organization_id, subject_id);

-- +goose Down
DROP TABLE events;
DROP TABLE answers;
DROP TABLE score_counts;
DROP TABLE candidate_sessions;
DROP TABLE assessments;
DROP TABLE api_keys;
DROP TABLE logins;
DROP TABLE users;
DROP TABLE organizations;
