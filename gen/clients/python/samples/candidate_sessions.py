from datetime import timedelta
from email.utils import parsedate_to_datetime
from uuid import uuid4

from assay import AuthenticatedClient, models
from assay.api.candidate_sessions import (
    bulk_create_public_candidate_sessions,
    cancel_candidate_session,
    cancel_public_candidate_session,
    create_candidate_session,
    create_public_candidate_session,
    erase_candidate_data,
    list_candidate_sessions,
    list_public_candidate_session_changes,
    list_public_candidate_sessions,
    resend_candidate_session,
    resend_public_candidate_session,
    retrieve_candidate_session,
    retrieve_public_candidate_session,
)
from assay.types import UNSET, Unset
from client import ok


def invite(integration: AuthenticatedClient, assessment_id: str) -> models.CandidateSession:
    application_id = str(uuid4())
    # sample: createPublicCandidateSession
    ada = models.CandidateSessionCreate(
        assessment_id=assessment_id,
        candidate_name="Ada Lovelace",
        candidate_email="ada@candidates.example",
        external_id=application_id,
    )
    # Under one Idempotency-Key the candidate is invited once, however often this is sent.
    invited = create_public_candidate_session.sync(
        client=integration, body=ada, idempotency_key=f"invite-{application_id}"
    )
    session = ok(invited)
    # end sample
    return session


def by_person(assay: AuthenticatedClient, assessment_id: str) -> None:
    # sample: createCandidateSession
    grace = models.CandidateSessionCreate(
        assessment_id=assessment_id,
        candidate_name="Grace Hopper",
        candidate_email="grace@candidates.example",
        extra_time_percent=25,
    )
    session = ok(create_candidate_session.sync(client=assay, body=grace))
    print(session.candidate_name, "may start until", session.expires_at)
    # end sample

    session_id = session.id
    # sample: resendCandidateSession
    resent = ok(resend_candidate_session.sync(session_id, client=assay))
    print("the new link for", resent.candidate_email, "works until", resent.expires_at)
    # end sample

    # sample: cancelCandidateSession
    cancelled = ok(cancel_candidate_session.sync(session_id, client=assay))
    print(cancelled.candidate_name, "is", cancelled.status)
    # end sample


def by_key(integration: AuthenticatedClient, assessment_id: str) -> None:
    # sample: bulkCreatePublicCandidateSessions
    rows = [
        models.CandidateSessionCreate(assessment_id, name, f"{name}@candidates.example")
        for name in ["edsger", "barbara"]
    ]
    body = models.CandidateSessionBulk(rows=rows)
    bulk = ok(bulk_create_public_candidate_sessions.sync(client=integration, body=body))
    for row in bulk.rows:
        if row.error:
            print(f"row {row.index}: {row.error.detail}")
    print(bulk.created_count, "invited,", bulk.failed_count, "failed")
    # end sample

    session_id = bulk.rows[0].session.id if bulk.rows[0].session else ""
    # sample: retrievePublicCandidateSession
    session = ok(retrieve_public_candidate_session.sync(session_id, client=integration))
    print(session.candidate_name, "is", session.status)
    # end sample

    # sample: resendPublicCandidateSession
    by_email = models.CandidateSessionResend(send_email=True)
    resent = ok(resend_public_candidate_session.sync(session_id, client=integration, body=by_email))
    print("the email to", resent.candidate_email, "is", resent.email.status)
    # end sample

    # sample: cancelPublicCandidateSession
    cancelled = ok(cancel_public_candidate_session.sync(session_id, client=integration))
    print(cancelled.candidate_name, "is", cancelled.status)
    # end sample


def lists(assay: AuthenticatedClient, integration: AuthenticatedClient) -> None:
    # sample: listCandidateSessions
    sessions: list[models.CandidateSession] = []
    after: str | Unset = UNSET
    while page := ok(list_candidate_sessions.sync(client=assay, limit=100, after=after)):
        sessions += page
        after = page[-1].id
    print(len(sessions), "sessions")
    # end sample

    last_run = sessions[-1].created_at
    # sample: listPublicCandidateSessions
    first = list_public_candidate_sessions.sync_detailed(client=integration, updated_since=last_run, limit=100)
    for changed in ok(first.parsed):
        print(changed.external_id, changed.status, changed.score)
    # From where the next run continues, once all pages are read. The largest updated_at would miss changes.
    next_run = parsedate_to_datetime(first.headers["date"]) - timedelta(minutes=1)
    # end sample
    print("the next run continues from", next_run)

    # sample: listPublicCandidateSessionChanges
    cursor: str | Unset = UNSET
    more = True
    while more:
        changes = ok(list_public_candidate_session_changes.sync(client=integration, cursor=cursor, limit=100))
        for changed in changes.items:
            print(changed.external_id, changed.status, changed.score)
        # The next run continues from this cursor. Store it with the items of the page.
        cursor, more = changes.cursor, changes.has_more
    # end sample


def erase(assay: AuthenticatedClient, session_id: str) -> None:
    # sample: eraseCandidateData
    ok(erase_candidate_data.sync(session_id, client=assay))
    # end sample

    # sample: retrieveCandidateSession
    session = ok(retrieve_candidate_session.sync(session_id, client=assay))
    print(session.status, "with", session.score, "erased at", session.erased_at)
    # end sample
