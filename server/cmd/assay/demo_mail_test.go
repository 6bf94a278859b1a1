package main

import (
	"context"
	"fmt"
	"net/http"
	"net/mail"
	"regexp"
	"strings"
	"testing"

	mailer "assay/server/mail"
)

// A newcomer sees the emails of the demo, with links that work. A service has no such pages.
func TestDemoMail(t *testing.T) {
	t.Parallel()
	p := start(t, []string{"ASSAY_ADDR=127.0.0.1:0"}, "demo")
	p.printed(`the contract at (\S+)\n`) // the last line
	base, sender := p.printed(`^  address +(http://127\.0\.0\.1:\d+)\n`), p.printed(`^  sign-in +(\S+)\n`)
	page := p.printed(`^  (http\S+/demo/mail)\n`)
	if page != base+"/demo/mail" {
		t.Fatalf("the page of emails is at %s", page)
	}
	poll(t, "readiness", func() bool { return get(t, base+"/readyz").status == 200 })

	// The links of the candidates were sent.
	links := regexp.MustCompile(`(?m)^  (http\S+/take#inv_\S+)$`).FindAllStringSubmatch(p.stdout.String(), -1)
	if len(links) != 2 {
		t.Errorf("%d links of candidates, want 2", len(links))
	}
	for _, link := range links {
		poll(t, "the invite", func() bool { return emailWith(t, page, link[1]) != "" })
	}
	if got := send(t, http.MethodPost, base+"/v1/auth/forgot-password", `{"email":"`+sender+`"}`, "Content-Type",
		"application/json"); got.status != 202 {
		t.Errorf("forgotten password: %d %s", got.status, got.body)
	}
	poll(t, "the reset link", func() bool { return emailWith(t, page, base+"/reset-password#pwr_") != "" })

	// The HTML has the link, too.
	link := p.printed(`^  (http\S+#inv_\S+)\n`)
	id := emailWith(t, page, link)
	if html := get(t, page+"/"+id+"/html"); html.status != 200 || !strings.Contains(html.body, `href="`+link+`"`) {
		t.Errorf("the HTML: %d %s", html.status, html.body)
	}

	served := start(t, []string{"ASSAY_ADDR=127.0.0.1:0", "ASSAY_ADMIN_ADDR=off"}, "serve")
	other := served.printed(`listens on (http://\S+) `)
	for _, path := range []string{"/demo/mail", "/demo/mail/" + id, "/demo/mail/" + id + "/html"} {
		if got := get(t, other+path); got.status != 404 {
			t.Errorf("serve has %s: %d", path, got.status)
		}
	}
}

var demoEmailLink = regexp.MustCompile(`href="mail/(eml_\w+)"`)

// emailWith returns the id of the newest email that contains a text, or "".
func emailWith(t *testing.T, page, text string) string {
	t.Helper()
	for _, found := range demoEmailLink.FindAllStringSubmatch(get(t, page).body, -1) {
		if strings.Contains(get(t, page+"/"+found[1]).body, text) {
			return found[1]
		}
	}
	return ""
}

// The demo keeps the newest emails.
func TestDemoMailboxIsBounded(t *testing.T) {
	t.Parallel()
	var mailbox demoMailbox
	const sent = maxDemoEmails + 50
	for i := range sent {
		err := mailbox.Send(context.Background(), mailer.Envelope{
			ID: fmt.Sprint("eml_", i), From: mail.Address{Address: "a@b.example"}, To: mail.Address{Address: "c@d.example"},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	kept := mailbox.list()
	if len(kept) != maxDemoEmails || kept[0].ID != fmt.Sprint("eml_", sent-1) ||
		kept[maxDemoEmails-1].ID != fmt.Sprint("eml_", sent-maxDemoEmails) {
		t.Errorf("it keeps %d, from %s to %s", len(kept), kept[0].ID, kept[len(kept)-1].ID)
	}
}
