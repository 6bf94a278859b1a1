-- The pictures in the texts of assessments. The previous binary shows their alternative text. It neither adds nor removes
-- uses: a picture that it has put into a text can be deleted until the assessment is saved again.

-- +oldest 00015
-- +goose Up
CREATE TABLE media (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    hash            TEXT COLLATE "C" NOT NULL, -- SHA-256 of the stored picture in hexadecimal
    address         TEXT COLLATE "C" NOT NULL, -- random: all that is needed to see the picture
    content_type    TEXT COLLATE "C" NOT NULL,
    width           INTEGER NOT NULL, -- pixels
    height          INTEGER NOT NULL, -- pixels
    bytes           BIGINT NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX media_hash ON media (organization_id, hash);
CREATE UNIQUE INDEX media_address ON media (address);
CREATE INDEX media_newest ON media (organization_id, id);
CREATE INDEX media_bytes ON media (organization_id, bytes);

-- In a table of its own, so that reading a list of pictures does not read them.
CREATE TABLE media_contents (
    media_id        TEXT COLLATE "C" PRIMARY KEY REFERENCES media (id) ON DELETE CASCADE,
    organization_id TEXT COLLATE "C" NOT NULL,
    content         BYTEA NOT NULL
);
CREATE INDEX media_contents_organization ON media_contents (organization_id);

-- Which assessments have a picture in their texts. It keeps the picture from being deleted.
CREATE TABLE media_uses (
    assessment_id   TEXT COLLATE "C" NOT NULL REFERENCES assessments (id) ON DELETE CASCADE, -- for the previous binary
    media_id        TEXT COLLATE "C" NOT NULL CONSTRAINT media_uses_media REFERENCES media (id),
    organization_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (assessment_id, media_id)
);
CREATE INDEX media_uses_by_media ON media_uses (organization_id, media_id, assessment_id);

-- +goose Down
DROP TABLE media_uses;
DROP TABLE media_contents;
DROP TABLE media;
