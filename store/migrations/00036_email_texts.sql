-- The words of organizations for emails to candidates. The previous binary does not use the table: its emails say the
-- default words.

-- +goose Up
CREATE TABLE IF NOT EXISTS email_texts (
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    assessment_id   TEXT COLLATE "C" NOT NULL, -- '' for all assessments without words of their own
    kind            TEXT COLLATE "C" NOT NULL, -- store.EmailKind
    locale          TEXT COLLATE "C" NOT NULL,
    subject         TEXT NOT NULL, -- with placeholders, as the text
    text            TEXT NOT NULL,
    PRIMARY KEY (organization_id, assessment_id, kind, locale)
);

-- +goose Down
DROP TABLE email_texts;
