package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"assay/server/cmd/lab/rig"
)

// The kinds of requests that clients send in turn.
const (
	read    = "GET"
	unkeyed = "POST without a key"
	keyed   = "POST with a key"
)

// proxyThinkTime keeps the load below what the service can do on a small
// machine: an overloaded service answers 503 without any restart.
const proxyThinkTime = 100 * time.Millisecond

// work sends requests until ctx ends. A request that was begun is finished, so
// that each session has its answer.
func (p *proxyRun) work(ctx context.Context, client int) {
	var conn *rig.Conn
	hangUp := func() {
		if conn != nil {
			_ = conn.Close()
			conn = nil
		}
	}
	defer hangUp()
	for n := 0; ctx.Err() == nil; n++ {
		began, kind := time.Now(), [...]string{read, unkeyed, read, keyed}[n%4]
		var status int
		var body []byte
		var closes bool
		err := error(nil)
		if conn == nil {
			conn, err = rig.Dial(context.WithoutCancel(ctx), p.site)
		}
		if err == nil {
			_ = conn.SetDeadline(began.Add(answerTimeout)) // an error shows in Exchange
			status, body, closes, err = conn.Exchange(p.request(kind, fmt.Sprintf("client-%d-%d", client, n)))
		}
		p.record(kind, time.Since(began), status, body, err)
		if err != nil || closes {
			hangUp()
		}
		rig.Pause(ctx, proxyThinkTime)
	}
}

// request reads the assessment or invites a candidate.
func (p *proxyRun) request(kind, name string) []byte {
	if kind == read {
		return rig.Request(http.MethodGet, "/v1/public/assessments/"+p.org.AssessmentID, p.org.Key, nil)
	}
	header := p.org.Key.Clone()
	if kind == keyed {
		header.Set("Idempotency-Key", name)
	}
	return rig.Request(http.MethodPost, "/v1/public/candidate-sessions", header, p.org.Invite(name))
}

// record adds an answer, or its absence, to the tally.
func (p *proxyRun) record(kind string, took time.Duration, status int, body []byte, err error) {
	var made struct{ Data struct{ ID string } }
	if err == nil && status == http.StatusCreated {
		err = json.Unmarshal(body, &made)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tally.slowest = max(p.tally.slowest, took)
	if made.Data.ID != "" {
		p.acknowledged[made.Data.ID] = true
	}
	if err == nil && status/100 == 2 {
		p.tally.answered++
		return
	}
	failure := kind + " " + strconv.Itoa(status)
	if err != nil {
		failure = kind + " " + err.Error()
	}
	if p.tally.failed == nil {
		p.tally.failed = map[string]int{}
	}
	p.tally.failed[failure]++
}
