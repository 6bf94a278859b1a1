-- Times in these tables are microseconds since 1970. Queries pass them in JSON arrays,
-- from which both databases read numbers.

-- +goose Up
CREATE TABLE webhook_endpoints (
    id                   TEXT COLLATE "C" PRIMARY KEY,
    organization_id      TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    url                  TEXT NOT NULL,
    events               TEXT NOT NULL, -- event types, separated by spaces
    description          TEXT,
    enabled              BOOLEAN NOT NULL,
    disabled_reason      TEXT CHECK (disabled_reason IN ('ENDPOINT_GONE', 'FAILING', 'MANUAL')),
    secret               BYTEA NOT NULL, -- encrypted
    secret_hint          TEXT NOT NULL,
    next_secret          BYTEA, -- encrypted; signs from next_secret_at
    next_secret_hint     TEXT,
    next_secret_at       BIGINT,
    consecutive_failures INTEGER NOT NULL DEFAULT 0, -- attempts since the last success
    failed_deliveries    INTEGER NOT NULL DEFAULT 0, -- failed deliveries since the last success
    failing_since        BIGINT, -- the first failure since the last success
    last_success_at      BIGINT,
    last_failure_at      BIGINT,
    created_at           BIGINT NOT NULL,
    updated_at           BIGINT NOT NULL,
    deleted_at           BIGINT
);
CREATE INDEX webhook_endpoints_organization ON webhook_endpoints (organization_id, id) WHERE deleted_at IS NULL;

-- Deliveries that have not ended. The table is small, so that claims are fast.
-- run_at is when the next attempt is due. For a claimed delivery, run_at is when the
-- lease ends: if the dispatcher crashes, another one then claims the delivery.
CREATE TABLE webhook_queue (
    delivery_id     TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    webhook_id      TEXT COLLATE "C" NOT NULL REFERENCES webhook_endpoints (id),
    event_id        TEXT COLLATE "C" NOT NULL,
    event_type      TEXT NOT NULL,
    run_at          BIGINT NOT NULL,
    lease           TEXT NOT NULL, -- '' when no dispatcher has claimed it
    attempt         INTEGER NOT NULL, -- number of attempts so far
    created_at      BIGINT NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX webhook_queue_due ON webhook_queue (webhook_id, run_at, delivery_id);
CREATE INDEX webhook_queue_event ON webhook_queue (event_id);

-- Deliveries that have ended.
CREATE TABLE webhook_deliveries (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    webhook_id      TEXT COLLATE "C" NOT NULL,
    event_id        TEXT COLLATE "C" NOT NULL,
    event_type      TEXT NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('SUCCEEDED', 'FAILED', 'CANCELLED')),
    attempt         INTEGER NOT NULL,
    created_at      BIGINT NOT NULL,
    completed_at    BIGINT NOT NULL
) PARTITION BY RANGE (id);
-- +only postgres
CREATE TABLE webhook_deliveries_rest PARTITION OF webhook_deliveries DEFAULT;
-- +end
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id);

CREATE TABLE webhook_attempts (
    delivery_id    TEXT COLLATE "C" NOT NULL,
    number         INTEGER NOT NULL,
    started_at     BIGINT NOT NULL,
    duration_ms    INTEGER NOT NULL,
    status_code    INTEGER,
    failure_reason TEXT,
    response_body  TEXT NOT NULL,
    PRIMARY KEY (delivery_id, number)
) PARTITION BY RANGE (delivery_id);
-- +only postgres
CREATE TABLE webhook_attempts_rest PARTITION OF webhook_attempts DEFAULT;
-- +end

-- +goose Down
DROP TABLE webhook_attempts;
DROP TABLE webhook_deliveries;
DROP TABLE webhook_queue;
DROP TABLE webhook_endpoints;
