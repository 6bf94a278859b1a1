package attack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"assay/server/cmd/lab/rig"
)

// smallQuotas are for the quotas that cannot be filled in a short time. A service that
// does not know the variable ignores it, and then has no such quota.
const smallQuotas = "ASSAY_QUOTAS=members=8,assessments=8,definition-bytes=2000000," +
	"live-sessions=20,queued-deliveries=30"

const quotaWorkers = 8

// quotas fills each quota, and measures what the largest number of endpoints costs.
func quotas(ctx context.Context, a *attack) error {
	if err := a.fillDefaultQuotas(ctx); err != nil {
		return err
	}
	if err := a.fillSmallQuotas(ctx); err != nil {
		return err
	}
	return a.fanOut(ctx)
}

// newEndpoint is the body of an endpoint that refuses connections.
func newEndpoint(n int) rig.Object {
	return rig.Object{
		"url":    fmt.Sprintf("http://127.0.0.1:1/hook/%d", n),
		"events": []string{"candidate.invited", "candidate.started", "candidate.completed", "candidate.cancelled"},
	}
}

const insecureWebhooks = "ASSAY_WEBHOOK_ALLOW_INSECURE=true"

func newMember(n int) rig.Object {
	return rig.Object{"name": "Jonas Weber", "email": rig.Email(fmt.Sprintf("member-%d", n)), "role": "MEMBER"}
}

// fillDefaultQuotas tries to exceed the quotas of endpoints and of keys.
func (a *attack) fillDefaultQuotas(ctx context.Context) error {
	t, err := a.serve(ctx, unlimited, insecureWebhooks)
	if err != nil {
		return err
	}
	defer t.Stop()
	hostile, err := rig.NewOrganization(ctx, t.api, "hostile")
	if err != nil {
		return t.Explain(err)
	}
	a.usage(ctx, hostile)
	over := func(name, path string, header http.Header, allowed, requests int, code string, body func(int) rig.Object) {
		a.exceed(ctx, t, name, path, header, allowed, requests, code, body)
	}
	over("endpoints", "/v1/webhooks", hostile.Owner, 50, a.often(80, 1000), "409 webhook_quota_exceeded", newEndpoint)
	over("keys, one exists", "/v1/api-keys", hostile.Owner, 99, a.often(130, 1000), "409 api_key_quota_exceeded",
		func(n int) rig.Object { return rig.NewKey(fmt.Sprint("key-", n)) })
	over("members, one exists", "/v1/members", hostile.Owner, 499, a.often(530, 2000), "409 member_quota_exceeded",
		newMember)
	return nil
}

// fillSmallQuotas tries to exceed the other quotas, which a setting has made small.
func (a *attack) fillSmallQuotas(ctx context.Context) error {
	t, err := a.serve(ctx, unlimited, insecureWebhooks, smallQuotas)
	if err != nil {
		return err
	}
	defer t.Stop()
	hostile, err := rig.NewOrganization(ctx, t.api, "hostile")
	if err != nil {
		return t.Explain(err)
	}
	over := func(name, path string, header http.Header, allowed, requests int, code string, body func(int) rig.Object) {
		a.exceed(ctx, t, name, path, header, allowed, requests, code, body)
	}
	over("members, quota of 8", "/v1/members", hostile.Owner, 7, 20, "409 member_quota_exceeded", newMember)
	over("assessments, quota of 8", "/v1/assessments", hostile.Owner, 7, 20, "409 assessment_quota_exceeded",
		func(n int) rig.Object { return rig.NewAssessment(fmt.Sprint("assessment-", n)) })
	// Sessions are counted in memory, so invites at the same time can exceed the quota together.
	over("sessions, quota of 20", "/v1/public/candidate-sessions", hostile.Key, 20+quotaWorkers, 60,
		"409 session_quota_exceeded",
		func(n int) rig.Object { return hostile.Invite(fmt.Sprint("candidate-", n)) })

	space, err := rig.NewOrganization(ctx, t.api, "space")
	if err != nil {
		return err
	}
	var large rig.Object
	if err := json.Unmarshal(valid(450, 1800), &large); err != nil {
		return err
	}
	over("definitions of 840 kB, quota of 2 MB", "/v1/assessments", space.Owner, 2, 6, "409 definition_quota_exceeded",
		func(int) rig.Object { return large })
	return a.fillQueue(ctx, t)
}

// fillQueue lets an endpoint fall behind. What candidates do is always queued, so that
// only invites, replays, and redeliveries are refused.
func (a *attack) fillQueue(ctx context.Context, t *target) error {
	queue, err := rig.NewOrganization(ctx, t.api, "queue")
	if err != nil {
		return err
	}
	for n := range 5 {
		if _, err := t.api.Call(ctx, http.MethodPost, "/v1/webhooks", queue.Owner, newEndpoint(n), nil); err != nil {
			return err
		}
	}
	// The deliveries of an invite are five.
	a.exceed(ctx, t, "queued deliveries, quota of 30, five endpoints", "/v1/public/candidate-sessions", queue.Key,
		30/5+quotaWorkers, 200, "429 delivery_quota_exceeded",
		func(n int) rig.Object { return queue.Invite(fmt.Sprint("candidate-", n)) })
	return nil
}

// exceed sends more requests than a quota allows.
func (a *attack) exceed(
	ctx context.Context, t *target, name, path string, header http.Header, allowed, requests int, code string,
	body func(n int) rig.Object,
) {
	end := costs(t.Process)
	answers := storm(ctx, requests, quotaWorkers, func(ctx context.Context, n, _ int) (rig.Answer, error) {
		return t.api.Send(ctx, http.MethodPost, path, header, body(n))
	})
	a.tried("%s: %d requests at once in %s", name, requests, rig.Seconds(answers.took))
	a.got("%s; %s", answers, end())
	a.check(answers.ok() <= allowed && answers.outcomes[code] == requests-answers.ok(), ruleQuota,
		"%d accepted, at most %d allowed, then %d × %s", answers.ok(), allowed, answers.outcomes[code], code)
}

// usage reads the organization's usage.
func (a *attack) usage(ctx context.Context, org *rig.Organization) {
	answer, err := org.API.Send(ctx, http.MethodGet, "/v1/organization", org.Owner, nil)
	var organization struct {
		Usage map[string]struct {
			Used  int64
			Limit *int64
		}
	}
	_ = answer.Decode(&organization)
	limits := 0
	for _, quota := range organization.Usage {
		if quota.Limit != nil {
			limits++
		}
	}
	usage, _ := json.Marshal(organization.Usage)
	a.check(err == nil && limits == 7 && organization.Usage["apiKeys"].Used == 1, ruleUsage, "%s", usage)
}
