from assay import AuthenticatedClient, models
from assay.api.auth import (
    cancel_organization_deletion,
    retrieve_organization,
    schedule_organization_deletion,
)
from assay.api.candidate_data import (
    erase_candidate_data_by_email,
    erase_public_candidate_data_by_email,
    render_candidate_data_page,
    retrieve_candidate_data,
    retrieve_public_candidate_data,
)
from assay.api.candidate_sessions import erase_public_candidate_data
from client import ok


def read(assay: AuthenticatedClient, integration: AuthenticatedClient) -> None:
    # sample: retrieveCandidateData
    known = ok(
        retrieve_candidate_data.sync(
            client=assay, body=models.CandidateDataRequest(email="ada@candidates.example")
        )
    )
    for session in known.sessions:
        print(session.assessment_title, "has", len(session.answers), "answers")
    # end sample

    # sample: renderCandidateDataPage
    page = render_candidate_data_page.sync_detailed(
        client=assay, body=models.CandidateDataPageRequest(email="ada@candidates.example")
    )
    print(len(page.content), "bytes of HTML")
    # end sample

    # sample: retrievePublicCandidateData
    # The key needs candidates:read, results:read, and reviews:read.
    found = ok(
        retrieve_public_candidate_data.sync(
            client=integration, body=models.CandidateDataRequest(email="ada@candidates.example")
        )
    )
    print(len(found.sessions), "sessions")
    # end sample


def erase(assay: AuthenticatedClient, integration: AuthenticatedClient, session_id: str) -> None:
    # sample: erasePublicCandidateData
    # The key needs candidates:erase.
    ok(erase_public_candidate_data.sync(session_id, client=integration))
    # end sample

    # sample: eraseCandidateDataByEmail
    person = models.CandidateDataErase(email="ada@candidates.example")
    while ok(erase_candidate_data_by_email.sync(client=assay, body=person)).remaining:
        pass
    # end sample

    # sample: erasePublicCandidateDataByEmail
    grace = models.CandidateDataErase(email="grace@candidates.example")
    done = ok(erase_public_candidate_data_by_email.sync(client=integration, body=grace))
    print(done.erased, "erased,", done.held, "held")
    # end sample


def deletion(assay: AuthenticatedClient) -> None:
    name = ok(retrieve_organization.sync(client=assay)).name
    # sample: scheduleOrganizationDeletion
    # The name confirms it.
    confirmation = models.OrganizationDeletionCreate(name=name)
    scheduled = ok(schedule_organization_deletion.sync(client=assay, body=confirmation))
    print("deletion:", scheduled.deletion)
    # end sample

    # sample: cancelOrganizationDeletion
    ok(cancel_organization_deletion.sync(client=assay))
    # end sample
