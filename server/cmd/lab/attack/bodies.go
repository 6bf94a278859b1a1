package attack

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"assay/server/cmd/lab/rig"
)

const (
	kibibyte     = 1 << 10
	largeBody    = 1<<20 - 64
	usualBody    = 256*kibibyte - 64
	smallBody    = 16*kibibyte - 64
	enoughCPU    = 200 * time.Millisecond // for a precise mean of a costly shape
	atLeastTimes = 2
)

// operation takes hostile bodies.
type operation struct {
	name, method, path string
	header             http.Header
	shapes             []shape
}

// bodies sends the worst shapes that we know to cheap and expensive operations.
func bodies(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, unlimited)
	if err != nil {
		return err
	}
	defer t.Stop()
	org, err := rig.NewOrganization(ctx, t.api, "bodies")
	if err != nil {
		return t.Explain(err)
	}
	candidate, err := org.Start(ctx, "candidate")
	if err != nil {
		return err
	}
	taking := rig.Bearer(candidate.Token)
	operations := []operation{
		{"bulk", "POST", "/v1/public/candidate-sessions/bulk", org.Key, bulkShapes(largeBody)},
		{"createAssessment", "POST", "/v1/assessments", org.Owner, assessmentShapes(largeBody)},
		{"updateAssessment", "PATCH", "/v1/assessments/" + org.AssessmentID, org.Owner, assessmentShapes(largeBody)},
		{"saveAnswers", "PUT", "/v1/candidate/session/answers", taking, answerShapes(largeBody)},
		{"invite", "POST", "/v1/public/candidate-sessions", org.Key, generalShapes("metadata", usualBody)},
		{"saveAnswer", "PUT", "/v1/candidate/session/answers/" + org.Stages[0].Questions[1].ID, taking,
			generalShapes("optionIds", usualBody)},
		{"createWebhook", "POST", "/v1/webhooks", org.Owner, generalShapes("events", usualBody)},
		{"createApiKey", "POST", "/v1/api-keys", org.Owner, generalShapes("scopes", usualBody)},
		{"createMember", "POST", "/v1/members", org.Owner, generalShapes("name", usualBody)},
		{"retrieveResults", "POST", "/v1/results/batch", org.Owner, generalShapes("sessionIds", usualBody)},
		{"updateOrganization", "PATCH", "/v1/organization", org.Owner, generalShapes("privacyNotice", usualBody)},
		{"register", "POST", "/v1/auth/register", nil, generalShapes("password", smallBody)},
		{"login", "POST", "/v1/auth/login", nil, generalShapes("password", smallBody)},
		{"refresh", "POST", "/v1/auth/refresh", nil, generalShapes("refreshToken", smallBody)},
	}
	for _, o := range operations {
		if err := a.hostileBodies(ctx, t, o); err != nil {
			return t.Explain(err)
		}
	}
	return nil
}

// bodyCost is what one request with a shape cost.
type bodyCost struct {
	operation, shape string
	accepted         bool
	cpu              time.Duration
	allocated        int64
	growth           int64
}

func (b bodyCost) String() string {
	return fmt.Sprintf("%.1f ms CPU, %s allocated, +%s resident (%s, %s)",
		b.cpu.Seconds()*1e3, rig.Mebibytes(b.allocated), rig.Mebibytes(b.growth), b.operation, b.shape)
}

// hostileBodies sends each shape some times and reports the most costly shapes.
func (a *attack) hostileBodies(ctx context.Context, t *target, o operation) error {
	answers := newTally()
	var all []bodyCost
	for _, s := range o.shapes {
		one, err := a.measureBody(ctx, t, o, s, answers)
		if err != nil {
			return err
		}
		all = append(all, one)
	}
	a.tried("%s: %d shapes, %d requests", o.name, len(o.shapes), answers.sum())
	a.got("%s", answers)
	for _, accepted := range []bool{false, true} {
		slowest, largest := worstBodies(all, accepted)
		if slowest.shape == "" {
			continue
		}
		word := "rejected"
		if accepted {
			word = "accepted"
		}
		a.check(slowest.cpu <= bodyCPU, ruleBodyCPU, "%s, at most %s", word, slowest)
		a.check(largest.allocated <= bodyMemory, ruleBodyMemory, "%s, at most %s", word, largest)
	}
	return nil
}

func (a *attack) measureBody(ctx context.Context, t *target, o operation, s shape, answers *tally) (bodyCost, error) {
	before, err := t.allocated(ctx)
	if err != nil {
		return bodyCost{}, err
	}
	end := costs(t.Process)
	var used cost
	sent, accepted := 0, false
	for sent < atLeastTimes || sent < a.often(4, 20) && used.cpu < enoughCPU {
		began := time.Now()
		answer, err := t.api.Send(ctx, o.method, o.path, o.header, s.body)
		answers.add(answer, time.Since(began), err)
		accepted = answer.OK()
		used = end()
		sent++
	}
	after, err := t.allocated(ctx)
	return bodyCost{
		operation: o.name, shape: s.name, accepted: accepted, cpu: used.cpu / time.Duration(sent),
		allocated: (after - before) / int64(sent), growth: used.growth,
	}, err
}

// worstBodies returns the body with the most CPU and that with the most memory, of those
// that were accepted, or of the rejected requests.
func worstBodies(all []bodyCost, accepted bool) (slowest, largest bodyCost) {
	for _, one := range all {
		if one.accepted != accepted {
			continue
		}
		if one.cpu >= slowest.cpu {
			slowest = one
		}
		if one.allocated >= largest.allocated {
			largest = one
		}
	}
	return slowest, largest
}
