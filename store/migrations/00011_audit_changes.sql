-- What an action has changed, and the index for the entry to which further edits of an
-- assessment are added. The previous binary ignores both.
--
-- An index is built while the previous binary writes, so this file does not run in a transaction,
-- and each statement can run again after a failure.

-- +goose NO TRANSACTION

-- +goose Up
-- A JSON array of objects with field, from, and to; NULL if the action changes no field.
ALTER TABLE audit_log ADD COLUMN IF NOT EXISTS changes TEXT;

DROP INDEX CONCURRENTLY IF EXISTS audit_log_edits;
CREATE INDEX CONCURRENTLY audit_log_edits ON audit_log (organization_id, resource_id, actor_id, id)
    WHERE action = 'ASSESSMENT_UPDATED';

-- +goose Down
DROP INDEX audit_log_edits;
ALTER TABLE audit_log DROP COLUMN changes;
