package main

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/server"
	"assay/store"
)

// The guide, openapi.yaml, and the tests of server use these values.
func TestDefaultRateLimits(t *testing.T) {
	want := rateLimits{
		replica: server.RateLimits{
			APIKey:        server.RateLimit{Requests: 600, Window: time.Minute, Burst: 100},
			Person:        server.RateLimit{Requests: 600, Window: time.Minute, Burst: 100},
			Organization:  server.RateLimit{Requests: 3000, Window: time.Minute, Burst: 500},
			Candidate:     server.RateLimit{Requests: 600, Window: time.Minute, Burst: 100},
			Refresh:       server.RateLimit{Requests: 60, Window: time.Minute, Burst: 60},
			Anonymous:     server.RateLimit{Requests: 60, Window: time.Minute, Burst: 60},
			Pages:         server.RateLimit{Requests: 600, Window: time.Minute, Burst: 600},
			Probes:        server.RateLimit{Requests: 600, Window: time.Minute, Burst: 600},
			Unknown:       server.RateLimit{Requests: 600, Window: time.Minute, Burst: 600},
			WebhookTest:   server.RateLimit{Requests: 5, Window: time.Minute, Burst: 5},
			WebhookReplay: server.RateLimit{Requests: 40, Window: time.Hour, Burst: 40},
			Work:          server.RateLimit{Requests: 30_000, Window: time.Minute, Burst: 120_000},
		},
		signIn: store.SignInLimits{
			LoginIP:            store.RateLimit{Name: "login-ip", Requests: 30, Window: time.Minute},
			LoginAccount:       store.RateLimit{Name: "login-account", Requests: 5, Window: time.Minute},
			LoginAccountHourly: store.RateLimit{Name: "login-account-hourly", Requests: 20, Window: time.Hour},
			RegisterIP:         store.RateLimit{Name: "register-ip", Requests: 10, Window: time.Hour},
			Invitation:         store.RateLimit{Name: "invitation", Requests: 10, Window: time.Hour},
			ForgotIP:           store.RateLimit{Name: "forgot-ip", Requests: 10, Window: time.Hour},
			ForgotAccount:      store.RateLimit{Name: "forgot-account", Requests: 3, Window: time.Hour},
			ResetIP:            store.RateLimit{Name: "reset-ip", Requests: 10, Window: time.Hour},

			CandidateIP:         store.RateLimit{Name: "candidate-ip", Requests: 60, Window: time.Hour},
			CandidateIPDaily:    store.RateLimit{Name: "candidate-ip-daily", Requests: 200, Window: 24 * time.Hour},
			CandidateAddress:    store.RateLimit{Name: "candidate-address", Requests: 5, Window: 24 * time.Hour},
			CandidateAssessment: store.RateLimit{Name: "candidate-assessment", Requests: 2000, Window: 24 * time.Hour},

			EmailRecipient: store.RateLimit{Name: "email-recipient", Requests: 10, Window: 24 * time.Hour},
			EmailAddress:   store.RateLimit{Name: "email-address", Requests: 20, Window: 24 * time.Hour},
			EmailMember:    store.RateLimit{Name: "email-member", Requests: 50, Window: 24 * time.Hour},
			EmailReset:     store.RateLimit{Name: "email-reset", Requests: 24, Window: 24 * time.Hour},
		},
	}
	for name, changes := range map[string][]string{"none": nil, "empty": {},
		"as they are": {"api-key=600/1m:100", "register-ip=10/60m"}} {
		if got, faults := parseRateLimits(changes); len(faults) > 0 || got != want {
			t.Errorf("%s: %+v, %v", name, got, faults)
		}
	}
}

func TestRateLimitForms(t *testing.T) {
	for form, change := range map[string]func(*rateLimits){
		"off":   func(l *rateLimits) { *l = rateLimits{} },
		" off ": func(l *rateLimits) { *l = rateLimits{} },
		"api-key=1200/1m:200": func(l *rateLimits) {
			l.replica.APIKey = server.RateLimit{Requests: 1200, Window: time.Minute, Burst: 200}
		},
		" api-key=1200/1m:200 ": func(l *rateLimits) {
			l.replica.APIKey = server.RateLimit{Requests: 1200, Window: time.Minute, Burst: 200}
		},
		"api-key=7/1s": func(l *rateLimits) {
			l.replica.APIKey = server.RateLimit{Requests: 7, Window: time.Second,
				Burst: 7}
		},
		"api-key=1/24h:1": func(l *rateLimits) {
			l.replica.APIKey = server.RateLimit{Requests: 1, Window: 24 * time.Hour, Burst: 1}
		},
		"anonymous-ip=1000000/1h30m:1000000": func(l *rateLimits) {
			l.replica.Anonymous = server.RateLimit{Requests: 1000000, Window: 90 * time.Minute, Burst: 1000000}
		},
		"candidate=60/1m:10,refresh=5/1m,pages=1200/1m": func(l *rateLimits) {
			l.replica.Candidate = server.RateLimit{Requests: 60, Window: time.Minute, Burst: 10}
			l.replica.Refresh = server.RateLimit{Requests: 5, Window: time.Minute, Burst: 5}
			l.replica.Pages = server.RateLimit{Requests: 1200, Window: time.Minute, Burst: 1200}
		},
		"person=1200/1m:200,organization=6000/1m:1000,probes=60/1m,unknown=60/1m": func(l *rateLimits) {
			l.replica.Person = server.RateLimit{Requests: 1200, Window: time.Minute, Burst: 200}
			l.replica.Organization = server.RateLimit{Requests: 6000, Window: time.Minute, Burst: 1000}
			l.replica.Probes = server.RateLimit{Requests: 60, Window: time.Minute, Burst: 60}
			l.replica.Unknown = server.RateLimit{Requests: 60, Window: time.Minute, Burst: 60}
		},
		"webhook-test=20/1m,webhook-replay=100/1h:10": func(l *rateLimits) {
			l.replica.WebhookTest = server.RateLimit{Requests: 20, Window: time.Minute, Burst: 20}
			l.replica.WebhookReplay = server.RateLimit{Requests: 100, Window: time.Hour, Burst: 10}
		},
		"login-ip=60/1m": func(l *rateLimits) { l.signIn.LoginIP.Requests = 60 },
		"login-account=9/90s": func(l *rateLimits) {
			l.signIn.LoginAccount.Requests, l.signIn.LoginAccount.Window = 9,
				90*time.Second
		},
		"login-account-hourly=50/24h": func(l *rateLimits) {
			l.signIn.LoginAccountHourly.Requests, l.signIn.LoginAccountHourly.Window = 50, 24*time.Hour
		},
		"register-ip=100/1h": func(l *rateLimits) { l.signIn.RegisterIP.Requests = 100 },
		"invitation=30/1h":   func(l *rateLimits) { l.signIn.Invitation.Requests = 30 },
		"forgot-ip=20/1h,forgot-account=5/1h,reset-ip=30/1h": func(l *rateLimits) {
			l.signIn.ForgotIP.Requests, l.signIn.ForgotAccount.Requests, l.signIn.ResetIP.Requests = 20, 5, 30
		},
		"api-key=1200/1m:200,login-ip=60/1m, register-ip=1/1h": func(l *rateLimits) {
			l.replica.APIKey = server.RateLimit{Requests: 1200, Window: time.Minute, Burst: 200}
			l.signIn.LoginIP.Requests, l.signIn.RegisterIP.Requests = 60, 1
		},
	} {
		want := defaultRateLimits()
		change(&want)
		c := goodConfig(t)
		c.Secret, c.RateLimits = testSecret, strings.Split(form, ",") // as kong splits them
		if set, err := c.check(io.Discard); err != nil || set.rateLimits != want {
			t.Errorf("%q: %+v, %v", form, set.rateLimits, err)
		}
	}
}

func TestRateLimitFaults(t *testing.T) {
	for _, form := range []string{
		"", " ", "of", "OFF", "on", "0", "none", "off,off", "off,api-key=1/1m", "api-key=1/1m,off",
		"api-key", "api-key=", "api-key=600", "api-key=600/", "api-key=/1m", "api-key=600/1m:", "api-key=600/1m:x",
		"api-key=600/1m:100:100", "=600/1m",
		"api-key=600/1m:0", "api-key=600/1m:-1", "api-key=600/1m:1000001", "api-key=600/1m:1.5",
		"api-key=0/1m", "api-key=-1/1m", "api-key=1000001/1m", "api-key=1e3/1m", "api-key=0x10/1m", "api-key=1.5/1m",
		"api-key=six/1m",
		"api-key=99999999999999999999/1m", "api-key=off", "api-key=1_000/1m",
		"api-key=600/0s", "api-key=600/999ms", "api-key=600/1500ms", "api-key=600/24h0m1s", "api-key=600/-1m",
		"api-key=600/1", "api-key=600/1d", "api-key=600/minute",
		"api-keys=600/1m", "people=600/1m", "org=1/1m", "readyz=1/1m", "API-KEY=600/1m", "api-key =600/1m", "login=5/1m",
		"anonymous=60/1m",
		"login-ip=30/1m:30", "login-account=5/1m:5", "login-account-hourly=20/1h:20", "register-ip=10/1h:1",
		"invitation=10/1h:1",
		"api-key=600/1m,api-key=700/1m", "login-ip=1/1m,register-ip=1/1h,login-ip=2/1m",
		"api-key=600/1m;login-ip=30/1m", "api-key=600/1m login-ip=30/1m",
	} {
		c := goodConfig(t)
		c.Secret, c.RateLimits = testSecret, strings.Split(form, ",")
		_, err := c.check(io.Discard)
		if err == nil {
			t.Errorf("%q: accepted", form)
			continue
		}
		for line := range strings.Lines(err.Error()) {
			if !strings.HasPrefix(line, "ASSAY_RATE_LIMITS: ") {
				t.Errorf("%q: %q", form, line)
			}
		}
	}
}

// All errors are reported, as for other variables.
func TestAllRateLimitFaultsAreReportedAtOnce(t *testing.T) {
	wantFaults(t, "ASSAY_RATE_LIMITS", "login-account=6/1m",
		"api-key=0/1m", "nothing=1/1m", "login-ip=30/1m:30", "register-ip=x")
}

// wantFaults starts the service with a variable that lists a correct change among
// faults, and checks that it reports each fault in a line of its own.
func wantFaults(t *testing.T, variable, correct string, faults ...string) {
	t.Helper()
	t.Setenv(variable, strings.Join(slices.Insert(slices.Clone(faults), 1, correct), ","))
	var stdout, stderr bytes.Buffer
	dir := filepath.Join(t.TempDir(), "data")
	if status := run([]string{"serve", "--data-dir", dir, "--addr", "127.0.0.1:0", "--admin-addr", "off"}, &stdout,
		&stderr); status != exitUnusable || stdout.Len() > 0 {
		t.Errorf("serve ends with %d and prints %q", status, &stdout)
	}
	for _, fault := range faults {
		if strings.Count(stderr.String(), variable+`: "`+fault+`"`) != 1 {
			t.Errorf("%s is not reported with its variable:\n%s", fault, &stderr)
		}
	}
	if strings.Count(stderr.String(), "\n") != len(faults) {
		t.Errorf("want a line for each fault:\n%s", &stderr)
	}
}

// The running service applies the limits.
func TestRateLimitsAreApplied(t *testing.T) {
	t.Parallel()
	for limits, passes := range map[string]int{"anonymous-ip=3/24h": 3, "off": 100} {
		p := start(t, []string{"ASSAY_RATE_LIMITS=" + limits}, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off",
			"--database-url", "sqlite::memory:")
		base := p.printed(`listens on (\S+)`)
		for i := range 100 {
			want := 401
			if i >= passes {
				want = 429
			}
			if got := get(t, base+"/v1/me"); got.status != want {
				t.Fatalf("%s: request %d gets %d", limits, i+1, got.status)
			}
		}
		if got := get(t, base+"/healthz"); got.status != 200 {
			t.Errorf("/healthz: %d", got.status)
		}
	}
}
