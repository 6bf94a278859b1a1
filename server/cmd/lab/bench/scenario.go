package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// scenario is one kind of request, in two forms: to the server, and to the
// baseline, whose addresses name the rows at once.
type scenario struct {
	name   string
	server func(context.Context, *dataset) (source, error)
	bare   func(*dataset) source
}

// source makes the n-th request of a scenario, from 0, whole.
type source = func(n int) []byte

// scenarios are in order of reading before writing, so that the tables that are
// read have the rows of prepare and no others.
var scenarios = []scenario{
	{name: "assessment", server: getAssessment, bare: bareAssessment},
	{name: "list", server: listSessions, bare: bareList},
	{name: "result", server: exchangeResult, bare: bareResult},
	{name: "answer", server: saveAnswer, bare: bareAnswer},
	{name: "invite", server: createInvite, bare: bareInvite},
}

func scenarioNames() []string {
	names := make([]string, 0, len(scenarios))
	for _, sc := range scenarios {
		names = append(names, sc.name)
	}
	return names
}

// getAssessment is GET /v1/public/assessments/{id}, of one assessment.
func getAssessment(_ context.Context, d *dataset) (source, error) {
	return turnsOf(request("GET", "/v1/public/assessments/"+d.assessmentID, "X-API-Key: "+d.key, nil)), nil
}

func bareAssessment(d *dataset) source {
	return turnsOf(request("GET", "/assessments/"+d.assessmentID, "", nil))
}

// listSessions is the newest 20 of all sessions.
func listSessions(_ context.Context, d *dataset) (source, error) {
	return turnsOf(request("GET", "/v1/public/candidate-sessions?limit=20", "X-API-Key: "+d.key, nil)), nil
}

func bareList(*dataset) source { return turnsOf(request("GET", "/sessions", "", nil)) }

// exchangeResult is GET /v1/public/results/{token}, of all finished sessions in turn.
func exchangeResult(ctx context.Context, d *dataset) (source, error) {
	tokens, err := d.resultTokens(ctx)
	var requests [][]byte
	for _, token := range tokens {
		requests = append(requests, request("GET", "/v1/public/results/"+token, "X-API-Key: "+d.key, nil))
	}
	return turnsOf(requests...), err
}

func bareResult(d *dataset) source {
	var requests [][]byte
	for _, id := range d.finished {
		requests = append(requests, request("GET", "/results/"+id, "", nil))
	}
	return turnsOf(requests...)
}

// saveAnswer is PUT /v1/candidate/session/answers/{questionId}, by all
// candidates in turn, each again to the question that is answered already.
func saveAnswer(_ context.Context, d *dataset) (source, error) {
	var requests [][]byte
	for _, c := range d.candidates {
		requests = append(requests, request("PUT", "/v1/candidate/session/answers/"+d.questions[0].id,
			"Authorization: Bearer "+c.token, rightAnswers[d.questions[0].kind]))
	}
	return turnsOf(requests...), nil
}

func bareAnswer(d *dataset) source {
	var requests [][]byte
	for _, c := range d.candidates {
		requests = append(requests, request("PUT", "/answers/"+c.sessionID+"/"+d.questions[0].id, "", rightAnswers[d.questions[0].kind]))
	}
	return turnsOf(requests...)
}

// createInvite is POST /v1/public/candidate-sessions, each time of another address.
func createInvite(_ context.Context, d *dataset) (source, error) {
	return func(n int) []byte {
		return request("POST", "/v1/public/candidate-sessions", "X-API-Key: "+d.key, d.invite(fmt.Sprintf("invited-%d", n)))
	}, nil
}

func bareInvite(d *dataset) source {
	return func(n int) []byte { return request("POST", "/sessions", "", d.invite(fmt.Sprintf("bare-%d", n))) }
}

func turnsOf(requests ...[]byte) source {
	return func(n int) []byte { return requests[n%len(requests)] }
}

// request writes an HTTP request (RFC 9112). header is one more header line, or "".
func request(method, target, header string, body object) []byte {
	out := fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n", method, target)
	if header != "" {
		out = append(out, header+"\r\n"...)
	}
	if body == nil {
		return append(out, "\r\n"...)
	}
	content, err := json.Marshal(body)
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	out = fmt.Appendf(out, "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(content))
	return append(out, content...)
}

// duel drives the server and the baseline in turns, so that whatever else the
// machine does falls on both, and drift cancels out of the turns' ratios.
func (c *runCommand) duel(ctx context.Context, sc scenario, server, bare *process, d *dataset) (row, error) {
	toServer, err := sc.server(ctx, d)
	if err != nil {
		return row{}, err
	}
	sides := [2]*side{{process: server}, {process: bare}}
	for i, next := range []source{toServer, sc.bare(d)} {
		if sides[i].load, err = dial(ctx, sides[i].process.Addr, c.Clients, next); err != nil {
			return row{}, err
		}
		defer sides[i].load.close()
		if err := sides[i].warmUp(ctx, c.Warmup); err != nil {
			return row{}, err
		}
	}
	for round := range c.Rounds {
		first := round % 2 // who goes first changes, since a turn may leave the disk busy for the next
		for _, s := range []*side{sides[first], sides[1-first]} {
			if err := s.turn(ctx, c.Duration/time.Duration(c.Rounds)); err != nil {
				return row{}, err
			}
		}
	}
	return newRow(sc.name, sides[0], sides[1]), nil
}

// side is the server or the baseline in one scenario, with its turns.
type side struct {
	process *process
	load    *load
	turns   []turn
	cpu     time.Duration // of its process, in its turns
}

func (s *side) warmUp(ctx context.Context, d time.Duration) error {
	t, err := s.load.round(ctx, d)
	return errors.Join(err, t.fault())
}

func (s *side) turn(ctx context.Context, d time.Duration) error {
	before := s.process.Usage().CPU
	t, err := s.load.round(ctx, d)
	s.cpu += s.process.Usage().CPU - before
	s.turns = append(s.turns, t)
	return errors.Join(err, t.fault())
}

// fault is an error when any answer was not a 2xx: the figures are worthless then.
func (t turn) fault() error {
	if t.refused == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d answers were not 2xx, the first %s", t.refused, len(t.latencies), t.refusal)
}

// rates are the requests per second of each turn.
func (s *side) rates() []float64 {
	rates := make([]float64, 0, len(s.turns))
	for _, t := range s.turns {
		rates = append(rates, t.rate())
	}
	return rates
}

// latencies are those of all turns, ascending.
func (s *side) latencies() []time.Duration {
	var all []time.Duration
	for _, t := range s.turns {
		all = append(all, t.latencies...)
	}
	slices.Sort(all)
	return all
}

// perRequest is the mean of the answers' bodies in bytes and of the process's CPU.
func (s *side) perRequest() (size int, cpu time.Duration) {
	requests, bytes := 0, 0
	for _, t := range s.turns {
		requests += len(t.latencies)
		bytes += t.bytes
	}
	if requests == 0 {
		return 0, 0
	}
	return bytes / requests, s.cpu / time.Duration(requests)
}
