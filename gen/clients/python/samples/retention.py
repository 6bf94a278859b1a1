from assay import AuthenticatedClient, models
from assay.api.legal_holds import create_legal_hold, delete_legal_hold, list_legal_holds, retrieve_legal_hold
from assay.api.retention import (
    delete_assessment_retention,
    preview_retention,
    replace_assessment_retention,
    replace_retention,
    retrieve_assessment_retention,
    retrieve_retention,
)
from client import ok


def keep(assay: AuthenticatedClient, assessment_id: str, session_id: str) -> None:
    # sample: retrieveRetention
    current = ok(retrieve_retention.sync(client=assay))
    print("without a limit" if current.months is None else f"{current.months} months")
    # end sample

    # sample: previewRetention
    preview = ok(preview_retention.sync(client=assay, body=models.RetentionPreviewRequest(months=12)))
    print(preview.now, "sessions now, and", preview.soon, "within 30 days")
    # end sample

    # sample: replaceRetention
    rejected = models.RetentionStateInput(state_id="rejected", months=6)
    new_retention = models.RetentionPut(months=12, not_started_months=1, states=[rejected])
    replaced = ok(replace_retention.sync(client=assay, body=new_retention))
    print("erases from", replaced.applies_from)
    # end sample

    # sample: replaceAssessmentRetention
    ok(replace_assessment_retention.sync(assessment_id, client=assay, body=models.RetentionPut(months=24)))
    # end sample

    # sample: retrieveAssessmentRetention
    own = ok(retrieve_assessment_retention.sync(assessment_id, client=assay))
    print(own.months, own.inherited)
    # end sample

    # sample: deleteAssessmentRetention
    ok(delete_assessment_retention.sync(assessment_id, client=assay))
    # end sample

    # sample: createLegalHold
    new_hold = models.LegalHoldCreate(session_id=session_id, reason="Claim 14-220 before the labour court")
    hold = ok(create_legal_hold.sync(client=assay, body=new_hold))
    # end sample

    # sample: listLegalHolds
    for each in ok(list_legal_holds.sync(client=assay, session_id=session_id)):
        print(each.id, each.reason, each.created_by.name)
    # end sample

    # sample: retrieveLegalHold
    found = ok(retrieve_legal_hold.sync(hold.id, client=assay))
    print("set on", found.created_at)
    # end sample

    # sample: deleteLegalHold
    ok(delete_legal_hold.sync(hold.id, client=assay))
    # end sample
