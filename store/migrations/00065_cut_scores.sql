-- The ratings of judges, from which a cut score follows. The previous binary neither reads nor writes any of this. When it
-- deletes a draft, the ratings go with it.

-- +oldest 00016

-- +goose Up
-- The row of a judge stays when the person is removed, so that the cut score does not change.
CREATE TABLE IF NOT EXISTS cut_score_ratings (
    assessment_id   TEXT COLLATE "C" NOT NULL REFERENCES assessments (id) ON DELETE CASCADE,
    user_id         TEXT COLLATE "C" NOT NULL,
    organization_id TEXT COLLATE "C" NOT NULL,
    ratings         TEXT NOT NULL, -- JSON: percent by question
    updated_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (assessment_id, user_id)
);

-- +goose Down
DROP TABLE cut_score_ratings;
