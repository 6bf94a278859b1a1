//go:build unix

package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/server"
	"assay/store/storetest"
	"assay/store/storetest/costtest"
)

// The work of a request ends soon after its client has left. The test is not parallel, because it measures the
// processor time of the process.
func TestWorkEndsWhenTheClientLeaves(t *testing.T) {
	clock := storetest.NewClock()
	a := serve(t, storetest.Open(t, "sqlite", clock.Now), clock, func(opts *server.Options) {
		opts.RateLimits.Work = server.RateLimit{Requests: 1_000_000, Window: time.Second, Burst: 1_000_000}
	})
	owner := a.register().owner
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
	ended := func() int { return strings.Count(a.log.String(), `"msg":"request"`) } // a request is logged at its end
	waitForEnd := func(before int) {
		for ended() == before {
			time.Sleep(100 * time.Microsecond)
		}
	}

	before := ended()
	began := costtest.ProcessorTime()
	if err := create(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	waitForEnd(before)
	whole := costtest.ProcessorTime() - began

	// A busy machine can delay the goroutine that leaves, so an attempt that ends late is repeated.
	for attempt := 1; ; attempt++ {
		ctx, leave := context.WithCancel(t.Context())
		left, before := make(chan error), ended()
		go func() { left <- create(ctx, attempt) }()
		for began := costtest.ProcessorTime(); costtest.ProcessorTime()-began < whole/4; {
			time.Sleep(time.Millisecond)
		}
		leave()
		then := costtest.ProcessorTime()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Fatalf("the request ended with %v", err)
		}
		waitForEnd(before)
		after := costtest.ProcessorTime() - then
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
