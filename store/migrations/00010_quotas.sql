-- What the quotas of an organization count. The previous binary ignores the column, and
-- what it writes is measured too. Repeatable on PostgreSQL: see 00006_session_filters.sql.

-- +goose NO TRANSACTION
-- +goose Up

-- The size of the definition. The store never writes it. A generated column would lock
-- the table on PostgreSQL while it is added, so a trigger fills it there.
-- +only postgres
ALTER TABLE assessments ADD COLUMN IF NOT EXISTS definition_bytes BIGINT;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION measure_definition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.definition_bytes := octet_length(NEW.definition);
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER definition_of_assessment BEFORE INSERT OR UPDATE OF definition ON assessments
    FOR EACH ROW EXECUTE FUNCTION measure_definition();
-- A change of an assessment waits for the transaction that measures the assessment.
-- +goose StatementBegin
DO $$
DECLARE
    done TEXT := '';
    last TEXT;
BEGIN
    LOOP
        SELECT MAX(id) INTO last FROM (SELECT id FROM assessments WHERE id > done ORDER BY id LIMIT 100) batch;
        EXIT WHEN last IS NULL;
        UPDATE assessments SET definition_bytes = octet_length(definition)
            WHERE id > done AND id <= last AND definition_bytes IS NULL;
        COMMIT;
        done := last;
    END LOOP;
END $$;
-- +goose StatementEnd
-- +end
-- +only sqlite
ALTER TABLE assessments ADD COLUMN definition_bytes INTEGER
    GENERATED ALWAYS AS (length(CAST(definition AS BLOB))) VIRTUAL;
-- +end
DROP INDEX CONCURRENTLY IF EXISTS assessments_size;
CREATE INDEX CONCURRENTLY assessments_size ON assessments (organization_id, definition_bytes);

-- These indexes leave out revoked keys and removed people.
DROP INDEX CONCURRENTLY IF EXISTS api_keys_valid;
CREATE INDEX CONCURRENTLY api_keys_valid ON api_keys (organization_id, expires_at) WHERE revoked_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS users_members;
CREATE INDEX CONCURRENTLY users_members ON users (organization_id) WHERE removed_at IS NULL;

DROP INDEX CONCURRENTLY IF EXISTS assessment_statistics_organization;
CREATE INDEX CONCURRENTLY assessment_statistics_organization ON assessment_statistics (organization_id);

-- +goose Down
DROP INDEX assessment_statistics_organization;
DROP INDEX users_members;
DROP INDEX api_keys_valid;
DROP INDEX assessments_size;
-- +only postgres
DROP TRIGGER definition_of_assessment ON assessments;
DROP FUNCTION measure_definition();
-- +end
ALTER TABLE assessments DROP COLUMN definition_bytes;
