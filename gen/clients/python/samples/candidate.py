from contextlib import closing
from urllib.parse import urlsplit

from assay import AuthenticatedClient, models
from assay.api.candidate import (
    record_activity,
    retrieve_current_stage,
    retrieve_own_self_identification,
    retrieve_taking,
    save_answer,
    save_own_self_identification,
    start_taking,
    submit_stage,
)
from client import ok


def take(url: str, invite_url: str) -> str:
    # sample: retrieveTaking
    candidate = AuthenticatedClient(
        base_url=url, token=urlsplit(invite_url).fragment, raise_on_unexpected_status=True
    )
    taking = ok(retrieve_taking.sync(client=candidate))
    print(taking.assessment.title, taking.time_limit_minutes, "minutes")
    # end sample

    with closing(candidate.get_httpx_client()):
        return answer(candidate)


def answer(candidate: AuthenticatedClient) -> str:
    # sample: startTaking
    started = ok(start_taking.sync(client=candidate))
    print("the time is up at", started.deadline_at)
    # end sample

    # sample: retrieveCurrentStage
    stage = ok(retrieve_current_stage.sync(client=candidate))
    for question in stage.questions:
        print(question.prompt, [option.text for option in question.options or []])
    # end sample

    for question in stage.questions:
        question_id = question.id
        # sample: saveAnswer
        choice = models.AnswerInput(option_id="a")
        ok(save_answer.sync(question_id, client=candidate, body=choice))
        # end sample

    # sample: recordActivity
    time = models.QuestionTime(question_id=question_id, seconds=24)
    ok(record_activity.sync(client=candidate, body=models.ActivityReport(language="en", questions=[time])))
    # end sample

    # sample: submitStage
    submission = models.StageSubmit(stage_id=stage.id)
    outcome = ok(submit_stage.sync(client=candidate, body=submission))
    print("on to the next stage" if outcome.next_stage_id else f"session {outcome.status}")
    # end sample

    # sample: retrieveOwnSelfIdentification
    voluntary = ok(retrieve_own_self_identification.sync(client=candidate))
    for asked in voluntary.questions:
        print(asked.text, [option.text for option in asked.options])
    # end sample

    # sample: saveOwnSelfIdentification
    own_answer = models.OwnSelfIdentificationAnswerInput(question_id="sex", option_id="female")
    ok(save_own_self_identification.sync(client=candidate, body=models.OwnSelfIdentificationPut(answers=[own_answer])))
    # end sample

    return outcome.redirect_url or ""
