from assay import AuthenticatedClient, models
from assay.api.cut_scores import (
    delete_cut_score_ratings,
    replace_cut_score_ratings,
    retrieve_cut_score,
    retrieve_cut_score_ratings,
)
from assay.api.responses import (
    export_code_book,
    export_public_code_book,
    export_public_responses,
    export_responses,
)
from assay.api.segments import create_segment, delete_segment, list_segments, retrieve_segment_comparison
from assay.api.self_identification import (
    replace_self_identification,
    retrieve_group_statistics,
    retrieve_self_identification,
)
from client import ok


def ask(assay: AuthenticatedClient, assessment_id: str) -> None:
    # sample: replaceSelfIdentification
    options = [
        models.SelfIdentificationOptionInput(id="female", text="Female"),
        models.SelfIdentificationOptionInput(id="male", text="Male"),
    ]
    sex = models.SelfIdentificationQuestionInput(id="sex", text="What is your sex?", options=options)
    asked = models.SelfIdentificationPut(questions=[sex])
    ok(replace_self_identification.sync(assessment_id, client=assay, body=asked))
    # end sample

    # sample: retrieveSelfIdentification
    current = ok(retrieve_self_identification.sync(assessment_id, client=assay))
    print(len(current.questions), "voluntary questions")
    # end sample


def figures(
    assay: AuthenticatedClient, integration: AuthenticatedClient, assessment_id: str, question_id: str
) -> None:
    # sample: createSegment
    first_attempts = models.SegmentCreate(name="First attempts", filter_=models.SegmentFilterInput(attempt=1))
    segment = ok(create_segment.sync(assessment_id, client=assay, body=first_attempts))
    # end sample

    # sample: listSegments
    for each in ok(list_segments.sync(assessment_id, client=assay)):
        print(each.name, each.count, each.complete)
    # end sample

    # sample: retrieveSegmentComparison
    compared = ok(retrieve_segment_comparison.sync(assessment_id, segment.id, client=assay))
    print(compared.first.count, "beside", compared.second.count)
    # end sample

    # sample: deleteSegment
    ok(delete_segment.sync(assessment_id, segment.id, client=assay))
    # end sample

    # sample: retrieveGroupStatistics
    for question in ok(retrieve_group_statistics.sync(assessment_id, client=assay)).questions:
        print(question.text, len(question.groups), "groups")
    # end sample

    # sample: exportResponses
    matrix = export_responses.sync_detailed(assessment_id, client=assay)
    print(len(matrix.content), "bytes of CSV")
    # end sample

    # sample: exportCodeBook
    code_book = export_code_book.sync_detailed(assessment_id, client=assay)
    print(len(code_book.content), "bytes of CSV")
    # end sample

    # sample: exportPublicResponses
    by_key = export_public_responses.sync_detailed(assessment_id, client=integration)
    print(len(by_key.content), "bytes of CSV")
    # end sample

    # sample: exportPublicCodeBook
    columns = export_public_code_book.sync_detailed(assessment_id, client=integration)
    print(len(columns.content), "bytes of CSV")
    # end sample

    # sample: replaceCutScoreRatings
    rating = models.CutScoreRatingInput(question_id=question_id, percent=65)
    new_ratings = models.CutScoreRatingsPut(ratings=[rating])
    rated = ok(replace_cut_score_ratings.sync(assessment_id, client=assay, body=new_ratings))
    print(rated.cut_score or "some questions are not yet rated")
    # end sample

    # sample: retrieveCutScoreRatings
    mine = ok(retrieve_cut_score_ratings.sync(assessment_id, client=assay))
    print(len(mine.ratings), "ratings")
    # end sample

    # sample: retrieveCutScore
    cut = ok(retrieve_cut_score.sync(assessment_id, client=assay))
    print(cut.cut_score, "by", len(cut.judges), "judges")
    # end sample

    # sample: deleteCutScoreRatings
    ok(delete_cut_score_ratings.sync(assessment_id, client=assay))
    # end sample
