"""The first call with a generated client, and the first refusal."""

import os

from assay import AuthenticatedClient, models
from assay.api.assessments import list_public_assessments, retrieve_public_assessment

with AuthenticatedClient(
    base_url=os.environ["ASSAY_URL"],
    token=os.environ["ASSAY_API_KEY"],
    prefix="",
    auth_header_name="X-API-Key",
) as integration:
    page = list_public_assessments.sync(client=integration, limit=5)
    if isinstance(page, models.PublicAssessmentList):
        for assessment in page.data:
            print(assessment.id, assessment.title)

    answer = retrieve_public_assessment.sync("asm_00000000000000000000000000", client=integration)
    if isinstance(answer, models.Problem):
        print(answer.code, answer.detail, answer.request_id)
