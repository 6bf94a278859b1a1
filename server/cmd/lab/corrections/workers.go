package corrections

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// workers are candidates who save answers at a fixed rate, whether or not the previous answer was saved.
type workers struct {
	api        *rig.Client
	question   string
	candidates []rig.Candidate

	mu     sync.Mutex
	faults []string
}

func (w *world) workers(ctx context.Context, count int) (*workers, error) {
	made := &workers{api: w.API, question: w.Stages[0].Questions[0].ID}
	for n := range count {
		c, err := w.Start(ctx, fmt.Sprintf("worker-%d", n))
		if err != nil {
			return nil, err
		}
		made.candidates = append(made.candidates, c)
	}
	return made, nil
}

// answer saves answers as long as goOn returns true, and returns how long each took from the time at which it was due.
func (w *workers) answer(ctx context.Context, rate int, goOn func(since time.Duration) bool) []time.Duration {
	var running sync.WaitGroup
	var took []time.Duration
	began := time.Now()
	for n := 0; goOn(time.Since(began)) && ctx.Err() == nil; n++ {
		due := began.Add(time.Duration(n) * time.Second / time.Duration(rate))
		time.Sleep(time.Until(due))
		running.Go(func() {
			who := w.candidates[n%len(w.candidates)]
			answer, err := w.api.Send(ctx, http.MethodPut, "/v1/candidate/session/answers/"+w.question,
				rig.Bearer(who.Token), rig.Object{"optionId": string(rune('a' + n%4))})
			since := time.Since(due)
			w.mu.Lock()
			defer w.mu.Unlock()
			took = append(took, since)
			if err != nil || !answer.OK() {
				w.faults = append(w.faults, fmt.Sprintf("an answer was not saved: %d %v", answer.Status, err))
			}
		})
	}
	running.Wait()
	return took
}

func (w *workers) err() error { return rig.Verdict(w.faults) }
