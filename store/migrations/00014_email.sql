-- Emails. The previous binary ignores the tables and the columns. It neither queues nor sends
-- emails, and the invites that it makes have the status NONE.
--
-- The table candidate_sessions is changed while the previous binary writes, so this file does
-- not run in a transaction, and each statement can run again after a failure.

-- +goose NO TRANSACTION

-- +goose Up
-- The queue of the emails, and what became of them. A row refers to what the email is about,
-- and contains neither an address nor a token. A queued email that is not ready is due at
-- run_at: then its first attempt or its next one begins, or the lease of the present one ends.
CREATE TABLE IF NOT EXISTS emails (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL, -- '' for a password that nobody has
    kind            TEXT NOT NULL, -- store.EmailKind
    session_id      TEXT COLLATE "C", -- to its candidate
    user_id         TEXT COLLATE "C", -- to the member or the invited person with this id
    subject_id      TEXT COLLATE "C", -- an audit entry, a webhook endpoint, or a password reset
    status          TEXT NOT NULL CHECK (status IN ('QUEUED', 'SENT', 'FAILED', 'CANCELLED')),
    lane            TEXT COLLATE "C" NOT NULL, -- lanes take turns, see store/emails_queue.go
    ready           BOOLEAN NOT NULL, -- can be claimed
    run_at          TIMESTAMPTZ NOT NULL,
    lease           TEXT NOT NULL, -- '' when no worker has claimed it
    attempt         INTEGER NOT NULL, -- number of attempts so far
    failure         TEXT, -- of the latest attempt
    created_at      TIMESTAMPTZ NOT NULL,
    ended_at        TIMESTAMPTZ -- when it was sent, has failed, or was cancelled
);
CREATE INDEX IF NOT EXISTS emails_ready ON emails (lane, id) WHERE ready;
CREATE INDEX IF NOT EXISTS emails_scheduled ON emails (ready, run_at) WHERE status = 'QUEUED';
CREATE INDEX IF NOT EXISTS emails_tried ON emails (run_at) WHERE status = 'QUEUED' AND attempt > 0;
CREATE INDEX IF NOT EXISTS emails_session ON emails (organization_id, session_id, id) WHERE session_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS emails_user ON emails (organization_id, user_id, kind) WHERE status = 'QUEUED';
-- A member has at most one queued email about finished candidates.
CREATE UNIQUE INDEX IF NOT EXISTS emails_finished ON emails (user_id) WHERE kind = 'FINISHED' AND status = 'QUEUED';
CREATE INDEX IF NOT EXISTS emails_ended ON emails (ended_at) WHERE ended_at IS NOT NULL AND session_id IS NULL;

-- Links with which people reset their passwords. A row is written when the email with its
-- link is sent, and again when the email is sent again.
CREATE TABLE IF NOT EXISTS password_resets (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    user_id         TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    created_at      TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS password_resets_user ON password_resets (organization_id, user_id);
CREATE INDEX IF NOT EXISTS password_resets_created ON password_resets (created_at);

-- Members who receive an email when candidates of an assessment finish.
CREATE TABLE IF NOT EXISTS assessment_subscriptions (
    assessment_id   TEXT COLLATE "C" NOT NULL REFERENCES assessments (id) ON DELETE CASCADE, -- for the previous binary
    user_id         TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    organization_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (assessment_id, user_id)
);
CREATE INDEX IF NOT EXISTS assessment_subscriptions_user ON assessment_subscriptions (organization_id, user_id);

-- Finished sessions that the next email to a member names.
CREATE TABLE IF NOT EXISTS finished_notices (
    user_id         TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    session_id      TEXT COLLATE "C" NOT NULL,
    organization_id TEXT COLLATE "C" NOT NULL,
    email_id        TEXT COLLATE "C", -- the email that names it; null until that is sent
    PRIMARY KEY (user_id, session_id)
);

ALTER TABLE candidate_sessions ADD COLUMN IF NOT EXISTS email_status TEXT NOT NULL DEFAULT 'NONE'; -- of the latest invite
ALTER TABLE candidate_sessions ADD COLUMN IF NOT EXISTS email_sent_at TIMESTAMPTZ;
ALTER TABLE candidate_sessions ADD COLUMN IF NOT EXISTS email_failure TEXT;
ALTER TABLE candidate_sessions ADD COLUMN IF NOT EXISTS reminders_off BOOLEAN NOT NULL DEFAULT FALSE; -- the candidate wants none
ALTER TABLE assessments ADD COLUMN IF NOT EXISTS invite_message TEXT; -- Markdown
ALTER TABLE assessments ADD COLUMN IF NOT EXISTS remind_after_hours TEXT NOT NULL DEFAULT '[]'; -- JSON
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS mail_from_name TEXT;
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS mail_reply_to TEXT;
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS send_invite_email BOOLEAN NOT NULL DEFAULT FALSE;
-- The link of an invitation follows from its id and its generation, so that an email can repeat it.
ALTER TABLE invitations ADD COLUMN IF NOT EXISTS generation INTEGER NOT NULL DEFAULT 1;

-- +goose Down
ALTER TABLE invitations DROP COLUMN generation;
ALTER TABLE organizations DROP COLUMN send_invite_email;
ALTER TABLE organizations DROP COLUMN mail_reply_to;
ALTER TABLE organizations DROP COLUMN mail_from_name;
ALTER TABLE assessments DROP COLUMN remind_after_hours;
ALTER TABLE assessments DROP COLUMN invite_message;
ALTER TABLE candidate_sessions DROP COLUMN reminders_off;
ALTER TABLE candidate_sessions DROP COLUMN email_failure;
ALTER TABLE candidate_sessions DROP COLUMN email_sent_at;
ALTER TABLE candidate_sessions DROP COLUMN email_status;
DROP TABLE finished_notices;
DROP TABLE assessment_subscriptions;
DROP TABLE password_resets;
DROP TABLE emails;
