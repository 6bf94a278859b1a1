package attack

import (
	"context"
	"fmt"
	"net/http"

	"assay/server/cmd/lab/rig"
)

// provoked are the actions that must have an entry afterwards.
var provoked = []string{
	"PASSWORD_CHANGE_FAILED", "REFRESH_TOKEN_REUSED", "ENDED_TOKEN_USED", "MEMBER_INVITATION_REFUSED",
	"API_KEY_FIRST_USED", "API_KEY_REFUSED", "SESSION_INVITED", "SESSIONS_INVITED", "SESSION_RESENT", "SESSION_CANCELLED",
	"DELIVERY_REDELIVERED", "WEBHOOK_TESTED", "ASSESSMENT_CREATED", "ASSESSMENT_UPDATED", "ASSESSMENT_DUPLICATED",
	"RESULT_READ", "SESSIONS_EXPORTED", "RESULT_TOKEN_EXCHANGED", "ACCESS_REFUSED", "SIGN_IN_FAILED",
}

const (
	draftEdits    = 5
	secretTitle   = "Confidential yard"
	secretName    = "Grace Hopper"
	wrongPassword = "not this pass phrase"
)

// provocation does everything that has an entry.
type provocation struct {
	t   *target
	org *rig.Organization

	member  http.Header // of a token of a MEMBER
	revoked http.Header // of a revoked key
	keys    []string
}

// private are texts that no entry may contain.
func (p *provocation) private() []string {
	return append([]string{
		secretTitle, secretName, wrongPassword, passPhrase, rig.Email("bulk-0"), "careers-page",
	}, p.keys...)
}

// send sends one request. It reads the answer's data into dest, and fails unless the
// status is the expected one.
func (p *provocation) send(
	ctx context.Context, status int, method, path string, header http.Header, body, dest any,
) error {
	answer, err := p.t.api.Send(ctx, method, path, header, body)
	if err != nil || answer.Status != status {
		return unexpected(method+" "+path, answer, err)
	}
	if dest == nil {
		return nil
	}
	return answer.Decode(dest)
}

func (p *provocation) provoke(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		p.people, p.tokens, p.apiKeys, p.assessments, p.sessions, p.results, p.webhooks,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (p *provocation) people(ctx context.Context) error {
	owner := p.org.Owner
	answer, err := p.t.api.Send(ctx, http.MethodPost, "/v1/members", owner, member(rig.Email("member"), "MEMBER"))
	if err != nil {
		return err
	}
	token, _, err := linkToken(answer)
	if err != nil {
		return err
	}
	var accepted struct{ AccessToken string }
	acceptance := rig.Object{"token": token, "password": passPhrase}
	if err := p.send(ctx, 200, "POST", "/v1/auth/accept-invitation", nil, acceptance, &accepted); err != nil {
		return err
	}
	p.member = rig.Bearer(accepted.AccessToken)
	if err := p.send(ctx, 403, "GET", "/v1/audit-log", p.member, nil, nil); err != nil {
		return err
	}

	// Another invitation replaces a link.
	answer, err = p.t.api.Send(ctx, http.MethodPost, "/v1/members", owner, member(rig.Email("dead"), "MEMBER"))
	if err != nil {
		return err
	}
	dead, id, err := linkToken(answer)
	if err != nil {
		return err
	}
	if err := p.send(ctx, 200, "POST", "/v1/members/"+id+"/resend", owner, nil, nil); err != nil {
		return err
	}
	acceptance["token"] = dead
	if err := p.send(ctx, 401, "POST", "/v1/auth/accept-invitation", nil, acceptance, nil); err != nil {
		return err
	}
	wrong := rig.Object{"currentPassword": wrongPassword, "newPassword": passPhrase + " again"}
	if _, err := p.t.api.Send(ctx, http.MethodPost, "/v1/me/password", p.member, wrong); err != nil {
		return err
	}
	return p.send(ctx, 401, "POST", "/v1/auth/login", nil,
		rig.Object{"email": rig.Email("member"), "password": wrongPassword}, nil)
}

// tokens uses a refresh token twice, and an access token after its sign-in has ended.
func (p *provocation) tokens(ctx context.Context) error {
	var first, second struct{ AccessToken, RefreshToken string }
	credentials := rig.Object{"email": rig.Email("member"), "password": passPhrase}
	if err := p.send(ctx, 200, "POST", "/v1/auth/login", nil, credentials, &first); err != nil {
		return err
	}
	old := rig.Object{"refreshToken": first.RefreshToken}
	if err := p.send(ctx, 200, "POST", "/v1/auth/refresh", nil, old, &second); err != nil {
		return err
	}
	again := rig.Object{"refreshToken": second.RefreshToken} // after one refresh, a repetition is a lost answer
	if err := p.send(ctx, 200, "POST", "/v1/auth/refresh", nil, again, &second); err != nil {
		return err
	}
	if err := p.send(ctx, 401, "POST", "/v1/auth/refresh", nil, old, nil); err != nil {
		return err
	}
	if err := p.send(ctx, 401, "GET", "/v1/me", rig.Bearer(second.AccessToken), nil, nil); err != nil {
		return err
	}
	return p.send(ctx, 200, "POST", "/v1/auth/login", nil, credentials, &first)
}

func (p *provocation) apiKeys(ctx context.Context) error {
	var key struct{ ID, Key string }
	if err := p.send(ctx, 201, "POST", "/v1/api-keys", p.org.Owner, rig.NewKey("revoked"), &key); err != nil {
		return err
	}
	p.keys = append(p.keys, key.Key)
	p.revoked = rig.APIKey(key.Key)
	if err := p.send(ctx, 200, "GET", "/v1/public/assessments", p.revoked, nil, nil); err != nil {
		return err
	}
	if err := p.send(ctx, 204, "DELETE", "/v1/api-keys/"+key.ID, p.org.Owner, nil, nil); err != nil {
		return err
	}
	return p.send(ctx, 401, "GET", "/v1/public/assessments", p.revoked, nil, nil)
}

func (p *provocation) assessments(ctx context.Context) error {
	var draft struct{ ID string }
	body := rig.NewAssessment(secretTitle)
	if err := p.send(ctx, 201, "POST", "/v1/assessments", p.org.Owner, body, &draft); err != nil {
		return err
	}
	path := "/v1/assessments/" + draft.ID
	for n := range draftEdits {
		body := rig.Object{"title": fmt.Sprint(secretTitle, " ", n), "passingScore": 50 + n}
		header := p.org.Owner.Clone()
		current, err := p.t.api.Send(ctx, http.MethodGet, path, p.org.Owner, nil)
		if err != nil {
			return err
		}
		if tag := current.Header.Get("ETag"); tag != "" {
			header.Set("If-Match", tag)
		}
		if err := p.send(ctx, 200, "PATCH", path, header, body, nil); err != nil {
			return err
		}
	}
	return p.send(ctx, 201, "POST", path+"/duplicate", p.org.Owner, nil, nil)
}

func (p *provocation) sessions(ctx context.Context) error {
	const path = "/v1/public/candidate-sessions"
	var session struct{ ID string }
	if err := p.send(ctx, 201, "POST", path, p.org.Key, p.org.Invite("audited"), &session); err != nil {
		return err
	}
	if err := p.send(ctx, 200, "POST", path+"/"+session.ID+"/resend", p.org.Key, nil, nil); err != nil {
		return err
	}
	if err := p.send(ctx, 200, "POST", path+"/"+session.ID+"/cancel", p.org.Key, nil, nil); err != nil {
		return err
	}
	rows := rig.Object{"rows": []rig.Object{p.org.Invite("bulk-0"), p.org.Invite("bulk-1")}}
	if err := p.send(ctx, 200, "POST", path+"/bulk", p.org.Key, rows, nil); err != nil {
		return err
	}
	return p.send(ctx, 200, "GET", "/v1/candidate-sessions/export", p.org.Owner, nil, nil)
}

func (p *provocation) results(ctx context.Context) error {
	candidate, err := p.org.Start(ctx, "finished")
	if err != nil {
		return err
	}
	if err := p.org.Complete(ctx, candidate); err != nil {
		return err
	}
	var made struct{ Token string }
	session := "/v1/public/candidate-sessions/" + candidate.SessionID
	own := "/v1/candidate-sessions/" + candidate.SessionID + "/result"
	if err := p.send(ctx, 200, "GET", own, p.org.Owner, nil, nil); err != nil {
		return err
	}
	if err := p.send(ctx, 200, "POST", session+"/result-token", p.org.Key, nil, &made); err != nil {
		return err
	}
	return p.send(ctx, 200, "GET", "/v1/public/results/"+made.Token, p.org.Key, nil, nil)
}

// webhooks pings an endpoint, and delivers an event again.
func (p *provocation) webhooks(ctx context.Context) error {
	var endpoint struct{ ID string }
	if err := p.send(ctx, 201, "POST", "/v1/webhooks", p.org.Owner, newEndpoint(0), &endpoint); err != nil {
		return err
	}
	path := "/v1/webhooks/" + endpoint.ID
	if err := p.send(ctx, 200, "POST", path+"/test", p.org.Owner, nil, nil); err != nil {
		return err
	}
	if _, err := p.org.Add(ctx, "delivered"); err != nil {
		return err
	}
	var deliveries []struct{ ID string }
	if err := p.send(ctx, 200, "GET", path+"/deliveries", p.org.Owner, nil, &deliveries); err != nil {
		return err
	}
	if len(deliveries) == 0 {
		return fmt.Errorf("%s has no deliveries", path)
	}
	return p.send(ctx, 201, "POST", path+"/deliveries/"+deliveries[0].ID+"/redeliver", p.org.Owner, nil, nil)
}
