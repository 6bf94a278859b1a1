package contract

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/store"
)

// idSource returns the id that the audit log entry must contain. It gets the
// response to the audited call.
type idSource func(response) string

// fixed is for an id that is known before the call.
func fixed(id string) idSource { return func(response) string { return id } }

// from reads the id at a path of the response.
func from(path string) idSource { return func(r response) string { r.t.Helper(); return r.text(path) } }

// auditedCall is a call that succeeds once, and the audit log entry that it must
// write.
type auditedCall struct {
	action       string
	status       int
	request      func() response
	actorType    string
	actor        idSource // nil for an anonymous caller
	resourceType string
	resource     idSource
	changes      changeSource // nil for none
}

// changeSource returns the changes that the audit log entry must contain. It gets the
// response to the audited call.
type changeSource func(response) []any

// changed is for changes that are known before the call: the field, the value before,
// and the value after, of each.
func changed(fields ...any) changeSource {
	return func(response) []any {
		var changes []any
		for i := 0; i < len(fields); i += 3 {
			changes = append(changes, object{"field": fields[i], "from": fields[i+1], "to": fields[i+2]})
		}
		return changes
	}
}

// isDeferred reports whether the entry is written after the response, which does not
// depend on it.
func (c auditedCall) isDeferred() bool {
	return c.status == 403 || slices.Contains([]string{
		"ENDED_TOKEN_USED", "PASSWORD_CHANGE_FAILED", "API_KEY_FIRST_USED", "API_KEY_REFUSED", "RESULT_TOKEN_EXCHANGED",
	}, c.action)
}

// auditedCalls returns a call for each action of the audit log. The store needs the option
// sendsEmail.
func (o *tenant) auditedCalls() []auditedCall {
	a := o.api
	a.t.Helper()
	do := func(method, path string, who credential, body any) func() response {
		return func() response { a.t.Helper(); return a.do(method, path, who, body) }
	}

	owner := fixed(a.userID(o.owner))
	admin, leaving := o.member("ADMIN"), o.member("MEMBER")
	invited, joining := o.add("MEMBER"), o.add("MEMBER")
	forgetful := o.member("MEMBER")
	if err := a.store.UnscopedProveEmail(context.Background(), forgetful.email); err != nil {
		a.t.Fatal(err)
	}
	resetLink, _, err := a.store.UnscopedResetLink(context.Background(), forgetful.email)
	if err != nil {
		a.t.Fatal(err)
	}
	confirming := o.member("MEMBER")
	a.do("POST", "/v1/me/email-confirmation", confirming.who, nil).want(202)
	emails := a.outbox().send()
	confirmation := emails[slices.IndexFunc(emails, func(e sent) bool { return e.Email.Kind == store.EmailConfirmation })].
		token(a.t, store.EmailConfirmation)
	ended := a.login(admin.email)
	stolen := a.login(admin.email)
	a.refresh(stolen.refresh).want(200)
	a.clock.Advance(time.Second)
	login := func(password string) func() response {
		return do("POST", "/v1/auth/login", anonymous, object{"email": strings.ToUpper(admin.email), "password": password})
	}

	key := a.do("POST", "/v1/api-keys", o.owner, object{"name": "used", "scopes": allScopes}).want(201)
	revoked := a.do("POST", "/v1/api-keys", o.owner, object{"name": "revoked", "scopes": allScopes}).
		want(201)
	hook := o.hookID()
	draft := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201).text("data.id")
	question := o.bank("Old?", 1)
	hold := o.hold(object{"assessmentId": draft}).want(201).text("data.id")
	unwanted := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
	picture := a.putPicture(o.owner, pngImage(a.t, 4, 4)).want(201).text("data.id")
	archived, published := o.publish(oneQuestion()), o.publish(oneQuestion())
	resent := o.invite(published)
	byPerson, expiresAt, byKey := resent.text("data.id"), resent.at("data.expiresAt"), o.invite(published).text("data.id")
	erased := o.invite(published).text("data.id")
	reviewed := "/v1/candidate-sessions/" + byPerson + "/review"
	comment := a.do("POST", reviewed+"/comments", o.owner, object{"text": "First"}).want(201).text("data.id")
	running := o.invite(o.publish(oneQuestion(object{"timeLimitMinutes": 60})))
	o.api.do("POST", "/v1/candidate/session/start", running.candidate(), nil).want(200)
	finished := o.invite(published)
	a.complete(finished.candidate())
	judgedID := o.publish(judged())
	ruled := o.invite(judgedID)
	a.finish(ruled.candidate(), false)
	ruledStage := a.do("GET", "/v1/assessments/"+judgedID, o.owner, nil).want(200).text("data.stages.0.id")
	reopened := o.invite(published)
	a.complete(reopened.candidate())
	questionID := a.do("GET", "/v1/assessments/"+published, o.owner, nil).want(200).text("data.stages.0.questions.0.id")
	delivery := a.do("GET", "/v1/webhooks/"+hook+"/deliveries", o.owner, nil).want(200).text("data.0.id")
	token := a.do("POST", "/v1/public/candidate-sessions/"+finished.text("data.id")+"/result-token", o.key(), nil).
		want(200).text("data.token")
	link := a.do("POST", "/v1/candidate-sessions/"+finished.text("data.id")+"/result-links", o.owner, object{}).want(201)
	linkID := link.text("data.id")
	a.clock.Advance(31 * time.Second) // after 30 seconds, using a refresh token again counts as reuse
	now := a.store.Now()
	provider := o.provider()
	provider.mayFail = true
	provider.call("GET", "/Users", nil).want(200) // so that the first use of the key is audited before
	provision := func(change object) func() response {
		return func() response {
			a.t.Helper()
			done := provider.call("PATCH", "/Users/"+confirming.id, change)
			body := []byte(done.raw)
			if done.status == 500 { // the form of SCIM has no code
				body = []byte(`{"code": "internal"}`)
			}
			return response{
				t: a.t, name: "PATCH /scim/v2/Users", status: done.status, header: done.header, body: body,
			}
		}
	}
	providerKey := fixed(a.do("GET", "/v1/api-keys", o.owner, nil).want(200).text("data.0.id"))

	return slices.Concat(o.factorCalls(), o.providerCalls(), []auditedCall{
		{"ORGANIZATION_REGISTERED", 201, do("POST", "/v1/auth/register", anonymous, object{
			"organizationName": "O", "name": "N", "email": fmt.Sprintf("deed%d@example.com", registered.Add(1)),
			"password": testPassword,
		}), "USER", from("data.user.id"), "ORGANIZATION", from("data.organization.id"), nil},
		{"SIGNED_IN", 200, login(testPassword), "USER", fixed(admin.id), "USER", fixed(admin.id), nil},
		{"SIGN_IN_FAILED", 401, login(otherPassword), "ANONYMOUS", nil, "USER", fixed(admin.id), nil},
		{"SIGNED_OUT", 204, do("POST", "/v1/auth/logout", anonymous, object{"refreshToken": ended.refresh}), "USER",
			fixed(admin.id), "USER", fixed(admin.id), nil},
		{"ENDED_TOKEN_USED", 401, do("POST", "/v1/auth/refresh", anonymous, object{"refreshToken": ended.refresh}),
			"ANONYMOUS", nil, "USER", fixed(admin.id), nil},
		{"REFRESH_TOKEN_REUSED", 401, do("POST", "/v1/auth/refresh", anonymous, object{"refreshToken": stolen.refresh}),
			"ANONYMOUS", nil, "USER", fixed(admin.id), nil},
		{"SIGN_INS_ENDED", 204, do("DELETE", "/v1/me/sign-ins", admin.who, nil), "USER", fixed(admin.id), "USER",
			fixed(admin.id), nil},
		{"PASSWORD_CHANGE_FAILED", 401, do("POST", "/v1/me/password", admin.who,
			object{"currentPassword": otherPassword, "newPassword": testPassword}), "USER", fixed(admin.id), "USER",
			fixed(admin.id), nil},
		{"ACCESS_REFUSED", 403, do("POST", "/v1/api-keys", leaving.who, object{"name": "N", "scopes": allScopes}), "USER",
			fixed(leaving.id), "ORGANIZATION", fixed(o.organizationID), changed("operation", nil, "createApiKey")},
		{"ACCESS_REFUSED", 403, do("PATCH", "/v1/members/"+leaving.id, admin.who, object{"role": "OWNER"}), "USER",
			fixed(admin.id), "ORGANIZATION", fixed(o.organizationID), changed("operation", nil, "updateMember")},
		{"PASSWORD_CHANGED", 204, do("POST", "/v1/me/password", admin.who,
			object{"currentPassword": testPassword, "newPassword": otherPassword}), "USER", fixed(admin.id), "USER",
			fixed(admin.id), nil},
		{"PASSWORD_RESET_REQUESTED", 202, do("POST", "/v1/auth/forgot-password", anonymous,
			object{"email": strings.ToUpper(forgetful.email)}), "ANONYMOUS", nil, "USER", fixed(forgetful.id), nil},
		{"PASSWORD_RESET", 204, do("POST", "/v1/auth/reset-password", anonymous, object{
			"token": resetLink[strings.Index(resetLink, "#")+1:], "password": otherPassword,
		}), "USER", fixed(forgetful.id), "USER", fixed(forgetful.id), nil},
		{"EMAIL_CONFIRMED", 204, do("PUT", "/v1/me/email-confirmation", confirming.who, object{"token": confirmation}),
			"USER", fixed(confirming.id), "USER", fixed(confirming.id), nil},
		{"ORGANIZATION_UPDATED", 200, do("PATCH", "/v1/organization", admin.who, object{"name": "Engines"}), "USER",
			fixed(admin.id), "ORGANIZATION", fixed(o.organizationID), changed("name", nil, nil)},
		{"MEMBER_ADDED", 201, do("POST", "/v1/members", admin.who, object{
			"name": "N", "email": fmt.Sprintf("deed%d@example.com", registered.Add(1)), "role": "MEMBER",
		}), "USER", fixed(admin.id), "USER", from("data.id"), changed("role", nil, "MEMBER")},
		{"MEMBER_INVITATION_RENEWED", 200, do("POST", "/v1/members/"+invited.text("data.id")+"/resend", o.owner, nil),
			"USER", owner, "USER", fixed(invited.text("data.id")), nil},
		{"MEMBER_INVITATION_REFUSED", 401, do("POST", "/v1/auth/accept-invitation", anonymous,
			object{"token": invited.invitation(), "password": testPassword}), "ANONYMOUS", nil, "USER",
			fixed(invited.text("data.id")), nil},
		{"MEMBER_JOINED", 200, do("POST", "/v1/auth/accept-invitation", anonymous,
			object{"token": joining.invitation(), "password": testPassword}), "USER", from("data.user.id"), "USER",
			fixed(joining.text("data.id")), nil},
		{"MEMBER_INVITATION_REFUSED", 401, do("POST", "/v1/auth/accept-invitation", anonymous,
			object{"token": joining.invitation(), "password": testPassword}), "ANONYMOUS", nil, "USER",
			fixed(joining.text("data.id")), nil},
		{"MEMBER_ROLE_CHANGED", 200, do("PATCH", "/v1/members/"+leaving.id, o.owner, object{"role": "ADMIN"}), "USER",
			owner, "USER", fixed(leaving.id), changed("role", "MEMBER", "ADMIN")},
		{"MEMBER_REMOVED", 204, do("DELETE", "/v1/members/"+leaving.id, admin.who, nil), "USER", fixed(admin.id), "USER",
			fixed(leaving.id), nil},
		{"MEMBER_CHANGED", 200, provision(patchOf("externalId", "E")), "API_KEY", providerKey, "USER", fixed(confirming.id),
			changed("externalId", nil, nil)},
		{"MEMBER_DEACTIVATED", 200, provision(patchOf("active", "False")), "API_KEY", providerKey, "USER",
			fixed(confirming.id), nil},
		{"MEMBER_REACTIVATED", 200, provision(patchOf("active", "True")), "API_KEY", providerKey, "USER",
			fixed(confirming.id), nil},
		{"API_KEY_CREATED", 201, do("POST", "/v1/api-keys", admin.who, object{"name": "N", "scopes": allScopes}), "USER",
			fixed(admin.id), "API_KEY", from("data.id"), changed("scopes", nil, strings.Join(allScopes, " "))},
		{"API_KEY_FIRST_USED", 200, do("GET", "/v1/public/assessments/"+published, apiKeyOf(key.text("data.key")), nil),
			"API_KEY", fixed(key.text("data.id")), "API_KEY", fixed(key.text("data.id")), nil},
		{"API_KEY_REVOKED", 204, do("DELETE", "/v1/api-keys/"+revoked.text("data.id"), o.owner, nil), "USER", owner,
			"API_KEY", fixed(revoked.text("data.id")), nil},
		{"API_KEY_REFUSED", 401, do("GET", "/v1/public/assessments/"+published, apiKeyOf(revoked.text("data.key")), nil),
			"ANONYMOUS", nil, "API_KEY", fixed(revoked.text("data.id")), nil},
		{"WEBHOOK_CREATED", 201, do("POST", "/v1/webhooks", o.owner,
			object{"url": hookURL, "events": []string{"candidate.invited"}}), "USER", owner, "WEBHOOK", from("data.id"),
			changed("url", nil, "https://ats.example", "events", nil, "candidate.invited")},
		{"WEBHOOK_UPDATED", 200, do("PATCH", "/v1/webhooks/"+hook, admin.who, object{"description": "D"}), "USER",
			fixed(admin.id), "WEBHOOK", fixed(hook), changed("description", nil, nil)},
		{"WEBHOOK_TESTED", 200, do("POST", "/v1/webhooks/"+hook+"/test", o.owner, nil), "USER", owner, "WEBHOOK",
			fixed(hook), nil},
		{"WEBHOOK_SECRET_ROTATED", 200, do("POST", "/v1/webhooks/"+hook+"/rotate-secret", o.owner, object{}), "USER", owner,
			"WEBHOOK", fixed(hook), changed("secret", nil, nil)},
		{"WEBHOOK_REPLAYED", 200, do("POST", "/v1/webhooks/"+hook+"/replay", o.owner,
			object{"since": wire(now.Add(-time.Hour)), "until": wire(now)}), "USER", owner, "WEBHOOK", fixed(hook),
			changed("queued", nil, "13")},
		{"DELIVERY_REDELIVERED", 201, do("POST", "/v1/webhooks/"+hook+"/deliveries/"+delivery+"/redeliver", o.owner, nil),
			"USER", owner, "WEBHOOK", fixed(hook), nil},
		{"INTEGRATION_CONNECTED", 200, do("PUT", "/v1/integrations", admin.who,
			object{"partner": "ashby", "callbackKey": "k"}), "USER", fixed(admin.id), "ORGANIZATION", fixed(o.organizationID),
			changed("partner", nil, "ashby")},
		{"INTEGRATION_DISCONNECTED", 204, func() response {
			id := a.do("GET", "/v1/integrations", o.owner, nil).want(200).text("data.0.id")
			return a.do("DELETE", "/v1/integrations/"+id, o.owner, nil)
		}, "USER", owner, "ORGANIZATION", fixed(o.organizationID), changed("partner", nil, "ashby")},
		{"WEBHOOK_DELETED", 204, do("DELETE", "/v1/webhooks/"+hook, o.owner, nil), "USER", owner, "WEBHOOK",
			fixed(hook), nil},
		{"ASSESSMENT_CREATED", 201, do("POST", "/v1/assessments", o.owner, oneQuestion()), "USER", owner, "ASSESSMENT",
			from("data.id"), nil},
		{"MEDIA_CREATED", 201, func() response { return a.putPicture(o.owner, pngImage(a.t, 3, 2)) }, "USER", owner, "MEDIA",
			from("data.id"), nil},
		{"MEDIA_DELETED", 204, do("DELETE", "/v1/media/"+picture, o.owner, nil), "USER", owner, "MEDIA", fixed(picture), nil},
		{"ASSESSMENT_DUPLICATED", 201, do("POST", "/v1/assessments/"+published+"/duplicate", o.owner, nil), "USER", owner,
			"ASSESSMENT", from("data.id"), nil},
		{"ASSESSMENT_UPDATED", 200, do("PATCH", "/v1/assessments/"+draft, admin.who, object{"title": "T"}), "USER",
			fixed(admin.id), "ASSESSMENT", fixed(draft), changed("title", nil, nil)},
		{"ASSESSMENT_PUBLISHED", 200, do("POST", "/v1/assessments/"+draft+"/publish", o.owner, nil), "USER", owner,
			"ASSESSMENT", fixed(draft), changed("status", "DRAFT", "PUBLISHED")},
		{"ASSESSMENT_ARCHIVED", 200, do("POST", "/v1/assessments/"+archived+"/archive", admin.who, nil), "USER",
			fixed(admin.id), "ASSESSMENT", fixed(archived), changed("status", "PUBLISHED", "ARCHIVED")},
		{"ASSESSMENT_DELETED", 204, do("DELETE", "/v1/assessments/"+unwanted, o.owner, nil), "USER", owner, "ASSESSMENT",
			fixed(unwanted), nil},
		{"RETENTION_CHANGED", 200, do("PUT", "/v1/retention", o.owner, object{"months": 12, "notStartedMonths": 1}), "USER",
			owner, "ORGANIZATION", fixed(o.organizationID), changed("months", nil, "12", "notStartedMonths", nil, "1")},
		{"RETENTION_CHANGED", 200, do("PUT", "/v1/assessments/"+published+"/retention", o.owner, object{
			"months": 3, "states": []any{object{"stateId": "rejected", "months": 2}},
		}), "USER", owner, "ASSESSMENT", fixed(published), changed("months", nil, "3", "states", nil, "rejected: 2")},
		{"RETENTION_CHANGED", 204, do("DELETE", "/v1/assessments/"+published+"/retention", o.owner, nil), "USER", owner,
			"ASSESSMENT", fixed(published), changed("months", "3", nil, "states", "rejected: 2", nil, "inherited", nil, "true")},
		{"LEGAL_HOLD_RELEASED", 204, do("DELETE", "/v1/legal-holds/"+hold, o.owner, nil), "USER", owner, "LEGAL_HOLD",
			fixed(hold), nil},
		{"ORGANIZATION_DELETION_SCHEDULED", 200, do("POST", deletionPath, o.owner, object{"name": "Engines"}),
			"USER", owner, "ORGANIZATION", fixed(o.organizationID),
			func(r response) []any { return changed("deleteAt", nil, r.text("data.deletion.deleteAt"))(r) }},
		{"ORGANIZATION_DELETION_CANCELLED", 200, do("DELETE", deletionPath, o.owner, nil), "USER", owner, "ORGANIZATION",
			fixed(o.organizationID), nil},
		{"LEGAL_HOLD_SET", 201, do("POST", "/v1/legal-holds", admin.who,
			object{"assessmentId": archived, "reason": "R"}), "USER", fixed(admin.id), "LEGAL_HOLD", from("data.id"),
			changed("assessmentId", nil, archived)},
		{"QUESTION_CREATED", 201, do("POST", "/v1/questions", o.owner, bankQuestion("New?", 1)), "USER", owner, "QUESTION",
			from("data.id"), nil},
		{"QUESTION_UPDATED", 200, do("PATCH", "/v1/questions/"+question, admin.who, object{"tags": []any{"T"}}), "USER",
			fixed(admin.id), "QUESTION", fixed(question), changed("tags", nil, nil)},
		{"QUESTION_ARCHIVED", 200, do("PATCH", "/v1/questions/"+question, o.owner, object{"archived": true}), "USER", owner,
			"QUESTION", fixed(question), nil},
		{"QUESTION_RESTORED", 200, do("PATCH", "/v1/questions/"+question, o.owner, object{"archived": false}), "USER", owner,
			"QUESTION", fixed(question), nil},
		{"QUESTION_DELETED", 204, do("DELETE", "/v1/questions/"+question, o.owner, nil), "USER", owner, "QUESTION",
			fixed(question), nil},
		{"SESSION_INVITED", 201, do("POST", "/v1/public/candidate-sessions", apiKeyOf(key.text("data.key")), object{
			"assessmentId": published, "candidateName": "Grace Hopper", "candidateEmail": "audited@example.com",
		}), "API_KEY", fixed(key.text("data.id")), "CANDIDATE_SESSION", from("data.id"), nil},
		{"REGISTRATION_OPENED", 200, do("PUT", "/v1/assessments/"+published+"/registration", o.owner, object{"limit": 5}),
			"USER", owner, "ASSESSMENT", fixed(published), nil},
		{"REGISTRATION_CLOSED", 204, do("DELETE", "/v1/assessments/"+published+"/registration", admin.who, nil), "USER",
			fixed(admin.id), "ASSESSMENT", fixed(published), nil},
		{"SESSIONS_INVITED", 200, do("POST", "/v1/candidate-sessions/bulk", o.owner, object{"rows": []any{object{
			"assessmentId": published, "candidateName": "Grace Hopper", "candidateEmail": "many@example.com",
		}}}), "USER", owner, "ASSESSMENT", fixed(published), changed("created", nil, "1")},
		{"SESSION_RESENT", 200, do("POST", "/v1/candidate-sessions/"+byPerson+"/resend", admin.who, nil), "USER",
			fixed(admin.id), "CANDIDATE_SESSION", fixed(byPerson), func(r response) []any {
				return []any{object{"field": "expiresAt", "from": expiresAt, "to": r.at("data.expiresAt")}}
			}},
		{"SESSION_UPDATED", 200, do("PATCH", "/v1/candidate-sessions/"+byPerson, admin.who, object{"note": "N"}), "USER",
			fixed(admin.id), "CANDIDATE_SESSION", fixed(byPerson), changed("note", nil, nil)},
		{"SESSION_EXTENDED", 200, do("POST", "/v1/candidate-sessions/"+running.text("data.id")+"/extend", o.owner,
			object{"minutes": 5, "reason": "R"}), "USER", owner, "CANDIDATE_SESSION", fixed(running.text("data.id")),
			changed("minutes", nil, "5")},
		{"ASSESSMENT_CORRECTED", 201, do("POST", "/v1/assessments/"+published+"/corrections", o.owner,
			object{"questionId": questionID, "action": "FULL_POINTS", "reason": "R"}), "USER", owner, "ASSESSMENT",
			fixed(published), changed("action", nil, "FULL_POINTS")},
		{"ASSESSMENT_EXPORTED", 200, do("GET", "/v1/assessments/"+published+"/export", admin.who, nil), "USER",
			fixed(admin.id), "ASSESSMENT", fixed(published), nil},
		{"ASSESSMENT_EXPORTED", 200, do("GET", "/v1/public/assessments/"+published+"/export",
			apiKeyOf(key.text("data.key")), nil), "API_KEY", fixed(key.text("data.id")), "ASSESSMENT", fixed(published), nil},
		{"ANSWER_GRADED", 200, do("PUT", "/v1/candidate-sessions/"+finished.text("data.id")+"/grades/"+questionID, o.owner,
			object{"points": 1, "reason": "R", "version": 0}), "USER", owner, "CANDIDATE_SESSION",
			fixed(finished.text("data.id")), changed("questionId", nil, questionID)},
		{"GATE_RULED", 200, do("POST", "/v1/candidate-sessions/"+ruled.text("data.id")+"/rulings", o.owner,
			object{"stageId": ruledStage, "decision": "STOP", "reason": "R"}), "USER", owner, "CANDIDATE_SESSION",
			fixed(ruled.text("data.id")), changed("decision", nil, "STOP")},
		{"SESSION_REOPENED", 200, do("POST", "/v1/candidate-sessions/"+reopened.text("data.id")+"/reopen", o.owner,
			object{"minutes": 5, "reason": "R"}), "USER", owner, "CANDIDATE_SESSION", fixed(reopened.text("data.id")),
			changed("minutes", nil, "5")},
		{"RESULT_LINK_CREATED", 201, do("POST", "/v1/candidate-sessions/"+finished.text("data.id")+"/result-links", admin.who,
			object{"label": "L"}), "USER", fixed(admin.id), "CANDIDATE_SESSION", fixed(finished.text("data.id")),
			func(r response) []any { return changed("linkId", nil, r.text("data.id"))(r) }},
		{"RESULT_LINK_OPENED", 200, func() response {
			a.t.Helper()
			return a.visit("127.0.0.1", link.text("data.url"), nil)
		}, "ANONYMOUS", nil, "CANDIDATE_SESSION", fixed(finished.text("data.id")), changed("linkId", nil, linkID)},
		{"RESULT_LINK_REVOKED", 204, do("DELETE",
			"/v1/candidate-sessions/"+finished.text("data.id")+"/result-links/"+linkID, admin.who, nil),
			"USER", fixed(admin.id), "CANDIDATE_SESSION", fixed(finished.text("data.id")), changed("linkId", nil, linkID)},
		{"REVIEW_STATES_REPLACED", 200, do("PUT", "/v1/review-states", admin.who, object{"version": 0, "states": []any{
			object{"id": "new", "name": "Neu"}, object{"id": "hired", "name": "Hired"},
		}}), "USER", fixed(admin.id), "ORGANIZATION", fixed(o.organizationID), nil},
		{"REVIEW_STATE_CHANGED", 200, do("PUT", reviewed+"/state", o.owner,
			object{"stateId": "hired", "reason": "R", "email": object{"subject": "S", "text": "T"}}),
			"USER", owner, "CANDIDATE_SESSION", fixed(byPerson), changed("state", "new", "hired")},
		{"REVIEW_EMAIL_CANCELLED", 200, do("POST", reviewed+"/email/cancel", admin.who, nil), "USER", fixed(admin.id),
			"CANDIDATE_SESSION", fixed(byPerson), nil},
		{"REVIEW_COMMENTED", 201, do("POST", reviewed+"/comments", o.owner, object{"text": "T"}), "USER", owner,
			"CANDIDATE_SESSION", fixed(byPerson), nil},
		{"REVIEW_COMMENT_UPDATED", 200, do("PATCH", reviewed+"/comments/"+comment, o.owner, object{"text": "T"}), "USER",
			owner, "CANDIDATE_SESSION", fixed(byPerson), nil},
		{"REVIEW_COMMENT_DELETED", 204, do("DELETE", reviewed+"/comments/"+comment, admin.who, nil), "USER",
			fixed(admin.id), "CANDIDATE_SESSION", fixed(byPerson), nil},
		{"REVIEW_TAGS_CHANGED", 200, do("PATCH", reviewed+"/tags", o.owner, object{"add": []any{"T"}}), "USER", owner,
			"CANDIDATE_SESSION", fixed(byPerson), nil},
		{"REVIEW_RATED", 200, do("PUT", reviewed+"/rating", o.owner, object{"rating": 4}), "USER", owner,
			"CANDIDATE_SESSION", fixed(byPerson), changed("rating", nil, "4")},
		{"REVIEW_RATING_DELETED", 204, do("DELETE", reviewed+"/rating", o.owner, nil), "USER", owner,
			"CANDIDATE_SESSION", fixed(byPerson), changed("rating", "4", nil)},
		{"SESSIONS_EXPORTED", 200, do("GET", "/v1/candidate-sessions/export", admin.who, nil), "USER", fixed(admin.id),
			"ORGANIZATION", fixed(o.organizationID), nil},
		{"RESPONSES_EXPORTED", 200, do("GET", "/v1/assessments/"+published+"/responses/export", admin.who, nil), "USER",
			fixed(admin.id), "ASSESSMENT", fixed(published), nil},
		{"RESPONSES_EXPORTED", 200, do("GET", "/v1/public/assessments/"+published+"/responses/export",
			apiKeyOf(key.text("data.key")), nil), "API_KEY", fixed(key.text("data.id")), "ASSESSMENT", fixed(published), nil},
		{"RESULT_READ", 200, do("GET", "/v1/candidate-sessions/"+finished.text("data.id")+"/result", o.owner, nil), "USER",
			owner, "CANDIDATE_SESSION", fixed(finished.text("data.id")), nil},
		{"RESULT_TOKEN_EXCHANGED", 200, do("GET", "/v1/public/results/"+token, apiKeyOf(key.text("data.key")), nil),
			"API_KEY", fixed(key.text("data.id")), "CANDIDATE_SESSION", fixed(finished.text("data.id")), nil},
		{"AUDIT_LOG_EXPORTED", 200, do("GET", "/v1/audit-log/export", admin.who, nil), "USER", fixed(admin.id),
			"ORGANIZATION", fixed(o.organizationID), nil},
		{"SESSION_CANCELLED", 200, do("POST", "/v1/candidate-sessions/"+byPerson+"/cancel", o.owner, nil), "USER", owner,
			"CANDIDATE_SESSION", fixed(byPerson), changed("status", "INVITED", "CANCELLED")},
		{"SESSION_CANCELLED", 200, do("POST", "/v1/public/candidate-sessions/"+byKey+"/cancel",
			apiKeyOf(key.text("data.key")), nil), "API_KEY", fixed(key.text("data.id")), "CANDIDATE_SESSION", fixed(byKey),
			changed("status", "INVITED", "CANCELLED")},
		{"CANDIDATE_DATA_ERASED", 204, do("DELETE", "/v1/candidate-sessions/"+erased+"/candidate-data", admin.who, nil),
			"USER", fixed(admin.id), "CANDIDATE_SESSION", fixed(erased), nil},
		{"CANDIDATE_DATA_EXPORTED", 200, do("POST", dataPath, admin.who, object{"email": newEmail()}), "USER",
			fixed(admin.id), "ORGANIZATION", fixed(o.organizationID), nil},
		{"CANDIDATE_DATA_EXPORTED", 200, do("POST", dataPath+"/page", admin.who, object{"email": newEmail()}), "USER",
			fixed(admin.id), "ORGANIZATION", fixed(o.organizationID), nil},
	})
}
