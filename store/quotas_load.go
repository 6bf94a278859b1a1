package store

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	// loadLifetime is how long a count of sessions and deliveries is used. The contract
	// permits a minute.
	loadLifetime = 30 * time.Second

	// maxLoads bounds the organizations whose counts are in memory, about 200 bytes each.
	maxLoads = 10_000

	// maxCountedDeliveries bounds a count if there is no quota.
	maxCountedDeliveries = 1_000_000
)

// load is what an organization has of the quotas of sessions and deliveries, which are
// too large to count for each request. It is counted when it is loadLifetime old. Until
// then, this process adds what it adds itself. So each replica can exceed a quota by
// what the other replicas add in that time.
type load struct {
	sessions, deliveries atomic.Int64
	countedUntil         atomic.Int64 // in microseconds since 1970; 0 before the first count
	counting             sync.Mutex
}

type loads struct{ *lru.Cache[string, *load] }

func (l loads) of(organizationID string) *load {
	if known, ok := l.Get(organizationID); ok {
		return known
	}
	fresh := &load{}
	if other, raced, _ := l.PeekOrAdd(organizationID, fresh); raced {
		return other
	}
	return fresh
}

// load returns the organization's load. It may not be called in a transaction, which
// on SQLite can hold the only connection.
func (s *Store) load(ctx context.Context, organizationID string) (*load, error) {
	l := s.loads.of(organizationID)
	now := s.opts.Now().UnixMicro()
	until := l.countedUntil.Load()
	switch {
	case now < until:
		return l, nil
	case until == 0:
		l.counting.Lock()
	case !l.counting.TryLock(): // another request counts; its predecessor's count is good enough
		return l, nil
	}
	defer l.counting.Unlock()
	if now < l.countedUntil.Load() {
		return l, nil
	}
	if err := s.countLoad(ctx, organizationID, l); err != nil {
		return nil, err
	}
	l.countedUntil.Store(now + loadLifetime.Microseconds())
	return l, nil
}

// countLoad takes the sessions from the statistics, which follow within seconds and are
// one row for each assessment.
func (s *Store) countLoad(ctx context.Context, organizationID string, l *load) error {
	sessionsBefore, deliveriesBefore := l.sessions.Load(), l.deliveries.Load()
	var counts []SessionCounts
	if err := s.read().List(ctx, &counts, `SELECT session_counts FROM assessment_statistics WHERE organization_id = ?`,
		organizationID); err != nil {
		return err
	}
	var sessions, deliveries int64
	for _, count := range counts {
		sessions += count.live()
	}
	most := int64(maxCountedDeliveries)
	if quota := s.opts.Quotas.QueuedDeliveries; quota > 0 {
		most = quota
	}
	if err := s.read().Get(ctx, &deliveries, `
		SELECT COUNT(*) + (SELECT COALESCE(SUM(event_count), 0) FROM webhook_replays WHERE organization_id = ?) FROM (
			SELECT delivery_id FROM webhook_queue WHERE organization_id = ? ORDER BY delivery_id LIMIT ?) q`,
		organizationID, organizationID, most+1); err != nil {
		return err
	}
	// Keeps what was added while it counted.
	l.sessions.Add(sessions - sessionsBefore)
	l.deliveries.Add(deliveries - deliveriesBefore)
	return nil
}

// room is what one run of a transaction may add to a load.
type room struct {
	load     *load // nil if there are no quotas
	sessions int64
	queue    int64
	wait     time.Duration // until the load is counted again
}

// quotaLoad is load for a request that adds to it: nil if there are no quotas. Like
// load, it may not be called in a transaction.
func (s *Store) quotaLoad(ctx context.Context, scope Scope) (*load, error) {
	if s.opts.Quotas.LiveSessions == 0 && s.opts.Quotas.QueuedDeliveries == 0 {
		return nil, nil //nolint:nilnil // see above
	}
	return s.load(ctx, scope.OrganizationID)
}

const unbounded = 1 << 62

// room returns what is left of the quotas. A transaction that runs again needs a new one.
func (s *Store) room(l *load) *room {
	r := &room{load: l, sessions: unbounded, queue: unbounded}
	if l == nil {
		return r
	}
	if quota := s.opts.Quotas.LiveSessions; quota > 0 {
		r.sessions = quota - l.sessions.Load()
	}
	if quota := s.opts.Quotas.QueuedDeliveries; quota > 0 {
		r.queue = quota - l.deliveries.Load()
	}
	r.wait = time.Duration(l.countedUntil.Load()-s.opts.Now().UnixMicro()) * time.Microsecond
	return r
}

// forDeliveries refuses a request that queues deliveries if the queue is full.
func (r *room) forDeliveries() *Error {
	if r.queue <= 0 {
		return errDeliveryQuota.after(r.wait)
	}
	return nil
}

// forSession refuses a new session if there are too many, or if the queue is full.
func (r *room) forSession() *Error {
	if r.sessions <= 0 {
		return errSessionQuota
	}
	return r.forDeliveries()
}

// took records a new session and its deliveries.
func (r *room) took(deliveries int64) {
	r.sessions--
	r.queue -= deliveries
}

// addedSession counts a session that became INVITED once the transaction has committed.
func (c conn) addedSession(organizationID string) {
	c.AfterCommit(func() {
		if l, known := c.store.loads.Peek(organizationID); known {
			l.sessions.Add(1)
		}
	})
}

// queued counts deliveries and wakes the dispatcher once the transaction that queued
// them has committed.
func (c conn) queued(organizationID string, deliveries int64) {
	if deliveries == 0 {
		return
	}
	c.AfterCommit(func() {
		c.store.queue.Wake()
		if l, known := c.store.loads.Peek(organizationID); known {
			l.deliveries.Add(deliveries)
		}
	})
}
