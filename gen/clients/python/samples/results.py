from urllib.parse import parse_qs, urlsplit

from assay import AuthenticatedClient, models
from assay.api.candidate_sessions import retrieve_candidate_session_result
from assay.api.results import (
    create_public_result_link,
    create_result_link,
    create_result_token,
    exchange_result_token,
    list_public_result_links,
    list_result_links,
    retrieve_public_candidate_session_result,
    revoke_public_result_link,
    revoke_result_link,
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


def links_by_key(integration: AuthenticatedClient, session_id: str) -> None:
    # sample: createPublicResultLink
    wanted = models.ResultLinkCreate(label="Application 4711")
    link = ok(create_public_result_link.sync(session_id, client=integration, body=wanted))
    print("the result is at", link.url)
    # end sample

    # sample: listPublicResultLinks
    for shown in ok(list_public_result_links.sync(session_id, client=integration)):
        print(shown.label, "was opened", shown.open_count, "times")
    # end sample

    link_id = link.id
    # sample: revokePublicResultLink
    revoke_public_result_link.sync_detailed(session_id, link_id, client=integration)
    # end sample


def links(assay: AuthenticatedClient, session_id: str) -> None:
    # sample: createResultLink
    wanted = models.ResultLinkCreate(label="Ana Ruiz, head of kitchen", with_answers=True)
    link = ok(create_result_link.sync(session_id, client=assay, body=wanted))
    print("send this address to Ana:", link.url)
    # end sample

    # sample: listResultLinks
    print(len(ok(list_result_links.sync(session_id, client=assay))), "links")
    # end sample

    link_id = link.id
    # sample: revokeResultLink
    revoke_result_link.sync_detailed(session_id, link_id, client=assay)
    # end sample
