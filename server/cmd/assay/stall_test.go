package main

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

func TestStalledWrites(t *testing.T) {
	t.Parallel()
	const timeout = 200 * time.Millisecond
	content := make([]byte, 64*stallPiece) // beyond what the system buffers
	for name, test := range map[string]struct {
		read     func(net.Conn)
		deadline time.Duration
		complete bool
		within   time.Duration
	}{
		"reads":                {read: func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }, complete: true, within: patience},
		"stalled":              {read: func(net.Conn) {}, within: 10 * timeout},
		"stalled, due earlier": {read: func(net.Conn) {}, deadline: timeout / 10, within: timeout},
		"slow, but not stalled": {read: func(c net.Conn) {
			piece := make([]byte, len(content)/16)
			for range 16 {
				time.Sleep(timeout / 8)
				_, _ = io.ReadFull(c, piece)
			}
		}, complete: true, within: patience},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = listener.Close() }()
			client, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = client.Close() }()
			accepted, err := stallListener{listener, timeout}.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = accepted.Close() }()
			if test.deadline > 0 {
				if err := accepted.SetWriteDeadline(time.Now().Add(test.deadline)); err != nil {
					t.Fatal(err)
				}
			}
			go test.read(client)
			began := time.Now()
			n, err := accepted.Write(content)
			if took := time.Since(began); took > test.within {
				t.Errorf("it took %s", took)
			}
			if complete := err == nil && n == len(content); complete != test.complete || !complete &&
				!errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("%d of %d bytes, %v", n, len(content), err)
			}
		})
	}
}
