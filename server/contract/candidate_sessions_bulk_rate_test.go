package contract

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// TestBulkRate logs the rate of bulk invites. It fails only if a request fails.
func TestBulkRate(t *testing.T) {
	for _, database := range storetest.Databases { // not in parallel, so that the databases do not slow each other
		t.Run(database, func(t *testing.T) {
			clock := storetest.NewClock()
			a := serve(t, storetest.Open(t, database, clock.Now), clock)
			o := a.register()
			key, assessmentID := o.key(), o.publish(twoStages())
			o.hookID("candidate.invited")
			rate := func(requests, rows int, path string, body func() any) float64 {
				began := time.Now()
				for range requests {
					text, err := json.Marshal(body())
					if err != nil {
						t.Fatal(err)
					}
					r, err := http.NewRequest("POST", a.url+path, strings.NewReader(string(text)))
					if err != nil {
						t.Fatal(err)
					}
					r.Header.Set("Content-Type", "application/json")
					r.Header.Set(key.header, key.value)
					r.Header.Set("Idempotency-Key", newEmail())
					answer, err := http.DefaultClient.Do(r)
					if err != nil {
						t.Fatal(err)
					}
					_, _ = io.Copy(io.Discard, answer.Body)
					_ = answer.Body.Close()
					if answer.StatusCode/100 != 2 {
						t.Fatal(answer.Status)
					}
				}

				return float64(requests*rows) / time.Since(began).Seconds()
			}
			bulk := func() any { return bulkOf(assessmentID, newEmails(500)) }
			rate(1, 500, bulkPath, bulk)
			t.Logf("%s: %.0f rows per second in requests of 500, %.0f one by one", database, rate(5, 500, bulkPath, bulk),
				rate(200, 1, "/v1/public/candidate-sessions", func() any { return row(assessmentID, newEmail()) }))
		})
	}
}
