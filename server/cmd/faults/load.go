package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"assay/server/cmd/internal/rig"
)

// load is candidates and integrators at work: reads, writes and answers. What
// is acknowledged goes into its ledger; no request is sent twice.
type load struct {
	world  *world
	addr   string
	ledger *ledger
	names  atomic.Int64
	gate   gate
	stop   context.CancelFunc
	ended  sync.WaitGroup

	mu        sync.Mutex
	exchanges []exchange
}

// exchange is one request and what came of it.
type exchange struct {
	action       string
	began, ended time.Time
	status       int    // 0 when there was no answer
	proper       bool   // a 503 is a problem document with Retry-After
	fault        string // of what was not a 2xx, for people
}

func (e exchange) took() time.Duration { return e.ended.Sub(e.began) }

// patience is far above what the service may take.
const patience = 40 * time.Second

// refusedPause keeps a client that is refused at once from doing nothing else.
const refusedPause = 20 * time.Millisecond

// startLoad lets each candidate of the world work, beside an integrator of its own.
func startLoad(ctx context.Context, w *world, addr string) *load {
	ctx, cancel := context.WithCancel(ctx)
	l := &load{world: w, addr: addr, ledger: newLedger(), stop: cancel}
	for n := range w.candidates {
		l.ended.Go(func() { l.work(ctx, n) })
	}
	return l
}

// end lets every client have its last answer.
func (l *load) end() {
	l.stop()
	l.ended.Wait()
}

// work does everything in turns until ctx ends.
func (l *load) work(ctx context.Context, n int) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}, Timeout: patience}
	defer client.CloseIdleConnections()
	as := rig.Bearer(l.world.candidates[n].token)
	answer := "/v1/candidate/session/answers/" + l.world.questionID
	for turn := 1; l.gate.pass(ctx); turn++ {
		l.save(client, n, answer, as, turn)
		l.create(client, "invite", "/v1/public/candidate-sessions", l.world.key, l.world.invite)
		l.do(client, "list", http.MethodGet, "/v1/public/candidate-sessions?limit=20", l.world.key, nil, nil)
		l.do(client, "stage", http.MethodGet, "/v1/candidate/session/stage", as, nil, nil)
		if turn%4 == 0 {
			l.create(client, "assessment", "/v1/assessments", l.world.owner, newAssessment)
			l.create(client, "key", "/v1/api-keys", l.world.owner, newKey)
		}
	}
}

func (l *load) save(client *http.Client, n int, path string, as http.Header, number int) {
	if l.do(client, "answer", http.MethodPut, path, as, rig.Object{"text": fmt.Sprintf(answerText, number)}, nil) {
		l.ledger.answered(n, number)
	}
}

// create makes something of a name that nothing else has.
func (l *load) create(client *http.Client, kind, path string, credential http.Header, body func(name string) rig.Object) {
	name := kind + "-" + strconv.FormatInt(l.names.Add(1), 10)
	var made struct{ Data struct{ ID string } }
	if l.do(client, kind, http.MethodPost, path, credential, body(name), &made) {
		if kind == "invite" {
			name += "@faults.example"
		}
		l.ledger.add(kind, made.Data.ID, name)
	}
}

// do sends one request, whatever happens to the run meanwhile, and reports
// whether it was acknowledged.
func (l *load) do(client *http.Client, action, method, path string, credential http.Header, body rig.Object, dest any) bool {
	e := exchange{action: action, began: time.Now()}
	answered, header, err := l.send(client, &e, method, path, credential, body)
	e.ended = time.Now()
	ok := err == nil && e.status/100 == 2
	switch {
	case ok && dest != nil:
		if err := json.Unmarshal(answered, dest); err != nil {
			ok, e.fault = false, "the answer is no JSON: "+err.Error()
		}
	case err != nil:
		e.fault = err.Error()
	case !ok:
		e.proper = isUnavailable(header, answered)
		e.fault = fmt.Sprintf("%d %s", e.status, answered)
	}
	l.mu.Lock()
	l.exchanges = append(l.exchanges, e)
	l.mu.Unlock()
	if !ok {
		time.Sleep(refusedPause)
	}
	return ok
}

func (l *load) send(client *http.Client, e *exchange, method, path string, credential http.Header, body rig.Object) ([]byte, http.Header, error) {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, nil, err
		}
		content = bytes.NewReader(encoded)
	}
	// Not the run's context: a request that was sent is to have its answer.
	request, err := http.NewRequestWithContext(context.Background(), method, "http://"+l.addr+path, content)
	if err != nil {
		return nil, nil, err
	}
	request.Header = credential.Clone()
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	answered, err := io.ReadAll(answer.Body)
	if err == nil {
		e.status = answer.StatusCode
	}
	return answered, answer.Header, err
}

// isUnavailable tells whether a refusal is the contract's 503.
func isUnavailable(header http.Header, body []byte) bool {
	var problem struct {
		Status int
		Code   string
	}
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	return err == nil && seconds > 0 && header.Get("Content-Type") == "application/problem+json" &&
		json.Unmarshal(body, &problem) == nil && problem.Status == http.StatusServiceUnavailable && problem.Code == "unavailable"
}

// taken returns what was exchanged since the last call.
func (l *load) taken() []exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := l.exchanges
	l.exchanges = nil
	return taken
}

// gate lets clients through or holds them between two turns.
type gate struct {
	mu   sync.Mutex
	shut chan struct{} // closed when it opens again; nil while it is open
}

// pass waits while the gate is closed, and reports whether to go on.
func (g *gate) pass(ctx context.Context) bool {
	g.mu.Lock()
	shut := g.shut
	g.mu.Unlock()
	if shut != nil {
		select {
		case <-shut:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = make(chan struct{})
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.shut)
	g.shut = nil
}

// metric reads one figure of the server's metrics.
func metric(ctx context.Context, server *rig.Process, name string) (float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+server.Admin+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(text) {
		if value, found := bytes.CutPrefix(line, []byte(name+" ")); found {
			return strconv.ParseFloat(string(bytes.TrimSpace(value)), 64)
		}
	}
	return 0, fmt.Errorf("no %s among the metrics: %s %s", name, answer.Status, text[:min(len(text), 500)])
}
