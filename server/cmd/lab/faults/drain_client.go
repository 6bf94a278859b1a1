package faults

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"assay/server/cmd/lab/rig"
)

// drainClient sends requests on a connection that it keeps as long as the server does.
type drainClient struct {
	addr    string
	request func(n int) []byte
	pause   time.Duration // between two requests

	conn *rig.Conn // nil if there is none
	used int       // number of answers on it

	answered     int      // with a 2xx
	acknowledged []string // sessions
	failed       []failedRequest
	reset        int // requests on connections that the service did not accept
	refusedAt    time.Time
	slowest      time.Duration
	slow         []time.Duration // answers that took slowAnswer or longer
}

// slowAnswer is the shortest time that longer can count.
const slowAnswer = time.Second

// longer counts the answers that took longer than d.
func (c *drainClient) longer(d time.Duration) (count int) {
	for _, took := range c.slow {
		if took > d {
			count++
		}
	}
	return count
}

// failedRequest is a request that had no answer, or another one than a 2xx.
type failedRequest struct {
	number   int
	outcome  string // a status or an error
	answered bool
	used     int // number of earlier answers on its connection
	body     []byte
}

// answerTimeout is far above the time that an answer takes.
const answerTimeout = 30 * time.Second

// work sends one request after the other until a dial is refused or ctx ends. A
// request that was begun is finished, so that each session has its answer.
func (c *drainClient) work(ctx context.Context) {
	defer c.hangUp()
	for n := 0; ctx.Err() == nil; n++ {
		if c.conn == nil {
			var err error
			if c.conn, err = rig.Dial(context.WithoutCancel(ctx), c.addr); err != nil {
				c.conn, c.refusedAt = nil, time.Now()
				return
			}
			c.used = 0
		}
		c.exchange(n)
		rig.Pause(ctx, c.pause)
	}
}

func (c *drainClient) hangUp() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

// exchange sends one request. A request without an answer is reset or failed.
func (c *drainClient) exchange(n int) {
	began := time.Now()
	_ = c.conn.SetDeadline(began.Add(answerTimeout)) // an error shows in Exchange
	status, body, closes, err := c.conn.Exchange(c.request(n))
	took := time.Since(began)
	c.slowest = max(c.slowest, took)
	if took >= slowAnswer {
		c.slow = append(c.slow, took)
	}
	if err != nil || closes {
		defer c.hangUp()
	}
	switch {
	case c.used == 0 && errors.Is(err, syscall.ECONNRESET):
		// The connection was in the listener's queue when the listener closed.
		c.reset++
		return
	case err != nil:
		c.failed = append(c.failed, failedRequest{number: n, outcome: err.Error(), used: c.used})
		return
	case status/100 != 2:
		c.failed = append(c.failed, failedRequest{n, strconv.Itoa(status), true, c.used, body})
	default:
		c.answered++
		var made struct{ Data struct{ ID string } }
		if status == http.StatusCreated && json.Unmarshal(body, &made) == nil {
			c.acknowledged = append(c.acknowledged, made.Data.ID)
		}
	}
	c.used++
}
