package contract

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"assay/server"
)

// In a real browser, the public pages fit a phone, axe-core finds nothing wrong with
// them in light and dark, and a keyboard reaches their controls. The pages do not
// depend on the database, so one is enough. SCREENSHOTS names a folder for pictures of them.
func TestPagesInBrowser(t *testing.T) {
	t.Parallel()
	a := demoMail(t, server.DemoEmail{
		ID: "eml_1", From: "Harbour Kitchens <assay@demo.example>", To: "Mei Lindqvist <mei@candidate.example>",
		Subject: "An assessment by Harbour Kitchens", Header: "Auto-Submitted: auto-generated",
		Text: "Start: http://127.0.0.1/take",
		HTML: `<!doctype html><html lang="en"><head><title>Invite</title></head><body><main><h1>Invite</h1>` +
			`<a href="http://127.0.0.1/take">Start</a></main></body></html>`,
	})
	o := a.register()
	reader := o.invite(o.publish(oneQuestion(object{"locale": "ar"}))).text("data.id")
	arguments := []string{a.url, os.Getenv("SCREENSHOTS")}
	for _, id := range []string{a.userID(o.owner), reader} {
		arguments = append(arguments, strings.TrimPrefix(a.unsubscribeLink(id), "https://assay.test"))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute) // two minutes on a quiet machine
	defer cancel()
	if output, err := exec.CommandContext(ctx, "../pages/docs/browser/run", arguments...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
