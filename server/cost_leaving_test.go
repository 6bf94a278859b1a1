//go:build unix

package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/store/storetest"
)

// processorTime is what the process has used, which depends little on other load of the machine.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// The work of a request ends soon after its client has left. The test is not parallel, because it measures the
// processor time of the process.
func TestWorkEndsWhenTheClientLeaves(t *testing.T) {
	clock := storetest.NewClock()
	a := serve(t, storetest.Open(t, "sqlite", clock.Now), clock, func(opts *Options) {
		opts.RateLimits.Work = RateLimit{Requests: 1_000_000, Window: time.Second, Burst: 1_000_000}
	})
	owner := a.register().owner
	turns := a.server.limits.costs.turns
	turns.longest = time.Hour
	create := func(ctx context.Context, number int) error {
		var body bytes.Buffer
		encoder := json.NewEncoder(&body)
		encoder.SetEscapeHTML(false) // an escaped < would take six bytes
		if err := encoder.Encode(hostileAssessment(number)); err != nil {
			return err
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url+"/v1/assessments", &body)
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(owner.header, owner.value)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		defer func() { _ = answer.Body.Close() }()
		_, err = io.Copy(io.Discard, answer.Body)
		if answer.StatusCode != http.StatusCreated {
			t.Errorf("create: %d", answer.StatusCode)
		}
		return err
	}
	idle := func() bool {
		turns.mu.Lock()
		defer turns.mu.Unlock()
		return len(turns.lines) == 0
	}
	waitFor := func(want bool) {
		for idle() != want {
			time.Sleep(100 * time.Microsecond)
		}
	}

	began := processorTime()
	if err := create(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	waitFor(true)
	whole := processorTime() - began

	// A busy machine can delay the goroutine that leaves, so an attempt that ends late is repeated.
	for attempt := 1; ; attempt++ {
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- create(ctx, attempt) }()
		for began := processorTime(); processorTime()-began < whole/4; {
			time.Sleep(time.Millisecond)
		}
		leave()
		left := processorTime()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Fatalf("the request ended with %v", err)
		}
		waitFor(true)
		after := processorTime() - left
		t.Logf("the whole request takes %s of CPU, and %s after the client has left", whole, after)
		if after < whole/4 {
			return
		}
		if attempt == 3 {
			t.Fatalf("the work takes %s of %s after the client has left", after, whole)
		}
	}
}

// hostileAssessment takes long to render. Assessments with different numbers share no text.
func hostileAssessment(number int) object {
	var questions []object
	for n := range 90 {
		questions = append(questions, object{
			"type": "SHORT_TEXT", "points": 1, "acceptedAnswers": []string{"a"},
			"prompt": fmt.Sprint(number, ".", n, " ", strings.Repeat("<http://a>", 990)),
		})
	}
	return object{"title": "T", "stages": []object{{"title": "S", "questions": questions}}}
}
