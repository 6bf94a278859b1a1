-- The question bank, and pools of questions in assessments. The previous binary does not know pools: it would give a
-- candidate every question of a pool. Publish an assessment with a pool when no replica of it runs.

-- +oldest 00016

-- +goose Up
CREATE TABLE IF NOT EXISTS questions (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    version         INTEGER NOT NULL, -- of the content
    revision        INTEGER NOT NULL, -- of the row
    type            TEXT NOT NULL,
    prompt          TEXT NOT NULL,
    points          DOUBLE PRECISION NOT NULL,
    content         TEXT NOT NULL,    -- JSON: rules.Question
    tags            TEXT NOT NULL,    -- JSON
    bytes           INTEGER NOT NULL, -- of all kept versions
    created_at      TIMESTAMPTZ NOT NULL,
    updated_at      TIMESTAMPTZ NOT NULL,
    archived_at     TIMESTAMPTZ
);
CREATE INDEX IF NOT EXISTS questions_organization ON questions (organization_id, id, bytes);
CREATE INDEX IF NOT EXISTS questions_offered ON questions (organization_id, id) WHERE archived_at IS NULL;
CREATE INDEX IF NOT EXISTS questions_archived ON questions (organization_id, id) WHERE archived_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS question_versions (
    question_id     TEXT COLLATE "C" NOT NULL REFERENCES questions (id),
    version         INTEGER NOT NULL,
    organization_id TEXT COLLATE "C" NOT NULL,
    content         TEXT NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (question_id, version)
);

-- The tags in the form in which they are compared.
CREATE TABLE IF NOT EXISTS question_tags (
    organization_id TEXT COLLATE "C" NOT NULL,
    key             TEXT COLLATE "C" NOT NULL,
    question_id     TEXT COLLATE "C" NOT NULL REFERENCES questions (id),
    name            TEXT NOT NULL,
    archived        BOOLEAN NOT NULL,
    PRIMARY KEY (organization_id, key, question_id)
);
CREATE INDEX IF NOT EXISTS question_tags_question ON question_tags (question_id);

-- Which assessments have a copy of a question.
CREATE TABLE IF NOT EXISTS question_uses (
    question_id     TEXT COLLATE "C" NOT NULL REFERENCES questions (id),
    assessment_id   TEXT COLLATE "C" NOT NULL,
    organization_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (question_id, assessment_id)
);
CREATE INDEX IF NOT EXISTS question_uses_assessment ON question_uses (assessment_id);

-- Sums over the ended sessions of an assessment that were given the question. The fold of the statistics writes them.
CREATE TABLE IF NOT EXISTS question_statistics (
    question_id     TEXT COLLATE "C" NOT NULL REFERENCES questions (id),
    assessment_id   TEXT COLLATE "C" NOT NULL,
    organization_id TEXT COLLATE "C" NOT NULL,
    exposures       BIGINT NOT NULL,
    answers         BIGINT NOT NULL,
    correct         BIGINT NOT NULL,
    points          DOUBLE PRECISION NOT NULL,
    max_points      DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (question_id, assessment_id)
);
CREATE INDEX IF NOT EXISTS question_statistics_assessment ON question_statistics (assessment_id);

-- +goose Down
DROP TABLE question_statistics;
DROP TABLE question_uses;
DROP TABLE question_tags;
DROP TABLE question_versions;
DROP TABLE questions;
