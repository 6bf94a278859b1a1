-- What an earlier migration has replaced. Each start of the releases up to 1.0.1 has dropped both, unless another
-- session used the tables.

-- +oldest 00015
-- +goose Up
DROP INDEX IF EXISTS webhook_deliveries_event; -- replaced by webhook_deliveries_event_newest
-- Each queued delivery would lock the row of its endpoint and look it up again, although the statement that queues it
-- has just read it there, and endpoints are only marked as deleted.
-- +only postgres
ALTER TABLE webhook_queue DROP CONSTRAINT IF EXISTS webhook_queue_webhook_id_fkey;
-- +end

-- +goose Down
