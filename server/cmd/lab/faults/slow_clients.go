package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"assay/server/cmd/internal/rig"
)

// slowClient sends or reads a byte at a time.
type slowClient struct {
	kind  string
	conn  net.Conn
	began time.Time
	ended chan struct{} // closed by finish
	got   [1]byte       // of a reader, at first

	lived    time.Duration // until it was cut off, of those that send
	complete bool          // of a reader: it got the whole answer
}

// bodySize is what a slow body claims to be; nobody lives to send it.
const bodySize = 100_000

func newSlowClient(ctx context.Context, addr, kind string, w *world, big string) (*slowClient, error) {
	dialer := net.Dialer{Timeout: answerTimeout}
	if kind == "readers" {
		dialer.Control = smallWindow
	}
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c := &slowClient{kind: kind, conn: conn, began: time.Now(), ended: make(chan struct{})}
	var head string
	switch kind {
	case "headers":
		head = "GET /healthz HTTP/1.1\r\nHost: assay\r\nX-Slow: "
	case "bodies":
		head = fmt.Sprintf("POST /v1/assessments HTTP/1.1\r\nHost: assay\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{",
			w.owner.Get("Authorization"), bodySize)
	case "readers":
		head = fmt.Sprintf("GET /v1/public/assessments/%s HTTP/1.1\r\nHost: assay\r\nX-API-Key: %s\r\n\r\n", big, w.key.Get("X-API-Key"))
	}
	if _, err := io.WriteString(conn, head); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if kind == "readers" { // the answer is on its way: how many are made at once is not what is measured
		if _, err := io.ReadFull(conn, c.got[:]); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return c, nil
}

// maxSegment is Ethernet's. Loopback's is so large that the server's side
// buffers whole answers.
const maxSegment = 1400

// smallWindow lets the buffers on the way take next to nothing of the answer.
func smallWindow(_, _ string, raw syscall.RawConn) error {
	var failed error
	err := raw.Control(func(fd uintptr) {
		failed = errors.Join(syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096),
			syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, maxSegment))
	})
	return errors.Join(err, failed)
}

// work goes on until the client is cut off or the round is over.
func (c *slowClient) work(ctx context.Context, interval time.Duration) {
	if c.kind == "readers" {
		c.read(ctx, interval)
		return
	}
	go func() { // what the server says, it says at the end
		_, _ = io.Copy(io.Discard, c.conn)
		c.lived = time.Since(c.began)
		c.close()
	}()
	for rig.Pause(ctx, interval) {
		if _, err := io.WriteString(c.conn, "x"); err != nil {
			break
		}
	}
	<-c.ended
}

// read reads a byte at a time, and the rest at once when the round is over.
func (c *slowClient) read(ctx context.Context, interval time.Duration) {
	var one [1]byte
	got := c.got[:]
	for ctx.Err() == nil {
		n, err := c.conn.Read(one[:])
		got = append(got, one[:n]...)
		if err != nil {
			break
		}
		select {
		case <-time.After(interval):
			continue
		case <-c.ended:
		}
		break
	}
	_ = c.conn.SetReadDeadline(time.Now().Add(answerTimeout))
	answer, err := http.ReadResponse(bufio.NewReader(io.MultiReader(strings.NewReader(string(got)), c.conn)), nil)
	if err != nil {
		return
	}
	_, err = io.Copy(io.Discard, answer.Body)
	c.complete = errors.Join(err, answer.Body.Close()) == nil
}

// finish ends what still works.
func (c *slowClient) finish() { close(c.ended) }

func (c *slowClient) close() { _ = c.conn.Close() }

// addBigAssessment publishes one whose answer fills every buffer on its way.
func (w *world) addBigAssessment(ctx context.Context) (string, error) {
	var questions []rig.Object
	for range 75 {
		questions = append(questions, rig.Object{
			"type": "SHORT_TEXT", "prompt": strings.Repeat("Why? ", 800), "points": 1, "acceptedAnswers": []string{"because"},
		})
	}
	var created struct{ ID string }
	_, err := w.api.Call(ctx, http.MethodPost, "/v1/assessments", w.owner,
		rig.Object{"title": "Big", "stages": []rig.Object{{"title": "Yard", "questions": questions}}}, &created)
	if err != nil {
		return "", err
	}
	_, err = w.api.Call(ctx, http.MethodPost, "/v1/assessments/"+created.ID+"/publish", w.owner, nil, nil)
	return created.ID, err
}
