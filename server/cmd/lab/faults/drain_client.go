package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"syscall"
	"time"

	"assay/server/cmd/lab/rig"
)

// drainClient invites on a connection that it keeps as long as the server does.
type drainClient struct {
	addr    string
	request func(n int) []byte

	conn *rig.Conn // nil if there is none
	used int       // number of answers on it

	acknowledged []string // sessions
	dropped      []string // requests without an answer
	odd          []string // unexpected answers
	reset        int      // requests on connections that the service did not accept
	refusedAt    time.Time
}

// answerTimeout is far above the time that an answer takes.
const answerTimeout = 30 * time.Second

// work sends one request after the other until a dial is refused.
func (c *drainClient) work(ctx context.Context) {
	defer c.hangUp()
	for n := 0; ctx.Err() == nil; n++ {
		if c.conn == nil {
			var err error
			if c.conn, err = rig.Dial(ctx, c.addr); err != nil {
				c.conn, c.refusedAt = nil, time.Now()
				return
			}
			c.used = 0
		}
		c.exchange(n)
	}
}

func (c *drainClient) hangUp() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

// exchange sends one request. A request without an answer is reset or dropped.
func (c *drainClient) exchange(n int) {
	began := time.Now()
	_ = c.conn.SetDeadline(began.Add(answerTimeout)) // an error shows in Exchange
	status, body, closes, err := c.conn.Exchange(c.request(n))
	switch {
	case c.used == 0 && errors.Is(err, syscall.ECONNRESET):
		// The connection was in the listener's queue when the listener closed.
		c.reset++
		c.hangUp()
		return
	case err != nil:
		c.dropped = append(c.dropped, fmt.Sprintf("a request was dropped after %d answers on its connection and %s: %v",
			c.used, time.Since(began).Round(time.Millisecond), err))
		c.hangUp()
		return
	}

	c.used++
	var made struct{ Data struct{ ID string } }
	if status == http.StatusCreated && json.Unmarshal(body, &made) == nil {
		c.acknowledged = append(c.acknowledged, made.Data.ID)
	} else {
		c.odd = append(c.odd, fmt.Sprintf("an invite was answered with %d %s", status, body))
	}
	if closes {
		c.hangUp()
	}
}
