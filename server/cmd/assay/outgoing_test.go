package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay/server/mail/mailtest"
	"assay/store/storetest"
)

// A service with --no-outgoing sends nothing, and what it would have sent stays queued. A later service without the
// flag sends everything once.
func TestNoOutgoing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		mail, err := mailtest.Start(mailtest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(mail.Close)
		received := &output{}
		hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			_, _ = received.Write(append(body, '\n'))
		}))
		t.Cleanup(hook.Close)
		databaseURL := storetest.URL(t, database)
		variables := []string{
			"ASSAY_DATABASE_URL=" + databaseURL, "ASSAY_SECRET=" + testSecret, "ASSAY_ADDR=127.0.0.1:0",
			"ASSAY_ADMIN_ADDR=off", "ASSAY_WEBHOOK_ALLOW_INSECURE=true", "ASSAY_SMTP_URL=" + mail.URL(),
			"ASSAY_MAIL_FROM=Assay <no-reply@assay.test>", "ASSAY_REGISTRATION=open", "ASSAY_MAIL_RATE=100",
		}
		copied := start(t, variables, "serve", "--no-outgoing")
		base := copied.printed(`listens on (\S+)`)
		copied.printed(`sends no (webhooks), email, or callbacks \(--no-outgoing\)`)
		queueOutgoing(t, base, hook.URL)

		queued := func() (deliveries, emails []string) {
			return storetest.Column(t, databaseURL, "webhook_queue", "attempt"),
				storetest.Column(t, databaseURL, "emails", "kind || ' ' || status || ' ' || attempt")
		}
		quiet(t, 3*time.Second, func() bool { // longer than each interval at which deliveries and emails are looked for
			return received.String() == "" && len(mail.Messages()) == 0
		})
		deliveries, emails := queued()
		if len(deliveries) != 1 || deliveries[0] != "0" || len(emails) < 2 {
			t.Errorf("queued are the deliveries %q and the emails %q", deliveries, emails)
		}
		for _, email := range emails {
			if !strings.HasSuffix(email, " QUEUED 0") {
				t.Errorf("an email is %s", email)
			}
		}
		copied.signal()
		if status := copied.wait(); status.ExitStatus() != 0 {
			t.Errorf("it ended with %d", status.ExitStatus())
		}

		start(t, variables, "serve").printed(`listens on (\S+)`)
		poll(t, "the delivery and both emails", func() bool {
			return strings.Contains(received.String(), "candidate.invited") && len(mail.Messages()) >= 2
		})
		quiet(t, 2*time.Second, func() bool {
			return strings.Count(received.String(), "candidate.invited") == 1 && len(mail.Messages()) == 2
		})
	})
}

// quiet fails if the condition ends within a time.
func quiet(t *testing.T, during time.Duration, holds func() bool) {
	t.Helper()
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for end := time.After(during); ; {
		select {
		case <-end:
			return
		case <-ticker.C:
			if !holds() {
				t.Fatal("something was sent")
			}
		}
	}
}

// queueOutgoing does what sends a webhook, an invite by email, and a link to reset a password, and tries a test event.
func queueOutgoing(t *testing.T, base, hook string) {
	t.Helper()
	post := func(path, body string, status int, header ...string) string {
		t.Helper()
		got := send(t, http.MethodPost, base+path, body, append(header, "Content-Type", "application/json")...)
		if got.status != status {
			t.Fatalf("%s: %d %s", path, got.status, got.body)
		}
		return got.body
	}
	find := func(text, pattern string) string {
		t.Helper()
		match := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if match == nil {
			t.Fatalf("no %s in %s", pattern, text)
		}
		return match[1]
	}
	as := []string{"Authorization", "Bearer " + find(post("/v1/auth/register", `{"organizationName":"Quay","name":"Ana",
		"email":"ana@quay.example","password":"a long enough pass phrase"}`, 201), `"accessToken":"([^"]+)"`)}
	webhook := find(post("/v1/webhooks", `{"url":"`+hook+`","secret":"`+demoSecret+`","events":["candidate.invited"]}`,
		201, as...), `"id":"(whk_[^"]+)"`)
	assessment := find(post("/v1/assessments", `{"title":"Knots","stages":[{"title":"One","questions":[
		{"type":"NUMERIC","prompt":"How many ends has a rope?","points":1,"answer":2}]}]}`, 201, as...), `"id":"(asm_[^"]+)"`)
	post("/v1/assessments/"+assessment+"/publish", "", 200, as...)
	post("/v1/candidate-sessions", `{"assessmentId":"`+assessment+`","candidateName":"Bo",
		"candidateEmail":"bo@candidate.example","sendEmail":true}`, 201, as...)
	post("/v1/auth/forgot-password", `{"email":"ana@quay.example"}`, 202)
	if body := post("/v1/webhooks/"+webhook+"/test", "", 503, as...); !strings.Contains(body, `"code":"unavailable"`) {
		t.Errorf("a test event gets %s", body)
	}
}
