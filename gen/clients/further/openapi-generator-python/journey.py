"""Performs an integration, and reads each kind of response."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import assay


def connect(token: str | None = None, key: str | None = None) -> assay.ApiClient:
    api_key = {"apiKeyAuth": key} if key else None
    return assay.ApiClient(assay.Configuration(os.environ["ASSAY_URL"], access_token=token, api_key=api_key))


def problem(call: Callable[[], object]) -> assay.Problem:
    """Returns the problem with which the request is refused."""
    try:
        call()
    except assay.ApiException as refused:
        return refused.data
    raise AssertionError("the request was not refused")


credentials = assay.LoginRequest(email=os.environ["ASSAY_EMAIL"], password=os.environ["ASSAY_PASSWORD"])
login = assay.AuthApi(connect()).login(credentials).data
author = connect(token=login.access_token)
print("signed in as", login.user.name)

hook = assay.WebhookEndpointCreate(url="http://127.0.0.1:9/hooks", events=["candidate.completed", "candidate.disqualified"])
endpoint = assay.WebhooksApi(author).create_webhook(hook).data
print("registered a webhook endpoint for", *endpoint.events)

choice = assay.SingleChoiceQuestionInput(
    type="SINGLE_CHOICE",
    prompt="How long?",
    points=2,
    options=[assay.OptionInput(id="a", text="Nine hours"), assay.OptionInput(id="b", text="Two days")],
    correct_option_id="a",
)
number = assay.NumericQuestionInput(type="NUMERIC", prompt="How many?", points=1, answer=5)
storage = assay.StageInput(title="Storage", questions=[assay.QuestionInput(choice), assay.QuestionInput(number)])
draft = assay.AssessmentCreate(
    title="Night-shift pharmacist", passing_score=60, redirect_url="https://jobs.example/thanks", stages=[storage]
)
assessments = assay.AssessmentsApi(author)
assessment = assessments.publish_assessment(assessments.create_assessment(draft).data.id).data
print("published", len(assessment.stages[0].questions), "questions")

scopes = ["assessments:read", "candidates:read", "candidates:write", "results:read"]
key = assay.ApiKeysApi(author).create_api_key(assay.ApiKeyCreate(name="Careers site", scopes=scopes)).data.key
sessions = assay.CandidateSessionsApi(connect(key=key))


def invite(assessment_id: str, expires_at: datetime | None = None) -> assay.CandidateSession:
    body = assay.CandidateSessionCreate(
        assessment_id=assessment_id, candidate_name="Ada", candidate_email="ada@candidates.example"
    )
    if expires_at:
        body.expires_at = expires_at
    return sessions.create_public_candidate_session(body).data


session = invite(assessment.id)
print("invited until", session.expires_at)

candidate = assay.CandidateApi(connect(token=urlsplit(session.invite_url).fragment))
taking = candidate.retrieve_taking().data
print("it has", len(taking.stages), "stages and is", taking.status)
candidate.start_taking()
stage = candidate.retrieve_current_stage().data
answers = {"SINGLE_CHOICE": assay.AnswerInput(option_id="a"), "NUMERIC": assay.AnswerInput(number=5)}
for question in stage.questions:
    # A type without an answer here is one that the service had later than this program.
    if answer := answers.get(question.type):
        candidate.save_answer(question.id, answer)
outcome = candidate.submit_stage(assay.StageSubmit(stage_id=stage.id)).data
print(f"submitted the answers; the session is {outcome.status}")

[token] = parse_qs(urlsplit(outcome.redirect_url).query)["result"]
result = assay.ResultsApi(connect(key=key)).exchange_result_token(token).data
assert (result.session_id, result.score, result.passed) == (session.id, 100, True)
print(f"exchanged the result token for a score of {result.score}, {result.close_reason}")

[listed] = sessions.list_public_candidate_sessions(assessment_id=assessment.id).data
assert listed.id == session.id
print(f"listed a session that is {listed.status}")
for event in assay.EventsApi(author).list_events().data:
    event = getattr(event, "actual_instance", event)
    print("read the event", event.type, "of", event.timestamp)

missing = problem(lambda: invite("asm_00000000000000000000000000"))
assert missing.status == 404
print("refused an unknown assessment:", missing.code)
invalid = problem(lambda: invite(assessment.id, datetime(2001, 1, 1, tzinfo=UTC)))
assert invalid.status == 400
print("refused:", invalid.code, "at", *(error.pointer for error in invalid.errors))
print("journey complete")
