package attack

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// reads asks for pages whose rows have very many rows of another table, and for very
// many large definitions.
func reads(ctx context.Context, a *attack) error {
	if err := a.manyDeliveries(ctx); err != nil {
		return err
	}
	return a.manyDefinitions(ctx)
}

const (
	eventsOfPage   = 100
	volleyInterval = time.Second // of eight reads, which the limit of a person permits
)

func (a *attack) manyDeliveries(ctx context.Context) error {
	t, err := a.serve(ctx, unlimited, insecureWebhooks)
	if err != nil {
		return err
	}
	defer t.Stop()
	hostile, v, err := t.two(ctx)
	if err != nil {
		return err
	}
	deliveries := a.often(2000, 6000)
	if err := t.fillDeliveries(ctx, hostile, deliveries); err != nil {
		return t.Explain(err)
	}
	for _, path := range []string{"/v1/events?limit=100", "/v1/deliveries?limit=100"} {
		if err := a.heavyRead(ctx, t, hostile, v, path, eventsOfPage*deliveries); err != nil {
			return t.Explain(err)
		}
	}
	return nil
}

func (a *attack) heavyRead(
	ctx context.Context, t *target, hostile *rig.Organization, v *victim, path string, rows int,
) error {
	read := func(ctx context.Context, _, _ int) (rig.Answer, error) {
		return t.api.Send(ctx, http.MethodGet, path, hostile.Owner, nil)
	}
	before, err := t.allocated(ctx)
	if err != nil {
		return err
	}
	end := costs(t.Process)
	one := storm(ctx, 1, 1, read)
	used := end()
	after, err := t.allocated(ctx)
	if err != nil {
		return err
	}
	a.tried("GET %s, %d deliveries", path, rows)
	a.got("%s; %s", one, used)
	a.check(one.ok() == 1 && after-before <= readOnce, ruleReadOnce, "%s allocated, %s CPU, %s",
		rig.Mebibytes(after-before), rig.Seconds(used.cpu), rig.Milliseconds(one.slowest))

	end = costs(t.Process)
	many := newTally()
	d := duel{rounds: a.often(2, 6), interval: 50 * time.Millisecond, length: 3 * time.Second}
	alone, beside := v.besideAttack(ctx, d, func(ctx context.Context) {
		for ctx.Err() == nil {
			next := time.Now().Add(volleyInterval)
			var calls sync.WaitGroup
			for range 8 {
				calls.Go(func() {
					began := time.Now()
					answer, err := read(context.WithoutCancel(ctx), 0, 0)
					many.add(answer, time.Since(began), err)
				})
			}
			calls.Wait()
			rig.Pause(ctx, time.Until(next))
		}
	}, func(ctx context.Context) bool { return rig.Pause(ctx, time.Second) })
	used = end()
	a.tried("the same, eight at once, every second")
	a.got("%s; %s", many, used)
	a.check(used.growth <= readsTogether, ruleReadsTogether, "+%s", rig.Mebibytes(used.growth))
	a.check(bearable(alone, beside), ruleVictim, "alone %s, beside %s", alone, beside)
	return nil
}

// fillDeliveries makes events with one endpoint, and writes finished deliveries of them
// into the database, as many redeliveries would.
func (t *target) fillDeliveries(ctx context.Context, org *rig.Organization, each int) error {
	var endpoint struct{ ID string }
	if _, err := t.api.Call(ctx, http.MethodPost, "/v1/webhooks", org.Owner, newEndpoint(0), &endpoint); err != nil {
		return err
	}
	for n := range eventsOfPage {
		if _, err := org.Add(ctx, fmt.Sprint("event-", n)); err != nil {
			return err
		}
	}
	hexadecimal := `printf('%016x', numbered.number * 1000000 + numbers.n)`
	if t.db.Cluster != nil {
		hexadecimal = `lpad(to_hex(numbered.number * 1000000 + numbers.n), 16, '0')`
	}
	// The time of a delivery's id is that of its event.
	return t.exec(ctx, fmt.Sprintf(`
		WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < %d),
		numbered AS (
			SELECT id, organization_id, type, ROW_NUMBER() OVER (ORDER BY id) AS number FROM events
			WHERE organization_id = '%s' AND type = 'candidate.invited')
		INSERT INTO webhook_deliveries (
			id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at, completed_at)
		SELECT 'dlv_' || substr(numbered.id, 5, 10) || %s, numbered.organization_id, '%s', numbered.id, numbered.type,
			'SUCCEEDED', 1, %d, %d
		FROM numbered CROSS JOIN numbers`,
		each, org.ID, hexadecimal, endpoint.ID, time.Now().UnixMicro(), time.Now().UnixMicro()), `ANALYZE`)
}

// manyDefinitions reads large published definitions, one after the other.
func (a *attack) manyDefinitions(ctx context.Context) error {
	t, err := a.serve(ctx, unlimited)
	if err != nil {
		return err
	}
	defer t.Stop()
	hostile, err := rig.NewOrganization(ctx, t.api, "hostile")
	if err != nil {
		return t.Explain(err)
	}
	var ids []string
	count := a.often(160, 256)
	for n := range count {
		var created struct{ ID string }
		_, err := t.api.Call(ctx, http.MethodPost, "/v1/assessments", hostile.Owner, valid(500, 1800), &created)
		if err != nil {
			a.got("%d of %d definitions, then %v", n, count, err)
			break
		}
		publish := "/v1/assessments/" + created.ID + "/publish"
		if _, err := t.api.Call(ctx, http.MethodPost, publish, hostile.Owner, nil, nil); err != nil {
			return err
		}
		ids = append(ids, created.ID)
	}
	t.Stop() // its memory is that of the writes
	if t, err = a.serveOn(ctx, t.db, unlimited); err != nil {
		return err
	}
	defer t.Stop()
	end := costs(t.Process)
	before := t.Usage().Resident
	answers := newTally()
	for _, id := range ids {
		began := time.Now()
		answer, err := t.api.Send(ctx, http.MethodGet, "/v1/public/assessments/"+id, hostile.Key, nil)
		if err == nil && answer.OK() {
			body := hostile.Invite("reader-of-" + id)
			body["assessmentId"] = id
			answer, err = t.api.Send(ctx, http.MethodPost, "/v1/public/candidate-sessions", hostile.Key, body)
		}
		answers.add(answer, time.Since(began), err)
	}
	used := end()
	a.tried("%d published definitions of 900 KiB, each read by a key and by an invite", len(ids))
	a.got("%s; %s", answers, used)
	rig.Pause(ctx, 2*time.Second)
	after := t.Usage().Resident
	a.check(answers.not(201) == 0 && after-before <= cacheGrowth, ruleCache, "%s before, %s afterwards, +%s at the peak",
		rig.Mebibytes(before), rig.Mebibytes(after), rig.Mebibytes(used.growth))
	return nil
}
