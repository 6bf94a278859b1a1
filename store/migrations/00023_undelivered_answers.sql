-- The answers that the candidate's page could not deliver, for example because a firewall does not let them pass. The
-- page reports them, the timeline shows them, and nothing is scored by them. They contain nothing that a person wrote.

-- +goose Up
CREATE TABLE IF NOT EXISTS candidate_session_undelivered (
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    stage_id        TEXT COLLATE "C" NOT NULL,
    question_id     TEXT COLLATE "C" NOT NULL,
    reported_at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (session_id, question_id)
);

-- +goose Down
DROP TABLE candidate_session_undelivered;
