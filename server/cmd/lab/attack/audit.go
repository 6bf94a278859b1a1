package attack

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
)

// auditEntries counts the entries of an action, and returns the text of a page of them.
func auditEntries(ctx context.Context, api *rig.Client, owner http.Header, action string) (int, string, error) {
	path := "/v1/audit-log?limit=100&action=" + action
	answer, err := api.Send(ctx, http.MethodGet, path, owner, nil)
	if err != nil || !answer.OK() {
		return 0, "", unexpected("GET "+path, answer, err)
	}
	entries := 0
	err = rig.Pages(ctx, api, path, owner, func(struct{}) { entries++ })
	return entries, string(answer.Body), err
}

// audit provokes each action, and floods the log with refused requests.
func audit(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, unlimited, insecureWebhooks)
	if err != nil {
		return err
	}
	defer t.Stop()
	org, err := rig.NewOrganization(ctx, t.api, "audited")
	if err != nil {
		return t.Explain(err)
	}
	p := &provocation{t: t, org: org}
	if err := p.provoke(ctx); err != nil {
		return t.Explain(err)
	}
	rig.Pause(ctx, 2*time.Second) // reads are written a moment later
	var missing, private []string
	found := 0
	for _, action := range provoked {
		entries, text, err := auditEntries(ctx, t.api, org.Owner, action)
		if err != nil {
			return err
		}
		if entries == 0 {
			missing = append(missing, action)
		} else {
			found++
		}
		for _, secret := range p.private() {
			if strings.Contains(text, secret) {
				private = append(private, fmt.Sprintf("%s contains %q", action, secret))
			}
		}
	}
	a.tried("%d actions", len(provoked))
	a.check(len(missing) == 0, ruleAudited, "%d have entries; none for %s", found, strings.Join(missing, " "))
	a.check(len(private) == 0, ruleAuditPrivate, "%d texts: %.200s", len(private), strings.Join(private, "; "))
	edits, _, err := auditEntries(ctx, t.api, org.Owner, "ASSESSMENT_UPDATED")
	if err != nil {
		return err
	}
	a.check(edits == 1, ruleAuditOnce, "%d edits of one draft, %d entries", draftEdits, edits)
	if err := a.auditFlood(ctx, p); err != nil {
		return err
	}
	return a.auditUnknown(ctx, t)
}

// auditFlood repeats refused requests.
func (a *attack) auditFlood(ctx context.Context, p *provocation) error {
	requests := a.often(500, 5000)
	answers := storm(ctx, requests, 8, func(ctx context.Context, n, _ int) (rig.Answer, error) {
		if n%2 == 0 {
			return p.t.api.Send(ctx, http.MethodGet, "/v1/audit-log", p.member, nil)
		}
		return p.t.api.Send(ctx, http.MethodGet, "/v1/public/assessments", p.revoked, nil)
	})
	rig.Pause(ctx, 2*time.Second)
	a.tried("%d requests without permission, and with a revoked key", answers.sum())
	a.got("%s", answers)
	entries := 0
	for _, action := range []string{"ACCESS_REFUSED", "API_KEY_REFUSED"} {
		more, _, err := auditEntries(ctx, p.t.api, p.org.Owner, action)
		if err != nil {
			return err
		}
		entries += more
	}
	a.check(entries > 0 && entries <= floodEntries, ruleAuditFlood, "%d entries for %d requests", entries, answers.sum())
	return nil
}

// auditUnknown signs in at an account that does not exist, and reads that as the operator.
func (a *attack) auditUnknown(ctx context.Context, t *target) error {
	failed, err := t.api.Send(ctx, http.MethodPost, "/v1/auth/login", nil, rig.Credentials("nobody@lab.example"))
	if err != nil {
		return err
	}
	rig.Pause(ctx, 2*time.Second)
	service := t.db.Service(a.binary)
	output, err := service.Command(ctx, "127.0.0.1:0", "off", "audit").CombinedOutput()
	a.tried("assay audit after a sign-in at an unknown account")
	shown := strings.Contains(string(output), failed.Header.Get("X-Request-Id"))
	a.check(err == nil && shown, ruleAuditUnknown, "%v %.150q", err, output)
	return nil
}
