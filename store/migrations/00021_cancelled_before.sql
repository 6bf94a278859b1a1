-- An endpoint can be enabled while the deliveries from before it was disabled are still being cancelled. Those that
-- were created before this time (microseconds since 1970) are not sent. Null when there are none.

-- +goose Up
ALTER TABLE webhook_endpoints ADD COLUMN cancelled_before BIGINT;

-- +goose Down
ALTER TABLE webhook_endpoints DROP COLUMN cancelled_before;
