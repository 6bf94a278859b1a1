package web

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// In Chromium, the candidate page does what its design promises; see test/run.
func TestCandidatePage(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 18*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "test/run")
	run.Stdout, run.Stderr = os.Stdout, os.Stderr

	// On a timeout, the signal reaches Node too, which closes the browser.
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	run.Cancel = func() error { return syscall.Kill(-run.Process.Pid, syscall.SIGTERM) }
	run.WaitDelay = 20 * time.Second
	if err := run.Run(); err != nil {
		t.Error(err)
	}
}
