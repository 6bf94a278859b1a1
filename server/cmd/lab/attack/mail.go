package attack

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
	"assay/server/mail/mailtest"
)

// mailOf abuses email: with a long queue beside a victim, and with the links that reset
// passwords.
func mailOf(ctx context.Context, a *attack) error {
	for _, try := range []func(context.Context) error{a.mailQueue, a.forgotTimes, a.forgotLimits} {
		if err := try(ctx); err != nil {
			return err
		}
	}
	return nil
}

// mailbox is a mail server that notes when a message arrived at an address.
type mailbox struct {
	*mailtest.Server

	mu      sync.Mutex
	arrived map[string][]time.Time
	waiting map[string]chan time.Time
}

// mailTarget starts a service with a mail server, whose rate is the default.
func (a *attack) mailTarget(ctx context.Context, settings ...string) (*target, *mailbox, error) {
	box := &mailbox{arrived: map[string][]time.Time{}, waiting: map[string]chan time.Time{}}
	var err error
	if box.Server, err = mailtest.Start(mailtest.Options{OnMessage: box.take}); err != nil {
		return nil, nil, err
	}
	settings = append(settings, "ASSAY_SMTP_URL="+box.URL(), "ASSAY_MAIL_FROM=Assay <assay@lab.example>")
	t, err := a.serve(ctx, settings...)
	if err != nil {
		box.Close()
	}
	return t, box, err
}

func (b *mailbox) take(m mailtest.Message) {
	at, to := time.Now(), strings.Join(m.To, ",")
	b.mu.Lock()
	defer b.mu.Unlock()
	b.arrived[to] = append(b.arrived[to], at)
	if waiting := b.waiting[to]; waiting != nil {
		delete(b.waiting, to)
		waiting <- at
	}
}

// next returns a channel that receives when the next message to an address arrives.
func (b *mailbox) next(address string) <-chan time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting[address] = make(chan time.Time, 1)
	return b.waiting[address]
}

// count is the number of messages that arrived at an address.
func (b *mailbox) count(address string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.arrived[address])
}

// total is the number of messages that arrived.
func (b *mailbox) total() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, times := range b.arrived {
		n += len(times)
	}
	return n
}

const (
	bulkRows  = 500 // that one request permits
	mailTries = 10
	mailWait  = time.Minute
)

// mailQueue lets a hostile organization queue many invites, and measures the victim's
// emails and requests.
func (a *attack) mailQueue(ctx context.Context) error {
	t, box, err := a.mailTarget(ctx, unlimited, "ASSAY_QUOTAS=off")
	if err != nil {
		return err
	}
	defer box.Close()
	defer t.Stop()
	hostile, v, err := t.two(ctx)
	if err != nil {
		return err
	}
	const interval, length = 30 * time.Millisecond, 2 * time.Second
	var alone, during, beside work
	rounds := a.often(3, 10)
	for range rounds {
		v.round(ctx, &alone, interval, length)
	}

	end := costs(t.Process)
	var queued *tally
	var queueing sync.WaitGroup
	queueing.Go(func() { queued = a.queueInvites(ctx, t, hostile) })
	v.round(ctx, &during, interval, length)
	queueing.Wait()
	for range rounds {
		v.round(ctx, &beside, interval, length)
	}
	resets, err := a.latencies(ctx, t, box, func(n int) (string, http.Header, rig.Object, string) {
		address := rig.Email("victim")
		return "/v1/auth/forgot-password", nil, rig.Object{"email": address}, address
	})
	if err != nil {
		return err
	}
	invites, err := a.latencies(ctx, t, box, func(n int) (string, http.Header, rig.Object, string) {
		name := fmt.Sprintf("victim-mail-%d", n)
		body := v.org.Invite(name)
		body["sendEmail"] = true
		return "/v1/public/candidate-sessions", v.org.Key, body, rig.Email(name)
	})
	if err != nil {
		return err
	}
	a.tried("%d invites by email of one organization in %s", queued.ok()*bulkRows, rig.Seconds(queued.took))
	a.got("%s; %s; %d emails were sent so far", queued, end(), box.total())
	a.check(slices.Max(resets) <= mailWithin, ruleMailReset, "p50 %s, slowest %s of %d",
		rig.Milliseconds(rig.Percentile(resets, 50)), rig.Milliseconds(slices.Max(resets)), len(resets))
	a.check(slices.Max(invites) <= mailWithin, ruleMailInvite, "p50 %s, slowest %s of %d",
		rig.Milliseconds(rig.Percentile(invites, 50)), rig.Milliseconds(slices.Max(invites)), len(invites))
	a.check(bearable(alone, during), ruleVictim, "alone %s, while they are queued %s", alone, during)
	a.check(bearable(alone, beside), ruleVictim, "alone %s, beside the queue %s", alone, beside)
	return nil
}

// queueInvites invites by email, as many candidates as one request permits.
func (a *attack) queueInvites(ctx context.Context, t *target, org *rig.Organization) *tally {
	return storm(ctx, a.often(20_000, 100_000)/bulkRows, 1, func(ctx context.Context, n, _ int) (rig.Answer, error) {
		rows := make([]rig.Object, bulkRows)
		for i := range rows {
			rows[i] = org.Invite(fmt.Sprintf("bulk-%d-%d", n, i))
			rows[i]["sendEmail"] = true
		}
		return t.api.Send(ctx, http.MethodPost, "/v1/public/candidate-sessions/bulk", org.Key, rig.Object{"rows": rows})
	})
}

// latencies sends requests that cause an email each, one after the other, and returns how
// long after its answer each email arrived.
func (a *attack) latencies(
	ctx context.Context, t *target, box *mailbox, request func(n int) (path string, header http.Header, body rig.Object,
		to string),
) (took []time.Duration, err error) {
	for n := range mailTries {
		path, header, body, to := request(n)
		arrives := box.next(to)
		answer, err := t.api.Send(ctx, http.MethodPost, path, header, body)
		if err != nil || !answer.OK() {
			return nil, unexpected(path, answer, err)
		}
		answered := time.Now()
		select {
		case at := <-arrives:
			took = append(took, max(0, at.Sub(answered)))
		case <-time.After(mailWait):
			took = append(took, mailWait)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return took, nil
}
