-- Reviews: what a hiring team decides and says about candidates. A state, a tag, a rating, and a comment is a row of its
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

-- A session without a row is in the state new, and has neither tags nor ratings.
CREATE TABLE reviews (
    session_id      TEXT COLLATE "C" PRIMARY KEY REFERENCES candidate_sessions (id),
    organization_id TEXT COLLATE "C" NOT NULL,
    state_id        TEXT COLLATE "C" NOT NULL,
    rating          DOUBLE PRECISION, -- the average of review_ratings
    rating_count    INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT reviews_state_exists FOREIGN KEY (organization_id, state_id) REFERENCES review_states (organization_id, id)
);
CREATE INDEX reviews_state ON reviews (organization_id, state_id, session_id);
CREATE INDEX reviews_rating ON reviews (organization_id, rating, session_id) WHERE rating IS NOT NULL;

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

CREATE TABLE review_ratings (
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    user_id         TEXT COLLATE "C" NOT NULL,
    rating          INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
    updated_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (session_id, user_id)
);

-- The tags of an organization. tag is the form in which tags are compared, see store.tagKey.
CREATE TABLE review_tags (
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    tag             TEXT COLLATE "C" NOT NULL,
    name            TEXT NOT NULL, -- as it was first typed
    PRIMARY KEY (organization_id, tag)
);

CREATE TABLE reviews_tagged (
    organization_id TEXT COLLATE "C" NOT NULL,
    tag             TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    PRIMARY KEY (organization_id, tag, session_id),
    CONSTRAINT reviews_tagged_exists FOREIGN KEY (organization_id, tag) REFERENCES review_tags (organization_id, tag)
);
CREATE INDEX reviews_tagged_session ON reviews_tagged (organization_id, session_id, tag);

-- The texts of emails to candidates about a decision, which wait in emails as subject_id. A row is deleted by an erasure.
CREATE TABLE review_emails (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    subject         TEXT NOT NULL,
    text            TEXT NOT NULL, -- with placeholders
    actor_type      TEXT NOT NULL,
    actor_id        TEXT COLLATE "C" NOT NULL,
    send_at         TIMESTAMPTZ NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX review_emails_session ON review_emails (organization_id, session_id, id);

-- +goose Down
DROP TABLE review_emails;
DROP TABLE reviews_tagged;
DROP TABLE review_tags;
DROP TABLE review_ratings;
DROP TABLE review_comments;
DROP TABLE review_changes;
DROP TABLE reviews;
DROP TABLE review_states;
