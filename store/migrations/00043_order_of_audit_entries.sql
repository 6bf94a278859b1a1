-- The order in which entries of the audit log were written, for the list that a client follows: noted_at, as in migration
-- 00041. An id is not this order. It is made by the clock of a replica, before the entry is written, and further edits
-- of an assessment change an entry.
--
-- Triggers write it, so entries of the previous binary have it too. Entries from before the migration have the time 0:
-- they come first, in the order of their ids.

-- +goose NO TRANSACTION
-- +goose Up
-- +only postgres
ALTER TABLE audit_log ADD COLUMN IF NOT EXISTS noted_at TIMESTAMPTZ NOT NULL DEFAULT '1970-01-01 00:00:00+00';

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- From here on, others see that the transaction writes, so they expect a row with this time.
    PERFORM txid_current();
    NEW.noted_at := clock_timestamp();
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER change_of_audit_entry BEFORE INSERT OR UPDATE OF changes ON audit_log
    FOR EACH ROW EXECUTE FUNCTION note_audit_entry();
-- +end
-- +only sqlite
ALTER TABLE audit_log ADD COLUMN noted_at INTEGER NOT NULL DEFAULT 0;

-- +goose StatementBegin
CREATE TRIGGER change_of_audit_entry AFTER INSERT ON audit_log BEGIN
    UPDATE change_clock SET at = MAX(at + 1, CAST(unixepoch('subsec') * 1000000 AS INTEGER)) WHERE id = 1;
    UPDATE audit_log SET noted_at = (SELECT at FROM change_clock WHERE id = 1) WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER later_change_of_audit_entry AFTER UPDATE OF changes ON audit_log BEGIN
    UPDATE change_clock SET at = MAX(at + 1, CAST(unixepoch('subsec') * 1000000 AS INTEGER)) WHERE id = 1;
    UPDATE audit_log SET noted_at = (SELECT at FROM change_clock WHERE id = 1) WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +end
DROP INDEX CONCURRENTLY IF EXISTS audit_log_noted;
CREATE INDEX CONCURRENTLY audit_log_noted ON audit_log (organization_id, noted_at, id);

-- +goose Down
DROP INDEX audit_log_noted;
-- +only postgres
DROP TRIGGER change_of_audit_entry ON audit_log;
DROP FUNCTION note_audit_entry;
-- +end
-- +only sqlite
DROP TRIGGER later_change_of_audit_entry;
DROP TRIGGER change_of_audit_entry;
-- +end
ALTER TABLE audit_log DROP COLUMN noted_at;
