from urllib.parse import parse_qs, urlsplit

from assay import AuthenticatedClient
from assay.api.candidate_sessions import retrieve_candidate_session_result
from assay.api.results import (
    create_result_token,
    exchange_result_token,
    retrieve_public_candidate_session_result,
)
from client import ok


def exchange(integration: AuthenticatedClient, request_url: str) -> None:
    # sample: exchangeResultToken
    token = parse_qs(urlsplit(request_url).query)["result"][0]
    result = ok(exchange_result_token.sync(token, client=integration))
    print(result.candidate.name, result.score, "passed" if result.passed else "not passed")
    # end sample


def by_key(integration: AuthenticatedClient, session_id: str) -> None:
    # sample: retrievePublicCandidateSessionResult
    result = ok(retrieve_public_candidate_session_result.sync(session_id, client=integration))
    for stage in result.stages:
        print(stage.title, stage.score, stage.status)
    # end sample

    # sample: createResultToken
    result_token = ok(create_result_token.sync(session_id, client=integration))
    print("a new result token works until", result_token.expires_at)
    # end sample


def by_person(assay: AuthenticatedClient, session_id: str) -> None:
    # sample: retrieveCandidateSessionResult
    result = ok(retrieve_candidate_session_result.sync(session_id, client=assay))
    print(result.points, "of", result.max_points, "points in", result.duration_seconds, "seconds")
    # end sample
