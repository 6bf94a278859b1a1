-- Links with which people register themselves as candidates of an assessment. The previous binary does not use the
-- tables, and shows no page for a link. It cannot send an email of the kind REGISTRATION, and tries again later.

-- +goose Up
CREATE TABLE IF NOT EXISTS registration_links (
    assessment_id     TEXT COLLATE "C" PRIMARY KEY REFERENCES assessments (id),
    organization_id   TEXT COLLATE "C" NOT NULL,
    token             TEXT COLLATE "C" NOT NULL UNIQUE, -- stands in job advertisements, so it is no secret
    is_open           BOOLEAN NOT NULL,
    max_registrations INTEGER, -- null for no limit
    ends_at           TIMESTAMPTZ, -- null for no end
    name_required     BOOLEAN NOT NULL,
    introduction      TEXT,
    used              INTEGER NOT NULL, -- sessions that registrations have created
    created_at        TIMESTAMPTZ NOT NULL
);

-- People who have entered their address and must prove it. A row is removed when it expires.
CREATE TABLE IF NOT EXISTS registrations (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL REFERENCES assessments (id),
    token           TEXT COLLATE "C" NOT NULL, -- of the link
    email           TEXT NOT NULL,
    email_key       TEXT COLLATE "C" NOT NULL, -- see store.emailKey
    name            TEXT NOT NULL, -- '' if the person has given none
    locale          TEXT NOT NULL, -- of the page; BCP 47
    expires_at      TIMESTAMPTZ NOT NULL,
    UNIQUE (assessment_id, email_key)
);
CREATE INDEX IF NOT EXISTS registrations_person ON registrations (organization_id, email_key);
CREATE INDEX IF NOT EXISTS registrations_expired ON registrations (expires_at);

-- +goose Down
DROP TABLE registrations;
DROP TABLE registration_links;
