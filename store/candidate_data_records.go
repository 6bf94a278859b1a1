package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// addDataDecisions adds the decisions of people about the sessions, oldest first.
func (c conn) addDataDecisions(ctx context.Context, scope Scope, of dataOf) error {
	var rows []struct {
		SessionID string `db:"session_id"`
		DataDecision
	}
	ofSession := c.store.db.IsOneOf("session_id")
	if err := c.List(ctx, &rows, `
		SELECT d.session_id, d.kind, d.reason, d.created_at,
			(SELECT u.name FROM users u WHERE u.organization_id = ? AND u.id = d.user_id) AS by_name
		FROM (
			SELECT session_id, 'EXTENDED' AS kind, reason, user_id, created_at FROM candidate_session_extensions
			WHERE organization_id = ? AND `+ofSession+`
			UNION ALL SELECT session_id, 'REOPENED', reason, user_id, created_at FROM reopenings
			WHERE organization_id = ? AND `+ofSession+`
			UNION ALL SELECT session_id, CASE WHEN pass THEN 'GATE_PASSED' ELSE 'GATE_STOPPED' END, reason, user_id, created_at
			FROM rulings WHERE organization_id = ? AND `+ofSession+`) d
		ORDER BY d.created_at, d.kind LIMIT ?`,
		scope.OrganizationID, scope.OrganizationID, of.encoded, scope.OrganizationID, of.encoded, scope.OrganizationID,
		of.encoded, dataRows); err != nil {
		return err
	}
	for _, row := range rows {
		session := of.byID[row.SessionID]
		session.Decisions = append(session.Decisions, row.DataDecision)
	}
	return nil
}

// addDataEmails adds the emails to the candidates, oldest first.
func (c conn) addDataEmails(ctx context.Context, scope Scope, of dataOf) error {
	var rows []struct {
		SessionID string `db:"session_id"`
		DataEmail
	}
	if err := c.List(ctx, &rows, `
		SELECT session_id, kind, status, created_at
		FROM `+c.newestOfSessions("emails", "emails_session")+` ORDER BY id`,
		of.encoded, scope.OrganizationID); err != nil {
		return err
	}
	for _, row := range rows {
		session := of.byID[row.SessionID]
		session.Emails = append(session.Emails, row.DataEmail)
	}
	return nil
}

// addDataDevices adds where the candidates worked, oldest first.
func (c conn) addDataDevices(ctx context.Context, scope Scope, of dataOf) error {
	var rows []struct {
		SessionID string `db:"session_id"`
		device
	}
	if err := c.List(ctx, &rows, `
		SELECT session_id, browser, system, network, client_id, created_at FROM candidate_session_devices
		WHERE organization_id = ? AND `+c.store.db.IsOneOf("session_id")+` ORDER BY created_at, client_id LIMIT ?`,
		scope.OrganizationID, of.encoded, dataRows); err != nil {
		return err
	}
	bySession := map[string][]device{}
	for _, row := range rows {
		bySession[row.SessionID] = append(bySession[row.SessionID], row.device)
	}
	for id, devices := range bySession {
		for _, shown := range shownDevices(devices) {
			of.byID[id].Devices = append(of.byID[id].Devices, DataDevice{
				Browser: orNil(shown.Browser), System: orNil(shown.System), Network: shown.Network, At: shown.At,
			})
		}
	}
	return nil
}

// addDataRecipients adds to whom data of the sessions were sent, in the order of time.
func (c conn) addDataRecipients(ctx context.Context, scope Scope, of dataOf) error {
	if err := c.addWebhookRecipients(ctx, scope, of); err != nil {
		return err
	}
	var rows []struct {
		SessionID string        `db:"session_id"`
		Kind      RecipientKind `db:"kind"`
		Name      string        `db:"name"`
		At        Time          `db:"created_at"`
	}
	if err := c.List(ctx, &rows, `
		SELECT a.session_id, 'INTEGRATION' AS kind, a.partner AS name, a.created_at
		FROM integration_orders a`+c.store.db.IndexedBy("integration_orders_session")+`
		WHERE a.organization_id = ? AND `+c.store.db.IsOneOf("a.session_id")+`
		UNION ALL SELECT a.session_id, 'RESULT_LINK', COALESCE(a.label, `+actorName+`, ''), a.created_at
		FROM (SELECT * FROM `+c.newestOfSessions("result_links", "result_links_session")+`) a`,
		scope.OrganizationID, of.encoded, of.encoded, scope.OrganizationID); err != nil {
		return err
	}
	for _, row := range rows {
		if row.Name != "" { // otherwise the link is for an event or an order, whose receiver is another recipient
			of.byID[row.SessionID].addRecipient(DataRecipient{row.Kind, row.Name, row.At.Time})
		}
	}
	for _, session := range of.sessions {
		slices.SortFunc(session.Recipients, func(a, b DataRecipient) int {
			if order := a.At.Compare(b.At); order != 0 {
				return order
			}
			return strings.Compare(a.Name, b.Name)
		})
	}
	return nil
}

// addRecipient adds a recipient, or an earlier time of one that is there.
func (session *DataSession) addRecipient(recipient DataRecipient) {
	for i := range session.Recipients {
		other := &session.Recipients[i]
		if other.Kind == recipient.Kind && other.Name == recipient.Name {
			if recipient.At.Before(other.At) {
				other.At = recipient.At
			}
			return
		}
	}
	session.Recipients = append(session.Recipients, recipient)
}

// addWebhookRecipients adds endpoints by their origin, because their addresses can contain secrets.
func (c conn) addWebhookRecipients(ctx context.Context, scope Scope, of dataOf) error {
	var events []struct {
		ID        string `db:"id"`
		SubjectID string `db:"subject_id"`
	}
	if err := c.List(ctx, &events, `
		SELECT id, subject_id
		FROM `+c.store.db.NewestOfKeys("events", "subject_id", "events_subject_newest", dataSessionRows),
		of.encoded, scope.OrganizationID); err != nil || len(events) == 0 {
		return err
	}
	ids, subjects := make([]string, len(events)), map[string]string{}
	for i, event := range events {
		ids[i], subjects[event.ID] = event.ID, event.SubjectID
	}
	receivers, err := c.store.queue.Receivers(ctx, c.Conn, ids)
	if err != nil || len(receivers) == 0 {
		return err
	}
	var endpoints []struct {
		ID  string `db:"id"`
		URL string `db:"url"`
	}
	webhooks := map[string]bool{}
	for _, receiver := range receivers {
		webhooks[receiver.WebhookID] = true
	}
	encoded, _ := json.Marshal(slices.Collect(maps.Keys(webhooks))) // texts
	if err := c.List(ctx, &endpoints, `
		SELECT w.id, w.url FROM webhook_endpoints w WHERE w.organization_id = ? AND `+c.store.db.IsOneOf("w.id"),
		scope.OrganizationID, string(encoded)); err != nil {
		return err
	}
	origins := map[string]string{}
	for _, endpoint := range endpoints {
		origins[endpoint.ID] = value(origin(&endpoint.URL))
	}
	for _, receiver := range receivers {
		of.byID[subjects[receiver.EventID]].addRecipient(DataRecipient{
			RecipientWebhook, origins[receiver.WebhookID], receiver.At.Truncate(time.Millisecond),
		})
	}
	return nil
}
