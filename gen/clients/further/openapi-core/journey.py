"""Performs an integration. openapi-core validates each request and each response."""

import json
import os
import sys
from typing import Any
from urllib.parse import parse_qs, urlsplit

import openapi_core
import requests
from openapi_core.contrib.requests import RequestsOpenAPIRequest, RequestsOpenAPIResponse

CONTRACT = openapi_core.OpenAPI.from_file_path(
    sys.argv[1], openapi_core.Config(extra_media_type_deserializers={"application/problem+json": json.loads})
)


class Service(requests.Session):
    def __init__(self, **headers: str) -> None:
        super().__init__()
        self.headers.update(headers)

    def call(self, method: str, path: str, body: object = None, status: int = 200) -> Any:
        request = self.prepare_request(requests.Request(method, os.environ["ASSAY_URL"] + path, json=body))
        response = self.send(request)
        assert response.status_code == status, response.text
        called = RequestsOpenAPIRequest(request)
        if status < 400:
            CONTRACT.validate_request(called)
        CONTRACT.validate_response(called, RequestsOpenAPIResponse(response))
        return response.json()["data"] if status < 400 else response.json()


credentials = {"email": os.environ["ASSAY_EMAIL"], "password": os.environ["ASSAY_PASSWORD"]}
login = Service().call("POST", "/v1/auth/login", credentials)
author = Service(Authorization=f"Bearer {login['accessToken']}")
print("signed in as", login["user"]["name"])
author.call("GET", "/v1/me")

hook = {"url": "https://ats.example/hooks", "events": ["candidate.completed", "candidate.disqualified"]}
endpoint = author.call("POST", "/v1/webhooks", hook, 201)
author.call("GET", "/v1/webhooks")
print("registered a webhook endpoint for", *endpoint["events"])

options = [{"id": "a", "text": "Nine hours"}, {"id": "b", "text": "Two days"}]
questions = [
    {"type": "SINGLE_CHOICE", "prompt": "How long?", "points": 2, "options": options, "correctOptionId": "a"},
    {"type": "MULTIPLE_CHOICE", "prompt": "Which?", "points": 2, "options": options, "correctOptionIds": ["a"]},
    {"type": "NUMERIC", "prompt": "How many?", "points": 1, "answer": 5},
    {"type": "SHORT_TEXT", "prompt": "What?", "points": 1, "acceptedAnswers": ["laminar flow"]},
]
stage = {"title": "Storage", "gate": {"required": True, "minScore": 50}, "questions": questions}
draft = {"title": "Night-shift pharmacist", "redirectUrl": "https://jobs.example/thanks", "stages": [stage]}
assessment_id = author.call("POST", "/v1/assessments", draft, 201)["id"]
author.call("GET", f"/v1/assessments/{assessment_id}")
assessment = author.call("POST", f"/v1/assessments/{assessment_id}/publish")
author.call("GET", "/v1/assessments")
print("published", len(assessment["stages"][0]["questions"]), "questions")

scopes = ["assessments:read", "candidates:read", "candidates:write", "results:read"]
key = author.call("POST", "/v1/api-keys", {"name": "Careers site", "scopes": scopes}, 201)
author.call("GET", "/v1/api-keys")
integration = Service(**{"X-API-Key": key["key"]})
integration.call("GET", "/v1/public/assessments")
integration.call("GET", f"/v1/public/assessments/{assessment_id}")


def invite(assessment_id: str, name: str, status: int) -> Any:
    person = {"assessmentId": assessment_id, "candidateName": name, "candidateEmail": f"{name}@candidates.example"}
    return integration.call("POST", "/v1/public/candidate-sessions", person, status)


session = invite(assessment_id, "Ada", 201)
candidate = Service(Authorization=f"Bearer {urlsplit(session['inviteUrl']).fragment}")
taking = candidate.call("GET", "/v1/candidate/session")
print("it has", len(taking["stages"]), "stages and is", taking["status"])
candidate.call("POST", "/v1/candidate/session/start")
stage = candidate.call("GET", "/v1/candidate/session/stage")
answers = {
    "SINGLE_CHOICE": {"optionId": "a"},
    "MULTIPLE_CHOICE": {"optionIds": ["a"]},
    "NUMERIC": {"number": 5},
    "SHORT_TEXT": {"text": "laminar flow"},
}
for question in stage["questions"]:
    # A type without an answer here is one that the service had later than this program.
    if answer := answers.get(question["type"]):
        candidate.call("PUT", f"/v1/candidate/session/answers/{question['id']}", answer)
outcome = candidate.call("POST", "/v1/candidate/session/stage/submit", {"stageId": stage["id"]})
candidate.call("GET", "/v1/candidate/session")
print("submitted the answers; the session is", outcome["status"])

[token] = parse_qs(urlsplit(outcome["redirectUrl"]).query)["result"]
result = integration.call("GET", f"/v1/public/results/{token}")
assert (result["sessionId"], result["score"]) == (session["id"], 100)
print("exchanged the result token for a score of", result["score"])
invite(assessment_id, "Grace", 201)
listed = integration.call("GET", f"/v1/public/candidate-sessions?assessmentId={assessment_id}")
author.call("GET", "/v1/candidate-sessions")
print("listed sessions that are", *(item["status"] for item in listed))
for path in ("events", "event-types", "audit-log", "members", "organization", f"webhooks/{endpoint['id']}/deliveries"):
    author.call("GET", f"/v1/{path}")
    print("read /v1/" + path.split("/")[0])

missing = invite("asm_00000000000000000000000000", "Ada", 404)
print("refused an unknown assessment:", missing["code"])
invalid = invite(assessment_id, "   ", 400)
print("refused:", invalid["code"], "at", *(error["pointer"] for error in invalid["errors"]))
print("journey complete")
