-- Which binaries can use the database: those that know the schema of the number oldest, or a later one. Each migration
-- from here on names that number in its line "+oldest". A binary reads the rows of the migrations that it does not
-- know, and stops if one of them does not support it. Releases up to 1.0.1 do not look.

-- +oldest 00015
-- +goose Up
CREATE TABLE schema_support (
    version BIGINT PRIMARY KEY, -- a migration
    oldest  BIGINT NOT NULL,
    release TEXT NOT NULL -- the one that has applied it
);

-- +goose Down
DROP TABLE schema_support;
