-- Repeated attempts of one person at an assessment and its copies. The previous binary neither reads nor writes the
-- columns: it does not check the rule, and the copies that it makes belong to no original.

-- +goose NO TRANSACTION
-- +goose Up
ALTER TABLE assessments ADD COLUMN IF NOT EXISTS repeat_rule TEXT NOT NULL DEFAULT 'ALLOWED'; -- rules.RepeatRule
ALTER TABLE assessments ADD COLUMN IF NOT EXISTS repeat_after_days INTEGER NOT NULL DEFAULT 180;
-- Of a copy, the assessment from which it and its siblings descend; null for an original. It has no foreign key, because
-- an original that is a draft can be deleted.
ALTER TABLE assessments ADD COLUMN IF NOT EXISTS origin_id TEXT COLLATE "C";
DROP INDEX CONCURRENTLY IF EXISTS assessments_origin;
CREATE INDEX CONCURRENTLY assessments_origin ON assessments (organization_id, origin_id) WHERE origin_id IS NOT NULL;

-- +goose Down
DROP INDEX assessments_origin;
ALTER TABLE assessments DROP COLUMN origin_id;
ALTER TABLE assessments DROP COLUMN repeat_after_days;
ALTER TABLE assessments DROP COLUMN repeat_rule;
