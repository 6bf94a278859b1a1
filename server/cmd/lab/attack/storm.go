package attack

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/server/cmd/lab/rig"
)

// tally counts the answers to many requests.
type tally struct {
	mu       sync.Mutex
	outcomes map[string]int // by status and code
	statuses map[int]int    // 0 without an answer
	policies map[string]int // names of the limits of the answers with status 429
	took     time.Duration  // of all
	slowest  time.Duration
}

func newTally() *tally {
	return &tally{outcomes: map[string]int{}, statuses: map[int]int{}, policies: map[string]int{}}
}

func (t *tally) add(answer rig.Answer, took time.Duration, err error) {
	outcome := fmt.Sprint(answer.Status)
	if code := answer.Code(); code != "" {
		outcome += " " + code
	}
	if err != nil {
		outcome = "no answer"
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.outcomes[outcome]++
	t.statuses[answer.Status]++
	t.slowest = max(t.slowest, took)
	if answer.Status == 429 {
		if name, _, found := strings.Cut(answer.Header.Get("RateLimit"), ";"); found {
			t.policies[strings.Trim(name, `"`)]++
		}
	}
}

// sum is the number of answers.
func (t *tally) sum() (n int) {
	for _, count := range t.statuses {
		n += count
	}
	return n
}

// not is the number of answers with another status.
func (t *tally) not(status int) int { return t.sum() - t.statuses[status] }

// ok is the number of answers with a status 2xx.
func (t *tally) ok() (n int) {
	for status, count := range t.statuses {
		if status/100 == 2 {
			n += count
		}
	}
	return n
}

// String lists the outcomes, the most frequent first.
func (t *tally) String() string {
	list := listed(t.outcomes)
	if len(t.policies) > 0 {
		list += " (limits: " + listed(t.policies) + ")"
	}
	return fmt.Sprintf("%s; slowest %s", list, rig.Milliseconds(t.slowest))
}

func listed(counts map[string]int) string {
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	for n, name := range names {
		names[n] = fmt.Sprintf("%d × %s", counts[name], name)
	}
	return strings.Join(names, ", ")
}

// storm sends requests from several workers at once. send gets the number of the
// request and of the worker.
func storm(
	ctx context.Context, requests, workers int, send func(ctx context.Context, n, worker int) (rig.Answer, error),
) *tally {
	t := newTally()
	var next atomic.Int64
	var working sync.WaitGroup
	began := time.Now()
	for worker := range workers {
		working.Go(func() {
			for n := int(next.Add(1)) - 1; n < requests && ctx.Err() == nil; n = int(next.Add(1)) - 1 {
				sent := time.Now()
				answer, err := send(ctx, n, worker)
				if ctx.Err() == nil {
					t.add(answer, time.Since(sent), err)
				}
			}
		})
	}
	working.Wait()
	t.took = time.Since(began)
	return t
}
