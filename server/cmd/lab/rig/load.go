package rig

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Load is candidates and integrators at work on one organization: they read and
// write without a pause. No request is sent twice, and the ledger records every
// acknowledged write.
type Load struct {
	Ledger *Ledger
	*Organization

	candidates []Candidate
	question   Question // that candidates answer
	names      atomic.Int64
	gate       sync.RWMutex // a turn holds it for reading
	stop       context.CancelFunc
	ended      sync.WaitGroup

	mu        sync.Mutex
	exchanges []Exchange
}

// Exchange is one request and its outcome.
type Exchange struct {
	Action       string // such as "invite"; see Writes
	Began, Ended time.Time
	Status       int    // 0 without an answer
	Unavailable  bool   // the contract's 503: a problem document with Retry-After
	Fault        string // describes any outcome but a 2xx
}

// Took is how long the exchange took.
func (e Exchange) Took() time.Duration { return e.Ended.Sub(e.Began) }

// OK reports whether the request succeeded.
func (e Exchange) OK() bool { return e.Status/100 == 2 }

// Outcome describes the outcome in a fault.
func (e Exchange) Outcome() string {
	if e.OK() {
		return strconv.Itoa(e.Status)
	}
	return e.Fault
}

// Writes are the actions that write. All others read.
var Writes = map[string]bool{"answer": true, "invite": true, "assessment": true, "key": true}

// StartLoad makes an organization, starts the sessions of some candidates, and
// then lets each of them work, together with an integrator. The servers are at
// addrs.
func StartLoad(ctx context.Context, addrs []string, name string, clients int) (*Load, error) {
	o, err := NewOrganization(ctx, NewClient(addrs, clients), name)
	if err != nil {
		return nil, err
	}
	l := &Load{Ledger: newLedger(), Organization: o}
	for _, q := range o.Stages[0].Questions {
		if q.Type == "SHORT_TEXT" {
			l.question = q
		}
	}
	for n := range clients {
		candidate, err := o.Start(ctx, fmt.Sprintf("candidate-%d", n))
		if err != nil {
			return nil, err
		}
		l.candidates = append(l.candidates, candidate)
	}
	ctx, l.stop = context.WithCancel(ctx)
	for n := range l.candidates {
		l.ended.Go(func() { l.work(ctx, n) })
	}
	return l, nil
}

// End stops the load after every request has its answer.
func (l *Load) End() {
	l.stop()
	l.ended.Wait()
}

// Hold lets every client finish its turn, calls fn, and lets them continue.
func (l *Load) Hold(fn func() error) error {
	l.gate.Lock()
	defer l.gate.Unlock()
	return fn()
}

// Taken returns the exchanges since the last call.
func (l *Load) Taken() []Exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := l.exchanges
	l.exchanges = nil
	return taken
}

func (l *Load) work(ctx context.Context, n int) {
	for turn := 1; ctx.Err() == nil; turn++ {
		l.gate.RLock()
		l.turn(n, turn)
		l.gate.RUnlock()
	}
}

// turn sends one request of each kind.
func (l *Load) turn(n, turn int) {
	o, as := l.Organization, Bearer(l.candidates[n].Token)
	answer := Object{"text": fmt.Sprintf(answerText, turn)}
	if _, ok := l.Do("answer", http.MethodPut, "/v1/candidate/session/answers/"+l.question.ID, as, answer); ok {
		l.Ledger.answered(n, turn)
	}
	l.create("invite", "/v1/public/candidate-sessions", o.Key, o.Invite)
	_, _ = l.Do("list", http.MethodGet, "/v1/public/candidate-sessions?limit=20", o.Key, nil)
	_, _ = l.Do("stage", http.MethodGet, "/v1/candidate/session/stage", as, nil)
	if turn%4 == 0 {
		l.create("assessment", "/v1/assessments", o.Owner, NewAssessment)
		l.create("key", "/v1/api-keys", o.Owner, NewKey)
	}
}

// create makes something with a unique name.
func (l *Load) create(kind, path string, header http.Header, body func(name string) Object) {
	name := kind + "-" + strconv.FormatInt(l.names.Add(1), 10)
	answer, ok := l.Do(kind, http.MethodPost, path, header, body(name))
	if !ok {
		return
	}
	var made struct{ ID string }
	if err := answer.Decode(&made); err != nil {
		made.ID = err.Error() // the ledger finds nothing with this id
	}
	if kind == "invite" {
		name = Email(name)
	}
	l.Ledger.created(kind, made.ID, name)
}

// refusedPause keeps a client whose requests fail at once from using the CPU.
const refusedPause = 20 * time.Millisecond

// Do sends one request, records the exchange, and reports whether it succeeded.
// It does not take the context of the run: a request that was sent gets its answer.
func (l *Load) Do(action, method, path string, header http.Header, body any) (Answer, bool) {
	e := Exchange{Action: action, Began: time.Now()}
	answer, err := l.API.Send(context.Background(), method, path, header, body)
	e.Ended = time.Now()
	e.Status = answer.Status
	switch {
	case err != nil:
		e.Fault = err.Error()
	case !e.OK():
		e.Unavailable = isUnavailable(answer)
		e.Fault = fmt.Sprintf("%d %s", e.Status, answer.Body)
	}

	l.mu.Lock()
	l.exchanges = append(l.exchanges, e)
	l.mu.Unlock()
	if !e.OK() {
		time.Sleep(refusedPause)
	}
	return answer, e.OK()
}

// isUnavailable reports whether an answer is the contract's 503.
func isUnavailable(a Answer) bool {
	seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
	return a.Status == http.StatusServiceUnavailable && a.Code() == "unavailable" && err == nil && seconds > 0 &&
		a.Header.Get("Content-Type") == "application/problem+json"
}
