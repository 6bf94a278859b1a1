package corrections

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/lab/rig"
)

// Of the ten questions of the assessment, all with the same points, the correction moves the key of the first from "a"
// to "b".
const (
	perfect    = 100.0
	oneMistake = 90.0
)

// session is a finished session. The candidates with an even number chose "b", and all other candidates "a".
type session struct {
	id            string
	before, after float64 // the score
}

type world struct {
	*rig.Organization
	sessions   []session
	correction string // its path
}

func newWorld(ctx context.Context, api *rig.Client, receiver string) (*world, error) {
	o, err := rig.NewOrganization(ctx, api, "corrections")
	if err != nil {
		return nil, err
	}
	_, err = api.Call(ctx, http.MethodPost, "/v1/webhooks", o.Owner, rig.Object{
		"url": "http://" + receiver + "/", "events": []string{"candidate.result_corrected"},
	}, nil)
	return &world{Organization: o}, err
}

// finish has candidates complete sessions.
func (w *world) finish(ctx context.Context, count, clients int) error {
	w.sessions = make([]session, count)
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range clients {
		group.Go(func() error {
			for {
				n := int(next.Add(1)) - 1
				if n >= count {
					return nil
				}
				one, err := w.finishOne(ctx, n)
				if err != nil {
					return err
				}
				w.sessions[n] = one
			}
		})
	}
	return group.Wait()
}

func (w *world) finishOne(ctx context.Context, n int) (session, error) {
	c, err := w.Start(ctx, fmt.Sprintf("candidate-%d", n))
	if err != nil {
		return session{}, err
	}
	one, chosen := session{c.SessionID, perfect, oneMistake}, "a"
	if n%2 == 0 {
		one.before, one.after, chosen = oneMistake, perfect, "b"
	}
	for i, stage := range w.Stages {
		var answers []rig.Object
		for j, q := range stage.Questions {
			answer := rig.RightAnswers[q.Type]
			if i == 0 && j == 0 {
				answer = rig.Object{"optionId": chosen}
			}
			answers = append(answers, rig.Object{"questionId": q.ID, "answer": answer, "revision": 1, "seenRevision": 0})
		}
		if _, err := w.API.Call(ctx, http.MethodPost, "/v1/candidate/session/stage/submit", rig.Bearer(c.Token),
			rig.Object{"stageId": stage.ID, "clientId": "lab", "answers": answers}, nil); err != nil {
			return session{}, err
		}
	}
	return one, nil
}

// begin makes the correction.
func (w *world) begin(ctx context.Context) error {
	path := "/v1/assessments/" + w.AssessmentID + "/corrections"
	var made struct{ ID string }
	_, err := w.API.Call(ctx, http.MethodPost, path, w.Owner, rig.Object{
		"questionId": w.Stages[0].Questions[0].ID, "action": "REPLACE_KEY", "key": rig.Object{"correctOptionId": "b"},
		"policy": "EXACT", "reason": "The key was swapped",
	}, &made)
	w.correction = path + "/" + made.ID
	return err
}

func (w *world) isApplied(ctx context.Context) (bool, error) {
	var present struct{ AppliedAt *time.Time }
	_, err := w.API.Call(ctx, http.MethodGet, w.correction, w.Owner, nil, &present)
	return present.AppliedAt != nil, err
}

// applyTimeout is far above the time that a correction takes.
const applyTimeout = 10 * time.Minute

func (w *world) waitApplied(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, applyTimeout)
	defer cancel()
	for {
		if done, err := w.isApplied(ctx); err != nil || done {
			return err
		}
		if !rig.Pause(ctx, 200*time.Millisecond) {
			return fmt.Errorf("the correction was not applied: %w", ctx.Err())
		}
	}
}

// seen is what the service says about a session.
type seen struct {
	score     float64
	revision  int
	revisions int // that are listed
	events    int // candidate.result_corrected
}

// see reads a session in each way. A batch of the correction can commit between two of the requests, so see repeats
// them if the first answer has changed.
func (w *world) see(ctx context.Context, id string) (s seen, err error) {
	for {
		var first, last struct{ Score float64 }
		var result struct{ Revision int }
		var revisions, events []struct{ ID string }
		for _, read := range []struct {
			path string
			dest any
		}{
			{"/v1/candidate-sessions/" + id, &first},
			{"/v1/candidate-sessions/" + id + "/result", &result},
			{"/v1/candidate-sessions/" + id + "/result/revisions", &revisions},
			{"/v1/events?type=candidate.result_corrected&resourceId=" + id, &events},
			{"/v1/candidate-sessions/" + id, &last},
		} {
			if _, err := w.API.Call(ctx, http.MethodGet, read.path, w.Owner, nil, read.dest); err != nil {
				return seen{}, err
			}
		}
		if first == last {
			return seen{last.Score, result.Revision, len(revisions), len(events)}, nil
		}
	}
}

// look checks that some sessions are entirely before or entirely after the correction.
func (w *world) look(ctx context.Context, random *rand.Rand, count int) error {
	var faults []string
	for range count {
		one := w.sessions[random.IntN(len(w.sessions))]
		got, err := w.see(ctx, one.id)
		if err != nil {
			return err
		}
		if got != (seen{one.before, 1, 1, 0}) && got != (seen{one.after, 2, 2, 1}) {
			faults = append(faults, fmt.Sprintf("%s is neither before nor after: %+v", one.id, got))
		}
	}
	return rig.Verdict(faults)
}

// audit checks after the correction that each session, the statistics, and the receiver have it.
func (w *world) audit(ctx context.Context, to *receiver) error {
	if err := w.SignIn(ctx); err != nil {
		return err
	}
	faults := make([]string, len(w.sessions))
	group, reading := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for i, one := range w.sessions {
		group.Go(func() error {
			got, err := w.see(reading, one.id)
			if want := (seen{one.after, 2, 2, 1}); err == nil && got != want {
				faults[i] = fmt.Sprintf("%s: %+v, want %+v", one.id, got, want)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	faults = slices.DeleteFunc(faults, func(fault string) bool { return fault == "" })

	ids := make([]string, len(w.sessions))
	for i, one := range w.sessions {
		ids[i] = one.id
	}
	if missing := to.wait(ctx, ids); missing > 0 {
		faults = append(faults, fmt.Sprintf("%d events did not arrive", missing))
	}
	var statistics struct {
		Scores struct {
			Count int
			Mean  float64
		}
	}
	// The statistics follow within seconds.
	for range 100 {
		if _, err := w.API.Call(ctx, http.MethodGet, "/v1/assessments/"+w.AssessmentID+"/statistics", w.Owner, nil,
			&statistics); err != nil {
			return err
		}
		even := float64((len(w.sessions) + 1) / 2)
		mean := (even*perfect + (float64(len(w.sessions))-even)*oneMistake) / float64(len(w.sessions))
		if statistics.Scores.Count == len(w.sessions) && statistics.Scores.Mean-mean < 0.01 &&
			mean-statistics.Scores.Mean < 0.01 {
			return rig.Verdict(faults)
		}
		if !rig.Pause(ctx, 100*time.Millisecond) {
			break
		}
	}
	return rig.Verdict(append(faults, fmt.Sprintf("the statistics are %+v", statistics.Scores)))
}

// receiver notes which sessions it got an event about.
type receiver struct {
	addr string
	stop func()

	mu  sync.Mutex
	got map[string]bool
}

func newReceiver(ctx context.Context) (*receiver, error) {
	r := &receiver{got: map[string]bool{}}
	var err error
	r.addr, r.stop, err = rig.Listen(ctx, http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		var event struct{ Data struct{ SessionID string } }
		if json.NewDecoder(request.Body).Decode(&event) != nil {
			answer.WriteHeader(http.StatusBadRequest)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got[event.Data.SessionID] = true
	}))
	return r, err
}

// wait returns how many of the sessions had no event after a time in which all must have arrived.
func (r *receiver) wait(ctx context.Context, ids []string) (missing int) {
	for range 600 {
		r.mu.Lock()
		missing = 0
		for _, id := range ids {
			if !r.got[id] {
				missing++
			}
		}
		r.mu.Unlock()
		if missing == 0 || !rig.Pause(ctx, 100*time.Millisecond) {
			break
		}
	}
	return missing
}
