-- The newest deliveries of an event are read in the order of their ids: an event that is
-- replayed has any number of them. The new indexes replace those of the event alone, also
-- for the previous binary. Repeatable on PostgreSQL: see 00006_session_filters.sql.
--
-- webhook_deliveries is partitioned: store/internal/db/postgres_indexes.go builds the
-- index for each partition, and drops the one that it replaces after that.

-- +goose NO TRANSACTION

-- +goose Up
CREATE INDEX IF NOT EXISTS webhook_deliveries_event_newest ON ONLY webhook_deliveries (event_id, id);
DROP INDEX CONCURRENTLY IF EXISTS webhook_queue_event_newest;
CREATE INDEX CONCURRENTLY webhook_queue_event_newest ON webhook_queue (event_id, delivery_id);
DROP INDEX CONCURRENTLY IF EXISTS webhook_queue_event;
-- +only sqlite
DROP INDEX webhook_deliveries_event;
-- +end

-- +goose Down
CREATE INDEX IF NOT EXISTS webhook_deliveries_event ON webhook_deliveries (event_id);
CREATE INDEX webhook_queue_event ON webhook_queue (event_id);
DROP INDEX webhook_queue_event_newest;
DROP INDEX webhook_deliveries_event_newest;
