-- Applicant tracking systems. An organization connects a system; the system then orders assessments for candidates, and
-- receives a callback when the session changes. The previous binary serves no such system, and queues no callback: the
-- systems that ask for the status see the change, and the others see the next one.

-- +goose Up
CREATE TABLE IF NOT EXISTS integrations (
    id                TEXT COLLATE "C" PRIMARY KEY,
    organization_id   TEXT COLLATE "C" NOT NULL REFERENCES organizations (id),
    partner           TEXT COLLATE "C" NOT NULL,
    callback_key      BYTEA NOT NULL, -- encrypted
    callback_key_hint TEXT NOT NULL,  -- its last four characters
    connected_at      TIMESTAMPTZ NOT NULL,
    UNIQUE (organization_id, partner)
);
-- What a system has ordered.
CREATE TABLE IF NOT EXISTS integration_orders (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    partner         TEXT COLLATE "C" NOT NULL,
    order_key       TEXT COLLATE "C" NOT NULL, -- a hash: the same request of the system again is the same order
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    callback_url    TEXT, -- null for a system with one address for all callbacks
    result_link_id  TEXT COLLATE "C",
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS integration_orders_key ON integration_orders (organization_id, partner, order_key);
CREATE INDEX IF NOT EXISTS integration_orders_session ON integration_orders (session_id);
-- The queue of callbacks: a row for each event of a session that was ordered. The row has references only. What a
-- callback says is read when it is sent.
CREATE TABLE IF NOT EXISTS integration_callbacks (
    order_id        TEXT COLLATE "C" NOT NULL,
    event_id        TEXT COLLATE "C" NOT NULL,
    organization_id TEXT COLLATE "C" NOT NULL,
    run_at          TIMESTAMPTZ NOT NULL, -- of a leased row, the end of the lease
    lease           TEXT NOT NULL,
    attempt         INTEGER NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (order_id, event_id)
);
CREATE INDEX IF NOT EXISTS integration_callbacks_due ON integration_callbacks (run_at);
-- The last requests of the systems and the last callbacks, for people who look for a fault.
CREATE TABLE IF NOT EXISTS integration_exchanges (
    id              TEXT COLLATE "C" PRIMARY KEY,
    organization_id TEXT COLLATE "C" NOT NULL,
    partner         TEXT COLLATE "C" NOT NULL,
    direction       TEXT NOT NULL,
    method          TEXT NOT NULL,
    address         TEXT NOT NULL, -- without query
    status          INTEGER, -- null without a response
    session_id      TEXT COLLATE "C",
    problem         TEXT,
    created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS integration_exchanges_list ON integration_exchanges (organization_id, partner, id);
CREATE INDEX IF NOT EXISTS integration_exchanges_session ON integration_exchanges (session_id)
    WHERE session_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS integration_exchanges_age ON integration_exchanges (created_at);

-- +goose Down
DROP TABLE integration_exchanges;
DROP TABLE integration_callbacks;
DROP TABLE integration_orders;
DROP TABLE integrations;
