"""Reads an organization with a client that is generated from the last release of the contract, while the server is newer.

Prints each value of the sets that can grow. PYTHONPATH decides which client it is.
"""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from assay import AuthenticatedClient, Client, models
from assay.api.api_keys import list_api_keys
from assay.api.assessments import (
    list_assessments,
    retrieve_assessment,
    retrieve_assessment_question_statistics,
    retrieve_assessment_statistics,
)
from assay.api.audit_log import list_audit_log
from assay.api.auth import login, retrieve_me, retrieve_organization
from assay.api.candidate import retrieve_current_stage, retrieve_taking, save_answer, submit_stage
from assay.api.candidate_sessions import (
    create_candidate_session,
    list_candidate_sessions,
    list_public_candidate_sessions,
    retrieve_candidate_session_progress,
    retrieve_candidate_session_result,
    retrieve_candidate_session_timeline,
    summarize_candidate_sessions,
)
from assay.api.events import list_event_types, list_events, retrieve_event
from assay.api.overview import retrieve_overview
from assay.api.results import exchange_result_token, retrieve_public_candidate_session_result
from assay.api.webhooks import list_deliveries, list_webhooks, retrieve_delivery
from client import ok

URL = os.environ["ASSAY_URL"]
connect = partial(AuthenticatedClient, base_url=URL, raise_on_unexpected_status=True)


def organization(person: AuthenticatedClient) -> None:
    ok(retrieve_me.sync(client=person))
    ok(retrieve_organization.sync(client=person))
    ok(retrieve_overview.sync(client=person))
    for entry in ok(list_audit_log.sync(client=person, limit=100)):
        print("action", entry.action)
    for key in ok(list_api_keys.sync(client=person)):
        for scope in key.scopes:
            print("scope", scope)


def webhooks(person: AuthenticatedClient) -> None:
    ok(list_event_types.sync(client=person))
    for event in ok(list_events.sync(client=person, limit=100)):
        print("event", ok(retrieve_event.sync(event.id, client=person)).type_)
    for endpoint in ok(list_webhooks.sync(client=person)):
        for delivery in ok(list_deliveries.sync(endpoint.id, client=person, limit=100)):
            ok(retrieve_delivery.sync(endpoint.id, delivery.id, client=person))


def assessments(person: AuthenticatedClient) -> None:
    """Reads the statistics, and invites a person who must not be invited again."""
    for assessment in ok(list_assessments.sync(client=person)):
        ok(retrieve_assessment.sync(assessment.id, client=person))
        ok(retrieve_assessment_statistics.sync(assessment.id, client=person))
        ok(retrieve_assessment_question_statistics.sync(assessment.id, client=person))
        if assessment.title == "Once":
            mary = models.CandidateSessionCreate(assessment.id, "Mary", "mary@candidates.example")
            problem = create_candidate_session.sync(client=person, body=mary)
            assert isinstance(problem, models.Problem)
            print("refused", problem.code)


def received() -> None:
    """Reads the webhooks that an endpoint has received, by the types of the last release."""
    known: dict[str, Callable[[dict[str, Any]], object]] = {
        "candidate.completed": models.CandidateCompletedEvent.from_dict,
        "candidate.disqualified": models.CandidateDisqualifiedEvent.from_dict,
        "candidate.started": models.CandidateStartedEvent.from_dict,
    }
    for line in Path(os.environ["ASSAY_WEBHOOKS"]).read_text().splitlines():
        body = json.loads(line)
        envelope = models.EventEnvelope.from_dict(body)
        if envelope.type_ in known:
            known[envelope.type_](body)
        print("webhook", envelope.type_)


def candidates() -> str:
    """Continues the sessions. The first one was reopened, and the redirect at its end has a result token."""
    invites = os.environ["ASSAY_INVITES"].split()
    for invite in reversed(invites):
        with connect(token=invite) as candidate:
            taking = ok(retrieve_taking.sync(client=candidate))
            stage = ok(retrieve_current_stage.sync(client=candidate))
            print("continues", taking.status, stage.title)
            if invite == invites[0]:
                for question in stage.questions:
                    ok(save_answer.sync(question.id, client=candidate, body=models.AnswerInput(number=3)))
                outcome = ok(submit_stage.sync(client=candidate, body=models.StageSubmit(stage.id)))
    assert outcome.redirect_url
    return parse_qs(urlsplit(outcome.redirect_url).query)["result"][0]


def sessions(person: AuthenticatedClient, integration: AuthenticatedClient) -> None:
    ok(summarize_candidate_sessions.sync(client=person))
    ok(list_public_candidate_sessions.sync(client=integration))
    for session in ok(list_candidate_sessions.sync(client=person)):
        for entry in ok(retrieve_candidate_session_timeline.sync(session.id, client=person)):
            print("entry", entry.type_)
            if entry.email:
                print("email", entry.email)
        if session.status == "IN_PROGRESS":
            ok(retrieve_candidate_session_progress.sync(session.id, client=person))
        if session.status in ("COMPLETED", "DISQUALIFIED"):
            result = ok(retrieve_candidate_session_result.sync(session.id, client=person))
            print(f"result {result.score:g}")
            ok(retrieve_public_candidate_session_result.sync(session.id, client=integration))


def main() -> None:
    credentials = models.LoginRequest(os.environ["ASSAY_EMAIL"], os.environ["ASSAY_PASSWORD"])
    with Client(base_url=URL, raise_on_unexpected_status=True) as anybody:
        signed_in = ok(login.sync(client=anybody, body=credentials))
    with (
        connect(token=signed_in.access_token) as person,
        connect(token=os.environ["ASSAY_API_KEY"], prefix="", auth_header_name="X-API-Key") as integration,
    ):
        organization(person)
        webhooks(person)
        assessments(person)
        received()
        token = candidates()
        sessions(person, integration)
        print(f"token {ok(exchange_result_token.sync(token, client=integration)).score:g}")


main()
print("reading complete")
