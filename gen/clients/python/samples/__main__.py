"""Runs the samples in a separate organization, and counts the operations."""

import os
from datetime import UTC, datetime

from assay import Client
from receiver import Receiver

from . import (
    api_keys,
    assessments,
    candidate_sessions,
    dashboard,
    decisions,
    figures,
    grading,
    keys,
    people,
    printed,
    questions,
    results,
    retention,
    reviews,
    webhooks,
)
from .audit_log import audit_log, public_audit_log
from .auth import account, forgotten, leave, registration, sign_in
from .candidate import take
from .events import events, follow
from .integrations import tracking_systems
from .members import members
from .operations import Requests
from .provider import provider
from .sign_in import passkeys

url = os.environ["ASSAY_URL"]
began = datetime.now(UTC)
requests = Requests()

with (
    Client(base_url=url, raise_on_unexpected_status=True) as anybody,
    sign_in(url, os.environ["ASSAY_EMAIL"], os.environ["ASSAY_PASSWORD"]) as assay,
    Receiver() as receiver,
):
    registration(anybody, url)
    passkeys(
        anybody, url, os.environ["ASSAY_PASSKEY_EMAIL"], os.environ["ASSAY_PASSWORD"],
        os.environ["ASSAY_RECOVERY_CODES"].split(),
    )
    provider(anybody, assay)
    new_password = forgotten(anybody, os.environ["ASSAY_EMAIL"], os.environ["ASSAY_RESET_URL"])
    with sign_in(url, os.environ["ASSAY_RESET_EMAIL"], new_password) as other:
        leave(other, os.environ["ASSAY_CONFIRM_URL"])
    account(assay)
    members(anybody, assay)
    integration, api_key_id = api_keys.create(assay, url)
    audit_log(assay)
    tracking_systems(assay)

    with integration:
        api_keys.check(integration)
        public_audit_log(integration)
        webhook_id = webhooks.create(assay, receiver.url)
        own_webhook_id = keys.endpoint(integration, receiver.url, began)
        questions.bank(assay)
        assessment_id = assessments.publish(assay)
        assessments.public(integration, assessment_id)

        session = candidate_sessions.invite(integration, assessment_id)
        figures.ask(assay, assessment_id)
        redirect_url = take(url, session.invite_url or "")
        results.exchange(integration, redirect_url)
        results.by_key(integration, session.id)
        results.links_by_key(integration, session.id)
        results.links(assay, session.id)
        results.by_person(assay, session.id)
        question_id = decisions.correct(assay, assessment_id)
        figures.figures(assay, integration, assessment_id, question_id)
        decisions.grade(assay, session.id, question_id)
        reviews.by_key(integration, session.id, reviews.by_person(assay, session.id))
        retention.keep(assay, assessment_id, session.id)
        decisions.rule(assay, os.environ["ASSAY_REVIEW_SESSION"])
        decisions.forgive(assay, os.environ["ASSAY_LATE_SESSION"])
        grading.grade(assay, os.environ["ASSAY_GRADING_ASSESSMENT"])
        candidate_sessions.by_person(assay, assessment_id)
        candidate_sessions.by_key(integration, assessment_id)
        candidate_sessions.lists(assay, integration)
        dashboard.screens(assay)
        dashboard.supervise(assay, url, assessment_id)
        dashboard.reports(assay, assessment_id, session.id, webhook_id)
        follow(integration, began)
        keys.deliveries(integration, own_webhook_id)

        while receiver.next().headers["X-Service-Event"] != "candidate.completed":
            pass
        webhooks.deliveries(assay, webhook_id)
        events(assay)
        webhooks.replay(assay, webhook_id, began)

        webhooks.delete(assay, webhook_id)
        people.read(assay, integration)
        candidate_sessions.erase(assay, session.id)
        people.erase(assay, integration, session.id)
        people.deletion(assay)
        assessments.archive(assay, assessment_id)
        api_keys.revoke(assay, api_key_id)
        dashboard.leave(assay)

print(printed.check(), "samples as printed")
print(requests.count(url), "operations")
