-- Indexes for the filters of events, deliveries, and the audit log; what each endpoint
-- answered, by hours; where people are signed in. The previous binary ignores the table
-- and the columns.
--
-- An index is built while the previous binary writes, so this file is no transaction,
-- and each statement can run again after a failure. The tables events and
-- webhook_deliveries are partitioned, and CONCURRENTLY does not work on them: ON ONLY
-- declares an index, and store/internal/db/postgres_indexes.go builds it for each partition.

-- +goose NO TRANSACTION

-- +goose Up
ALTER TABLE logins ADD COLUMN IF NOT EXISTS ip TEXT NOT NULL DEFAULT '';
ALTER TABLE logins ADD COLUMN IF NOT EXISTS user_agent TEXT NOT NULL DEFAULT '';

-- The attempts of an endpoint in an hour that took about equally long. hour is the
-- hour's start, in microseconds since 1970. bucket is a range of durations; see
-- store/webhooks_statistics.go.
CREATE TABLE IF NOT EXISTS webhook_statistics (
    organization_id TEXT COLLATE "C" NOT NULL,
    webhook_id      TEXT COLLATE "C" NOT NULL REFERENCES webhook_endpoints (id),
    hour            BIGINT NOT NULL,
    bucket          INTEGER NOT NULL,
    succeeded       BIGINT NOT NULL,
    failed          BIGINT NOT NULL,
    PRIMARY KEY (webhook_id, hour, bucket)
);
CREATE INDEX IF NOT EXISTS webhook_statistics_hour ON webhook_statistics (hour);

CREATE INDEX IF NOT EXISTS events_type ON ONLY events (organization_id, type, id);
CREATE INDEX IF NOT EXISTS webhook_deliveries_organization ON ONLY webhook_deliveries (organization_id, id);
CREATE INDEX IF NOT EXISTS webhook_deliveries_type ON ONLY webhook_deliveries (organization_id, event_type, id);
-- Nearly all deliveries succeed, and these two cost them nothing.
CREATE INDEX IF NOT EXISTS webhook_deliveries_status ON ONLY webhook_deliveries (organization_id, status, id)
    WHERE status <> 'SUCCEEDED';
CREATE INDEX IF NOT EXISTS webhook_deliveries_webhook_status ON ONLY webhook_deliveries (webhook_id, status, id)
    WHERE status <> 'SUCCEEDED';

DROP INDEX CONCURRENTLY IF EXISTS webhook_queue_organization;
CREATE INDEX CONCURRENTLY webhook_queue_organization ON webhook_queue (organization_id, delivery_id);
DROP INDEX CONCURRENTLY IF EXISTS audit_log_action;
CREATE INDEX CONCURRENTLY audit_log_action ON audit_log (organization_id, action, id);
DROP INDEX CONCURRENTLY IF EXISTS audit_log_actor;
CREATE INDEX CONCURRENTLY audit_log_actor ON audit_log (organization_id, actor_id, id);

-- +goose Down
DROP INDEX audit_log_actor;
DROP INDEX audit_log_action;
DROP INDEX webhook_queue_organization;
DROP INDEX webhook_deliveries_webhook_status;
DROP INDEX webhook_deliveries_status;
DROP INDEX webhook_deliveries_type;
DROP INDEX webhook_deliveries_organization;
DROP INDEX events_type;
DROP TABLE webhook_statistics;
ALTER TABLE logins DROP COLUMN user_agent;
ALTER TABLE logins DROP COLUMN ip;
