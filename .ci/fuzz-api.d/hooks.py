"""Configures Schemathesis for this API: credentials, formats, and additional checks.

run.py gives everything in the environment, one process per credential.
"""

import atexit
import collections
import datetime
import json
import os
import re

import schemathesis
from hypothesis import strategies as st
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.core.parameters import ParameterLocation
from schemathesis.openapi.checks import EnsureResourceAvailability, RejectedPositiveData, UseAfterFree

from filling import EXAMPLE, IMPORTS, Filling
from persona import Persona

with open(os.environ["FUZZ_ESTATE"], encoding="utf-8") as estate:
    persona = Persona(os.environ["FUZZ_AS"], os.environ["FUZZ_URL"], json.load(estate))
filling = Filling(persona, int(os.environ["FUZZ_SEED"]))


# Schemathesis does not cache the credential. It would request a new one after each
# 401, and most operations respond with 401 to most credentials.
@schemathesis.auth(refresh_interval=None)
class Credential:
    def get(self, case, context):
        return persona.credential(case.operation.definition.raw["operationId"])

    def set(self, case, data, context):
        case.headers = {**(case.headers or {}), **data}


# Dates as clients send them: near the present, with offsets and fractions, and the
# extremes. The library's dates are spread evenly over ten thousand years.
def date_time(seconds, offset, fraction):
    zone = datetime.timezone(datetime.timedelta(minutes=offset))
    moment = datetime.datetime.now(zone).replace(microsecond=0) + datetime.timedelta(seconds=seconds)
    text = moment.isoformat()
    return text[:19] + fraction + text[19:].replace("+00:00", "Z")


FURTHEST = ["0001-01-01T00:00:00Z", "0001-01-02T00:00:00+23:59", "1969-12-31T23:59:59-00:00", "9999-12-31T23:59:59.999999999Z"]
schemathesis.openapi.format("date-time", st.sampled_from(FURTHEST) | st.builds(
    date_time, st.integers(-40 * 86400, 400 * 86400), st.sampled_from([0, 60, -300, 345, 839]), st.sampled_from(["", ".5", ".123", ".123456789"]),
))
# The addresses that server/request/formats.go accepts: no quoted names, no domain of one label.
schemathesis.openapi.format("email", st.builds(
    "{}@{}.example".format, st.from_regex(r"[a-z0-9]{1,12}([.+_-][A-Za-z0-9!#$%&'*/=?^{|}~`]{1,8}){0,2}", fullmatch=True),
    st.from_regex(r"[a-z0-9]{1,12}(-[a-z0-9]{1,5})?", fullmatch=True),
))
# Only loopback, because the server sends webhooks to some of them.
schemathesis.openapi.format("uri", st.builds(
    "{}{}".format, st.sampled_from([persona.listener, persona.listener.replace("127.0.0.1", "localhost")]),
    st.from_regex(r"/([a-z0-9_~.-]{0,8}|%[0-9A-F]{2}){0,3}(\?[a-z]{1,5}=[a-z0-9]{0,8})?", fullmatch=True),
))
schemathesis.openapi.format("password", st.from_regex(r"[a-z]{4}( [a-z]{3,8}){3,6}", fullmatch=True))

counts = collections.defaultdict(collections.Counter)


@schemathesis.hook
def before_call(context, case, kwargs):
    filling.fill(case)


@schemathesis.hook
def after_call(context, case, response):
    counts[case.operation.definition.raw["operationId"]][str(response.status_code)] += 1
    filling.learn(case, response)


@atexit.register
def write_results():
    with open(os.environ["FUZZ_COUNTS"], "w", encoding="utf-8") as out:
        json.dump(counts, out)
    with open(os.environ["FUZZ_ESTATE"], "w", encoding="utf-8") as out:
        json.dump(persona.estate.known(), out)  # passwords may have changed


class RuleBroken(Failure):
    """A finding of one of the checks below."""

    __slots__ = ()


def report(case, message):
    raise RuleBroken(operation=case.operation.label, title="This API's own rule is violated", message=message)


# A credential of another kind gets the same response as none, for every request.
# An insufficient role is rejected before the request is validated.
@schemathesis.check
def credential_confined(ctx, response, case):
    scheme = persona.scheme_of(case.operation)
    if response.request.method.lower() != case.operation.method or scheme is None:
        return
    if persona.scheme != scheme and response.status_code != 401:
        report(case, f"{persona.name} got {response.status_code}, want 401")
    roles = case.operation.definition.raw.get("x-required-roles", [])
    if persona.scheme == scheme == "bearerAuth" and persona.role not in roles and response.status_code not in (401, 403):
        report(case, f"{persona.role} got {response.status_code}, want 403")


# Schemathesis accepts additional parameters and fields, because most servers ignore
# them. This server rejects them.
@schemathesis.check
def unknown_parameter_rejected(ctx, response, case):
    unknown = set(case.query or {}) - {parameter.name for parameter in case.operation.query}
    sent = {part.partition("=")[0] for part in (response.request.url.partition("?")[2]).split("&")}
    if response.status_code < 400 and unknown & sent:
        report(case, f"accepted the unknown parameters {sorted(unknown)}")


# An operation lists its own codes, without the codes that all operations have.
@schemathesis.check
def code_named(ctx, response, case):
    if response.status_code < 400 or response.request.method.lower() != case.operation.method:
        return
    code = response.json()["code"]
    if code not in case.operation.definition.raw.get("x-error-codes", []) and code in special_codes:
        report(case, f"returned {code}, which is not in x-error-codes")


special_codes = set()


@schemathesis.hook
def after_load_schema(context, schema):
    for item in schema.raw_schema["paths"].values():
        for operation in item.values():
            special_codes.update(operation.get("x-error-codes", []))
    # Those of a credential, or of an id in the path, are listed only where another value can cause them.
    special_codes.difference_update({"unauthenticated", "token_expired", "not_found"})


# Checks that filling.py replaced every address that is not on loopback.
@schemathesis.check
def stays_on_loopback(ctx, response, case):
    if case.path.startswith(("/v1/webhooks", "/v1/public/webhooks")) and response.status_code in (200, 201) and '"url"' in response.text:
        stored = response.json()["data"]
        for endpoint in stored if isinstance(stored, list) else [stored]:
            if not filling.is_loopback(endpoint["url"]):
                report(case, f"webhooks would go to {endpoint['url']}")


# Rules that a schema cannot express: the schema accepts the request, and the
# server responds with 400. Operations, pointer, code.
SEMANTIC = [
    (r"register|changePassword|acceptInvitation|resetPassword", r"/(password|newPassword)", "too_common"),
    (r"acceptInvitation", r"/password", "too_short"),  # of a new account; that of an account can have any length
    (r"\w+", r"/(.+/)?(\w+At|until)", "too_(small|large)"),  # compared with the clock or another time
    (r"list\w+", r"after|cursor", "invalid_value"),  # a cursor that the list has not returned
    (r"retrieve(Public)?CandidateData", r"/after", "invalid_value"),  # likewise
    (r"scheduleOrganizationDeletion", r"/name", "invalid_value"),  # compared with the name of the organization
    (r"\w+", r"/(.+/)?(name|\w+Name|title|externalId|description|label)", "invalid_value"),  # x-single-line
    (r"\w+", r"/(.+/)?(name|\w+Name|title|reason|description|label)", "invalid_format"),  # only control characters, which are blank
    (r"create(Public)?CandidateSession", r"/metadata", "invalid_value"),  # the length of a key
    (r"(create|update)Member", r"/assessmentIds(/\d+)?", "unknown_id|invalid_value|required"),  # depends on the role
    (r"(create|update)Assessment", r"/stages/\d+(/questions/\d+(/(options|rubric)/\d+)?)?/id", "unknown_id|duplicate"),
    (r"(create|update)Assessment", r"/stages/\d+/pools/\d+/id", "unknown_id|duplicate"),
    (r"(create|update)Assessment", r"/stages/\d+/pools/\d+/tags/\d+", "invalid_value|invalid_format"),  # x-single-line; only invisible characters
    (r"(create|update)Assessment", r"/stages/\d+/questions/\d+/bankQuestionId", "unknown_id"),
    (r"(create|update)Question", r"/question/(id|bankQuestionId|(options|rubric)/\d+/id)", "unknown_id|duplicate"),  # the bank has no copies
    (r"(create|update)Question", r"/tags/\d+", "invalid_value|invalid_format"),  # x-single-line; only invisible characters
    (r"updateOrganization|(create|update)Assessment", r"/(locale|timeZone)", "invalid_value"),  # compared with lists of names
    (r"replaceOrganizationLogo|create(Public)?Media", r"", "invalid_value|too_large"),  # compared with the formats of images
    (r"import(Public)?Assessment", r"language", "invalid_value"),  # compared with lists of names
    (r"import(Public)?Assessment", r"title", "invalid_value|invalid_format"),  # x-single-line; only invisible characters
    (r"(create|preview)AssessmentCorrection", r"/questionId", "unknown_id"),
    (r"(create|preview)AssessmentCorrection", r"/key(/.+)?", r"\w+"),  # depends on the action and on the question
    (r"gradeCandidateSessionAnswer", r"/(reason|rubric|points)(/.+)?", r"\w+"),  # depends on the question and on earlier grades
    (r"saveClaimDraft|gradeClaim", r"/(rubric|points)(/.+)?", r"\w+"),  # compared with the question
    (r"(reopen|rule)CandidateSession", r"/stageId", "unknown_id"),
    (r"\w+ReviewComment", r"/text", "invalid_format"),  # only control characters, which are blank
    (r"(change|bulkChange)(Public)?ReviewStates?", r"/stateId", "unknown_id|invalid_value"),
    (r"(change|bulkChange)(Public)?ReviewStates?", r"/email/(subject|text)", "invalid_value|invalid_format"),  # placeholders
    (r"previewReviewEmail|(replace|preview)EmailText", r"/(subject|text)", "invalid_value|invalid_format"),
    (r"change(Public)?ReviewTags", r"/(add|remove)/\d+", "invalid_value|invalid_format"),  # x-single-line; only invisible characters
    (r"(list|summarize|export)\w+", r"tag(/\d+)?", "invalid_value"),  # x-single-line
    (r"replaceReviewStates", r"/states(/.+)?", "unknown_id|duplicate|invalid_value"),  # compared with the list
    (r"(replace|preview)(Assessment)?Retention", r"/notStartedMonths|/states/\d+/(months|stateId)", "too_large|unknown_id|duplicate|invalid_value"),
    (r"createLegalHold", r"/(assessmentId|sessionId)", "required|invalid_value"),  # exactly one of them
    (r"createSegment", r"/filter(/.+)?", r"\w+"),  # at least one condition; x-single-line; two times are compared
    (r"replaceSelfIdentification", r"/questions/\d+(/options/\d+)?/(id|text)", "duplicate|invalid_value|invalid_format"),
    (r"saveOwnSelfIdentification", r"/answers/\d+(/.+)?", "unknown_id|duplicate|invalid_value"),  # compared with the questions
    (r"recordActivity", r"/questions/\d+/questionId", r"\w+"),  # compared with what the candidate has reached
    (r"replaceCutScoreRatings", r"/ratings/\d+/questionId", r"\w+"),  # compared with the assessment
    (r"confirmSecondFactor|completeSignIn|reauthenticate", r"(/code|/passkey)?", r"required|invalid_\w+"),  # exactly one of them
    (r"switchOrganization", r"/refreshToken", "invalid_value"),  # compared with the access token
    (r"createApiKey", r"/scopes", "invalid_value"),  # members:provision has no other scope beside it
    (r"createSecondFactor", r"/type", "invalid_value"),  # a passkey needs a service with a domain name
    (r"createPasskeyOptions", r"/challenge", "invalid_value"),  # of a person without a passkey
    (r"createSignInDomain", r"/domain", "invalid_value"),  # a domain
    (r"replaceSignInProvider", r"/issuer|/clientSecret|/roleClaim", "invalid_value|required"),  # depends on the present provider and the roles
    (r"saveAnswer", r"/(optionId|optionIds|number|text)", "unknown_field|required"),  # depends on the question's type
    (r"saveAnswer", r"/(optionId|optionIds(/\d+)?)", "invalid_value"),  # compared with the question's options
    (r"submitStage", r"/clientId", "required"),  # with answers
    (r"submitStage", r"/undelivered/\d+", "invalid_encoding"),  # U+0000, which Schemathesis adds to make items unique
    (r"saveAnswer", r"/text", "invalid_value"),  # a SHORT_TEXT is shorter than a FREE_TEXT
]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    operation = case.operation.definition.raw["operationId"]
    if isinstance(failure, RejectedPositiveData) and response.status_code == 400:
        faults = response.json().get("errors", [])
        return not faults or not all(is_semantic(operation, fault) for fault in faults)
    # The header If-None-Match can match, for example as *.
    if isinstance(failure, RejectedPositiveData) and response.status_code == 304:
        return False
    # One address gets at most three emails in a day, and a member at most ten tests in an hour.
    if isinstance(failure, RejectedPositiveData) and response.status_code == 429:
        return operation not in (
            "createMember", "resendMemberInvitation", "resendCandidateSession", "resendPublicCandidateSession",
            "sendEmailConfirmation", "testEmailText",
        )
    # A revoked key can be retrieved, with revokedAt.
    if isinstance(failure, UseAfterFree) and operation == "retrieveApiKey":
        return response.json()["data"]["revokedAt"] is None
    # A harmful request has the id of an example instead of the one that was just created.
    if isinstance(failure, EnsureResourceAvailability) and EXAMPLE in str(case.path_parameters):
        return False
    if isinstance(failure, AcceptedNegativeData):
        # No body is not invalid if the body is optional.
        body = case.operation.definition.raw.get("requestBody")
        if body is not None and not body.get("required") and response.request.body in (None, b"", b"null"):
            return False
        # An invalid row fails alone, so the request may succeed, repeat a key, or have answers to a stage that does not exist.
        rows = case.operation.definition.raw.get("x-outcome-per-item")
        if rows == "answers" and response.status_code == 404:
            return False
        if rows and response.status_code not in (404, 405):
            answer = response.json()
            data = answer.get("data", {})
            refused = data.get("failedCount") or any(row["outcome"] == "REFUSED" for row in data.get("answers", []))
            return answer.get("code") != "idempotency_key_reused" and not refused
        # An invalid path may match no route, or a route with other methods.
        if response.status_code in (404, 405):
            return not case.meta.is_negative_at(ParameterLocation.PATH)
        # Any bytes can be sent; the server finds out what they are.
        if operation in ("replaceOrganizationLogo", "createMedia", "createPublicMedia", *IMPORTS):
            return False
    return True


def is_semantic(operation, fault):
    return any(
        re.fullmatch(operations, operation) and re.fullmatch(pointer, fault["pointer"]) and re.fullmatch(code, fault["code"])
        for operations, pointer, code in SEMANTIC
    )
