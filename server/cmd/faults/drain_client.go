package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"

	"assay/server/cmd/internal/rig"
)

// drainClient invites over a connection that it keeps as long as the server
// lets it. It is not net/http's client, which hides a part of what is dropped
// by sending it again.
type drainClient struct {
	addr string
	key  http.Header
	body func(n int) rig.Object

	conn   net.Conn // nil when there is none
	answer *bufio.Reader
	used   int // answers on this connection

	acknowledged []string // sessions
	dropped      []string // requests that were sent and not answered
	odd          []string // answers that are neither a 2xx nor expected
	reset        int      // requests on connections that the service did not accept
	refused      int      // dials
	refusedAt    time.Time
}

// answerTimeout is far above what an answer takes.
const answerTimeout = 30 * time.Second

// work sends one request after the other until nobody listens any more.
func (c *drainClient) work(ctx context.Context) {
	defer c.hangUp()
	for n := 0; ctx.Err() == nil; n++ {
		if c.conn == nil && !c.dial(ctx) {
			return
		}
		c.exchange(n)
	}
}

func (c *drainClient) dial(ctx context.Context) bool {
	conn, err := (&net.Dialer{Timeout: answerTimeout}).DialContext(ctx, "tcp", c.addr)
	if err != nil {
		c.refused++
		c.refusedAt = time.Now()
		return false
	}
	c.conn, c.answer, c.used = conn, bufio.NewReader(conn), 0
	return true
}

func (c *drainClient) hangUp() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

// exchange sends one request. A request without a response is reset or dropped.
func (c *drainClient) exchange(n int) {
	began := time.Now()
	status, body, closes, err := c.roundTrip(n)
	if c.used == 0 && errors.Is(err, syscall.ECONNRESET) {
		// The connection was made when the listener closed, and was not accepted.
		c.reset++
		c.hangUp()
		return
	}
	if err != nil {
		c.dropped = append(c.dropped, fmt.Sprintf("a request was dropped after %d answers on its connection and %s: %v",
			c.used, time.Since(began).Round(time.Millisecond), err))
		c.hangUp()
		return
	}
	c.used++
	if closes {
		c.hangUp()
	}
	var made struct{ Data struct{ ID string } }
	if status != http.StatusCreated || json.Unmarshal(body, &made) != nil {
		c.odd = append(c.odd, fmt.Sprintf("an invite was answered with %d %s", status, body))
		return
	}
	c.acknowledged = append(c.acknowledged, made.Data.ID)
}

func (c *drainClient) roundTrip(n int) (status int, body []byte, closes bool, err error) {
	encoded, err := json.Marshal(c.body(n))
	if err != nil {
		return 0, nil, false, err
	}
	request, err := http.NewRequest(http.MethodPost, "http://"+c.addr+"/v1/public/candidate-sessions", bytes.NewReader(encoded)) //nolint:noctx // the deadline bounds it
	if err != nil {
		return 0, nil, false, err
	}
	request.Header = c.key.Clone()
	request.Header.Set("Content-Type", "application/json")
	if err := c.conn.SetDeadline(time.Now().Add(answerTimeout)); err != nil {
		return 0, nil, false, err
	}
	if err := request.Write(c.conn); err != nil {
		return 0, nil, false, err
	}
	answer, err := http.ReadResponse(c.answer, request)
	if err != nil {
		return 0, nil, false, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err = io.ReadAll(answer.Body)
	return answer.StatusCode, body, answer.Close, err
}
