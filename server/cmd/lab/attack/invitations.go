package attack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"assay/server/cmd/lab/rig"
)

// invitations looks for other tenants' people, and misuses links.
func invitations(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, behindProxy)
	if err != nil {
		return err
	}
	defer t.Stop()
	hostile, v, err := t.two(ctx)
	if err != nil {
		return err
	}
	for _, try := range []func(context.Context, *target, *rig.Organization, *victim) error{
		a.accountOracle, a.oldLink,
	} {
		if err := try(ctx, t, hostile, v); err != nil {
			return t.Explain(err)
		}
	}
	return nil
}

func member(email, role string) rig.Object {
	return rig.Object{"name": "Jonas Weber", "email": email, "role": role}
}

// accountOracle invites people of the other tenant, and strangers.
func (a *attack) accountOracle(ctx context.Context, t *target, hostile *rig.Organization, _ *victim) error {
	invite := func(email string) (rig.Answer, error) {
		return t.api.Send(ctx, http.MethodPost, "/v1/members", hostile.Owner, member(email, "MEMBER"))
	}
	elsewhere, err := invite(rig.Email("victim"))
	if err != nil {
		return err
	}
	var strangers []string
	answers := storm(ctx, 20, 4, func(_ context.Context, n, _ int) (rig.Answer, error) {
		return invite(rig.Email(fmt.Sprint("stranger-", n)))
	})
	for n := range 20 {
		strangers = append(strangers, rig.Email(fmt.Sprint("stranger-", n)))
	}
	a.tried("inviting the owner of another organization, and %d strangers", len(strangers))
	a.got("the owner: %d %s; strangers: %s", elsewhere.Status, elsewhere.Code(), answers)
	a.check(elsewhere.Status == http.StatusCreated && answers.ok() == len(strangers), ruleInviteBlind,
		"%d for an account elsewhere, %d of %d for none", elsewhere.Status, answers.ok(), len(strangers))

	registered := storm(ctx, 5, 1, func(ctx context.Context, n, _ int) (rig.Answer, error) {
		body := newRegistration("x")
		body["email"] = strangers[n]
		return t.register(ctx, fromNetwork(fmt.Sprintf("203.0.113.%d", n)), body)
	})
	a.tried("registrations of strangers whom the hostile organization has invited")
	a.got("%s", registered)
	a.check(registered.ok() == registered.sum(), ruleInviteHarmless, "%d of %d", registered.ok(), registered.sum())
	return a.acceptElsewhere(ctx, t, hostile, elsewhere)
}

// linkToken returns the token of the answer to an invitation.
func linkToken(answer rig.Answer) (token, id string, err error) {
	var invited struct{ ID, InvitationURL string }
	if err := answer.Decode(&invited); err != nil {
		return "", "", err
	}
	_, token, found := strings.Cut(invited.InvitationURL, "#")
	if !found {
		return "", "", errors.New("the invitation link has no token")
	}
	return token, invited.ID, nil
}

// acceptElsewhere accepts, again and again, the link for an address with an account
// in another organization.
func (a *attack) acceptElsewhere(ctx context.Context, t *target, hostile *rig.Organization, invited rig.Answer) error {
	a.tried("accepting the link for the other owner's address 100 times")
	if !invited.OK() {
		a.check(false, ruleElsewhere, "there is no such link: %d %s", invited.Status, invited.Code())
		return nil
	}
	token, _, err := linkToken(invited)
	if err != nil {
		return err
	}
	answers := storm(ctx, 100, 4, func(ctx context.Context, _, _ int) (rig.Answer, error) {
		return t.api.Send(ctx, http.MethodPost, "/v1/auth/accept-invitation", fromNetwork("203.0.113.77"),
			rig.Object{"token": token, "password": passPhrase})
	})
	a.got("%s", answers)
	entries, _, err := auditEntries(ctx, t.api, hostile.Owner, "MEMBER_INVITATION_REFUSED")
	if err != nil {
		return err
	}
	refused, limited := answers.outcomes["409 email_taken"], answers.outcomes["429 rate_limited"]
	a.check(answers.ok() == 0 && refused > 0 && limited > 0 && entries > 0, ruleElsewhere,
		"%d accepted; %d entries", answers.ok(), entries)
	return nil
}

// oldLink keeps the link of an invited member whom an owner then promotes.
func (a *attack) oldLink(ctx context.Context, t *target, _ *rig.Organization, v *victim) error {
	invited, err := t.api.Send(ctx, http.MethodPost, "/v1/members", v.org.Owner, member(rig.Email("promoted"), "MEMBER"))
	if err != nil {
		return err
	}
	token, id, err := linkToken(invited)
	if err != nil {
		return err
	}
	promoted, err := t.api.Send(ctx, http.MethodPatch, "/v1/members/"+id, v.org.Owner, rig.Object{"role": "OWNER"})
	if err != nil {
		return err
	}
	accepted, err := t.api.Send(ctx, http.MethodPost, "/v1/auth/accept-invitation", fromNetwork("203.0.113.78"),
		rig.Object{"token": token, "password": passPhrase})
	a.tried("accepting the link of a member after the promotion to OWNER")
	a.check(err == nil && promoted.OK() && accepted.Status == http.StatusUnauthorized, rulePromotion,
		"promotion %d, then %d %s", promoted.Status, accepted.Status, accepted.Code())
	return err
}
