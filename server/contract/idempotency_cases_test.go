package contract

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
)

// idempotentCase describes a successful call of an operation that accepts an
// Idempotency-Key.
type idempotentCase struct {
	body    func(e estate) object // nil for an operation without a body
	another func() object         // fields that make another request, which also succeeds
	again   string                // error code of a repetition without a key; "" if it succeeds
	list    string                // a list that gets one item for each execution
	// resources are the collection of the estate with the resources in the path; "" for that of the path.
	resources string
	refused   []refused
}

// refused is a call that the store rejects.
type refused struct {
	status int
	code   string
	change func(e estate) object // of the body
	before func(e estate)        // prepares the rejection; after undoes it
	after  func(e estate)
}

var emailNumber atomic.Int64

// newEmail returns an email address that no other test uses.
func newEmail() string { return fmt.Sprintf("someone%d%s@example.com", emailNumber.Add(1), run) }

// fields returns a function that returns an object with one field.
func fields(name string, value any) func() object {
	return func() object { return object{name: value} }
}

func anotherEmail() object { return object{"email": newEmail()} }

func inviteOf(e estate) object {
	return object{
		"assessmentId": e.of("assessments")[1], "candidateName": "Grace \"Amazing\" Hopper", "candidateEmail": newEmail(),
		"metadata": object{"größe": "<&>\u2028", "source": "careers"}, "extraTimePercent": 25, "onExisting": "NEW_ATTEMPT",
	}
}

var noMailServer = refused{status: 409, code: "email_not_configured",
	change: func(estate) object { return object{"sendEmail": true} }}

var refusedInvites = []refused{
	{status: 404, code: "not_found",
		change: func(e estate) object { return object{"assessmentId": e.api.unknownID("assessments")} }},
	noMailServer,
	{status: 409, code: "assessment_not_published",
		change: func(e estate) object { return object{"assessmentId": e.of("assessments")[0]} }},
	{status: 409, code: "candidate_already_invited", change: func(e estate) object {
		email := e.tenant.invite(e.of("assessments")[1]).text("data.candidateEmail")
		return object{"onExisting": "ERROR", "candidateEmail": email}
	}},
	{status: 400, code: "invalid_request",
		change: func(estate) object { return object{"expiresAt": "2020-01-01T00:00:00Z"} }},
}

var emailTaken = refused{status: 409, code: "email_taken",
	change: func(e estate) object { return object{"email": e.email} }}

var alreadyMember = refused{status: 409, code: "already_member",
	change: func(e estate) object { return object{"email": e.email} }}

var webhookDisabled = refused{
	status: 409, code: "webhook_disabled",
	before: func(e estate) { e.enable(false) }, after: func(e estate) { e.enable(true) },
}

// enable enables or disables the first webhook.
func (e estate) enable(enabled bool) {
	e.api.do("PATCH", "/v1/webhooks/"+e.of("webhooks")[0], e.owner, object{"enabled": enabled}).want(200)
}

// resent is the case of both operations that renew an invite. Their body is optional.
var resent = idempotentCase{
	resources: "invited", list: "/v1/audit-log?limit=100&action=SESSION_RESENT",
	body: func(estate) object { return object{} }, another: fields("sendEmail", false),
	refused: []refused{noMailServer},
}

// commented is the case of both operations that add a comment.
var commented = idempotentCase{
	body: func(estate) object { return object{"text": "Asked good questions"} }, another: fields("text", "Another"),
	list: "/v1/audit-log?limit=100&action=REVIEW_COMMENTED",
}

// linked is the case of both operations that create a link to a result.
var linked = idempotentCase{
	resources: "finished", list: "/v1/audit-log?limit=100&action=RESULT_LINK_CREATED",
	body: func(estate) object { return object{"label": "A reader"} }, another: fields("label", "Another"),
}

// The cases of both operations, of people and of API keys, with webhooks.
var (
	webhookCreated = idempotentCase{
		body:    func(estate) object { return object{"url": hookURL, "events": []any{"candidate.completed"}} },
		another: fields("description", "Another"), list: "/v1/webhooks?limit=100", refused: []refused{{
			status: 400, code: "invalid_request", change: func(estate) object { return object{"url": "https://127.0.0.1/"} },
		}},
	}
	secretRotated = idempotentCase{
		body:    func(estate) object { return object{"activateAfterSeconds": 60} },
		another: fields("activateAfterSeconds", 61), list: "/v1/audit-log?limit=100&action=WEBHOOK_SECRET_ROTATED",
		refused: []refused{{
			status: 400, code: "invalid_request",
			change: func(estate) object { return object{"secret": "whsec_but not of base64"} },
		}},
	}
	eventsReplayed = idempotentCase{
		body:    func(estate) object { return object{"since": "2020-01-01T00:00:00Z", "until": "2099-01-01T00:00:00Z"} },
		another: fields("eventType", "candidate.invited"), list: "/v1/audit-log?limit=100&action=WEBHOOK_REPLAYED",
		refused: []refused{webhookDisabled, {
			status: 400, code: "invalid_request",
			change: func(estate) object { return object{"until": "2019-01-01T00:00:00Z"} },
		}},
	}
	eventRedelivered = idempotentCase{list: "/v1/webhooks/{id}/deliveries?limit=100", refused: []refused{webhookDisabled}}
)

var idempotentCases = map[string]idempotentCase{
	"register": {
		body: func(estate) object {
			return object{"organizationName": "Difference", "name": "Charles", "email": newEmail(), "password": testPassword}
		},
		another: anotherEmail, again: "email_taken", refused: []refused{emailTaken, {
			status: 400, code: "invalid_request",
			change: func(estate) object { return object{"password": "the name Charles", "name": "The name Charles"} },
		}},
	},
	"createMember": {
		body:    func(estate) object { return object{"name": "Mary Jackson", "email": newEmail(), "role": "MEMBER"} },
		another: anotherEmail, again: "already_member", list: "/v1/members?limit=100", refused: []refused{alreadyMember},
	},
	"resendMemberInvitation": {list: "/v1/audit-log?limit=100&action=MEMBER_INVITATION_RENEWED"},
	"createApiKey": {
		body:    func(estate) object { return object{"name": "ATS", "scopes": allScopes} },
		another: fields("name", "Another"), list: "/v1/api-keys?limit=100", refused: []refused{{
			status: 400, code: "invalid_request",
			change: func(estate) object { return object{"expiresAt": "2020-01-01T00:00:00Z"} },
		}},
	},
	"createAssessment": {
		body:    func(estate) object { return twoStages() },
		another: fields("title", "Another"), list: "/v1/assessments?limit=100", refused: []refused{{
			status: 400, code: "invalid_request", change: func(e estate) object {
				return object{"stages": []any{object{"id": e.api.store.NewID("stg"), "title": "x", "questions": []any{}}}}
			},
		}},
	},
	"createAssessmentCorrection": {
		resources: "correctable", body: func(e estate) object {
			return object{"questionId": e.of("questions")[0], "action": "FULL_POINTS", "reason": "It was ambiguous"}
		},
		another: fields("policy", "EXACT"), list: "/v1/audit-log?limit=100&action=ASSESSMENT_CORRECTED",
		refused: []refused{{
			status: 400, code: "invalid_request", change: func(estate) object { return object{"action": "REPLACE_KEY"} },
		}},
	},
	"importAssessment":       {list: "/v1/assessments?limit=100"},
	"importPublicAssessment": {list: "/v1/assessments?limit=100"},
	"duplicateAssessment":    {list: "/v1/assessments?limit=100"},
	"createResultLink":       linked,
	"createLegalHold": {
		body:    func(e estate) object { return object{"assessmentId": e.of("assessments")[1], "reason": "A claim"} },
		another: fields("reason", "Another"), list: "/v1/legal-holds?limit=100",
		refused: []refused{
			{status: 404, code: "not_found",
				change: func(e estate) object { return object{"assessmentId": e.api.unknownID("assessments")} }},
			{status: 400, code: "invalid_request",
				change: func(e estate) object { return object{"sessionId": e.of("candidate-sessions")[0]} }},
		},
	},
	"createPublicResultLink": linked,
	"createSegment": {
		resources: "correctable",
		body:      func(estate) object { return object{"name": "In German", "filter": object{"language": "de"}} },
		another:   fields("name", "Another"), list: "/v1/assessments/{id}/segments",
		refused: []refused{
			{status: 400, code: "invalid_request", change: func(estate) object { return object{"filter": object{}} }},
		},
	},
	"createQuestion": {
		body:    func(estate) object { return bankQuestion("Another?", 2, "tag") },
		another: fields("tags", []any{"other"}), list: "/v1/questions?limit=100",
	},
	"createReviewComment":       commented,
	"createPublicReviewComment": commented,
	"previewAssessment":         {list: "/v1/candidate-sessions?limit=100&test=true"},
	"createCandidateSession": {
		body: inviteOf, another: fields("candidateName", "Another"), list: "/v1/candidate-sessions?limit=100",
		refused: refusedInvites,
	},
	"createPublicCandidateSession": {
		body: inviteOf, another: fields("candidateName", "Another"), list: "/v1/candidate-sessions?limit=100",
		refused: refusedInvites,
	},
	"bulkCreatePublicCandidateSessions": {
		body:    func(e estate) object { return object{"rows": []any{inviteOf(e)}} },
		another: func() object { return object{"rows": []any{object{}}} }, list: "/v1/candidate-sessions?limit=100",
		refused: []refused{{
			status: 400, code: "invalid_request", change: func(estate) object { return object{"rows": []any{}} },
		}},
	},
	"bulkCreateCandidateSessions": {
		body:    func(e estate) object { return object{"rows": []any{inviteOf(e)}} },
		another: func() object { return object{"rows": []any{object{}}} }, list: "/v1/candidate-sessions?limit=100",
		refused: []refused{{
			status: 400, code: "invalid_request", change: func(estate) object { return object{"rows": []any{}} },
		}},
	},
	"resendCandidateSession":       resent,
	"resendPublicCandidateSession": resent,
	"extendCandidateSession": {
		resources: "started", body: func(estate) object { return object{"minutes": 15, "reason": "a fire alarm"} },
		another: fields("minutes", 16), list: "/v1/audit-log?limit=100&action=SESSION_EXTENDED",
		refused: []refused{{
			status: 400, code: "invalid_request", change: func(estate) object { return object{"minutes": 0} },
		}},
	},
	"createWebhook":             webhookCreated,
	"createPublicWebhook":       webhookCreated,
	"rotateWebhookSecret":       secretRotated,
	"rotatePublicWebhookSecret": secretRotated,
	"replayWebhook":             eventsReplayed,
	"replayPublicWebhook":       eventsReplayed,
	"redeliverDelivery":         eventRedelivered,
	"redeliverPublicDelivery":   eventRedelivered,
}

// everyIdempotentOperation runs test for each operation that accepts an Idempotency-Key.
func everyIdempotentOperation(t *testing.T, test func(o described, c idempotentCase)) {
	t.Helper()
	missing := maps.Clone(idempotentCases)
	for _, o := range everyOperation(t) {
		if !o.idempotent {
			continue
		}
		c, there := idempotentCases[o.id]
		if !there || (c.body == nil) != (o.body == nil) {
			t.Errorf("%s accepts an Idempotency-Key: add or correct its entry in idempotentCases", o.id)
			continue
		}
		delete(missing, o.id)
		test(o, c)
	}

	if len(missing) > 0 {
		t.Errorf("these entries in idempotentCases are not operations with an Idempotency-Key: %v",
			slices.Collect(maps.Keys(missing)))
	}
}
