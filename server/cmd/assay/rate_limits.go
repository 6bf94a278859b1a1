package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay/server"
	"assay/store"
)

// rateLimits has the limits that each replica counts in memory, and those that the
// database counts for all replicas.
type rateLimits struct {
	replica server.RateLimits
	signIn  store.SignInLimits
}

// defaultRateLimits permits an organization what five API keys may send together. A
// screen of a dashboard needs up to ten requests, so sixty people who each open five
// screens per minute reach this too. One replica serves at least sixty times as much.
func defaultRateLimits() rateLimits {
	return rateLimits{
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
			// Half of a processor core in the long run. Inviting 100,000 candidates at once fits into the burst.
			Work: server.RateLimit{Requests: 30_000, Window: time.Minute, Burst: 120_000},
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
}

// parseRateLimits parses "off" or changes to the default limits. A change has the
// form NAME=REQUESTS/WINDOW or, for limits with a burst, NAME=REQUESTS/WINDOW:BURST.
// It returns all errors.
func parseRateLimits(changes []string) (rateLimits, []error) {
	if len(changes) == 1 && strings.TrimSpace(changes[0]) == "off" {
		return rateLimits{}, nil
	}
	limits := defaultRateLimits()
	var faults []error
	changed := map[string]bool{}
	for _, change := range changes {
		name, value, _ := strings.Cut(strings.TrimSpace(change), "=")
		if err := limits.change(name, value); err != nil {
			faults = append(faults, fmt.Errorf("%q %w", change, err))
		} else if changed[name] {
			faults = append(faults, fmt.Errorf("%q: the limit has two values", change))
		}
		changed[name] = true
	}
	return limits, faults
}

// change sets the named limit.
func (l *rateLimits) change(name, value string) error {
	parsed, err := parseRateLimit(value)
	if err != nil {
		return err
	}
	r := &l.replica
	buckets := map[string]*server.RateLimit{
		"api-key": &r.APIKey, "person": &r.Person, "organization": &r.Organization, "candidate": &r.Candidate,
		"refresh": &r.Refresh, "anonymous-ip": &r.Anonymous, "pages": &r.Pages, "probes": &r.Probes, "unknown": &r.Unknown,
		"webhook-test": &r.WebhookTest, "webhook-replay": &r.WebhookReplay, "work": &r.Work,
	}
	if bucket := buckets[name]; bucket != nil {
		*bucket = parsed
		return nil
	}
	s := &l.signIn
	for _, window := range []*store.RateLimit{
		&s.LoginIP, &s.LoginAccount, &s.LoginAccountHourly, &s.RegisterIP, &s.Invitation,
		&s.ForgotIP, &s.ForgotAccount, &s.ResetIP,
		&s.CandidateIP, &s.CandidateIPDaily, &s.CandidateAddress, &s.CandidateAssessment,
		&s.EmailRecipient, &s.EmailAddress, &s.EmailMember, &s.EmailReset,
	} {
		if window.Name != name {
			continue
		}
		if strings.Contains(value, ":") {
			return errors.New("has a burst, but this limit supports none")
		}
		window.Requests, window.Window = parsed.Requests, parsed.Window
		return nil
	}
	return errors.New("names no limit")
}

const maxRequests = 1_000_000

func parseRateLimit(text string) (server.RateLimit, error) {
	wrong := fmt.Errorf("is not like api-key=600/1m:100, with at most %d requests in 1s to 24h", maxRequests)
	text, burst, hasBurst := strings.Cut(text, ":")
	requests, window, _ := strings.Cut(text, "/")
	var limit server.RateLimit
	var err error
	if limit.Requests, err = strconv.Atoi(requests); err != nil || limit.Requests < 1 || limit.Requests > maxRequests {
		return limit, wrong
	}
	// The header RateLimit-Policy contains whole seconds.
	if limit.Window, err = parseDuration(window, time.Second, 24*time.Hour); err != nil || limit.Window%time.Second != 0 {
		return limit, wrong
	}
	limit.Burst = limit.Requests
	if hasBurst {
		if limit.Burst, err = strconv.Atoi(burst); err != nil || limit.Burst < 1 || limit.Burst > maxRequests {
			return limit, wrong
		}
	}
	return limit, nil
}
