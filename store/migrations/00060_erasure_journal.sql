-- Erasures that are not yet in the journal of erasures, which is outside the database. A row is written in the
-- transaction of its erasure. The previous binary writes none: what it erases is not in the journal.

-- +oldest 00016

-- +goose Up
CREATE TABLE IF NOT EXISTS pending_erasures (
    id              TEXT COLLATE "C" PRIMARY KEY, -- of the session or the organization
    organization_id TEXT COLLATE "C" NOT NULL,
    kind            TEXT NOT NULL, -- journal.Kind
    erased_at       TIMESTAMPTZ NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS pending_erasures_oldest ON pending_erasures (created_at);

-- The erasures of earlier releases, so that the journal has them, too.
INSERT INTO pending_erasures (id, organization_id, kind, erased_at, created_at)
    SELECT id, organization_id, 'session', erased_at, erased_at FROM candidate_sessions WHERE erased_at IS NOT NULL
    ON CONFLICT (id) DO NOTHING;
INSERT INTO pending_erasures (id, organization_id, kind, erased_at, created_at)
    SELECT id, id, 'organization', updated_at, updated_at FROM organizations WHERE name = '' AND erase_at IS NULL
    ON CONFLICT (id) DO NOTHING;

-- +goose Down
DROP TABLE pending_erasures;
