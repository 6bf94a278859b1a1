from base64 import b64decode
from contextlib import closing
from urllib.parse import urlsplit

from assay import AuthenticatedClient, models
from assay.api.assessments import (
    check_assessment,
    close_assessment_registration,
    list_assessment_changes,
    preview_assessment,
    replace_assessment_notifications,
    replace_assessment_registration,
    retrieve_assessment_notifications,
    retrieve_assessment_question_statistics,
    retrieve_assessment_registration,
    retrieve_assessment_statistics,
)
from assay.api.audit_log import export_audit_log
from assay.api.auth import delete_organization_logo, end_sign_in, end_sign_ins, list_sign_ins
from assay.api.candidate import clear_answer, retrieve_current_stage, save_answers, start_stage, start_taking
from assay.api.candidate_sessions import (
    bulk_create_candidate_sessions,
    export_candidate_sessions,
    export_candidate_spreadsheet,
    extend_candidate_session,
    list_candidate_session_changes,
    list_email_texts,
    preview_email_text,
    replace_email_text,
    reset_email_text,
    retrieve_candidate_history,
    retrieve_candidate_session_progress,
    retrieve_candidate_session_timeline,
    summarize_candidate_sessions,
    test_email_text,
    update_candidate_session,
)
from assay.api.media import delete_media, list_media, retrieve_media
from assay.api.overview import retrieve_overview
from assay.api.results import retrieve_results
from assay.api.webhooks import list_all_deliveries, retrieve_webhook_statistics
from client import ok

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def screens(assay: AuthenticatedClient) -> None:
    logo = b64decode(PIXEL)
    # sample: replaceOrganizationLogo
    # The generated client has no function for an image.
    http = assay.get_httpx_client()
    http.put("/v1/organization/logo", content=logo, headers={"Content-Type": "image/png"}).raise_for_status()
    # end sample

    # sample: deleteOrganizationLogo
    ok(delete_organization_logo.sync(client=assay))
    # end sample

    # sample: createMedia
    # The generated client has no function for an image.
    uploaded = http.post("/v1/media", content=logo, headers={"Content-Type": "image/png"}).raise_for_status()
    media_id = uploaded.json()["data"]["id"]
    print(f"![A square](media:{media_id})")
    # end sample

    # sample: listMedia
    for picture in ok(list_media.sync(client=assay)):
        print(picture.id, picture.width, picture.height, picture.used)
    # end sample

    # sample: retrieveMedia
    detail = ok(retrieve_media.sync(media_id, client=assay))
    print(detail.url, detail.used_in)
    # end sample

    # sample: deleteMedia
    ok(delete_media.sync(media_id, client=assay))
    # end sample

    # sample: retrieveOverview
    overview = ok(retrieve_overview.sync(client=assay))
    print(overview.expiring_invites.count, "invites expire soon")
    # end sample

    # sample: listSignIns
    for entry in ok(list_sign_ins.sync(client=assay)):
        print(entry.created_at, "here" if entry.current else "elsewhere")
    # end sample

    # sample: exportAuditLog
    created = models.AuditActionInput.API_KEY_CREATED
    entries = export_audit_log.sync_detailed(client=assay, action=created)
    print(len(entries.content), "bytes of CSV")
    # end sample


def leave(assay: AuthenticatedClient) -> None:
    sign_in = ok(list_sign_ins.sync(client=assay))[0]
    # sample: endSignIn
    ok(end_sign_in.sync(sign_in.id, client=assay))
    # end sample


def supervise(assay: AuthenticatedClient, url: str, assessment_id: str) -> None:
    # sample: bulkCreateCandidateSessions
    alan = models.CandidateSessionCreate(assessment_id, "Alan Turing", "alan@candidates.example")
    body = models.CandidateSessionBulk(rows=[alan])
    bulk = ok(bulk_create_candidate_sessions.sync(client=assay, body=body))
    print(bulk.created_count, "invited")
    # end sample

    session = bulk.rows[0].session
    assert session and session.invite_url
    session_id = session.id
    # sample: updateCandidateSession
    update = models.CandidateSessionUpdate(extra_time_percent=25, note="Agreed by phone")
    updated = ok(update_candidate_session.sync(session_id, client=assay, body=update))
    print(updated.extra_time_percent, "percent more time")
    # end sample

    candidate = AuthenticatedClient(
        base_url=url, token=urlsplit(session.invite_url).fragment, raise_on_unexpected_status=True
    )
    with closing(candidate.get_httpx_client()):
        answer(candidate)

    # sample: extendCandidateSession
    extension = models.CandidateSessionExtend(minutes=10, reason="A power cut")
    extended = ok(extend_candidate_session.sync(session_id, client=assay, body=extension))
    print("the time is up at", extended.deadline_at)
    # end sample

    # sample: retrieveCandidateSessionProgress
    progress = ok(retrieve_candidate_session_progress.sync(session_id, client=assay))
    print(progress.answered_count, "of", progress.question_count, "answered")
    # end sample

    # sample: retrieveCandidateSessionTimeline
    for event in ok(retrieve_candidate_session_timeline.sync(session_id, client=assay)):
        print(event.at, event.type_)
    # end sample


def answer(candidate: AuthenticatedClient) -> None:
    ok(start_taking.sync(client=candidate))
    stage_id = ok(retrieve_current_stage.sync(client=candidate)).id
    # sample: startStage
    stage = ok(start_stage.sync(client=candidate, body=models.StageStart(stage_id)))
    print(stage.title, "has", len(stage.questions or []), "questions")
    # end sample

    question_id = (stage.questions or [])[0].id
    # sample: saveAnswers
    choice = models.ChangedAnswer(option_id="a")
    change = models.AnswerChange(question_id=question_id, answer=choice, revision=1, seen_revision=0)
    changes = models.AnswersSave(stage_id=stage_id, client_id="page-1", answers=[change])
    for row in ok(save_answers.sync(client=candidate, body=changes)).answers:
        print(row.question_id, row.outcome)
    # end sample

    # sample: clearAnswer
    ok(clear_answer.sync(question_id, client=candidate))
    # end sample


def reports(assay: AuthenticatedClient, assessment_id: str, session_id: str, webhook_id: str) -> None:
    # sample: checkAssessment
    check = ok(check_assessment.sync(assessment_id, client=assay))
    print("publishable" if check.publishable else [fault.detail for fault in check.faults])
    # end sample

    # sample: previewAssessment
    preview = ok(preview_assessment.sync(assessment_id, client=assay))
    print("try it at", preview.invite_url)
    # end sample

    # sample: replaceAssessmentNotifications
    wanted = models.AssessmentNotificationsInput(finished_email=True)
    ok(replace_assessment_notifications.sync(assessment_id, client=assay, body=wanted))
    # end sample

    # sample: retrieveAssessmentNotifications
    notifications = ok(retrieve_assessment_notifications.sync(assessment_id, client=assay))
    print("an email when candidates finish:", notifications.finished_email)
    # end sample

    # sample: replaceAssessmentRegistration
    opened = ok(
        replace_assessment_registration.sync(
            assessment_id, client=assay, body=models.AssessmentRegistrationInput(limit=200)
        )
    )
    print("register at", opened.url)
    # end sample

    # sample: retrieveAssessmentRegistration
    print("registered:", ok(retrieve_assessment_registration.sync(assessment_id, client=assay)).used)
    # end sample

    # sample: closeAssessmentRegistration
    close_assessment_registration.sync_detailed(assessment_id, client=assay)
    # end sample

    # sample: replaceEmailText
    words = models.EmailTextInput(
        kind=models.EmailTextKindInput.INVITE,
        locale=models.EmailTextLocaleInput.EN,
        subject="Invitation: {{assessmentTitle}}",
        text="Dear {{candidateName}},\n\nplease start by {{lastDay}}.",
    )
    print("invites have the words of", ok(replace_email_text.sync(client=assay, body=words)).source)
    # end sample

    # sample: previewEmailText
    print(ok(preview_email_text.sync(client=assay, body=words)).text)
    # end sample

    # sample: testEmailText
    name = models.EmailTextName(kind=words.kind, locale=words.locale)
    test_email_text.sync_detailed(client=assay, body=name)
    # end sample

    # sample: listEmailTexts
    for one in ok(list_email_texts.sync(client=assay, assessment_id=assessment_id)):
        print(one.kind, one.locale, one.source, one.subject)
    # end sample

    # sample: resetEmailText
    reset_email_text.sync_detailed(client=assay, body=name)
    # end sample

    # sample: retrieveAssessmentStatistics
    statistics = ok(retrieve_assessment_statistics.sync(assessment_id, client=assay))
    print("pass rate", statistics.pass_rate, "at", statistics.computed_at)
    # end sample

    # sample: retrieveAssessmentQuestionStatistics
    for question in ok(retrieve_assessment_question_statistics.sync(assessment_id, client=assay)).questions:
        print(question.prompt, question.answered)
    # end sample

    # sample: summarizeCandidateSessions
    summary = ok(summarize_candidate_sessions.sync(client=assay, assessment_id=assessment_id))
    print(summary.total, "sessions")
    # end sample

    # sample: listCandidateSessionChanges
    print(len(ok(list_candidate_session_changes.sync(client=assay)).items), "sessions on the first page")
    # end sample

    # sample: listAssessmentChanges
    print(len(ok(list_assessment_changes.sync(client=assay)).items), "assessments on the first page")
    # end sample

    # sample: retrieveCandidateHistory
    query = models.CandidateHistoryQuery(assessment_id=assessment_id, candidate_emails=["ada@example.com"])
    for history in ok(retrieve_candidate_history.sync(client=assay, body=query)):
        print(history.candidate_email, history.attempt_count, history.repeat)
    # end sample

    # sample: exportCandidateSessions
    table = export_candidate_sessions.sync_detailed(client=assay, assessment_id=assessment_id)
    print(len(table.content), "bytes of CSV")
    # end sample

    # sample: exportCandidateSpreadsheet
    sheet = export_candidate_spreadsheet.sync_detailed(
        client=assay,
        assessment_id=assessment_id,
        format_=models.SpreadsheetFormat.XLSX,
        language=models.SpreadsheetLanguage.DE,
        time_zone="Europe/Berlin",
    )
    print(len(sheet.content), "bytes of XLSX")
    # end sample

    # sample: retrieveResults
    batch = models.ResultBatch(session_ids=[session_id])
    for row in ok(retrieve_results.sync(client=assay, body=batch)):
        print(row.session_id, row.result.score if row.result else row.error)
    # end sample

    # sample: listAllDeliveries
    failed = models.DeliveryStatusInput.FAILED
    print(len(ok(list_all_deliveries.sync(client=assay, status=failed))), "failed deliveries")
    # end sample

    # sample: retrieveWebhookStatistics
    webhook = ok(retrieve_webhook_statistics.sync(webhook_id, client=assay))
    print(webhook.succeeded, "deliveries succeeded")
    # end sample

    # sample: endSignIns
    ok(end_sign_ins.sync(client=assay))
    # end sample
