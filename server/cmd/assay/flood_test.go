package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/store/storetest"
)

// latencies are the measured latencies of the readers, in any order.
type latencies []time.Duration

func (l latencies) quantile(q float64) time.Duration {
	ordered := slices.Sorted(slices.Values(l))
	return ordered[min(len(ordered)-1, int(q*float64(len(ordered))))]
}

func (l latencies) String() string {
	return fmt.Sprintf("p50 %s, p99 %s of %d", l.quantile(.5).Round(10*time.Microsecond),
		l.quantile(.99).Round(10*time.Microsecond), len(l))
}

// whileReading measures the reads of a few clients until during returns.
func whileReading(t *testing.T, url, key string, during func()) latencies {
	t.Helper()
	const readers = 4
	reading, stop := context.WithCancel(context.Background())
	var group sync.WaitGroup
	var mu sync.Mutex
	var all latencies
	for range readers {
		group.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for reading.Err() == nil {
				request, err := http.NewRequest(http.MethodGet, url, nil)
				if err != nil {
					t.Error(err)
					return
				}
				request.Header.Set("X-API-Key", key)
				started := time.Now()
				response, err := client.Do(request)
				if err != nil {
					t.Error(err)
					return
				}
				_, err = io.Copy(io.Discard, response.Body)
				took := time.Since(started)
				_ = response.Body.Close()
				if err != nil || response.StatusCode != http.StatusOK {
					t.Errorf("a read is answered %d, %v", response.StatusCode, err)
					return
				}
				mu.Lock()
				all = append(all, took)
				mu.Unlock()
			}
		})
	}
	during()
	stop()
	group.Wait()
	return all
}

// resident returns the resident memory of a process, current and peak, in MiB (Linux).
func resident(t *testing.T, p *process) (now, peak int) {
	t.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(p.command.Process.Pid) + "/status")
	if err != nil {
		t.Logf("no memory figures here: %v", err)
		return 0, 0
	}
	for name, into := range map[string]*int{"VmRSS": &now, "VmHWM": &peak} {
		if match := regexp.MustCompile(name + `:\s+(\d+) kB`).FindSubmatch(status); match != nil {
			kibibytes, _ := strconv.Atoi(string(match[1]))
			*into = kibibytes >> 10
		}
	}
	return now, peak
}

// A flood of sign-ins with real password hashes keeps the latency of other
// requests and the memory within bounds. Each sign-in gets a response.
func TestLoginFlood(t *testing.T) {
	const (
		logins     = 500
		boundP99   = 200 * time.Millisecond
		answerTime = 20 * time.Second
	)
	boundPeak := 160 + 100*max(1, runtime.GOMAXPROCS(0)/2) // MiB; 500 parallel hashes need 10,000
	for _, database := range storetest.Databases {         // in turn, because it measures
		t.Run(database, func(t *testing.T) {
			p := start(t, []string{
				"ASSAY_DATABASE_URL=" + storetest.URL(t, database), "ASSAY_SECRET=" + testSecret, "ASSAY_RATE_LIMITS=off",
				"ASSAY_LOG_LEVEL=warn",
			}, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off")
			base := p.printed(`listens on (\S+)`)
			url, key := prepareReads(t, base)
			whileReading(t, url, key, func() { time.Sleep(300 * time.Millisecond) })
			quiet := whileReading(t, url, key, func() { time.Sleep(time.Second) })
			before, _ := resident(t, p)

			var mu sync.Mutex
			answers := map[string]int{}
			var elapsed time.Duration
			flooded := whileReading(t, url, key, func() {
				started := time.Now()
				client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: answerTime}
				var group sync.WaitGroup
				for i := range logins {
					group.Go(func() {
						answer := floodLogin(client, base, i)
						mu.Lock()
						defer mu.Unlock()
						answers[answer]++
					})
				}
				group.Wait()
				elapsed = time.Since(started)
			})
			_, peak := resident(t, p)
			t.Logf("reads: %s alone; %s in a flood of %d logins, answered in %s: %v; resident %d MiB before, at most %d",
				quiet, flooded, logins, elapsed.Round(time.Millisecond), answers, before, peak)
			if got := answers["200"] + answers["401"] + answers["503, Retry-After 5"]; got != logins ||
				got == answers["503, Retry-After 5"] {
				t.Errorf("%v", answers)
			}
			if p99 := flooded.quantile(.99); p99 > boundP99 {
				t.Errorf("p99 of the reads is %s", p99)
			}
			if peak > boundPeak {
				t.Errorf("%d MiB are resident", peak)
			}
			if got := send(t, "POST", base+"/v1/auth/login", floodBody(0), "Content-Type",
				"application/json"); got.status != 200 {
				t.Errorf("after the flood a login is answered %d", got.status)
			}
		})
	}
}

const (
	floodEmail    = "flood@assay.example"
	floodPassword = "a right and long pass phrase"
)

// floodBody has in turn a correct password, a wrong password, and an unknown account.
func floodBody(i int) string {
	email, password := floodEmail, floodPassword
	switch i % 3 {
	case 1:
		password = "wrong"
	case 2:
		email = "nobody" + strconv.Itoa(i) + "@assay.example"
	}
	return `{"email":"` + email + `","password":"` + password + `"}`
}

// floodLogin signs in and returns the status of the response.
func floodLogin(client *http.Client, base string, i int) string {
	response, err := client.Post(base+"/v1/auth/login", "application/json", strings.NewReader(floodBody(i)))
	if err != nil {
		return err.Error()
	}
	defer func() { _ = response.Body.Close() }()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err.Error()
	}
	answer := strconv.Itoa(response.StatusCode)
	if retry := response.Header.Get("Retry-After"); retry != "" {
		answer += ", Retry-After " + retry
	}
	return answer
}

// prepareReads creates an account and an assessment. It returns the assessment's
// URL and an API key that can read it.
func prepareReads(t *testing.T, base string) (url, key string) {
	t.Helper()
	ask := func(path, body, field, token string) string {
		t.Helper()
		got := send(t, "POST", base+path, body, "Content-Type", "application/json", "Authorization", "Bearer "+token)
		match := regexp.MustCompile(`"` + field + `":"([^"]+)"`).FindStringSubmatch(got.body)
		if got.status/100 != 2 || match == nil {
			t.Fatalf("%s: %d %s", path, got.status, got.body)
		}
		return match[1]
	}
	token := ask("/v1/auth/register",
		`{"organizationName":"Quay","name":"Ana","email":"`+floodEmail+`","password":"`+floodPassword+`"}`, "accessToken", "")
	key = ask("/v1/api-keys", `{"name":"reader","scopes":["assessments:read"]}`, "key", token)
	id := ask("/v1/assessments", `{"title":"Knots","stages":[{"title":"One","questions":[
		{"type":"NUMERIC","prompt":"How many ends has a rope?","points":1,"answer":2}]}]}`, "id", token)
	ask("/v1/assessments/"+id+"/publish", "", "id", token)
	return base + "/v1/public/assessments/" + id, key
}
