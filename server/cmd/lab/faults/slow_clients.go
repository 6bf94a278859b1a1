package faults

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"

	"assay/server/cmd/lab/rig"
)

// slowClient sends or reads one byte at a time.
type slowClient struct {
	reads bool // it reads slowly
	conn  net.Conn
	began time.Time
	got   []byte // of a reader's answer

	lived    time.Duration // until it was cut off; of clients that send
	complete bool          // a reader got its whole answer
}

func newSlowClient(ctx context.Context, addr, kind, request string) (*slowClient, error) {
	dialer := net.Dialer{Timeout: answerTimeout}
	if kind == "readers" {
		dialer.Control = smallWindow
	}
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c := &slowClient{reads: kind == "readers", conn: conn, began: time.Now()}
	if _, err := io.WriteString(conn, request); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if c.reads { // wait for the answer to begin: its computation is not measured
		c.got = make([]byte, 1)
		if _, err := io.ReadFull(conn, c.got); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return c, nil
}

// smallWindow makes the buffers between server and client small. Loopback's
// segments are so large that the server's side would buffer whole answers; 1400
// bytes fit Ethernet.
func smallWindow(_, _ string, raw syscall.RawConn) error {
	var failed error
	err := raw.Control(func(fd uintptr) {
		failed = errors.Join(syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096),
			syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 1400))
	})
	return errors.Join(err, failed)
}

// work sends or reads until the client is cut off and slowly ends, which is the
// end of the round.
func (c *slowClient) work(slowly context.Context, interval time.Duration) {
	if c.reads {
		c.read(slowly, interval)
		return
	}
	go func() { // the server answers, if at all, when it cuts the client off
		_, _ = io.Copy(io.Discard, c.conn)
		c.lived = time.Since(c.began)
		_ = c.conn.Close()
	}()
	for rig.Pause(slowly, interval) {
		if _, err := io.WriteString(c.conn, "x"); err != nil {
			break
		}
	}
	<-slowly.Done()
}

// read reads one byte at a time, and everything that is left after the round.
func (c *slowClient) read(slowly context.Context, interval time.Duration) {
	one := make([]byte, 1)
	for rig.Pause(slowly, interval) {
		if _, err := io.ReadFull(c.conn, one); err != nil {
			break
		}
		c.got = append(c.got, one...)
	}
	_ = c.conn.SetReadDeadline(time.Now().Add(answerTimeout))
	answer, err := http.ReadResponse(bufio.NewReader(io.MultiReader(bytes.NewReader(c.got), c.conn)), nil)
	if err != nil {
		return
	}
	_, err = io.Copy(io.Discard, answer.Body)
	c.complete = errors.Join(err, answer.Body.Close()) == nil
}
