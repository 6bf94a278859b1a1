package main

import (
	"fmt"
	"slices"
)

// step is an operation of the journey from a sign-in to a result. A body that is
// not empty replaces the contract's example.
type step struct{ id, body string }

var journey = []step{
	{"login", `{"email": "{{email}}", "password": "{{password}}"}`},
	{"retrieveMe", ""},
	{"createAssessment", `{
  "title": "Cold chain",
  "passingScore": 70,
  "stages": [
    {
      "title": "Receiving",
      "questions": [
        {
          "type": "SINGLE_CHOICE",
          "prompt": "The milk arrives at 9 °C. What now?",
          "points": 2,
          "options": [{"id": "a", "text": "Into the fridge, at once"}, {"id": "b", "text": "Refuse it"}],
          "correctOptionId": "b"
        }
      ]
    }
  ]
}`},
	{"publishAssessment", ""},
	{"createApiKey", `{
  "name": "Collection",
  "scopes": ["assessments:read", "candidates:read", "candidates:write", "results:read"]
}`},
	{"createWebhook", ""},
	{"listPublicAssessments", ""},
	{"createPublicCandidateSession", `{
  "assessmentId": "{{assessmentId}}",
  "candidateName": "Ada King",
  "candidateEmail": "ada@candidate.example",
  "onExisting": "NEW_ATTEMPT"
}`},
	{"retrieveTaking", ""},
	{"startTaking", ""},
	{"retrieveCurrentStage", ""},
	{"saveAnswer", `{"optionId": "b"}`},
	{"submitStage", ""},
	{"retrievePublicCandidateSession", ""},
	{"retrievePublicCandidateSessionResult", ""},
	{"createResultToken", ""},
	{"exchangeResultToken", ""},
	{"listEvents", ""},
	{"retrieveEvent", ""},
	{"listDeliveries", ""},
	{"deleteWebhook", ""},
	{"archiveAssessment", ""},
	{"revokeApiKey", ""},
}

// carry sets a variable for the requests that follow. from is the JavaScript
// expression of its value in the response body.
type carry struct{ variable, from string }

var (
	tokens  = []carry{{"accessToken", "data.accessToken"}, {"refreshToken", "data.refreshToken"}}
	invited = []carry{{"sessionId", "data.id"}, {"inviteToken", "data.inviteUrl.split('#')[1]"}}

	carried = map[string][]carry{
		"register": tokens, "login": tokens, "refresh": tokens, "acceptInvitation": tokens,
		"listSignIns":                  {{"signInId", "data[0]?.id"}},
		"createMember":                 {{"memberId", "data.id"}},
		"createApiKey":                 {{"apiKeyId", "data.id"}, {"apiKey", "data.key"}},
		"createAssessment":             {{"assessmentId", "data.id"}},
		"duplicateAssessment":          {{"assessmentId", "data.id"}},
		"createCandidateSession":       invited,
		"createPublicCandidateSession": invited,
		"resendCandidateSession":       invited,
		"resendPublicCandidateSession": invited,
		"retrieveCurrentStage":         {{"stageId", "data.id"}, {"questionId", "data.questions[0].id"}},
		"createAssessmentCorrection":   {{"correctionId", "data.id"}},
		"createQuestion":               {{"bankQuestionId", "data.id"}},
		"createReviewComment":          {{"commentId", "data.id"}},
		"createPublicReviewComment":    {{"commentId", "data.id"}},
		"createResultLink":             {{"linkId", "data.id"}},
		"createPublicResultLink":       {{"linkId", "data.id"}},
		"connectIntegration":           {{"integrationId", "data.id"}},
		"bulkChangeReviewStates":       {{"emailBatchId", "data.emailBatchId"}},
		"bulkChangePublicReviewStates": {{"emailBatchId", "data.emailBatchId"}},
		"listResultRevisions":          {{"revision", "data[0]?.revision"}},
		"createResultToken":            {{"resultToken", "data.token"}},
		"createMedia":                  {{"mediaId", "data.id"}},
		"createLegalHold":              {{"legalHoldId", "data.id"}},
		"createSegment":                {{"segmentId", "data.id"}},
		"createSecondFactor":           {{"secondFactorId", "data.id"}},
		"createSignInDomain":           {{"domainId", "data.id"}},
		"createWebhook":                {{"webhookId", "data.id"}},
		"createPublicWebhook":          {{"webhookId", "data.id"}},
		"listDeliveries":               {{"deliveryId", "data[0]?.id"}},
		"listPublicDeliveries":         {{"deliveryId", "data[0]?.id"}},
		"listEvents":                   {{"eventId", "data[0]?.id"}},
		"listPublicEvents":             {{"eventId", "data[0]?.id"}},
	}
)

// steps returns the requests of the journey, in its order.
func steps(requests []request) ([]request, error) {
	var made []request
	for _, step := range journey {
		i := slices.IndexFunc(requests, func(r request) bool { return r.id == step.id })
		if i < 0 {
			return nil, fmt.Errorf("the journey has %s, which is not an operation", step.id)
		}
		taken := requests[i]
		if step.body != "" {
			taken.body = step.body
		}
		made = append(made, taken)
	}
	return made, nil
}
