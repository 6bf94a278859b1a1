-- Replays whose deliveries have not been queued. The previous binary queues all deliveries in the request,
-- and leaves this table to the new one.

-- +goose Up
-- A row is a part of a replay.
CREATE TABLE webhook_replays (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    webhook_id      TEXT COLLATE "C" NOT NULL,
    event_ids       TEXT NOT NULL, -- a JSON array
    event_count     INTEGER NOT NULL
);
CREATE INDEX webhook_replays_webhook ON webhook_replays (webhook_id, id);
CREATE INDEX webhook_replays_organization ON webhook_replays (organization_id);

-- +goose Down
DROP TABLE webhook_replays;
