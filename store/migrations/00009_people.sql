-- Invitations that are separate from accounts, and the networks from which people sign in.
--
-- The previous binary keeps invited people in users, with invitation_hash, and continues to
-- do so until it is stopped. Therefore Store.UnscopedMoveInvitations, and not this file, moves
-- them to invitations: after the migrations, at each purge, and before each change of an
-- organization's members. The previous binary rejects the links of moved invitations. It
-- writes no network for its sign-ins, and ignores rate_windows.attempts.
--
-- An index is built while the previous binary writes, so this file does not run in a transaction,
-- and each statement can run again after a failure.

-- +goose NO TRANSACTION

-- +goose Up
-- People who are invited and have not accepted. One address can be invited by several
-- organizations, whether or not it has an account.
CREATE TABLE IF NOT EXISTS invitations (
    id              TEXT COLLATE "C" PRIMARY KEY, -- the id that the person will have in users
    organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    name            TEXT NOT NULL,
    email           TEXT NOT NULL,
    email_key       TEXT NOT NULL, -- the address in lower case
    role            TEXT NOT NULL CHECK (role IN ('OWNER', 'ADMIN', 'MEMBER')),
    token_hash      BYTEA, -- SHA-256 of the token; null when a change of the role has ended it
    expires_at      TIMESTAMPTZ, -- of the token
    created_at      TIMESTAMPTZ NOT NULL,
    updated_at      TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS invitations_email_key ON invitations (organization_id, email_key);
CREATE UNIQUE INDEX IF NOT EXISTS invitations_token ON invitations (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS invitations_organization ON invitations (organization_id, id);

-- Tokens that were used or replaced, so that their use can be audited. Kept for 30 days.
CREATE TABLE IF NOT EXISTS ended_invitations (
    token_hash      BYTEA PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    user_id         TEXT COLLATE "C" NOT NULL,
    ended_at        TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS ended_invitations_ended ON ended_invitations (ended_at);

-- Where the sign-in came from: an IPv4 address, or the /64 of an IPv6 address. It does not
-- change, whereas ip is the address of the last refresh.
ALTER TABLE logins ADD COLUMN IF NOT EXISTS network TEXT;
DROP INDEX CONCURRENTLY IF EXISTS logins_network;
CREATE INDEX CONCURRENTLY logins_network ON logins (user_id, network, created_at);

-- The times of the accepted requests, for limits that need them: a JSON array of
-- microseconds since 1970, oldest first.
ALTER TABLE rate_windows ADD COLUMN IF NOT EXISTS attempts TEXT;

-- +goose Down
ALTER TABLE rate_windows DROP COLUMN attempts;
DROP INDEX logins_network;
ALTER TABLE logins DROP COLUMN network;
DROP TABLE ended_invitations;
DROP TABLE invitations;
