"""Corrects a wrong key through the API: previews the effect, reads the new results, and reopens a session."""

import os
import time
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from assay import AuthenticatedClient, Client, models
from assay.api.assessments import (
    create_assessment,
    create_assessment_correction,
    list_assessment_question_answers,
    preview_assessment_correction,
    publish_assessment,
    retrieve_assessment_correction,
)
from assay.api.auth import login
from assay.api.candidate import retrieve_current_stage, save_answer, start_taking, submit_stage
from assay.api.candidate_sessions import create_candidate_session, reopen_candidate_session
from assay.api.events import list_events
from assay.api.results import list_result_revisions
from client import ok

URL = os.environ["ASSAY_URL"]
connect = partial(AuthenticatedClient, base_url=URL, raise_on_unexpected_status=True)
Answers = dict[str, Any]  # by the type of the question


def main(assay: AuthenticatedClient) -> None:
    assessment_id, question_id = publish(assay)

    # Ada and Grace choose the right answer, which the key calls wrong. Edsger passes by the wrong key.
    nine_hours, two_days = models.AnswerInput(option_id="a"), models.AnswerInput(option_id="b")
    teaspoon, wrong = models.AnswerInput(number=4.93), models.AnswerInput(number=15)
    ada = invite(assay, assessment_id, "Ada")
    take(ada, [{"SINGLE_CHOICE": nine_hours, "NUMERIC": wrong}])
    grace = invite(assay, assessment_id, "Grace")
    take(grace, [{"SINGLE_CHOICE": nine_hours, "NUMERIC": teaspoon}, {"SINGLE_CHOICE": two_days}])
    edsger = invite(assay, assessment_id, "Edsger")
    take(edsger, [{"SINGLE_CHOICE": two_days, "NUMERIC": teaspoon}, {"SINGLE_CHOICE": two_days}])

    given = ok(list_assessment_question_answers.sync(assessment_id, question_id, client=assay)).answers
    assert [(g.answer.option_id, g.count, g.points) for g in given] == [("a", 2, 0), ("b", 1, 2)]
    print("two of three candidates chose a, which the key calls wrong")

    correction = models.AssessmentCorrectionCreate(
        question_id=question_id,
        action=models.CorrectionActionInput.REPLACE_KEY,
        key=models.CorrectionKey(correct_option_id="a"),
        reason="The key was that of the old edition",
        policy=models.CorrectionPolicyInput.EXACT,
    )
    effect = ok(preview_assessment_correction.sync(assessment_id, client=assay, body=correction))
    assert effect.no_longer_pass.session_ids == [edsger.id]
    correction.policy = models.CorrectionPolicyInput.NEVER_LOWER
    effect = ok(preview_assessment_correction.sync(assessment_id, client=assay, body=correction))
    assert (effect.changed, effect.no_longer_pass.count) == (2, 0)
    assert effect.now_pass.session_ids == [grace.id] and effect.gate_passes.session_ids == [ada.id]
    print("a correction that lowers nobody changes two results: Grace passes, and so does Ada's gate")

    created = ok(create_assessment_correction.sync(assessment_id, client=assay, body=correction))
    while not (applied := ok(retrieve_assessment_correction.sync(assessment_id, created.id, client=assay))).applied_at:
        time.sleep(0.1)
    print(f"applied to {applied.done} sessions, {applied.changed} of them have another result")
    for revision in ok(list_result_revisions.sync(grace.id, client=assay)):
        print(f"Grace, revision {revision.revision}: {revision.score:g}, decided by {revision.decided_by}")

    # A correction never changes a status. A person decides that Ada goes on, after the gate that she passes now.
    reopening = models.CandidateSessionReopen(minutes=15, reason="A wrong key stopped the candidate")
    reopened = ok(reopen_candidate_session.sync(ada.id, client=assay, body=reopening))
    print("Ada is", reopened.status)
    take(ada, [{"SINGLE_CHOICE": nine_hours}], start=False)

    events = ok(list_events.sync(client=assay, resource_id=ada.id))  # the newest first
    history = [
        (event.type_, event.data["revision"], event.data.to_dict().get("score"))
        for event in reversed(events)
        if "revision" in event.data
    ]
    assert history == [
        ("candidate.disqualified", 1, 0),
        ("candidate.result_corrected", 2, 33.33),
        ("candidate.reopened", 3, None),
        ("candidate.completed", 3, 66.67),
    ]
    for kind, number, score in history:
        print(f"{kind}, revision {number}, score {score}")


def publish(assay: AuthenticatedClient) -> tuple[str, str]:
    """Publishes an assessment whose first key is wrong, and returns its id and that of the question."""

    def choice(prompt: str, correct: str) -> models.SingleChoiceQuestionInput:
        return models.SingleChoiceQuestionInput(
            type_=models.SingleChoiceQuestionInputType.SINGLE_CHOICE,
            prompt=prompt,
            points=2,
            options=[models.OptionInput("a", "Nine hours"), models.OptionInput("b", "Two days")],
            correct_option_id=correct,
        )

    teaspoon = models.NumericQuestionInput(
        type_=models.NumericQuestionInputType.NUMERIC,
        prompt="How many millilitres are in a teaspoon?",
        points=2,
        answer=4.93,
        tolerance=0.1,
    )
    storage = models.StageInput(
        title="Storage",
        gate=models.GateInput(required=True, min_score=50),
        questions=[choice("How long may a compounded syringe be kept at room temperature?", "b"), teaspoon],
    )
    delivery = models.StageInput(title="Delivery", questions=[choice("How long may it be on its way?", "a")])
    body = models.AssessmentCreate(title="Night-shift pharmacist", passing_score=60, stages=[storage, delivery])
    draft = ok(create_assessment.sync(client=assay, body=body))
    ok(publish_assessment.sync(draft.id, client=assay))
    return draft.id, draft.stages[0].questions[0].id


def invite(assay: AuthenticatedClient, assessment_id: str, name: str) -> models.CandidateSession:
    person = models.CandidateSessionCreate(assessment_id, name, f"{name.lower()}@candidates.example")
    return ok(create_candidate_session.sync(client=assay, body=person))


def take(session: models.CandidateSession, stages: list[Answers], start: bool = True) -> None:
    with connect(token=urlsplit(session.invite_url or "").fragment) as candidate:
        if start:
            ok(start_taking.sync(client=candidate))
        for answers in stages:
            stage = ok(retrieve_current_stage.sync(client=candidate))
            for question in stage.questions:
                if answer := answers.get(question.type_):
                    ok(save_answer.sync(question.id, client=candidate, body=answer))
            outcome = ok(submit_stage.sync(client=candidate, body=models.StageSubmit(stage.id)))
        print(session.candidate_name, "is", outcome.status)


credentials = models.LoginRequest(os.environ["ASSAY_EMAIL"], os.environ["ASSAY_PASSWORD"])
with Client(base_url=URL, raise_on_unexpected_status=True) as anybody:
    signed_in = ok(login.sync(client=anybody, body=credentials))
with connect(token=signed_in.access_token) as person:
    main(person)
print("correction complete")
