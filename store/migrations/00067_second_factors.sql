-- Second factors. They belong to a person, and not to an organization. The previous binary does not ask for them: set up the
-- first one when no replica of it runs.

-- +oldest 00016
-- +goose Up
ALTER TABLE logins ADD COLUMN IF NOT EXISTS confirmed_at TIMESTAMPTZ; -- the last proof of a second factor
ALTER TABLE logins ADD COLUMN IF NOT EXISTS ceremony TEXT;            -- as in second_factors
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS second_factor_required BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE IF NOT EXISTS second_factors (
    id            TEXT COLLATE "C" PRIMARY KEY,
    person_id     TEXT COLLATE "C" NOT NULL,
    type          TEXT NOT NULL CHECK (type IN ('TOTP', 'PASSKEY')),
    name          TEXT NOT NULL,
    secret        BYTEA,           -- of TOTP: encrypted
    last_step     BIGINT,          -- of TOTP: the last accepted time step (RFC 6238)
    credential_id TEXT COLLATE "C", -- of PASSKEY
    credential    TEXT,            -- of PASSKEY: JSON with the public key and the counter
    ceremony      TEXT,            -- JSON: what the response of the browser is compared with
    attempts      INTEGER NOT NULL DEFAULT 0, -- wrong codes before the confirmation
    created_at    TIMESTAMPTZ NOT NULL,
    expires_at    TIMESTAMPTZ,     -- null after the confirmation
    confirmed_at  TIMESTAMPTZ,     -- null before
    last_used_at  TIMESTAMPTZ
);
CREATE INDEX IF NOT EXISTS second_factors_person ON second_factors (person_id, id);
CREATE UNIQUE INDEX IF NOT EXISTS second_factors_credential ON second_factors (credential_id) WHERE credential_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS second_factors_expiry ON second_factors (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS recovery_codes (
    id        TEXT COLLATE "C" PRIMARY KEY,
    person_id TEXT COLLATE "C" NOT NULL,
    hash      BYTEA NOT NULL, -- encrypted
    used_at   TIMESTAMPTZ
);
CREATE INDEX IF NOT EXISTS recovery_codes_person ON recovery_codes (person_id, id);

-- Sign-ins that need the second factor.
CREATE TABLE IF NOT EXISTS sign_in_challenges (
    token_hash      BYTEA PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    user_id         TEXT COLLATE "C" NOT NULL,
    person_id       TEXT COLLATE "C" NOT NULL,
    method          TEXT NOT NULL, -- as in logins
    ceremony        TEXT,          -- as in second_factors
    attempts        INTEGER NOT NULL DEFAULT 0,
    expires_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS sign_in_challenges_person ON sign_in_challenges (person_id);
CREATE INDEX IF NOT EXISTS sign_in_challenges_expiry ON sign_in_challenges (expires_at);

-- +goose Down
DROP TABLE sign_in_challenges;
DROP TABLE recovery_codes;
DROP TABLE second_factors;
ALTER TABLE organizations DROP COLUMN second_factor_required;
ALTER TABLE logins DROP COLUMN ceremony;
ALTER TABLE logins DROP COLUMN confirmed_at;
