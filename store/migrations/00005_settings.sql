-- Settings of organizations and assessments. The previous binary neither reads nor
-- writes them.

-- +goose Up
-- First, because an invite locks an assessment before its organization: in the other
-- order, the two could wait for each other.
ALTER TABLE assessments ADD COLUMN instructions TEXT; -- Markdown
ALTER TABLE assessments ADD COLUMN closing_message TEXT; -- Markdown
ALTER TABLE assessments ADD COLUMN locale TEXT; -- BCP 47
ALTER TABLE assessments ADD COLUMN shuffle_questions BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE assessments ADD COLUMN shuffle_options BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE assessments ADD COLUMN opens_at TIMESTAMPTZ; -- the earliest time to start a session
ALTER TABLE assessments ADD COLUMN closes_at TIMESTAMPTZ; -- no session can be started from then on
-- Increases with each change of the content. A replica compares it with the version
-- that it has in memory.
ALTER TABLE assessments ADD COLUMN version INTEGER NOT NULL DEFAULT 1;

ALTER TABLE organizations ADD COLUMN support_email TEXT;
ALTER TABLE organizations ADD COLUMN privacy_url TEXT;
ALTER TABLE organizations ADD COLUMN privacy_notice TEXT; -- Markdown
ALTER TABLE organizations ADD COLUMN acknowledgement_required BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE organizations ADD COLUMN accent_color TEXT; -- #rrggbb
ALTER TABLE organizations ADD COLUMN locale TEXT; -- BCP 47
ALTER TABLE organizations ADD COLUMN time_zone TEXT; -- IANA

-- The image is in a table of its own, so that reading an organization does not read it.
CREATE TABLE organization_logos (
    organization_id TEXT COLLATE "C" PRIMARY KEY REFERENCES organizations (id),
    hash            TEXT COLLATE "C" NOT NULL, -- SHA-256 of the image in hexadecimal
    image           BYTEA NOT NULL, -- PNG
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX organization_logos_hash ON organization_logos (hash);

-- +goose Down
ALTER TABLE assessments DROP COLUMN version;
ALTER TABLE assessments DROP COLUMN closes_at;
ALTER TABLE assessments DROP COLUMN opens_at;
ALTER TABLE assessments DROP COLUMN shuffle_options;
ALTER TABLE assessments DROP COLUMN shuffle_questions;
ALTER TABLE assessments DROP COLUMN locale;
ALTER TABLE assessments DROP COLUMN closing_message;
ALTER TABLE assessments DROP COLUMN instructions;
DROP TABLE organization_logos;
ALTER TABLE organizations DROP COLUMN time_zone;
ALTER TABLE organizations DROP COLUMN locale;
ALTER TABLE organizations DROP COLUMN accent_color;
ALTER TABLE organizations DROP COLUMN acknowledgement_required;
ALTER TABLE organizations DROP COLUMN privacy_notice;
ALTER TABLE organizations DROP COLUMN privacy_url;
ALTER TABLE organizations DROP COLUMN support_email;
