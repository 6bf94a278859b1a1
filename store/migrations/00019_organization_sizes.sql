-- Most organizations have one member, one key, and one assessment, and some have thousands. From the average,
-- PostgreSQL expects one row in any index that begins with the organization, and can choose to read all
-- assessments of a large organization to find one by its id. With this estimate of 100 rows it does not.

-- +goose Up
-- +only postgres
ALTER TABLE assessments ALTER COLUMN organization_id SET (n_distinct = -0.01);
ALTER TABLE users ALTER COLUMN organization_id SET (n_distinct = -0.01);
ALTER TABLE api_keys ALTER COLUMN organization_id SET (n_distinct = -0.01);
ALTER TABLE webhook_endpoints ALTER COLUMN organization_id SET (n_distinct = -0.01);

-- It applies from the next ANALYZE, which would leave a new database without the estimates for unknown tables.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM organizations) THEN
        ANALYZE assessments, users, api_keys, webhook_endpoints;
    END IF;
END $$;
-- +goose StatementEnd
-- +end

-- +goose Down
-- +only postgres
ALTER TABLE assessments ALTER COLUMN organization_id RESET (n_distinct);
ALTER TABLE users ALTER COLUMN organization_id RESET (n_distinct);
ALTER TABLE api_keys ALTER COLUMN organization_id RESET (n_distinct);
ALTER TABLE webhook_endpoints ALTER COLUMN organization_id RESET (n_distinct);
-- +end
