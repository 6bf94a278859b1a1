package server

import (
	"context"
	"os/exec"
	"testing"
	"time"
)

// In a real browser, the public pages fit a phone, axe-core finds nothing wrong with
// them in light and dark, and a keyboard reaches their controls. The pages do not
// depend on the database, so one is enough.
func TestPagesInBrowser(t *testing.T) {
	t.Parallel()
	a := demoMail(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	if output, err := exec.CommandContext(ctx, "docs/browser/run", a.url).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
