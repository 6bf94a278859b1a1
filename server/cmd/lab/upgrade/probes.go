package upgrade

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"assay/server/cmd/lab/rig"
)

// probeInterval is the time between two writes to a table.
const probeInterval = 50 * time.Millisecond

// probeStatements write to the busy tables as the service does. Their arguments are a number and a new ULID.
var probeStatements = map[string]string{
	"candidate_sessions": `UPDATE candidate_sessions SET updated_at = now(), note = 'probe ' || $1 || $2 WHERE id =
		(SELECT id FROM candidate_sessions WHERE id > 'ses_' || $2 OR id > 'ses_0' ORDER BY id OFFSET $1 % 100 LIMIT 1)`,
	"answers": `UPDATE answers SET saved_at = now() WHERE ($2 || '') <> '' AND session_id =
		(SELECT session_id FROM answers ORDER BY session_id OFFSET $1 % 10 LIMIT 1)`,
	"events": `INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT 'evt_' || $2, id, 'candidate.invited', 'ses_' || $1, '{}', now() FROM organizations ORDER BY id LIMIT 1`,
	"webhook_queue": `INSERT INTO webhook_queue
			(delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt, created_at)
		SELECT 'dlv_' || $2, organization_id, id, 'evt_' || $1, 'candidate.invited', 9e15, '', 0, 0
		FROM webhook_endpoints ORDER BY id LIMIT 1`,
	"webhook_deliveries": `INSERT INTO webhook_deliveries
			(id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at, completed_at)
		SELECT 'dlv_' || $2, organization_id, id, 'evt_' || $1, 'candidate.invited', 'SUCCEEDED', 1, 0, 0
		FROM webhook_endpoints ORDER BY id LIMIT 1`,
	"audit_log": `INSERT INTO audit_log
			(id, organization_id, action, actor_type, actor_id, resource_id, ip, request_id, created_at)
		SELECT 'aud_' || $2, id, 'SIGNED_IN', 'USER', 'usr_probe', 'usr_probe', '', 'req_' || $1, now()
		FROM organizations ORDER BY id LIMIT 1`,
}

// probeSettings give the writes plans that do not depend on statistics, as in the service, and a name for lockWaits.
const probeSettings = `SET enable_seqscan = off; SET enable_bitmapscan = off; SET application_name = 'probe'`

// probes are the writes beside a migration.
type probes struct {
	db     *sql.DB
	end    context.CancelFunc
	ended  sync.WaitGroup
	mu     sync.Mutex
	count  int
	failed error
	unseen error // of watch

	longest    time.Duration // of a write
	lockWait   time.Duration // the longest wait for a lock
	waitedLock string        // the statement that waited
}

// lockWaits returns for how long the writes have been waiting for locks. On a busy machine, a write can take long and
// wait for none.
const lockWaits = `
	SELECT EXTRACT(EPOCH FROM clock_timestamp() - l.waitstart), left(a.query, 80)
	FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
	WHERE a.application_name = 'probe' AND NOT l.granted AND l.waitstart IS NOT NULL`

// watch notes the longest wait for a lock.
func (p *probes) watch(ctx context.Context) error {
	for rig.Pause(ctx, probeInterval) {
		if err := p.look(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
	return nil
}

func (p *probes) look(ctx context.Context) error {
	rows, err := p.db.QueryContext(ctx, lockWaits)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var seconds float64
		var query string
		if err := rows.Scan(&seconds, &query); err != nil {
			return err
		}
		if waited := time.Duration(seconds * float64(time.Second)); waited > p.lockWait {
			p.lockWait, p.waitedLock = waited, query
		}
	}
	return rows.Err()
}

// startProbes writes to each table from a connection of its own. On SQLite it does nothing.
func startProbes(ctx context.Context, on *rig.Database) (*probes, error) {
	p := &probes{end: func() {}}
	if on.Kind == "sqlite" {
		return p, nil
	}
	var err error
	if p.db, err = on.Open(); err != nil {
		return nil, err
	}
	ctx, p.end = context.WithCancel(ctx)
	p.ended.Go(func() { p.unseen = p.watch(ctx) })
	for table, statement := range probeStatements {
		conn, err := p.db.Conn(ctx)
		if err != nil {
			return nil, errors.Join(err, p.stop())
		}
		if _, err := conn.ExecContext(ctx, probeSettings); err != nil {
			return nil, errors.Join(err, p.stop())
		}
		p.ended.Go(func() {
			defer func() { _ = conn.Close() }()
			p.write(ctx, conn, table, statement)
		})
	}
	return p, nil
}

func (p *probes) write(ctx context.Context, conn *sql.Conn, table, statement string) {
	ticker := time.NewTicker(probeInterval)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		began := time.Now()
		result, err := conn.ExecContext(context.WithoutCancel(ctx), statement, n, strings.ToLower(ulid.Make().String()))
		took := time.Since(began)
		if err == nil {
			if rows, _ := result.RowsAffected(); rows == 0 {
				err = errors.New("it wrote nothing")
			}
		}
		p.mu.Lock()
		p.count++
		if err != nil && p.failed == nil {
			p.failed = fmt.Errorf("a write to %s: %w", table, err)
		}
		p.longest = max(p.longest, took)
		p.mu.Unlock()
	}
}

// stop ends the writes. It returns the first one that failed.
func (p *probes) stop() error {
	p.end()
	p.ended.Wait()
	if p.db == nil {
		return nil
	}
	return errors.Join(p.failed, p.unseen, p.db.Close())
}
