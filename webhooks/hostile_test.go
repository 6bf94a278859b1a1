package webhooks_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

// hostileTimeout is that of each attempt here: long enough for two busy cores,
// short enough to be waited for.
const hostileTimeout = 2 * time.Second

// maxGrowth is what hostile endpoints may cost in memory (design, "Safety").
const maxGrowth = 50 << 20

// hostileReceivers are what an endpoint may do wrong below HTTP's own status
// codes. outcome says what the attempt must end as; "" is a success.
var hostileReceivers = []struct {
	name    string
	serve   func(net.Conn)
	outcome store.FailureReason
}{
	// The status counts once it is there: a body longer than what is read costs the connection only.
	{"endless body", func(c net.Conn) { endless(c, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", block) }, ""},
	{"endless body of chunks", func(c net.Conn) {
		endless(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", fmt.Sprintf("%x\r\n%s\r\n", len(block), block))
	}, ""},
	{"a terabyte announced", func(c net.Conn) { endless(c, "HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n", block) }, ""},
	{"endless body of an error", func(c net.Conn) { endless(c, "HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\n", block) }, store.FailedStatus},
	{"a byte at a time of the body", func(c net.Conn) { drip(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", "x") }, store.FailedTimeout},
	{"a byte at a time of the headers", func(c net.Conn) { drip(c, "HTTP/1.1 200 OK\r\nX-Long: ", "x") }, store.FailedTimeout},
	{"a header at a time", func(c net.Conn) { drip(c, "HTTP/1.1 200 OK\r\n", "A: b\r\n") }, store.FailedTimeout},
	{"never answering", nil, store.FailedTimeout},
	{"headers and then nothing", func(c net.Conn) { drip(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", "") }, store.FailedTimeout},
	{"100 MB of headers", func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n")
		header := "X-Long: " + block + "\r\n"
		for sent := 0; sent < 100<<20; sent += len(header) {
			if _, err := io.WriteString(c, header); err != nil {
				return
			}
		}
	}, store.FailedConnection},
	{"one header without end", func(c net.Conn) { endless(c, "HTTP/1.1 200 OK\r\nX-Long: ", block) }, store.FailedConnection},
	{"endless status line", func(c net.Conn) { endless(c, "HTTP/1.1 200 ", block) }, store.FailedConnection},
	{"endless 100 Continue", func(c net.Conn) { endless(c, "", "HTTP/1.1 100 Continue\r\n\r\n") }, store.FailedConnection},
	{"endless trailers", func(c net.Conn) {
		endless(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n0\r\n", "X: "+block+"\r\n")
	}, store.FailedConnection},
	{"gzip bomb", func(c net.Conn) { answerOnce(c, "200 OK\r\nContent-Encoding: gzip", bomb()) }, ""},
	{"closing at once", func(c net.Conn) { _ = c.Close() }, store.FailedConnection},
	{"closing after the request", func(c net.Conn) { readRequest(c); _ = c.Close() }, store.FailedConnection},
	{"closing within the body", func(c net.Conn) { answerOnce(c, "200 OK\r\nContent-Length: 1000", nil) }, store.FailedConnection},
	{"garbage", func(c net.Conn) { endless(c, "", "\x00\xff\x16\x03\x01garbage\r\n\r\n") }, store.FailedConnection},
	{"another protocol", func(c net.Conn) { endless(c, "SSH-2.0-OpenSSH_9.9\r\n", block) }, store.FailedConnection},
	{"a length twice", func(c net.Conn) {
		endless(c, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", block)
	}, store.FailedConnection},
	{"a chunk of a bad length", func(c net.Conn) {
		endless(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", block)
	}, store.FailedConnection},
	{"switching protocols", func(c net.Conn) {
		endless(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", block)
	}, store.FailedStatus},
	{"a status out of range", func(c net.Conn) { answerOnce(c, "999 What", []byte("x")) }, store.FailedStatus},
	{"bytes that are no text", func(c net.Conn) { answerOnce(c, "200 OK", bytes.Repeat([]byte("\x00\xff\xed\xa0\x80"), 500)) }, ""},
}

var block = strings.Repeat("x", 4<<10)

// bomb is 64 MiB of zeros in 64 KiB.
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

// endless sends the beginning, and then more until the other side has had enough.
func endless(c net.Conn, beginning, more string) {
	readRequest(c)
	_, err := io.WriteString(c, beginning)
	for err == nil {
		_, err = io.WriteString(c, more)
	}
	_ = c.Close()
}

// drip sends the rest slowly: ever again a sign of life, never an end.
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

func answerOnce(c net.Conn, status string, body []byte) {
	readRequest(c)
	_, _ = fmt.Fprintf(c, "HTTP/1.1 %s\r\nConnection: close\r\n\r\n%s", status, body)
	_ = c.Close()
}

// safetyMemory is what the process holds: heap that is alive, and stacks.
func safetyMemory() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc + stats.StackInuse)
}

// watchMemory returns the highest growth over what the process holds now.
func watchMemory() (growth func() int64) {
	before, done, highest := safetyMemory(), make(chan struct{}), make(chan int64)
	go func() {
		most := int64(0)
		for {
			select {
			case <-done:
				highest <- max(most, safetyMemory()-before)
				return
			case <-time.After(100 * time.Millisecond):
				most = max(most, safetyMemory()-before)
			}
		}
	}()
	return func() int64 { close(done); return <-highest }
}

// TestHostileReceivers sets each of them up several times over beside a healthy
// endpoint. It is not parallel: it measures the process's memory.
func TestHostileReceivers(t *testing.T) {
	bomb() // made beforehand: its making takes longer than an attempt may
	for _, database := range storetest.Databases {
		t.Run(database, func(t *testing.T) {
			s := safetyStore(t, storetest.URL(t, database), time.Now)
			hostile, healthy := newSafetyOrg(t, s), newSafetyOrg(t, s)
			ids := make([][]string, len(hostileReceivers))
			for i, row := range hostileReceivers {
				listener := mustSafetyListener(t, row.serve)
				for range 4 {
					ids[i] = append(ids[i], hostile.endpoint(t, listener.url()))
				}
			}
			receiver := newSafetyReceiver(t, nil)
			healthy.endpoint(t, receiver.url)
			hostile.emit(t, 1)
			healthy.emit(t, 100)
			growth := watchMemory()
			started := time.Now()
			safetyRun(t, webhooks.Options{
				Store: s, Timeout: hostileTimeout, AllowInsecure: true, Backoff: webhooks.Backoff{time.Hour, time.Hour},
			})
			receiver.wait(t, 100, hostileTimeout)
			healthyTook := time.Since(started)
			for i, row := range hostileReceivers {
				for _, id := range ids[i] {
					checkHostile(t, row.name, hostile.lastAttempt(t, id, 4*hostileTimeout), row.outcome)
				}
			}
			grown := growth()
			if grown > maxGrowth {
				t.Errorf("memory grew by %d MiB", grown>>20)
			}
			t.Logf("healthy endpoint's 100 took %v, all took %v, memory grew by %d KiB", healthyTook, time.Since(started), grown>>10)
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
	// The timers of two busy cores are late, not by half the timeout though.
	if longest := (hostileTimeout + hostileTimeout/2).Milliseconds(); attempt.DurationMS > longest {
		t.Errorf("%s: took %d ms", name, attempt.DurationMS)
	}
	if len(attempt.ResponseBody) > 1<<10 {
		t.Errorf("%s: %d bytes were kept", name, len(attempt.ResponseBody))
	}
}

// TestManyDeadEndpoints has 2,000 endpoints that never answer, all new to the
// dispatcher, beside one that has answered before.
func TestManyDeadEndpoints(t *testing.T) {
	const dead, events = 2000, 200
	for _, database := range storetest.Databases {
		t.Run(database, func(t *testing.T) {
			s := safetyStore(t, storetest.URL(t, database), time.Now)
			graveyard, healthy := newSafetyOrg(t, s), newSafetyOrg(t, s)
			listener := mustSafetyListener(t, nil)
			for i := range dead {
				graveyard.endpoint(t, fmt.Sprintf("%s/%d", listener.url(), i))
			}
			receiver := newSafetyReceiver(t, nil)
			healthy.endpoint(t, receiver.url)
			healthy.emit(t, events)
			growth, routines := watchMemory(), runtime.NumGoroutine()
			opts := webhooks.Options{Store: s, Timeout: 3 * time.Second, AllowInsecure: true}
			stop := safetyRun(t, opts)
			receiver.wait(t, events, 20*time.Second)
			alone := healthyRound(t, healthy, receiver, 2*events)

			graveyard.emit(t, 3) // so that each has more to send after its first failure
			safetyWait(t, "attempt at the dead endpoints", 20*time.Second, func() bool { return listener.accepted.Load() > 100 })
			for round := range 3 {
				beside := healthyRound(t, healthy, receiver, (3+round)*events)
				t.Logf("%d events took %v alone, %v beside the dead ones", events, alone, beside)
				if beside > 3*alone+time.Second {
					t.Errorf("%d events took %v beside dead endpoints, %v without", events, beside, alone)
				}
			}
			// After a restart the dispatcher knows no endpoint: what the store knows of them has to do.
			safetyWait(t, "record of the success", 10*time.Second, func() bool {
				endpoints, _, err := s.ListWebhooks(context.Background(), healthy.scope, store.Page{Limit: 1})
				return err == nil && endpoints[0].LastSuccessAt != nil
			})
			// Each attempt holds two goroutines of the transport's, and its own.
			most := runtime.NumGoroutine() - routines
			stop()
			safetyRun(t, opts)
			restarted := healthyRound(t, healthy, receiver, 6*events)
			if most = max(most, runtime.NumGoroutine()-routines); most > 4*512 {
				t.Errorf("%d goroutines more than before", most)
			}
			if restarted > 3*alone+time.Second {
				t.Errorf("%d events took %v after a restart, %v without dead endpoints", events, restarted, alone)
			}
			grown := growth()
			if grown > maxGrowth {
				t.Errorf("memory grew by %d MiB", grown>>20)
			}
			t.Logf("after a restart %v; %d goroutines, memory grew by %d KiB, %d dials", restarted, most, grown>>10, listener.accepted.Load())
		})
	}
}

// healthyRound sends the organization's events once more and waits until total have arrived.
func healthyRound(t *testing.T, org *safetyOrg, receiver *safetyReceiver, total int) time.Duration {
	t.Helper()
	endpoints, _, err := org.store.ListWebhooks(context.Background(), org.scope, store.Page{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	org.replay(t, endpoints[0].ID)
	receiver.wait(t, total, 30*time.Second)
	return time.Since(started)
}
