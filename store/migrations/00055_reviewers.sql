-- +oldest 00015
-- People who only judge answers. The previous binary permits no operation to a role that it does not know, so a
-- REVIEWER sees nothing beside it.

-- +goose Up
-- NOT VALID, because every row satisfies the narrower constraint that this one replaces.
-- +only postgres
ALTER TABLE users DROP CONSTRAINT users_role_check, ADD CONSTRAINT users_role_check
    CHECK (role IN ('OWNER', 'ADMIN', 'MEMBER', 'REVIEWER')) NOT VALID;
ALTER TABLE invitations DROP CONSTRAINT invitations_role_check, ADD CONSTRAINT invitations_role_check
    CHECK (role IN ('OWNER', 'ADMIN', 'MEMBER', 'REVIEWER')) NOT VALID;
-- +end
-- SQLite cannot change a constraint, only replace its column. Every INSERT names the role; the default has the fewest
-- rights.
-- +only sqlite
ALTER TABLE users ADD COLUMN new_role TEXT NOT NULL DEFAULT 'REVIEWER' CHECK (new_role IN ('OWNER', 'ADMIN', 'MEMBER', 'REVIEWER'));
UPDATE users SET new_role = role;
ALTER TABLE users DROP COLUMN role;
ALTER TABLE users RENAME COLUMN new_role TO role;
ALTER TABLE invitations ADD COLUMN new_role TEXT NOT NULL DEFAULT 'REVIEWER' CHECK (new_role IN ('OWNER', 'ADMIN', 'MEMBER', 'REVIEWER'));
UPDATE invitations SET new_role = role;
ALTER TABLE invitations DROP COLUMN role;
ALTER TABLE invitations RENAME COLUMN new_role TO role;
-- +end

-- +goose Down
-- The constraint stays: the previous binary writes none of the values that it does not know.
