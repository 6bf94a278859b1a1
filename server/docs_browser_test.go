package server

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// In a real browser, the public pages fit a phone, axe-core finds nothing wrong with
// them in light and dark, and a keyboard reaches their controls. The pages do not
// depend on the database, so one is enough. SCREENSHOTS names a folder for pictures of them.
func TestPagesInBrowser(t *testing.T) {
	t.Parallel()
	a := demoMail(t)
	o := a.register()
	reader := o.invite(o.publish(oneQuestion(object{"locale": "ar"}))).text("data.id")
	var links []string
	for _, id := range []string{a.userID(o.owner), reader} {
		links = append(links, strings.TrimPrefix(a.unsubscribeLink(id), "https://assay.test"))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	if output, err := exec.CommandContext(ctx, "docs/browser/run", append([]string{a.url, os.Getenv("SCREENSHOTS")}, links...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
