-- Revisions of answers, stages that wait for their start, abandoned sessions, and
-- acknowledgements. The previous binary neither reads nor writes the new columns: what
-- it saves has no page, and the stages that it opens are never ready.

-- +goose Up
ALTER TABLE answers ADD COLUMN revision BIGINT NOT NULL DEFAULT 1; -- number of saves
ALTER TABLE answers ADD COLUMN client_id TEXT NOT NULL DEFAULT ''; -- the open page that saved it
ALTER TABLE answers ADD COLUMN client_revision BIGINT NOT NULL DEFAULT 0; -- the page's own counter

ALTER TABLE candidate_sessions ADD COLUMN stage_ready BOOLEAN NOT NULL DEFAULT FALSE; -- the current stage waits
ALTER TABLE candidate_sessions ADD COLUMN acknowledged_at TIMESTAMPTZ;

-- NOT VALID, because every row satisfies the narrower constraint that this one replaces.
-- +only postgres
ALTER TABLE candidate_sessions DROP CONSTRAINT candidate_sessions_close_reason_check,
    ADD CONSTRAINT candidate_sessions_close_reason_check
    CHECK (close_reason IN ('SUBMITTED', 'TIME_EXPIRED', 'ABANDONED', 'STAGE_GATE', 'CANCELLED', 'INVITE_EXPIRED')) NOT VALID;
-- +end
-- SQLite cannot change a constraint, only replace its column.
-- +only sqlite
ALTER TABLE candidate_sessions ADD COLUMN reason TEXT CHECK (reason IN ('SUBMITTED', 'TIME_EXPIRED', 'ABANDONED', 'STAGE_GATE', 'CANCELLED', 'INVITE_EXPIRED'));
UPDATE candidate_sessions SET reason = close_reason WHERE close_reason IS NOT NULL;
ALTER TABLE candidate_sessions DROP COLUMN close_reason;
ALTER TABLE candidate_sessions RENAME COLUMN reason TO close_reason;
-- +end

-- +goose Down
-- The constraint stays: the previous binary writes none of the values that it does not know.
ALTER TABLE candidate_sessions DROP COLUMN acknowledged_at;
ALTER TABLE candidate_sessions DROP COLUMN stage_ready;
ALTER TABLE answers DROP COLUMN client_revision;
ALTER TABLE answers DROP COLUMN client_id;
ALTER TABLE answers DROP COLUMN revision;
