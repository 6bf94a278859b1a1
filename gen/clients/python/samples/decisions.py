from assay import AuthenticatedClient, models
from assay.api.assessments import (
    create_assessment_correction,
    list_assessment_corrections,
    list_assessment_question_answers,
    preview_assessment_correction,
    retrieve_assessment,
    retrieve_assessment_correction,
    withdraw_assessment_correction,
)
from assay.api.candidate_sessions import (
    count_late_answers,
    grade_candidate_session_answer,
    list_candidate_session_grades,
    list_late_answers,
    reopen_candidate_session,
    retrieve_open_decision,
    rule_candidate_session,
)
from assay.api.results import list_result_revisions, retrieve_result_revision
from client import ok


def correct(assay: AuthenticatedClient, assessment_id: str) -> str:
    question_id = ok(retrieve_assessment.sync(assessment_id, client=assay)).stages[0].questions[0].id
    # sample: listAssessmentQuestionAnswers
    given = ok(list_assessment_question_answers.sync(assessment_id, question_id, client=assay))
    for answer in given.answers:
        print(answer.count, "candidates got", answer.points, "points for", answer.answer.to_dict())
    # end sample

    # sample: previewAssessmentCorrection
    correction = models.AssessmentCorrectionCreate(
        question_id=question_id,
        action=models.CorrectionActionInput.ACCEPT_ALSO,
        key=models.CorrectionKey(correct_option_id="b"),
        reason="Two days are right in a refrigerator",
    )
    effect = ok(preview_assessment_correction.sync(assessment_id, client=assay, body=correction))
    print(effect.changed, "results would change, and", effect.now_pass.count, "more pass")
    # end sample

    # sample: createAssessmentCorrection
    created = ok(create_assessment_correction.sync(assessment_id, client=assay, body=correction))
    correction_id = created.id
    # end sample

    # sample: retrieveAssessmentCorrection
    progress = ok(retrieve_assessment_correction.sync(assessment_id, correction_id, client=assay))
    print(progress.done, "of", progress.total, "sessions are done")
    # end sample

    # sample: listAssessmentCorrections
    for item in ok(list_assessment_corrections.sync(assessment_id, client=assay)):
        print(item.created_at, item.created_by.name, item.action, item.reason)
    # end sample

    # sample: withdrawAssessmentCorrection
    why = models.CorrectionWithdraw("The question says room temperature")
    withdrawal = ok(withdraw_assessment_correction.sync(assessment_id, correction_id, client=assay, body=why))
    print(withdrawal.id, "withdraws", withdrawal.withdraws)
    # end sample

    return question_id


def grade(assay: AuthenticatedClient, session_id: str, question_id: str) -> None:
    # sample: gradeCandidateSessionAnswer
    decision = models.AnswerGradePut(
        points=1.5,
        reason="Right, but only by the old edition",
        version=0,  # nobody has graded the answer yet
    )
    graded = ok(grade_candidate_session_answer.sync(session_id, question_id, client=assay, body=decision))
    print("version", graded.version)
    # end sample

    # sample: listCandidateSessionGrades
    for item in ok(list_candidate_session_grades.sync(session_id, client=assay)):
        print(item.question_id, item.points, item.reason)
    # end sample

    # sample: listResultRevisions
    for revision in ok(list_result_revisions.sync(session_id, client=assay)):
        print(revision.revision, revision.score, revision.decided_by)
    # end sample

    # sample: retrieveResultRevision
    first = ok(retrieve_result_revision.sync(session_id, "1", client=assay))
    print("at first", first.points, "of", first.max_points, "points")
    # end sample


def rule(assay: AuthenticatedClient, session_id: str) -> None:
    # sample: retrieveOpenDecision
    decision = ok(retrieve_open_decision.sync(session_id, client=assay))
    print(decision.waits_for, "since", decision.since)
    # end sample

    # sample: ruleCandidateSession
    ruling = models.GateRulingCreate(
        stage_id=decision.stage_id,
        decision=models.GateRulingCreateDecision.PASS,
        reason="The wrong answer concerns equipment that we do not use",
    )
    ruled = ok(rule_candidate_session.sync(session_id, client=assay, body=ruling))
    print("the session is", ruled.status)
    # end sample


def forgive(assay: AuthenticatedClient, session_id: str) -> None:
    # sample: listLateAnswers
    for late in ok(list_late_answers.sync(session_id, client=assay)):
        print(late.seconds_late, "s late, worth", late.points, "points")
    # end sample

    # sample: countLateAnswers
    why = models.LateAnswersCount("The network of the test room failed")
    session = ok(count_late_answers.sync(session_id, client=assay, body=why))
    print("the score is now", session.score)
    # end sample

    # sample: reopenCandidateSession
    reopening = models.CandidateSessionReopen(minutes=10, reason="The network of the test room failed")
    reopened = ok(reopen_candidate_session.sync(session_id, client=assay, body=reopening))
    print("the candidate may go on until", reopened.deadline_at)
    # end sample
