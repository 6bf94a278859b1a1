package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay/server"
	"assay/store"
)

// rateLimits are the limits of each replica and those of all together.
type rateLimits struct {
	replica server.RateLimits
	signIn  store.SignInLimits
}

func defaultRateLimits() rateLimits {
	return rateLimits{
		replica: server.RateLimits{
			APIKey:    server.RateLimit{Requests: 600, Window: time.Minute, Burst: 100},
			Anonymous: server.RateLimit{Requests: 60, Window: time.Minute, Burst: 60},
		},
		signIn: store.SignInLimits{
			LoginIP:            store.RateLimit{Name: "login-ip", Requests: 30, Window: time.Minute},
			LoginAccount:       store.RateLimit{Name: "login-account", Requests: 5, Window: time.Minute},
			LoginAccountHourly: store.RateLimit{Name: "login-account-hourly", Requests: 20, Window: time.Hour},
			RegisterIP:         store.RateLimit{Name: "register-ip", Requests: 10, Window: time.Hour},
		},
	}
}

// parseRateLimits reads "off", or changes to the default limits, each in the
// form NAME=REQUESTS/WINDOW, with :BURST for those that have one.
func parseRateLimits(changes []string) (rateLimits, error) {
	if len(changes) == 1 && strings.TrimSpace(changes[0]) == "off" {
		return rateLimits{}, nil
	}
	limits := defaultRateLimits()
	buckets := map[string]*server.RateLimit{"api-key": &limits.replica.APIKey, "anonymous-ip": &limits.replica.Anonymous}
	windows := map[string]*store.RateLimit{}
	for _, limit := range []*store.RateLimit{
		&limits.signIn.LoginIP, &limits.signIn.LoginAccount, &limits.signIn.LoginAccountHourly, &limits.signIn.RegisterIP,
	} {
		windows[limit.Name] = limit
	}
	for _, change := range changes {
		name, value, _ := strings.Cut(strings.TrimSpace(change), "=")
		parsed, err := parseRateLimit(value)
		if err != nil {
			return rateLimits{}, fmt.Errorf("%q %w", change, err)
		}
		switch bucket, window := buckets[name], windows[name]; {
		case bucket != nil:
			*bucket = parsed
		case window != nil && !strings.Contains(value, ":"):
			window.Requests, window.Window = parsed.Requests, parsed.Window
		case window != nil:
			return rateLimits{}, fmt.Errorf("%q: this limit has no burst", change)
		default:
			return rateLimits{}, fmt.Errorf("%q names no limit", change)
		}
	}
	return limits, nil
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
	if limit.Window, err = parseDuration(window, time.Second, 24*time.Hour); err != nil {
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
