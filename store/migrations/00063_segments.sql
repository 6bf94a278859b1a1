-- Statistics of parts of the sessions of an assessment. The previous binary adds sessions only to assessment_statistics,
-- and drops the version of each document to which it adds one. So the worker finds these documents, and counts them and
-- the segments of their assessments anew: see store.UnscopedBackfillSegments.

-- +oldest 00016
-- +goose NO TRANSACTION

-- +goose Up
CREATE TABLE IF NOT EXISTS segments (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL REFERENCES assessments (id),
    name            TEXT NOT NULL,
    filter          TEXT,                      -- JSON: store.SegmentFilter; null for a rebuild, whose id is the assessment's
    document        TEXT NOT NULL,             -- JSON: store.partDocument
    completed       INTEGER NOT NULL,          -- COMPLETED sessions in the document
    disqualified    INTEGER NOT NULL,
    position        TEXT COLLATE "C" NOT NULL, -- the last session that was examined, unless complete
    complete        BOOLEAN NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS segments_of_assessment ON segments (organization_id, assessment_id, id);
CREATE INDEX IF NOT EXISTS segments_incomplete ON segments (organization_id, id) WHERE NOT complete;

-- The documents without a version.
DROP INDEX CONCURRENTLY IF EXISTS assessment_statistics_earlier;
CREATE INDEX CONCURRENTLY assessment_statistics_earlier ON assessment_statistics (organization_id)
    WHERE substr(document, 1, 11) <> '{"version":';

-- +goose Down
DROP INDEX assessment_statistics_earlier;
DROP TABLE segments;
