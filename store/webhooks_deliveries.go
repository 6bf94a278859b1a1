package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"assay/store/queue"
)

// DeliveryStatus is the state of a delivery.
type DeliveryStatus = queue.Status

// The statuses of a delivery.
const (
	DeliveryPending   = queue.Pending
	DeliverySucceeded = queue.Succeeded
	DeliveryFailed    = queue.Failed
	DeliveryCancelled = queue.Cancelled
)

// Delivery is the delivery of one event to one endpoint: see queue.Status for the tables.
type Delivery struct {
	ID             string         `db:"id"`
	OrganizationID string         `db:"organization_id"`
	WebhookID      string         `db:"webhook_id"`
	EventID        string         `db:"event_id"`
	EventType      EventType      `db:"event_type"`
	Status         DeliveryStatus `db:"status"`
	AttemptCount   int            `db:"attempt"`
	NextAttemptAt  *Time          `db:"next_attempt_at"`
	CreatedAt      Time           `db:"created_at"`
	CompletedAt    *Time          `db:"completed_at"`
}

// FailureReason is the reason for which an attempt failed.
type FailureReason = queue.FailureReason

// The reasons for which an attempt fails.
const (
	FailedStatus     = queue.FailedStatus
	FailedTimeout    = queue.FailedTimeout
	FailedDNS        = queue.FailedDNS
	FailedConnection = queue.FailedConnection
	FailedTLS        = queue.FailedTLS
	FailedAddress    = queue.FailedAddress
	FailedRedirect   = queue.FailedRedirect
	FailedGone       = queue.FailedGone
)

// Attempt is one request to an endpoint, and the response.
type Attempt = queue.Attempt

// A delivery whose lease is set is being attempted: its run_at is the end of the lease.
const (
	pendingColumns = `SELECT delivery_id AS id, organization_id, webhook_id, event_id, event_type, 'PENDING' AS status,
		attempt,
		CASE WHEN lease = '' THEN run_at END AS next_attempt_at, created_at, NULL AS completed_at FROM webhook_queue`
	endedColumns = `SELECT id, organization_id, webhook_id, event_id, event_type, status, attempt, NULL AS next_attempt_at,
		created_at, completed_at FROM webhook_deliveries`
)

// DeliveryFilter narrows ListDeliveries and ListAllDeliveries. A zero field does not
// narrow it.
type DeliveryFilter struct {
	WebhookID string
	EventID   string
	Status    DeliveryStatus
	EventType EventType
	Since     *time.Time // when the delivery was queued
	Until     *time.Time // exclusive
}

// ListDeliveries returns a page of an endpoint's deliveries, and the id after which the
// next page begins: "" on the last page. Refusal: not_found.
func (s *Store) ListDeliveries(
	ctx context.Context, scope Scope, webhookID string, in DeliveryFilter, page Page,
) ([]Delivery, string, error) {
	c := s.read()
	if _, err := c.webhook(ctx, scope, webhookID); err != nil {
		return nil, "", err
	}
	in.WebhookID = webhookID
	return c.deliveries(ctx, scope, in, page)
}

// ListAllDeliveries is ListDeliveries for all endpoints, including deleted ones. An
// unknown endpoint or event has no deliveries.
func (s *Store) ListAllDeliveries(
	ctx context.Context, scope Scope, in DeliveryFilter, page Page,
) ([]Delivery, string, error) {
	return s.read().deliveries(ctx, scope, in, page)
}

// deliveries merges a page of pending and a page of ended deliveries.
func (c conn) deliveries(ctx context.Context, scope Scope, in DeliveryFilter, page Page) ([]Delivery, string, error) {
	var pending, ended []Delivery
	var pendingExamined, endedExamined string
	var err error
	if in.Status == "" || in.Status == DeliveryPending {
		if pending, pendingExamined, err = c.pendingDeliveries(ctx, scope, in, page); err != nil {
			return nil, "", err
		}
	}
	if in.Status != DeliveryPending {
		if ended, endedExamined, err = c.endedDeliveries(ctx, scope, in, page); err != nil {
			return nil, "", err
		}
	}
	// What one of the queries has not examined comes on the next page.
	examined := max(pendingExamined, endedExamined)
	all := slices.DeleteFunc(newestDeliveries(pending, ended), func(d Delivery) bool { return d.ID < examined })
	deliveries, next := pageEnd(all, page.Limit, examined, func(d Delivery) string { return d.ID })
	return deliveries, next, nil
}

var (
	queuedDeliveries = keptTable{queue.Queued, "delivery_id", "dlv"}
	endedDeliveries  = keptTable{queue.Deliveries, "id", "dlv"}
)

func (c conn) pendingDeliveries(
	ctx context.Context, scope Scope, in DeliveryFilter, page Page,
) (pending []Delivery, examined string, err error) {
	where := deliveryFilter(queuedDeliveries, scope, in, page, true)
	if in.WebhookID != "" || in.EventType != "" {
		if examined, err = c.examined(ctx, queuedDeliveries, where); err != nil {
			return nil, "", err
		}
	}
	if in.WebhookID != "" {
		where.unindexed("webhook_id", in.WebhookID)
	}
	if in.EventType != "" {
		where.unindexed("event_type", in.EventType)
	}
	err = c.List(ctx, &pending, pendingColumns+where.sql.String()+" ORDER BY delivery_id DESC LIMIT ?",
		append(where.args, page.Limit+1)...)
	return pending, examined, err
}

// endedDeliveries filters by one index: that of the event, of the status, of the type,
// or of the endpoint. Other conditions apply to the rows that it finds.
func (c conn) endedDeliveries(
	ctx context.Context, scope Scope, in DeliveryFilter, page Page,
) (ended []Delivery, examined string, err error) {
	byEvent := in.EventID != ""
	byStatus := !byEvent && (in.Status == DeliveryFailed || in.Status == DeliveryCancelled)
	byType := !byEvent && !byStatus && in.EventType != ""
	byEndpoint := !byEvent && !byType && in.WebhookID != ""
	where := deliveryFilter(endedDeliveries, scope, in, page, !byEndpoint)
	if byStatus {
		// The indexes contain few rows, because nearly all deliveries succeed.
		where.sql.WriteString(" AND status <> 'SUCCEEDED'")
		where.and("status = ?", in.Status)
	}
	if byType {
		where.and("event_type = ?", in.EventType)
	}
	if byEndpoint {
		where.and("webhook_id = ?", in.WebhookID)
	}
	complete := (in.EventType == "" || byType) && (in.WebhookID == "" || byEndpoint) && (in.Status == "" || byStatus)
	if !complete {
		if examined, err = c.examined(ctx, endedDeliveries, where); err != nil {
			return nil, "", err
		}
	}
	if in.EventType != "" && !byType {
		where.unindexed("event_type", in.EventType)
	}
	if in.WebhookID != "" && !byEndpoint {
		where.unindexed("webhook_id", in.WebhookID)
	}
	if in.Status != "" && !byStatus {
		where.unindexed("status", in.Status)
	}
	err = c.List(ctx, &ended, endedColumns+where.sql.String()+" ORDER BY id DESC LIMIT ?",
		append(where.args, page.Limit+1)...)
	return ended, examined, err
}

// deliveryFilter has the conditions that both tables share. The deliveries of an event
// or of an endpoint have indexes without the organization, so that its indexes must not
// be chosen for them.
func deliveryFilter(table keptTable, scope Scope, in DeliveryFilter, page Page, byOrganization bool) *filter {
	where := &filter{args: []any{scope.OrganizationID}}
	if byOrganization && in.EventID == "" {
		where.sql.WriteString(" WHERE organization_id = ?")
	} else {
		where.sql.WriteString(" WHERE organization_id || '' = ?")
	}
	if in.EventID != "" {
		where.and("event_id = ?", in.EventID)
	}
	if page.After != "" {
		where.and(table.column+" < ?", page.After)
	}
	where.created(table, in.Since, in.Until, storedMicros)
	return where
}

// newestDeliveries merges pending and ended deliveries. A delivery that ended
// between the two queries is in both lists, and only the ended one remains.
func newestDeliveries(pending, ended []Delivery) []Delivery {
	all := append(slices.Clone(ended), pending...)
	slices.SortStableFunc(all, func(a, b Delivery) int { return cmp.Compare(b.ID, a.ID) })
	return slices.CompactFunc(all, func(a, b Delivery) bool { return a.ID == b.ID })
}

// DeliveryDetail is a delivery with every attempt, oldest first.
type DeliveryDetail struct {
	Delivery Delivery
	Attempts []Attempt
}

// RetrieveDelivery returns one delivery of the endpoint with its attempts. Refusal: not_found.
func (s *Store) RetrieveDelivery(ctx context.Context, scope Scope, webhookID, id string) (DeliveryDetail, error) {
	c := s.read()
	if _, err := c.webhook(ctx, scope, webhookID); err != nil {
		return DeliveryDetail{}, err
	}
	var detail DeliveryDetail
	var err error
	if detail.Delivery, err = c.delivery(ctx, scope, webhookID, id); err != nil {
		return DeliveryDetail{}, err
	}
	err = c.List(ctx, &detail.Attempts, `
		SELECT number, started_at, duration_ms, status_code, failure_reason, response_body FROM webhook_attempts
		WHERE delivery_id = ? ORDER BY number`, id)
	return detail, err
}

func (c conn) delivery(ctx context.Context, scope Scope, webhookID, id string) (Delivery, error) {
	var delivery Delivery
	err := c.Get(ctx, &delivery, pendingColumns+` WHERE organization_id = ? AND webhook_id = ? AND delivery_id = ?
		UNION ALL `+endedColumns+` WHERE organization_id = ? AND webhook_id = ? AND id = ?`,
		scope.OrganizationID, webhookID, id, scope.OrganizationID, webhookID, id)
	return delivery, orRefuse(err, errNoDelivery)
}

// RedeliverDelivery queues the event of a delivery again. Refusals: not_found, also when
// the event has been purged; webhook_disabled, delivery_quota_exceeded.
func (s *Store) RedeliverDelivery(ctx context.Context, scope Scope, webhookID, id string) (Delivery, error) {
	used, err := s.quotaLoad(ctx, scope)
	if err != nil {
		return Delivery{}, err
	}
	var queued Delivery
	err = once(ctx, s, scope, &queued, func(c conn) error {
		if _, err := c.enabledWebhook(ctx, scope, webhookID); err != nil {
			return err
		}
		if full := s.room(used).forDeliveries(); full != nil {
			return full
		}
		original, err := c.delivery(ctx, scope, webhookID, id)
		if err != nil {
			return err
		}
		fresh, inserted, err := s.queue.Again(ctx, c.Conn, scope.OrganizationID, webhookID, original.EventID)
		if err == nil && inserted == 0 {
			err = errNoEvent
		}
		if err != nil {
			return err
		}
		c.queued(scope.OrganizationID, inserted)
		if queued, err = c.delivery(ctx, scope, webhookID, fresh); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditDeliveryRedelivered, webhookID)
	})
	return queued, err
}

func (c conn) enabledWebhook(ctx context.Context, scope Scope, webhookID string) (WebhookEndpoint, error) {
	endpoint, err := c.webhook(ctx, scope, webhookID)
	if err == nil && !endpoint.Enabled {
		err = errWebhookDisabled
	}
	return endpoint, err
}

// deliveriesPerEvent bounds the deliveries that the event log shows for each event.
const deliveriesPerEvent = 100

// deliveriesOf returns the newest deliveries of each event, by event id.
func (c conn) deliveriesOf(ctx context.Context, scope Scope, eventIDs []string) (map[string][]Delivery, error) {
	pending, err := c.newestOfEvents(ctx, scope, queuedDeliveries, pendingColumns, eventIDs)
	if err != nil {
		return nil, err
	}
	ended, err := c.newestOfEvents(ctx, scope, endedDeliveries, endedColumns, eventIDs)
	if err != nil {
		return nil, err
	}
	byEvent := make(map[string][]Delivery, len(eventIDs))
	for _, delivery := range newestDeliveries(pending, ended) {
		if of := byEvent[delivery.EventID]; len(of) < deliveriesPerEvent {
			byEvent[delivery.EventID] = append(of, delivery)
		}
	}
	return byEvent, nil
}

// newestOfEvents reads the newest rows of each event in one table. Replays and
// redeliveries add rows to an event without a limit, so both databases read only the
// end of the event in the events' index. For PostgreSQL's planner, the order by both
// columns leaves no other index, a range where an equality would do keeps it from
// sorting, and a condition on the organization inside would make it expect few rows.
func (c conn) newestOfEvents(
	ctx context.Context, scope Scope, table keptTable, columns string, eventIDs []string,
) (newest []Delivery, err error) {
	ids, err := json.Marshal(eventIDs)
	if err != nil {
		return nil, err
	}
	query := `
		SELECT newest.* FROM (SELECT value AS wanted FROM ` + c.store.db.JSONRows + `)
		CROSS JOIN (` + columns + `) AS newest ON newest.event_id = wanted AND newest.id > COALESCE((
			SELECT n.` + table.column + ` FROM ` + table.name + ` AS n
			WHERE n.event_id = wanted ORDER BY n.` + table.column + ` DESC LIMIT 1 OFFSET ?), '')
		WHERE newest.organization_id || '' = ?`
	if c.store.db.HasLateral {
		query = `
			SELECT newest.* FROM (SELECT value ` + c.store.db.TextOf + ` AS wanted FROM ` + c.store.db.JSONRows + `) AS given
			CROSS JOIN LATERAL (` + columns + ` WHERE event_id >= wanted AND event_id <= wanted
				ORDER BY event_id DESC, ` + table.column + ` DESC LIMIT ?) AS newest
			WHERE newest.organization_id || '' = ?`
	}
	err = c.List(ctx, &newest, query, string(ids), deliveriesPerEvent, scope.OrganizationID)
	return newest, err
}
