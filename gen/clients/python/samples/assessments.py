from io import BytesIO

from assay import AuthenticatedClient, models
from assay.api.assessments import (
    archive_assessment,
    create_assessment,
    delete_assessment,
    duplicate_assessment,
    export_assessment,
    export_public_assessment,
    import_assessment,
    import_public_assessment,
    list_assessments,
    list_public_assessment_changes,
    list_public_assessments,
    publish_assessment,
    retrieve_assessment,
    retrieve_public_assessment,
    update_assessment,
)
from assay.types import UNSET, File, Unset
from client import ok


def publish(assay: AuthenticatedClient) -> str:
    # sample: createAssessment
    question = models.SingleChoiceQuestionInput(
        type_=models.SingleChoiceQuestionInputType.SINGLE_CHOICE,
        prompt="How long may a compounded syringe be kept at room temperature?",
        points=2,
        options=[models.OptionInput("a", "Nine hours"), models.OptionInput("b", "Two days")],
        correct_option_id="a",
    )
    storage = models.StageInput(title="Storage", questions=[question])
    body = models.AssessmentCreate(title="Night-shift pharmacist", stages=[storage])
    draft = ok(create_assessment.sync(client=assay, body=body))
    # end sample

    assessment_id = draft.id
    # sample: updateAssessment
    change = models.AssessmentUpdate(
        passing_score=60,
        time_limit_minutes=45,
        redirect_url="https://jobs.example/thanks?source=assay",
    )
    ok(update_assessment.sync(assessment_id, client=assay, body=change))
    # end sample

    # sample: publishAssessment
    published = ok(publish_assessment.sync(assessment_id, client=assay))
    print(published.title, "is", published.status)
    # end sample

    # sample: retrieveAssessment
    assessment = ok(retrieve_assessment.sync(assessment_id, client=assay))
    for stage in assessment.stages:
        print(f"{stage.title}: {len(stage.questions)} questions")
    # end sample

    # sample: listAssessments
    status = models.AssessmentStatusInput.PUBLISHED
    for item in ok(list_assessments.sync(client=assay, status=status, q="pharmacist")):
        print(item.title, item.max_points, "points")
    # end sample

    return assessment_id


def public(integration: AuthenticatedClient, assessment_id: str) -> None:
    # sample: listPublicAssessments
    for item in ok(list_public_assessments.sync(client=integration)):
        print(item.title, item.id, "takes invites")
    # end sample

    # sample: listPublicAssessmentChanges
    cursor: str | Unset = UNSET
    more = True
    while more:
        page = ok(list_public_assessment_changes.sync(client=integration, cursor=cursor, limit=100))
        for changed in page.items:
            print(changed.id, changed.status)
        # The next run continues from this cursor. Store it with the items of the page.
        cursor, more = page.cursor, page.has_more
    # end sample

    # sample: retrievePublicAssessment
    assessment = ok(retrieve_public_assessment.sync(assessment_id, client=integration))
    print(assessment.question_count, "questions in", assessment.time_limit_minutes, "minutes")
    # end sample

    # sample: exportPublicAssessment
    backup = export_public_assessment.sync_detailed(assessment_id, client=integration)
    print(len(backup.content), "bytes of JSON")
    # end sample

    # sample: importPublicAssessment
    file = File(BytesIO(backup.content))
    preview = ok(import_public_assessment.sync(client=integration, body=file, dry_run=True))
    print(len(preview.stages), "stages can be imported")
    # end sample


def archive(assay: AuthenticatedClient, assessment_id: str) -> None:
    # sample: duplicateAssessment
    copy = ok(duplicate_assessment.sync(assessment_id, client=assay))
    print(copy.title, "is", copy.status, "and may be changed")
    # end sample

    draft_id = copy.id
    # sample: exportAssessment
    exported = export_assessment.sync_detailed(assessment_id, client=assay, format_=models.ExportFormat.GIFT)
    print(len(exported.content), "bytes of GIFT")
    # end sample

    # sample: importAssessment
    gift = b"Which gas do plants take up? {=Carbon dioxide ~Oxygen}"
    imported = ok(
        import_assessment.sync(
            client=assay,
            body=File(BytesIO(gift)),
            format_=models.ImportFormat.GIFT,
            file_name="biology.gift",
        )
    )
    for question in imported.report.questions:
        for note in question.notes:
            print(question.excerpt, note.severity, note.detail)
    # end sample

    # sample: deleteAssessment
    ok(delete_assessment.sync(draft_id, client=assay))
    # end sample

    # sample: archiveAssessment
    archived = ok(archive_assessment.sync(assessment_id, client=assay))
    print(archived.title, "takes no more invites")
    # end sample
