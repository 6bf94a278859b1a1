-- Links to results. Anybody who has a link can read the result without an account. The previous binary shows no page for a link, and
-- its erasure leaves the rows, whose label names the reader.

-- +goose Up
CREATE TABLE IF NOT EXISTS result_links (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    label           TEXT, -- for whom the link is
    with_answers    BOOLEAN NOT NULL,
    actor_type      TEXT, -- null for a link that was created for an event
    actor_id        TEXT COLLATE "C",
    created_at      TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ NOT NULL,
    revoked_at      TIMESTAMPTZ,
    open_count      INTEGER NOT NULL,
    last_opened_at  TIMESTAMPTZ
);
CREATE INDEX IF NOT EXISTS result_links_session ON result_links (organization_id, session_id, id);
CREATE INDEX IF NOT EXISTS result_links_expired ON result_links (expires_at);
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS result_link_days INTEGER NOT NULL DEFAULT 30;
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS result_link_in_events BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE organizations DROP COLUMN result_link_in_events;
ALTER TABLE organizations DROP COLUMN result_link_days;
DROP TABLE result_links;
