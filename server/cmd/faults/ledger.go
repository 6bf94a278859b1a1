package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"assay/server/cmd/internal/rig"
)

// ledger holds what the service has acknowledged.
type ledger struct {
	mu      sync.Mutex
	created map[string]map[string]string // by kind, by id: the name
	answers map[int]int                  // by candidate: the last number saved
	saves   int                          // of all candidates
}

// The kinds of what is made, and where it is listed.
var listedAt = map[string]string{
	"invite": "/v1/candidate-sessions", "assessment": "/v1/assessments", "key": "/v1/api-keys",
}

func newLedger() *ledger {
	l := &ledger{created: map[string]map[string]string{}, answers: map[int]int{}}
	for kind := range listedAt {
		l.created[kind] = map[string]string{}
	}
	return l
}

func (l *ledger) add(kind, id, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.created[kind][id] = name
}

func (l *ledger) answered(candidate, number int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answers[candidate] = number
	l.saves++
}

// writes is how many were acknowledged of each kind: invites, assessments,
// keys, answers.
func (l *ledger) writes() [4]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return [...]int{len(l.created["invite"]), len(l.created["assessment"]), len(l.created["key"]), l.saves}
}

func (l *ledger) counts() []string {
	var counts []string
	for _, n := range l.writes() {
		counts = append(counts, count(n))
	}
	return counts
}

func (l *ledger) total() int {
	sum := 0
	for _, n := range l.writes() {
		sum += n
	}
	return sum
}

// auditTimeout is far above what reading everything takes of a service that is well.
const auditTimeout = 2 * time.Minute

// lost lists what was acknowledged and is not there. It is for after the load.
func (l *ledger) lost(ctx context.Context, w *world) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, auditTimeout)
	defer cancel()
	if err := w.signIn(ctx); err != nil {
		return nil, fmt.Errorf("sign in to look for what was acknowledged: %w", err)
	}
	var lost []string
	for kind, path := range listedAt {
		held := map[string]string{}
		if err := rig.Pages(ctx, w.api, path+"?limit=100", w.owner, func(item struct{ ID, Name, Title, CandidateEmail string }) {
			held[item.ID] = item.Name + item.Title + item.CandidateEmail // each has one of them
		}); err != nil {
			return nil, err
		}
		for id, name := range l.created[kind] {
			if held[id] != name {
				lost = append(lost, fmt.Sprintf("%s %s was acknowledged as %q and is %q", kind, id, name, held[id]))
			}
		}
	}
	for n, acknowledged := range l.answers {
		held, err := w.saved(ctx, n)
		if err != nil {
			return nil, err
		}
		if held < acknowledged { // a later one may be there that was not answered
			lost = append(lost, fmt.Sprintf("answer %d of candidate %d was acknowledged and %d is saved", acknowledged, n, held))
		}
	}
	return lost, nil
}

// saved is the number that the candidate's answer has.
func (w *world) saved(ctx context.Context, n int) (number int, err error) {
	var stage struct {
		Questions []struct{ Answer struct{ Text string } }
	}
	if _, err := w.api.Call(ctx, http.MethodGet, "/v1/candidate/session/stage", rig.Bearer(w.candidates[n].token), nil, &stage); err != nil {
		return 0, err
	}
	if stage.Questions[0].Answer.Text == "" {
		return 0, nil
	}
	_, err = fmt.Sscanf(stage.Questions[0].Answer.Text, answerText, &number)
	return number, err
}

// answerText is what candidates answer, with a number that counts up.
const answerText = "because of %d"
