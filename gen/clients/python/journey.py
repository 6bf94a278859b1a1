"""Performs a complete integration, from signing in to a verified webhook."""

import json
import os
from functools import partial
from urllib.parse import SplitResult, parse_qs, urlsplit
from uuid import uuid4

from assay import AuthenticatedClient, Client, models
from assay.api.api_keys import create_api_key
from assay.api.assessments import create_assessment, publish_assessment
from assay.api.auth import login
from assay.api.candidate import retrieve_current_stage, retrieve_taking, save_answer, start_taking, submit_stage
from assay.api.candidate_sessions import create_public_candidate_session, list_public_candidate_sessions
from assay.api.events import list_events
from assay.api.results import exchange_result_token
from assay.api.webhooks import create_webhook
from assay.types import UNSET, Unset
from client import next_page, ok
from receiver import Receiver
from verify import verify_service_signature, verify_standard_webhook

URL = os.environ["ASSAY_URL"]
connect = partial(AuthenticatedClient, base_url=URL, raise_on_unexpected_status=True)


def main() -> None:
    credentials = models.LoginRequest(os.environ["ASSAY_EMAIL"], os.environ["ASSAY_PASSWORD"])
    with Client(base_url=URL, raise_on_unexpected_status=True) as anybody:
        signed_in = ok(login.sync(client=anybody, body=credentials))
    print("signed in as", signed_in.user.name)

    with connect(token=signed_in.access_token) as assay, Receiver() as receiver:
        subscription = models.WebhookEndpointCreate(receiver.url, [models.EventTypeInput.CANDIDATE_COMPLETED])
        endpoint = ok(create_webhook.sync(client=assay, body=subscription))
        print("registered the webhook endpoint", endpoint.id)

        assessment_id = publish(assay)
        scope = models.ApiKeyScopeInput
        scopes = [scope.ASSESSMENTS_READ, scope.CANDIDATES_READ, scope.CANDIDATES_WRITE, scope.RESULTS_READ]
        careers_site = models.ApiKeyCreate("Careers site", scopes)
        api_key = ok(create_api_key.sync(client=assay, body=careers_site))
        print(f"made the API key {api_key.prefix}…{api_key.last4}")

        with connect(token=api_key.key, prefix="", auth_header_name="X-API-Key") as integration:
            integrate(integration, assessment_id, receiver, endpoint.secret)
        print("read", len(ok(list_events.sync(client=assay))), "events")


def publish(assay: AuthenticatedClient) -> str:
    storage = models.SingleChoiceQuestionInput(
        type_=models.SingleChoiceQuestionInputType.SINGLE_CHOICE,
        prompt="How long may a compounded syringe be kept at room temperature?",
        points=2,
        options=[models.OptionInput("a", "Nine hours"), models.OptionInput("b", "Two days")],
        correct_option_id="a",
    )
    teaspoon = models.NumericQuestionInput(
        type_=models.NumericQuestionInputType.NUMERIC,
        prompt="How many millilitres are in a teaspoon?",
        points=1,
        answer=4.93,
        tolerance=0.1,
    )
    draft = models.AssessmentCreate(
        title="Night-shift pharmacist",
        passing_score=60,
        redirect_url="https://jobs.example/thanks?source=assay",
        stages=[models.StageInput(title="Storage", questions=[storage, teaspoon])],
    )
    assessment_id = ok(create_assessment.sync(client=assay, body=draft)).id
    assessment = ok(publish_assessment.sync(assessment_id, client=assay))
    print(f"published {assessment.title}, {assessment.max_points:g} points")
    return assessment_id


def integrate(integration: AuthenticatedClient, assessment_id: str, receiver: Receiver, secret: str) -> None:
    def invite(name: str, idempotency_key: str) -> models.CandidateSession:
        person = models.CandidateSessionCreate(assessment_id, name, f"{name.lower()}@candidates.example")
        # With an Idempotency-Key a request can be repeated safely, as after a lost response.
        return ok(
            create_public_candidate_session.sync(client=integration, body=person, idempotency_key=idempotency_key)
        )

    idempotency_key = str(uuid4())
    session = invite("Ada", idempotency_key)
    again = invite("Ada", idempotency_key)
    assert session.invite_url and again.id == session.id
    print("invited", session.candidate_name, "once, though asked twice")

    with connect(token=urlsplit(session.invite_url).fragment) as candidate:
        redirect = take(candidate)
    result = ok(exchange_result_token.sync(parse_qs(redirect.query)["result"][0], client=integration))
    assert (result.session_id, result.score, result.passed) == (session.id, 100, True)
    print(f"exchanged the result token for a score of {result.score:g}")

    grace, edsger = invite("Grace", str(uuid4())), invite("Edsger", str(uuid4()))
    listed: list[str] = []
    after: str | Unset | None = UNSET
    while after is not None:
        page = list_public_candidate_sessions.sync_detailed(
            client=integration, assessment_id=assessment_id, limit=1, after=after
        )
        listed += [item.id for item in ok(page.parsed)]
        after = next_page(page.headers)
    assert listed == [edsger.id, grace.id, session.id]
    print("paged through", len(listed), "sessions, newest first")

    refused(integration, assessment_id)

    event = completed(receiver, secret)
    assert event.data.session_id == session.id
    print(f"received and verified {event.type_} with {event.data.score:g}")


def completed(receiver: Receiver, secret: str) -> models.CandidateCompletedEvent:
    """Waits for candidate.completed. An event of another type may be there first."""
    while True:
        headers, body = receiver.next()
        assert verify_service_signature(secret, body, headers["X-Service-Signature"])
        assert verify_standard_webhook(secret, headers, body)
        event = json.loads(body)
        if models.EventEnvelope.from_dict(event).type_ == "candidate.completed":
            return models.CandidateCompletedEvent.from_dict(event)


def take(candidate: AuthenticatedClient) -> SplitResult:
    taking = ok(retrieve_taking.sync(client=candidate))
    print("it has", len(taking.stages), "stages and is", taking.status)
    ok(start_taking.sync(client=candidate))
    stage = ok(retrieve_current_stage.sync(client=candidate))
    for question in stage.questions:
        if question.type_ == "SINGLE_CHOICE":
            answer = models.AnswerInput(option_id="a")
        elif question.type_ == "NUMERIC":
            answer = models.AnswerInput(number=5)
        else:
            continue  # a type that the service had later than this program
        ok(save_answer.sync(question.id, client=candidate, body=answer))
    outcome = ok(submit_stage.sync(client=candidate, body=models.StageSubmit(stage.id)))
    assert outcome.redirect_url
    redirect = urlsplit(outcome.redirect_url)
    print(f"the session is {outcome.status}, and the candidate sent back to {redirect.netloc}")
    return redirect


def refused(integration: AuthenticatedClient, assessment_id: str) -> None:
    nowhere = models.CandidateSessionCreate("asm_00000000000000000000000000", "Ada", "ada@candidates.example")
    unknown = create_public_candidate_session.sync(client=integration, body=nowhere)
    assert isinstance(unknown, models.Problem)
    assert unknown.status == 404
    print(f"was refused an unknown assessment: {unknown.code}, {unknown.request_id}")

    nobody = models.CandidateSessionCreate(assessment_id, candidate_name="   ", candidate_email="nobody")
    malformed = create_public_candidate_session.sync(client=integration, body=nobody)
    assert isinstance(malformed, models.Problem)
    assert malformed.status == 400
    pointers = sorted(error.pointer for error in malformed.errors)
    assert pointers == ["/candidateEmail", "/candidateName"]
    print(f"was refused {' and '.join(pointers)}: {malformed.code}, {malformed.request_id}")


main()
print("journey complete")
