from assay import AuthenticatedClient, models
from assay.api.questions import (
    create_question,
    delete_question,
    list_question_tags,
    list_question_versions,
    list_questions,
    retrieve_question,
    retrieve_question_statistics,
    update_question,
)
from client import ok


def bank(assay: AuthenticatedClient) -> None:
    # sample: createQuestion
    content = models.NumericQuestionInput(
        type_=models.NumericQuestionInputType.NUMERIC,
        prompt="At how many °C is insulin stored at most?",
        points=2,
        answer=8,
    )
    body = models.BankQuestionCreate(question=content, tags=["storage", "easy"])
    created = ok(create_question.sync(client=assay, body=body))
    # end sample

    # sample: listQuestions
    for question in ok(list_questions.sync(client=assay, tag=["storage"])):
        print(question.id, question.prompt)
    # end sample

    # sample: listQuestionTags
    for tag in ok(list_question_tags.sync(client=assay)):
        print(tag.name, tag.count)
    # end sample

    # sample: retrieveQuestion
    question = ok(retrieve_question.sync(created.id, client=assay))
    print("version", question.version)
    # end sample

    # sample: updateQuestion
    change = models.BankQuestionUpdate(tags=["storage", "hard"])
    print(ok(update_question.sync(created.id, client=assay, body=change)).tags)
    # end sample

    # sample: listQuestionVersions
    versions = ok(list_question_versions.sync(created.id, client=assay))
    print(len(versions), "versions")
    # end sample

    # sample: retrieveQuestionStatistics
    statistics = ok(retrieve_question_statistics.sync(created.id, client=assay))
    print("seen by", statistics.exposures)
    # end sample

    # sample: deleteQuestion
    ok(delete_question.sync(created.id, client=assay))
    # end sample
