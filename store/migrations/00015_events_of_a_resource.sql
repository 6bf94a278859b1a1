-- The events of a session or an assessment are read in the order of their ids. Without the
-- id in the index, SQLite reads all events of the organization instead, because it has no
-- statistics. PostgreSQL has them, and sorts the few events that the present index finds.

-- +goose Up
-- +only sqlite
CREATE INDEX events_subject_newest ON events (organization_id, subject_id, id);
DROP INDEX events_subject;
-- +end

-- +goose Down
-- +only sqlite
CREATE INDEX events_subject ON events (organization_id, subject_id);
DROP INDEX events_subject_newest;
-- +end
