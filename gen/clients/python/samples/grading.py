from assay import AuthenticatedClient, models
from assay.api.grading import (
    claim_answer,
    grade_claim,
    release_claim,
    retrieve_grading_agreement,
    retrieve_grading_queue,
    save_claim_draft,
    undo_claim,
)
from client import ok


def grade(assay: AuthenticatedClient, assessment_id: str) -> None:
    # sample: retrieveGradingQueue
    for question in ok(retrieve_grading_queue.sync(client=assay)).questions:
        print(question.assessment_title, question.prompt, question.waiting, "until", question.due_at)
    # end sample

    # sample: claimAnswer
    wanted = models.GradingClaimCreate(assessment_id=assessment_id)
    claim = ok(claim_answer.sync(client=assay, body=wanted)).claim
    if claim is None:
        return
    print(claim.question.prompt, claim.text)
    # end sample

    # sample: saveClaimDraft
    draft = models.GradingDraftPut(points=None, rubric=[], comment="The cause is missing")
    ok(save_claim_draft.sync(claim.id, client=assay, body=draft))
    # end sample

    # sample: gradeClaim
    points = models.ClaimGrade(points=3, comment="The cause is missing")
    following = ok(grade_claim.sync(claim.id, client=assay, body=points)).claim
    print("nothing else waits" if following is None else following.text)
    # end sample

    # sample: undoClaim
    again = ok(undo_claim.sync(claim.id, client=assay)).claim
    if again is not None and again.draft is not None:
        print("graded before as", again.draft.points)
    # end sample

    # sample: releaseClaim
    release_claim.sync_detailed(claim.id, client=assay)
    # end sample

    # sample: retrieveGradingAgreement
    agreement = ok(retrieve_grading_agreement.sync(assessment_id, client=assay))
    for compared in agreement.questions:
        print(compared.question_id, compared.answers, compared.equal_share, compared.kappa)
    # end sample
