"""Performs an integration with the models of datamodel-code-generator, and reads each kind of response."""

import os
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

import httpx
import models as m
from pydantic import BaseModel

Model = TypeVar("Model", bound=BaseModel)


class Service:
    def __init__(self, **credential: str) -> None:
        self.headers = {"Content-Type": "application/json", **credential}

    def call(self, read: type[Model], method: str, path: str, body: BaseModel | None = None, status: int = 200) -> Model:
        """Returns the response, which must have the status."""
        content = body and body.model_dump_json(exclude_unset=True)
        response = httpx.request(method, os.environ["ASSAY_URL"] + path, content=content, headers=self.headers)
        assert response.status_code == status, response.text
        return read.model_validate_json(response.content)


credentials = m.LoginRequest(email=os.environ["ASSAY_EMAIL"], password=os.environ["ASSAY_PASSWORD"])
login = Service().call(m.LoginData, "POST", "/v1/auth/login", credentials).data
author = Service(Authorization=f"Bearer {login.accessToken}")
print("signed in as", login.user.name)

hook = m.WebhookEndpointCreate.model_validate(
    {"url": "http://127.0.0.1:9/hooks", "events": ["candidate.completed", "candidate.disqualified"]}
)
endpoint = author.call(m.CreatedWebhookEndpointData, "POST", "/v1/webhooks", hook, 201).data
print("registered a webhook endpoint for", *endpoint.events)

options = [{"id": "a", "text": "Nine hours"}, {"id": "b", "text": "Two days"}]
choice = {"type": "SINGLE_CHOICE", "prompt": "How long?", "points": 2, "options": options, "correctOptionId": "a"}
number = {"type": "NUMERIC", "prompt": "How many?", "points": 1, "answer": 5}
create = m.AssessmentCreate.model_validate(
    {
        "title": "Night-shift pharmacist",
        "passingScore": 60,
        "redirectUrl": "https://jobs.example/thanks",
        "stages": [{"title": "Storage", "questions": [choice, number]}],
    }
)
draft = author.call(m.AssessmentDetailData, "POST", "/v1/assessments", create, 201).data
assessment = author.call(m.AssessmentDetailData, "POST", f"/v1/assessments/{draft.id}/publish").data
for question in assessment.stages[0].questions:
    print("published a question of type", question.type)

scopes = ["assessments:read", "candidates:read", "candidates:write", "results:read"]
create_key = m.ApiKeyCreate.model_validate({"name": "Careers site", "scopes": scopes})
key = author.call(m.CreatedApiKeyData, "POST", "/v1/api-keys", create_key, 201).data
integration = Service(**{"X-API-Key": key.key})


def invite(read: type[Model], assessment_id: str, name: str, status: int) -> Model:
    body = m.CandidateSessionCreate(assessmentId=assessment_id, candidateName=name, candidateEmail="ada@candidates.example")
    return integration.call(read, "POST", "/v1/public/candidate-sessions", body, status)


session = invite(m.CandidateSessionData, assessment.id, "Ada", 201).data
print("invited until", session.expiresAt)

candidate = Service(Authorization=f"Bearer {urlsplit(str(session.inviteUrl)).fragment}")
taking = candidate.call(m.TakingData, "GET", "/v1/candidate/session").data
print("it has", len(taking.stages), "stages and is", taking.status)
candidate.call(m.TakingData, "POST", "/v1/candidate/session/start")
stage = candidate.call(m.CurrentStageData, "GET", "/v1/candidate/session/stage").data
answers = {"SINGLE_CHOICE": m.AnswerInput(optionId="a"), "NUMERIC": m.AnswerInput(number=5)}
for question in stage.questions:
    # A type without an answer here is one that the service had later than this program.
    if answer := answers.get(question.type):
        candidate.call(m.SavedAnswerData, "PUT", f"/v1/candidate/session/answers/{question.id}", answer)
submit = m.StageSubmit(stageId=stage.id)
outcome = candidate.call(m.StageOutcomeData, "POST", "/v1/candidate/session/stage/submit", submit).data
print("submitted the answers; the session is", outcome.status)

[token] = parse_qs(urlsplit(str(outcome.redirectUrl)).query)["result"]
result = integration.call(m.ResultData, "GET", f"/v1/public/results/{token}").data
assert (result.sessionId, result.score, result.passed) == (session.id, 100, True)
print(f"exchanged the result token for a score of {result.score}, {result.closeReason}")

path = f"/v1/public/candidate-sessions?assessmentId={assessment.id}"
[listed] = integration.call(m.CandidateSessionList, "GET", path).data
assert listed.id == session.id
print("listed a session that is", listed.status)
for event in author.call(m.EventRecordList, "GET", "/v1/events").data:
    print("read the event", event.type, "of", event.timestamp)

missing = invite(m.Problem, "asm_00000000000000000000000000", "Ada", 404)
print("refused an unknown assessment:", missing.code)
invalid = invite(m.Problem, assessment.id, "\0", 400)
print("refused:", invalid.code, "at", *(error.pointer for error in invalid.errors))
print("journey complete")
