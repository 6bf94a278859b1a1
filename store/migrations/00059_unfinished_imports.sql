-- Imports of archives that are under way. The service does not start while there is a row. The previous binary does not
-- look: start it only after the import.

-- +oldest 00016

-- +goose Up
CREATE TABLE IF NOT EXISTS unfinished_imports (
    id            TEXT COLLATE "C" PRIMARY KEY, -- of the archive
    organizations TEXT NOT NULL, -- JSON: the ids in the archive
    imported      BIGINT NOT NULL, -- rows of the archive, in its order
    started_at    TIMESTAMPTZ NOT NULL
);

-- +goose Down
DROP TABLE unfinished_imports;
