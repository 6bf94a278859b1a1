-- An endpoint can be enabled while the deliveries from before it was disabled are still being cancelled. Those that
-- were created before this time (microseconds since 1970) are not sent. Null when there are none. The previous binary
-- ignores the time: while it runs, it can send deliveries to an endpoint that the new one has enabled.

-- +goose Up
ALTER TABLE webhook_endpoints ADD COLUMN cancelled_before BIGINT;

-- +goose Down
ALTER TABLE webhook_endpoints DROP COLUMN cancelled_before;
