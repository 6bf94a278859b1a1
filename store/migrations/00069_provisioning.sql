-- Members that the identity provider of an organization creates, changes, and deactivates. The previous binary does not
-- know deactivated members: let a provider send its first request when no replica of it runs.

-- +oldest 00016
-- +goose Up
ALTER TABLE users ADD COLUMN IF NOT EXISTS deactivated_at TIMESTAMPTZ;
ALTER TABLE invitations ADD COLUMN IF NOT EXISTS deactivated_at TIMESTAMPTZ;

-- What the provider says of a member or an invited person. The id stays the same when an invitation is accepted.
CREATE TABLE IF NOT EXISTS provisioned_members (
    member_id       TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    external_id     TEXT COLLATE "C",
    given_name      TEXT,
    family_name     TEXT
);
CREATE UNIQUE INDEX IF NOT EXISTS provisioned_members_external_id ON provisioned_members (organization_id, external_id);

-- +goose Down
DROP TABLE provisioned_members;
ALTER TABLE invitations DROP COLUMN deactivated_at;
ALTER TABLE users DROP COLUMN deactivated_at;
