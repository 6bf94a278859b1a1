-- Limits of emails: which emails were counted, and why one was not sent. The previous binary neither counts nor withholds
-- emails. It leaves the reason of an earlier email in a session whose invite it renews, so a reason counts only beside a
-- failure.
--
-- The table candidate_sessions is changed while the previous binary writes, so this file does not run in a transaction,
-- and each statement can run again after a failure.

-- +oldest 00016
-- +goose NO TRANSACTION

-- +goose Up
ALTER TABLE emails ADD COLUMN IF NOT EXISTS counted_at TIMESTAMPTZ; -- when it was counted for the limits; a retry is not counted again
ALTER TABLE emails ADD COLUMN IF NOT EXISTS reason TEXT; -- store.EmailReason, of the latest attempt
ALTER TABLE candidate_sessions ADD COLUMN IF NOT EXISTS email_reason TEXT; -- the same of the email with the invite

-- +goose Down
ALTER TABLE candidate_sessions DROP COLUMN email_reason;
ALTER TABLE emails DROP COLUMN reason;
ALTER TABLE emails DROP COLUMN counted_at;
