package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/queue"
)

const (
	statisticsHours = 7 * 24
	// statisticsRetention is a day longer, so that no row is purged while it is counted.
	statisticsRetention = (statisticsHours + 24) * time.Hour
)

// AttemptKey says which attempts an AttemptCount counts.
type AttemptKey = queue.AttemptKey

// AttemptCount is the number of attempts with the same key.
type AttemptCount = queue.AttemptCount

// countAttempts adds to the statistics of an endpoint. The caller has locked the
// endpoint's row, so that two dispatchers do not deadlock.
func (c conn) countAttempts(ctx context.Context, webhookID string, counts map[AttemptKey]AttemptCount) error {
	type row struct {
		Hour      int64 `json:"h"`
		Bucket    int   `json:"b"`
		Succeeded int64 `json:"s"`
		Failed    int64 `json:"f"`
	}
	var rows []row
	for key, count := range counts {
		rows = append(rows, row{key.Hour, key.Bucket, count.Succeeded, count.Failed})
	}
	if len(rows) == 0 {
		return nil
	}
	encoded, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO webhook_statistics (organization_id, webhook_id, hour, bucket, succeeded, failed)
		SELECT h.organization_id, h.id, CAST(value->>'h' AS BIGINT), CAST(value->>'b' AS INTEGER),
			CAST(value->>'s' AS BIGINT), CAST(value->>'f' AS BIGINT)
		FROM `+c.store.db.JSONRows+`, webhook_endpoints h WHERE h.id = ?
		ON CONFLICT (webhook_id, hour, bucket) DO UPDATE SET succeeded = webhook_statistics.succeeded + excluded.succeeded,
			failed = webhook_statistics.failed + excluded.failed`, string(encoded), webhookID)
	return err
}

// WebhookStatistics are the attempts of an endpoint in the last statisticsHours.
type WebhookStatistics struct {
	Hours       []WebhookHour // every hour, oldest first; the last one is not over
	WebhookHour               // of all hours; it begins with the first
}

// WebhookHour are the attempts that began in an hour. The quantiles of their durations,
// in milliseconds, are nil without attempts.
type WebhookHour struct {
	StartsAt          time.Time
	Succeeded, Failed int64
	P50, P95          *int64
}

// RetrieveWebhookStatistics returns the statistics of an endpoint. Refusal: not_found.
func (s *Store) RetrieveWebhookStatistics(ctx context.Context, scope Scope, id string) (WebhookStatistics, error) {
	if _, err := s.read().webhook(ctx, scope, id); err != nil {
		return WebhookStatistics{}, err
	}
	first := s.Now().Truncate(time.Hour).Add(-(statisticsHours - 1) * time.Hour)
	var rows []struct {
		Hour      int64 `db:"hour"`
		Bucket    int   `db:"bucket"`
		Succeeded int64 `db:"succeeded"`
		Failed    int64 `db:"failed"`
	}
	if err := s.stale().List(ctx, &rows, `
		SELECT hour, bucket, succeeded, failed FROM webhook_statistics
		WHERE organization_id = ? AND webhook_id = ? AND hour >= ? ORDER BY hour, bucket`,
		scope.OrganizationID, id, first.UnixMicro()); err != nil {
		return WebhookStatistics{}, err
	}
	whole := map[int]AttemptCount{}
	byHour := map[int64]map[int]AttemptCount{}
	for _, row := range rows {
		if byHour[row.Hour] == nil {
			byHour[row.Hour] = map[int]AttemptCount{}
		}
		byHour[row.Hour][row.Bucket] = AttemptCount{Succeeded: row.Succeeded, Failed: row.Failed}
		sum := whole[row.Bucket]
		whole[row.Bucket] = AttemptCount{
			Succeeded: sum.Succeeded + row.Succeeded, Failed: sum.Failed + row.Failed,
		}
	}
	statistics := WebhookStatistics{WebhookHour: summary(first, whole), Hours: make([]WebhookHour, statisticsHours)}
	for i := range statistics.Hours {
		at := first.Add(time.Duration(i) * time.Hour)
		statistics.Hours[i] = summary(at, byHour[at.UnixMicro()])
	}
	return statistics, nil
}

func summary(at time.Time, counts map[int]AttemptCount) WebhookHour {
	hour, last := WebhookHour{StartsAt: at}, 0
	for bucket, count := range counts {
		hour.Succeeded, hour.Failed = hour.Succeeded+count.Succeeded, hour.Failed+count.Failed
		last = max(last, bucket)
	}
	attempts, seen := hour.Succeeded+hour.Failed, int64(0)
	for bucket := 0; bucket <= last && attempts > 0; bucket++ {
		seen += counts[bucket].Succeeded + counts[bucket].Failed
		duration := queue.BucketMS(bucket)
		if hour.P50 == nil && seen*100 >= attempts*50 {
			hour.P50 = &duration
		}
		if hour.P95 == nil && seen*100 >= attempts*95 {
			hour.P95 = &duration
		}
	}
	return hour
}
