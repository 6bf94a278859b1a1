-- The trace of the request that caused an event, in the form of the header traceparent (W3C Trace Context). Deliveries carry
-- it on. It is '' if the request had none, and for events of the previous binary, which sends no trace.

-- +oldest 00016
-- +goose Up
ALTER TABLE events ADD COLUMN IF NOT EXISTS traceparent TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE events DROP COLUMN traceparent;
