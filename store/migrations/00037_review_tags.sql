-- Tags of candidates. Each addition and removal is a row of its own. The previous binary does not use the tables.

-- +goose Up
-- The tags that sessions of an assessment have.
CREATE TABLE review_tags (
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    assessment_id   TEXT COLLATE "C" NOT NULL, -- '' for the tags of all assessments of the organization
    key             TEXT COLLATE "C" NOT NULL, -- the form in which names are compared
    name            TEXT NOT NULL, -- the first spelling
    session_count   INTEGER NOT NULL CHECK (session_count >= 0), -- without sessions, the row is deleted
    PRIMARY KEY (organization_id, assessment_id, key)
);

CREATE TABLE review_session_tags (
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL,
    tag_key         TEXT COLLATE "C" NOT NULL,
    tag             TEXT NOT NULL, -- its name, so that lists of sessions need no join
    PRIMARY KEY (session_id, tag_key),
    FOREIGN KEY (organization_id, assessment_id, tag_key) REFERENCES review_tags (organization_id, assessment_id, key)
);
CREATE INDEX review_session_tags_tag ON review_session_tags (organization_id, tag_key, session_id);

CREATE TABLE review_tag_changes (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    tag             TEXT NOT NULL, -- can contain personal data; an erasure deletes the row
    added           BOOLEAN NOT NULL, -- otherwise removed
    actor_type      TEXT NOT NULL,
    actor_id        TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX review_tag_changes_session ON review_tag_changes (organization_id, session_id, id);

-- +goose Down
DROP TABLE review_tag_changes;
DROP TABLE review_session_tags;
DROP TABLE review_tags;
