from assay import AuthenticatedClient, models
from assay.api.assessments import (
    archive_assessment,
    create_assessment,
    delete_assessment,
    duplicate_assessment,
    list_assessments,
    list_public_assessment_changes,
    list_public_assessments,
    publish_assessment,
    retrieve_assessment,
    retrieve_public_assessment,
    update_assessment,
)
from assay.types import UNSET, Unset
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


def archive(assay: AuthenticatedClient, assessment_id: str) -> None:
    # sample: duplicateAssessment
    copy = ok(duplicate_assessment.sync(assessment_id, client=assay))
    print(copy.title, "is", copy.status, "and may be changed")
    # end sample

    draft_id = copy.id
    # sample: deleteAssessment
    ok(delete_assessment.sync(draft_id, client=assay))
    # end sample

    # sample: archiveAssessment
    archived = ok(archive_assessment.sync(assessment_id, client=assay))
    print(archived.title, "takes no more invites")
    # end sample
