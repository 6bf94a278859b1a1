package webhooks_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

// hostileTimeout is the timeout of an attempt. It passes in real time: it must be
// short, and long enough for valid responses on two busy cores.
const hostileTimeout = 2 * time.Second

// hostileReceivers misbehave on the level of the connection. outcome is the
// required failure reason; "" is a success.
var hostileReceivers = []struct {
	name    string
	serve   func(net.Conn)
	outcome store.FailureReason
}{
	// A body that is too long costs the connection, and the status counts.
	{"endless body", func(c net.Conn) { endless(c, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", block) }, ""},
	{"endless chunked body", func(c net.Conn) {
		endless(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", fmt.Sprintf("%x\r\n%s\r\n", len(block), block))
	}, ""},
	{"Content-Length of a terabyte", func(c net.Conn) {
		endless(c, "HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n", block)
	}, ""},
	{"endless body of a 500", func(c net.Conn) {
		endless(c, "HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\n", block)
	}, store.FailedStatus},
	{"slow body", func(c net.Conn) {
		drip(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", "x")
	}, store.FailedTimeout},
	{"slow header", func(c net.Conn) { drip(c, "HTTP/1.1 200 OK\r\nX-Long: ", "x") }, store.FailedTimeout},
	{"slow headers", func(c net.Conn) { drip(c, "HTTP/1.1 200 OK\r\n", "A: b\r\n") }, store.FailedTimeout},
	{"no response", nil, store.FailedTimeout},
	{"headers without the body", func(c net.Conn) {
		drip(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", "")
	}, store.FailedTimeout},
	{"100 MB of headers", func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n")
		header := "X-Long: " + block + "\r\n"
		for sent := 0; sent < 100<<20; sent += len(header) {
			if _, err := io.WriteString(c, header); err != nil {
				return
			}
		}
	}, store.FailedConnection},
	{"endless header", func(c net.Conn) { endless(c, "HTTP/1.1 200 OK\r\nX-Long: ", block) }, store.FailedConnection},
	{"endless status line", func(c net.Conn) { endless(c, "HTTP/1.1 200 ", block) }, store.FailedConnection},
	{"endless 100 Continue", func(c net.Conn) {
		endless(c, "", "HTTP/1.1 100 Continue\r\n\r\n")
	}, store.FailedConnection},
	{"endless trailers", func(c net.Conn) {
		endless(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n0\r\n", "X: "+block+"\r\n")
	}, store.FailedConnection},
	{"gzip bomb", func(c net.Conn) { respondOnce(c, "200 OK\r\nContent-Encoding: gzip", bomb()) }, ""},
	{"closed at once", func(c net.Conn) { _ = c.Close() }, store.FailedConnection},
	{"closed after the request", func(c net.Conn) { readRequest(c); _ = c.Close() }, store.FailedConnection},
	{"closed in the body", func(c net.Conn) {
		respondOnce(c, "200 OK\r\nContent-Length: 1000", nil)
	}, store.FailedConnection},
	{"garbage", func(c net.Conn) { endless(c, "", "\x00\xff\x16\x03\x01garbage\r\n\r\n") }, store.FailedConnection},
	{"another protocol", func(c net.Conn) { endless(c, "SSH-2.0-OpenSSH_9.9\r\n", block) }, store.FailedConnection},
	{"two lengths", func(c net.Conn) {
		endless(c, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", block)
	}, store.FailedConnection},
	{"invalid chunk length", func(c net.Conn) {
		endless(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", block)
	}, store.FailedConnection},
	{"switching protocols", func(c net.Conn) {
		endless(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", block)
	}, store.FailedStatus},
	{"unknown status", func(c net.Conn) { respondOnce(c, "999 What", []byte("x")) }, store.FailedStatus},
	{"body of invalid UTF-8", func(c net.Conn) {
		respondOnce(c, "200 OK", bytes.Repeat([]byte("\x00\xff\xed\xa0\x80"), 500))
	}, ""},
}

var block = strings.Repeat("x", 4<<10)

// bomb returns 64 MiB of zeros compressed to 64 KiB.
var bomb = sync.OnceValue(func() []byte {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	for range 1 << 10 {
		_, _ = writer.Write(make([]byte, 64<<10))
	}
	_ = writer.Close()
	return packed.Bytes()
})

func readRequest(c net.Conn) { _, _ = c.Read(make([]byte, 16<<10)) }

// endless sends the beginning, and then more until the connection fails.
func endless(c net.Conn, beginning, more string) {
	readRequest(c)
	_, err := io.WriteString(c, beginning)
	for err == nil {
		_, err = io.WriteString(c, more)
	}
	_ = c.Close()
}

// drip sends the beginning and then more, slowly and without end. It sends nothing
// more if more is empty.
func drip(c net.Conn, beginning, more string) {
	readRequest(c)
	_, err := io.WriteString(c, beginning)
	for err == nil {
		time.Sleep(200 * time.Millisecond)
		_, err = io.WriteString(c, more)
		if more == "" {
			return
		}
	}
}

func respondOnce(c net.Conn, status string, body []byte) {
	readRequest(c)
	_, _ = fmt.Fprintf(c, "HTTP/1.1 %s\r\nConnection: close\r\n\r\n%s", status, body)
	_ = c.Close()
}

// TestHostileReceivers runs four of each kind beside a healthy endpoint. It is not
// parallel, because it measures the process's memory.
func TestHostileReceivers(t *testing.T) {
	bomb() // in advance: it takes longer than a timeout
	for _, database := range storetest.Databases {
		t.Run(database, func(t *testing.T) {
			s := openStore(t, storetest.URL(t, database), time.Now)
			hostile, org := newOrganization(t, s), newOrganization(t, s)
			ids := make([][]string, len(hostileReceivers))
			for i, row := range hostileReceivers {
				listener := listenLocal(t, row.serve)
				for range 4 {
					ids[i] = append(ids[i], hostile.endpointID(listener.url()))
				}
			}

			receiver := newCountingReceiver(t, nil)
			org.endpointID(receiver.url)
			hostile.emit(1)
			org.emit(100)
			growth := watchMemory()
			started := time.Now()
			run(t, webhooks.Options{
				Queue: s.Queue(), Timeout: hostileTimeout, AllowInsecure: true,
				Backoff: webhooks.Backoff{time.Hour, time.Hour}, // no retry during the test
			})
			receiver.wait(t, 100, hostileTimeout)
			healthyTook := time.Since(started)
			for i, row := range hostileReceivers {
				for _, id := range ids[i] {
					checkHostile(t, row.name, hostile.lastAttempt(id, patience), row.outcome)
				}
			}
			grown := growth()
			if grown > maxGrowth {
				t.Errorf("memory grew by %d MiB", grown>>20)
			}
			t.Logf("the healthy endpoint's 100 took %v, all took %v, memory grew by %d KiB",
				healthyTook, time.Since(started), grown>>10)
		})
	}
}

func checkHostile(t *testing.T, name string, attempt store.Attempt, want store.FailureReason) {
	t.Helper()
	var got store.FailureReason
	if attempt.FailureReason != nil {
		got = *attempt.FailureReason
	}
	if got != want {
		t.Errorf("%s: %q after %d ms, want %q", name, got, attempt.DurationMS, want)
	}
	// On busy cores timers are late, but not by half of the timeout.
	if longest := (hostileTimeout + hostileTimeout/2).Milliseconds(); attempt.DurationMS > longest {
		t.Errorf("%s: took %d ms", name, attempt.DurationMS)
	}
	if len(attempt.ResponseBody) > 1<<10 {
		t.Errorf("%s: %d bytes are stored", name, len(attempt.ResponseBody))
	}
}
