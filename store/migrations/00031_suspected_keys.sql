-- The questions whose key is probably wrong, as the statistics of their assessment say. The overview names them without
-- reading statistics. A row follows the next result of its assessment: also those of the previous binary, which does not
-- use the table, and those before this migration.

-- +goose Up
CREATE TABLE IF NOT EXISTS suspected_keys (
    organization_id TEXT COLLATE "C" NOT NULL,
    assessment_id   TEXT COLLATE "C" NOT NULL REFERENCES assessments (id),
    question_id     TEXT COLLATE "C" NOT NULL,
    suspicion       TEXT NOT NULL, -- rules.Suspicion
    found_at        TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (assessment_id, question_id)
);
CREATE INDEX IF NOT EXISTS suspected_keys_found
    ON suspected_keys (organization_id, found_at, assessment_id, question_id);

-- +goose Down
DROP TABLE suspected_keys;
