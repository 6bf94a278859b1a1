package rig

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Ledger records the writes that the service has acknowledged to a Load.
type Ledger struct {
	mu      sync.Mutex
	made    map[string]map[string]string // kind → id → name
	answers map[int]int                  // candidate → number in the last saved answer
	saves   int                          // of all candidates
}

// listedAt is where each kind is listed.
var listedAt = map[string]string{
	"invite": "/v1/candidate-sessions", "assessment": "/v1/assessments", "key": "/v1/api-keys",
}

func newLedger() *Ledger {
	l := &Ledger{made: map[string]map[string]string{}, answers: map[int]int{}}
	for kind := range listedAt {
		l.made[kind] = map[string]string{}
	}
	return l
}

func (l *Ledger) created(kind, id, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made[kind][id] = name
}

func (l *Ledger) answered(candidate, number int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answers[candidate] = number
	l.saves++
}

// Total is the number of acknowledged writes.
func (l *Ledger) Total() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	total := l.saves
	for _, made := range l.made {
		total += len(made)
	}
	return total
}

// auditTimeout is far above the time that an audit takes.
const auditTimeout = 2 * time.Minute

// Lost describes each acknowledged write that the service does not hold. Call it
// after End.
func (l *Load) Lost(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, auditTimeout)
	defer cancel()
	o := l.Organization
	if err := o.SignIn(ctx); err != nil {
		return nil, fmt.Errorf("sign in for the audit: %w", err)
	}

	var lost []string
	for kind, path := range listedAt {
		held := map[string]string{}
		err := Pages(ctx, o.API, path+"?limit=100", o.Owner, func(item struct{ ID, Name, Title, CandidateEmail string }) {
			held[item.ID] = item.Name + item.Title + item.CandidateEmail // each kind has one of them
		})
		if err != nil {
			return nil, err
		}
		for id, name := range l.Ledger.made[kind] {
			if held[id] != name {
				lost = append(lost, fmt.Sprintf("%s %s was acknowledged as %q and is %q", kind, id, name, held[id]))
			}
		}
	}

	for n, acknowledged := range l.Ledger.answers {
		held, err := l.saved(ctx, n)
		if err != nil {
			return nil, err
		}
		if held < acknowledged { // a later answer may be saved whose acknowledgement was lost
			lost = append(lost, fmt.Sprintf("answer %d of candidate %d was acknowledged, %d is saved", acknowledged, n, held))
		}
	}
	return lost, nil
}

// answerText is the text of the answers. Its number counts up.
const answerText = "because of %d"

// saved returns the number in a candidate's saved answer, or 0.
func (l *Load) saved(ctx context.Context, n int) (number int, err error) {
	var stage struct {
		Questions []struct {
			ID     string
			Answer struct{ Text string }
		}
	}
	as := Bearer(l.candidates[n].Token)
	_, err = l.API.Call(ctx, http.MethodGet, "/v1/candidate/session/stage", as, nil, &stage)
	if err != nil {
		return 0, err
	}
	for _, q := range stage.Questions {
		if q.ID == l.question.ID && q.Answer.Text != "" {
			_, err = fmt.Sscanf(q.Answer.Text, answerText, &number)
		}
	}
	return number, err
}

// LedgerRows are the ledger's rows of a table with two columns.
func (l *Load) LedgerRows(lost []string) [][]string {
	return [][]string{
		{"acknowledged writes", strconv.Itoa(l.Ledger.Total())},
		{"of these lost", strconv.Itoa(len(lost))},
	}
}
