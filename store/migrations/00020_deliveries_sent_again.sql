-- A replay of the events that have not arrived reads the deliveries that failed in the order of their events,
-- and of the others only those that were sent again: the id of a first delivery is made in the same millisecond
-- as that of its event. Nearly all deliveries are first ones and succeed, and have no entry in either index.
--
-- webhook_deliveries is partitioned: store/internal/db/postgres_indexes.go builds the indexes for each partition.

-- +goose NO TRANSACTION

-- +goose Up
CREATE INDEX IF NOT EXISTS webhook_deliveries_not_succeeded
    ON ONLY webhook_deliveries (webhook_id, status, event_id, id, event_type) WHERE status <> 'SUCCEEDED';
CREATE INDEX IF NOT EXISTS webhook_deliveries_succeeded_again
    ON ONLY webhook_deliveries (webhook_id, event_id, id, event_type)
    WHERE status = 'SUCCEEDED' AND substr(id, 5, 10) <> substr(event_id, 5, 10);

-- +goose Down
DROP INDEX webhook_deliveries_succeeded_again;
DROP INDEX webhook_deliveries_not_succeeded;
