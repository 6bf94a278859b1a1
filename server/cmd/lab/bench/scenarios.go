package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/lab/rig"
)

// dataset is what the scenarios read and write. It was made over HTTP.
type dataset struct {
	*rig.Organization
	candidates []rig.Candidate // in the first stage, with a saved answer to its first question
	finished   []string        // ids of completed sessions
}

// preparing is the number of requests at once while data is made.
const preparing = 16

func newDataset(ctx context.Context, addr string, candidates, completed int) (*dataset, error) {
	o, err := rig.NewOrganization(ctx, rig.NewClient([]string{addr}, preparing), "bench")
	if err != nil {
		return nil, err
	}
	d := &dataset{Organization: o, candidates: make([]rig.Candidate, candidates), finished: make([]string, completed)}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(preparing)
	for i := range d.finished {
		group.Go(func() error {
			c, err := d.Start(ctx, fmt.Sprintf("finished-%d", i))
			if err != nil {
				return err
			}
			d.finished[i] = c.SessionID
			return d.Complete(ctx, c)
		})
	}
	for i := range d.candidates {
		group.Go(func() (err error) {
			if d.candidates[i], err = d.Start(ctx, fmt.Sprintf("candidate-%d", i)); err != nil {
				return err
			}
			return d.Answer(ctx, d.candidates[i], d.Stages[0].Questions[0])
		})
	}
	return d, group.Wait()
}

// source returns the n-th request of a scenario, from 0. It is safe for
// concurrent use.
type source = func(n int) []byte

// inTurn repeats some requests.
func inTurn(requests [][]byte) source {
	return func(n int) []byte { return requests[n%len(requests)] }
}

// scenario is one kind of request, to the server and to the bare handler.
type scenario struct {
	name     string
	aim      float64 // ratio
	requests func(context.Context, *dataset) (toServer, toBare source, err error)
}

// The scenarios that read come first, so that they read the rows of newDataset
// and no others.
var scenarios = []scenario{
	{"assessment", aimDocument, readAssessment},
	{"unchanged", aimUnchanged, revalidateAssessment},
	{"list", aimList, listSessions},
	{"result", aimDocument, exchangeResult},
	{"poll", aimPoll, pollSession},
	{"answer", aimAnswer, saveAnswer},
	{"invite", aimInvite, invite},
}

// Names are the names of the scenarios of `lab bench api`, separated by commas.
func Names() string {
	names := make([]string, len(scenarios))
	for i, sc := range scenarios {
		names[i] = sc.name
	}
	return strings.Join(names, ",")
}

// readAssessment reads one published assessment.
func readAssessment(_ context.Context, d *dataset) (toServer, toBare source, err error) {
	return inTurn([][]byte{rig.Request("GET", "/v1/public/assessments/"+d.AssessmentID, d.Key, nil)}),
		inTurn([][]byte{rig.Request("GET", "/assessments/"+d.AssessmentID, nil, nil)}), nil
}

// revalidateAssessment asks whether the assessment has changed, which it has not.
func revalidateAssessment(_ context.Context, d *dataset) (toServer, toBare source, err error) {
	header := d.Key.Clone()
	header.Set("If-None-Match", "*") // costs what an ETag costs
	return inTurn([][]byte{rig.Request("GET", "/v1/public/assessments/"+d.AssessmentID, header, nil)}),
		inTurn([][]byte{rig.Request("GET", "/assessments/"+d.AssessmentID, nil, nil)}), nil
}

// listSessions lists the newest 20 sessions.
func listSessions(_ context.Context, d *dataset) (toServer, toBare source, err error) {
	return inTurn([][]byte{rig.Request("GET", "/v1/public/candidate-sessions?limit=20", d.Key, nil)}),
		inTurn([][]byte{rig.Request("GET", "/sessions", nil, nil)}), nil
}

// exchangeResult exchanges a result token of each finished session in turn. The
// tokens expire after 15 minutes.
func exchangeResult(ctx context.Context, d *dataset) (toServer, toBare source, err error) {
	var server, bare [][]byte
	for _, id := range d.finished {
		var minted struct{ Token string }
		path := "/v1/public/candidate-sessions/" + id + "/result-token"
		if _, err := d.API.Call(ctx, http.MethodPost, path, d.Key, nil, &minted); err != nil {
			return nil, nil, err
		}
		server = append(server, rig.Request("GET", "/v1/public/results/"+minted.Token, d.Key, nil))
		bare = append(bare, rig.Request("GET", "/results/"+id, nil, nil))
	}
	if len(server) == 0 {
		return nil, nil, errors.New("no session is finished")
	}
	return inTurn(server), inTurn(bare), nil
}

// pollSession asks for each candidate in turn whether the session has changed, as open pages do.
func pollSession(_ context.Context, d *dataset) (toServer, toBare source, err error) {
	var server, bare [][]byte
	for _, c := range d.candidates {
		header := rig.Bearer(c.Token)
		header.Set("If-None-Match", "*") // costs what an ETag costs
		server = append(server, rig.Request("GET", "/v1/candidate/session", header, nil))
		bare = append(bare, rig.Request("GET", "/sessions/"+c.SessionID, nil, nil))
	}
	return inTurn(server), inTurn(bare), nil
}

// saveAnswer replaces each candidate's answer to the first question in turn.
func saveAnswer(_ context.Context, d *dataset) (toServer, toBare source, err error) {
	q := d.Stages[0].Questions[0]
	path, right := "/v1/candidate/session/answers/"+q.ID, rig.RightAnswers[q.Type]
	var server, bare [][]byte
	for _, c := range d.candidates {
		server = append(server, rig.Request("PUT", path, rig.Bearer(c.Token), right))
		bare = append(bare, rig.Request("PUT", "/answers/"+c.SessionID+"/"+q.ID, nil, right))
	}
	return inTurn(server), inTurn(bare), nil
}

// invite invites another address each time.
func invite(_ context.Context, d *dataset) (toServer, toBare source, err error) {
	return func(n int) []byte {
			return rig.Request("POST", "/v1/public/candidate-sessions", d.Key, d.Invite(fmt.Sprintf("invited-%d", n)))
		}, func(n int) []byte {
			return rig.Request("POST", "/sessions", nil, d.Invite(fmt.Sprintf("bare-%d", n)))
		}, nil
}
