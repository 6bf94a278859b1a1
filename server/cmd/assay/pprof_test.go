package main

import (
	"strings"
	"testing"
)

// With --pprof, profiles are on the address of the metrics, and nowhere else.
func TestPprof(t *testing.T) {
	t.Parallel()
	adminAddr := freeAddr(t)
	p := start(t, nil, "serve", "--addr", "127.0.0.1:0", "--admin-addr", adminAddr, "--pprof", "--data-dir", t.TempDir())
	base := p.printed(`listens on (\S+)`)
	poll(t, "readiness", func() bool { return get(t, base+"/readyz").status == 200 })
	poll(t, "the address of the metrics", func() bool { return get(t, "http://"+adminAddr+"/metrics").status == 200 })
	if got := get(t, "http://"+adminAddr+"/debug/pprof/"); got.status != 200 || !strings.Contains(got.body, "goroutine") {
		t.Errorf("pprof: %d %.80q", got.status, got.body)
	}
	if got := get(t, base+"/debug/pprof/"); got.status != 404 {
		t.Errorf("the public listener serves pprof: %d", got.status)
	}
}
