-- Emails to candidates about changes of their state. The previous binary does not use the tables. It cancels such an
-- email neither when the state changes again nor when it sends, because it does not know the kind: it tries the email
-- again later, as after an error.

-- +goose Up
-- The words of the organization for the emails that one request has planned. An erasure of their last candidate
-- empties them.
CREATE TABLE IF NOT EXISTS review_email_batches (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    subject         TEXT NOT NULL, -- with placeholders, as the text
    text            TEXT NOT NULL,
    send_at         TIMESTAMPTZ NOT NULL
);

-- One email of a batch. What became of it is in the row of emails with the same id; without one, an erasure has removed
-- it before it was sent. A change of a state has at most one email.
CREATE TABLE IF NOT EXISTS review_emails (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    batch_id        TEXT COLLATE "C" NOT NULL REFERENCES review_email_batches (id),
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    change_id       TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES review_changes (id),
    cancelled_type  TEXT, -- who cancelled it: store.ActorType
    cancelled_by    TEXT COLLATE "C"
);
CREATE INDEX IF NOT EXISTS review_emails_batch ON review_emails (organization_id, batch_id, session_id);
CREATE INDEX IF NOT EXISTS review_emails_session ON review_emails (organization_id, session_id, id);

-- +goose Down
DROP TABLE review_emails;
DROP TABLE review_email_batches;
