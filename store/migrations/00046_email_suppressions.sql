-- Addresses to which an organization sends no email: their people have asked for that, or a mail server has refused them
-- for good. There is no address, only its hash, so an erasure changes nothing, and a person who has asked for no email
-- gets none after it. The previous binary ignores the table.

-- +oldest 00016
-- +goose Up
CREATE TABLE IF NOT EXISTS email_suppressions (
    organization_id TEXT COLLATE "C" NOT NULL,
    address_hash    TEXT COLLATE "C" NOT NULL, -- store.hashAccount
    reason          TEXT NOT NULL CHECK (reason IN ('UNSUBSCRIBED', 'REFUSED')),
    created_at      TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ, -- null for never
    PRIMARY KEY (organization_id, address_hash)
);
CREATE INDEX IF NOT EXISTS email_suppressions_address ON email_suppressions (address_hash, organization_id);
CREATE INDEX IF NOT EXISTS email_suppressions_expired ON email_suppressions (expires_at) WHERE expires_at IS NOT NULL;

-- +goose Down
DROP TABLE email_suppressions;
