-- Sign-ins with the OpenID Connect provider of an organization. The previous binary does not know that an organization can
-- require one: require it when no replica of it runs.

-- +oldest 00016
-- +goose NO TRANSACTION

-- +goose Up
-- For the end of all sign-ins of an organization. With user_id, SQLite does not prefer it when it looks up one member.
DROP INDEX CONCURRENTLY IF EXISTS logins_organization;
CREATE INDEX CONCURRENTLY logins_organization ON logins (organization_id, user_id) WHERE ended_at IS NULL;
CREATE INDEX IF NOT EXISTS sign_in_challenges_organization ON sign_in_challenges (organization_id);

CREATE TABLE IF NOT EXISTS sign_in_providers (
    organization_id   TEXT COLLATE "C" PRIMARY KEY,
    id                TEXT COLLATE "C" NOT NULL, -- another one for another issuer or client
    issuer            TEXT NOT NULL,
    client_id         TEXT NOT NULL,
    client_secret     BYTEA NOT NULL, -- encrypted for the id
    scopes            TEXT NOT NULL,  -- separated by spaces
    required          BOOLEAN NOT NULL,
    create_members    BOOLEAN NOT NULL,
    default_role      TEXT NOT NULL,
    role_claim        TEXT,
    roles             TEXT NOT NULL,  -- JSON
    last_succeeded_at TIMESTAMPTZ,
    updated_at        TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS sign_in_providers_id ON sign_in_providers (id);

CREATE TABLE IF NOT EXISTS sign_in_domains (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    domain          TEXT COLLATE "C" NOT NULL,
    token           TEXT NOT NULL, -- the value of the TXT record
    verified_at     TIMESTAMPTZ,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS sign_in_domains_organization ON sign_in_domains (organization_id, domain);
CREATE UNIQUE INDEX IF NOT EXISTS sign_in_domains_verified ON sign_in_domains (domain) WHERE verified_at IS NOT NULL;

-- The people whom a provider knows. A removed member keeps the row, so that the provider does not let them in again.
CREATE TABLE IF NOT EXISTS sign_in_identities (
    organization_id TEXT COLLATE "C" NOT NULL,
    issuer          TEXT COLLATE "C" NOT NULL,
    subject         TEXT COLLATE "C" NOT NULL,
    user_id         TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, issuer, subject)
);
CREATE INDEX IF NOT EXISTS sign_in_identities_user ON sign_in_identities (organization_id, user_id);

-- Sign-ins that a browser has started. Only hashes are stored: the browser has the rest in its cookie.
CREATE TABLE IF NOT EXISTS sign_in_attempts (
    state_hash      BYTEA PRIMARY KEY,
    browser_hash    BYTEA NOT NULL,
    organization_id TEXT COLLATE "C" NOT NULL,
    provider_id     TEXT COLLATE "C" NOT NULL,
    return_to       TEXT NOT NULL,
    former_login    TEXT COLLATE "C" NOT NULL, -- the id of the login that the browser had; '' for none
    expires_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS sign_in_attempts_expiry ON sign_in_attempts (expires_at);
CREATE INDEX IF NOT EXISTS sign_in_attempts_organization ON sign_in_attempts (organization_id);

CREATE TABLE IF NOT EXISTS sign_in_recovery_codes (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    hash            BYTEA NOT NULL, -- encrypted
    used_at         TIMESTAMPTZ
);
CREATE INDEX IF NOT EXISTS sign_in_recovery_codes_organization ON sign_in_recovery_codes (organization_id, id);

-- +goose Down
DROP INDEX sign_in_challenges_organization;
DROP INDEX logins_organization;
DROP TABLE sign_in_recovery_codes;
DROP TABLE sign_in_attempts;
DROP TABLE sign_in_identities;
DROP TABLE sign_in_domains;
DROP TABLE sign_in_providers;
