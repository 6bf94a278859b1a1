-- The browsers, devices, and networks that a candidate has used, for the timeline. An erasure deletes the rows.
-- client_id identifies the open page, and is '' for a client that has none. The previous binary does not use the table.

-- +goose Up
CREATE TABLE candidate_session_devices (
    organization_id TEXT COLLATE "C" NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL REFERENCES candidate_sessions (id),
    browser         TEXT NOT NULL, -- '' if it is unknown
    system          TEXT NOT NULL, -- '' if it is unknown
    network         TEXT NOT NULL,
    client_id       TEXT NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, session_id, browser, system, network, client_id)
);

-- +goose Down
DROP TABLE candidate_session_devices;
