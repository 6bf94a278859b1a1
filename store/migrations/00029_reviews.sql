-- Reviews: what a hiring team decides and says about candidates. Each change of a state and each comment is a row of its
-- own, so that nobody overwrites another person's words. The previous binary does not use the tables.

-- +goose Up
-- The states of an organization. Without rows, it has those of store.defaultStates.
CREATE TABLE review_states (
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    id              TEXT COLLATE "C" NOT NULL,
    name            TEXT NOT NULL,
    position        INTEGER NOT NULL,
    archived        BOOLEAN NOT NULL,
    version         INTEGER NOT NULL, -- of the list: the highest one of its rows
    PRIMARY KEY (organization_id, id)
);

-- A session without a row is in the state new.
CREATE TABLE reviews (
    session_id      TEXT COLLATE "C" PRIMARY KEY REFERENCES candidate_sessions (id),
    organization_id TEXT COLLATE "C" NOT NULL,
    state_id        TEXT COLLATE "C" NOT NULL,
    CONSTRAINT reviews_state_exists FOREIGN KEY (organization_id, state_id) REFERENCES review_states (organization_id, id)
);
CREATE INDEX reviews_state ON reviews (organization_id, state_id, session_id);

-- Each change of a state, with the names that the states had.
CREATE TABLE review_changes (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    from_id         TEXT COLLATE "C" NOT NULL,
    from_name       TEXT NOT NULL,
    to_id           TEXT COLLATE "C" NOT NULL,
    to_name         TEXT NOT NULL,
    reason          TEXT, -- can contain personal data; an erasure removes it
    actor_type      TEXT NOT NULL,
    actor_id        TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX review_changes_session ON review_changes (organization_id, session_id, id);

CREATE TABLE review_comments (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    text            TEXT NOT NULL, -- '' after an erasure
    actor_type      TEXT NOT NULL,
    actor_id        TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    edited_at       TIMESTAMPTZ
);
CREATE INDEX review_comments_session ON review_comments (organization_id, session_id, id);

-- +goose Down
DROP TABLE review_comments;
DROP TABLE review_changes;
DROP TABLE reviews;
DROP TABLE review_states;
